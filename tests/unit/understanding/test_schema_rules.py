"""A category's rules: kept, broken, and who is asked."""

import msgspec
import pytest

from processing.engine.result import Evidence, Sku, Value
from processing.engine.understanding.config import SchemaRule
from processing.engine.understanding.judging.schema_rules import check_schema, schema_blockers

pytestmark = pytest.mark.req("TA-T55")


def sku(**values: str) -> Sku:
    place = Evidence("", 1, (0, 0, 1, 1))
    return Sku((0, 0, 1, 1), {key: Value(text, place) for key, text in values.items()})


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        (SchemaRule("range_check", "color_temperature", min=1000, max=20_000), "3000 K / 4,000 K", "3 K"),
        (SchemaRule("range_check", "seat_height", max=1200), "450", "450/4500"),
        (SchemaRule("regex_match", "ip_rating", pattern=r"(IP)?\s*[0-6X]{2}"), "IP65", "IP 65 (rain)"),
        (SchemaRule("max_count", "color", max=2), "red / blue", "red, blue, green"),
    ],
)
def test_a_value_keeps_or_breaks_a_rule(rule: SchemaRule, kept: str, broken: str) -> None:
    products = (sku(**{rule.field: kept}), sku(**{rule.field: broken}), sku(other="1"))
    (finding,) = check_schema(products, (rule,))
    assert (finding.code, finding.sku, finding.params["field"]) == (rule.rule, 1, rule.field)


def test_only_a_required_field_asks_for_a_value() -> None:
    (finding,) = check_schema(
        (sku(model="A"), sku(size="1")), (SchemaRule("required_field", "size", severity="error"),)
    )
    assert (finding.sku, finding.severity) == (0, "error")


def test_a_person_is_asked_where_the_rule_says_so() -> None:
    rule = SchemaRule("required_field", "size", action="review")
    findings = check_schema((sku(model="A"),), (rule,))
    (blocker,) = schema_blockers(findings, (rule,))
    assert (blocker.code, blocker.sku) == ("required_field", 0)
    assert not list(schema_blockers(findings, (msgspec.structs.replace(rule, action="note"),)))
