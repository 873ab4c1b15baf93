"""A language model that an operator adds: a server of one's own, or another model of a provider."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from catalogsku.core.errors import Conflict, Refused
from processing.llm.models import LanguageModel

# What a model starts with: it costs nothing, and its answers fit into the context that small servers give (16k tokens).
# A server with one GPU answers slowly, and one call after another.
OWN_MODEL: Mapping[str, Any] = {
    "provider": "openai", "price_in_micro": 0, "price_out_micro": 0, "qpm": 60, "tpm": 2_000_000, "max_images": 4,
    "max_tokens": 4096, "temperature": 0.1, "timeout_s": 180,
}  # fmt: skip


def add_model(name: str, columns: Mapping[str, Any]) -> LanguageModel:
    """A model that may be asked from now on. ``columns``: values, in place of those of OWN_MODEL.

    Raises Conflict(model_known), Refused(model_fields) with what is wrong of which column.
    """
    row = LanguageModel(name=name, **{**OWN_MODEL, **columns})
    if LanguageModel.objects.filter(name=name).exists():
        raise Conflict("model_known", name=name)
    try:
        row.full_clean(validate_unique=False)
        with transaction.atomic():
            row.save(force_insert=True)
    except ValidationError as error:
        why = "; ".join(f"{column}: {' '.join(messages)}" for column, messages in error.message_dict.items())
        raise Refused("model_fields", why=why) from error
    except IntegrityError as error:
        raise Conflict("model_known", name=name) from error
    return row
