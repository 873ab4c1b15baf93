"""Rules that a category's schema sets for its products, followed as data (TA-T55)."""

import re
from collections.abc import Iterator

from processing.engine.result import Blocker, Finding, Sku
from processing.engine.understanding.config import SchemaRule

Params = dict[str, str | int | float]

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SEVERAL = re.compile(r"[,;/|、，；]|\s+or\s+|或")


def check_schema(skus: tuple[Sku, ...], rules: tuple[SchemaRule, ...]) -> tuple[Finding, ...]:
    """A finding under the rule's name for every product that does not keep it."""
    return tuple(
        Finding(rule.rule, rule.severity, {"field": rule.field, **params}, index)
        for rule in rules
        for index, sku in enumerate(skus)
        if (params := _breach(rule, sku)) is not None
    )


def schema_blockers(findings: tuple[Finding, ...], rules: tuple[SchemaRule, ...]) -> Iterator[Blocker]:
    """Those findings of which the schema says that a person looks at them."""
    reviewed = {(rule.rule, rule.field) for rule in rules if rule.action == "review"}
    for finding in findings:
        if (finding.code, finding.params.get("field")) in reviewed:
            yield Blocker(finding.code, finding.params, finding.sku)


def _breach(rule: SchemaRule, sku: Sku) -> Params | None:
    """None where the rule is kept, or speaks of a value that is not printed: only required_field asks for one."""
    value = sku.attributes.get(rule.field)
    if value is None:
        on_request = rule.field == "price" and sku.on_request is not None
        return {} if rule.rule == "required_field" and not on_request else None
    text = value.text.strip()
    if rule.rule == "range_check":
        numbers = map(float, _NUMBER.findall(_THOUSANDS.sub("", text)))
        return {"value": text} if not all(_is_inside(rule, number) for number in numbers) else None
    if rule.rule == "regex_match":
        return None if re.fullmatch(rule.pattern, text) else {"value": text}
    if rule.rule == "max_count" and rule.max is not None:
        count = len([part for part in _SEVERAL.split(text) if part.strip()])
        return {"count": count, "limit": rule.max} if count > rule.max else None
    return None


def _is_inside(rule: SchemaRule, number: float) -> bool:
    return (rule.min is None or number >= rule.min) and (rule.max is None or number <= rule.max)
