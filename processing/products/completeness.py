"""How complete a product is: the share of what its category requires that was found."""

from collections.abc import Mapping, Sequence
from typing import Any

from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job
from processing.engine.result import BASE_KEYS
from processing.products.measures import printed

# What a product needs where its category requires nothing.
REQUIRED = ("model", "product_name", "size", "material", "price")


def required_keys(schema: CategorySchema) -> list[str]:
    """Keys of the attributes that the category calls required, itself or in a rule."""
    required = [entry["key"] for entry in schema.resolved_attributes if entry.get("required")]
    required += [rule["field"] for rule in schema.resolved_rules if rule["rule"] == "required_field"]
    return list(dict.fromkeys(required)) or list(REQUIRED)


def missing_keys(
    required: Sequence[str], attributes: Mapping[str, str | None], normalized: Mapping[str, Any]
) -> list[str]:
    return [key for key in required if not printed(attributes, normalized, key)]


def complete_percent(
    required: Sequence[str], attributes: Mapping[str, str | None], normalized: Mapping[str, Any]
) -> int:
    """0 to 100, rounded down: 100 means that nothing is missing."""
    return 100 * (len(required) - len(missing_keys(required, attributes, normalized))) // len(required)


def attribute_keys(job: Job) -> list[str]:
    """Every attribute key of the job's schema (INV-12): the base ones and the category's own."""
    own = [entry["key"] for entry in job.schema.resolved_attributes]
    return [*BASE_KEYS, *(key for key in own if key not in BASE_KEYS)]
