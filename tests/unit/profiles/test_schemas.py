"""Category schemas as people write them: what is refused, and what a category takes over."""

from typing import Any

import pytest

from catalogsku.core.attributes import BASE_KEYS
from catalogsku.profiles.categories import CATEGORIES
from catalogsku.profiles.schemas import Attribute, SchemaError, attributes_of, fold, inherited, rules_of

pytestmark = pytest.mark.req("TA-T55")


@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        ({"key": "a"}, "not_a_list", 0),
        (["a"], "bad_entry", 1),
        ([{"key": "a"}, {"label_en": "no key"}], "bad_entry", 2),
        ([{"key": "a", "colour": "red"}], "bad_entry", 1),
        ([{"key": "a", "type": "date"}], "bad_entry", 1),
        ([{"key": "Power"}], "bad_key", 1),
        ([{"key": "座高"}], "bad_key", 1),
        ([{"key": "a b"}], "bad_key", 1),
        ([{"key": "a"}, {"key": "a"}], "key_twice", 0),
        ([{"key": "a", "label_en": "Seat height"}, {"key": "b", "synonyms": ["SEAT  Height"]}], "label_twice", 0),
    ],
)
def test_refuses_attributes_that_cannot_be_meant(raw: Any, code: str, place: int) -> None:
    with pytest.raises(SchemaError) as caught:
        attributes_of(raw)
    assert (caught.value.code, caught.value.place) == (code, place)


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ({"rule": "eval", "field": "size"}, "bad_entry"),
        ({"rule": "required_field", "field": "lumen"}, "unknown_field"),
        ({"rule": "range_check", "field": "size"}, "bad_range"),
        ({"rule": "range_check", "field": "size", "min": 3, "max": 2}, "bad_range"),
        ({"rule": "max_count", "field": "size"}, "bad_range"),
        ({"rule": "regex_match", "field": "size"}, "bad_pattern"),
        ({"rule": "regex_match", "field": "size", "pattern": "("}, "bad_pattern"),
        ({"rule": "regex_match", "field": "size", "pattern": "(a+)+b"}, "bad_pattern"),
        ({"rule": "regex_match", "field": "size", "pattern": "a" * 201}, "bad_pattern"),
    ],
)
def test_refuses_rules_that_cannot_be_followed(rule: dict[str, Any], code: str) -> None:
    with pytest.raises(SchemaError) as caught:
        rules_of([{"rule": "required_field", "field": "size"}, rule], ["size"])
    assert (caught.value.code, caught.value.place) == (code, 2)


def test_a_category_takes_over_its_parents_and_replaces_what_it_names_itself() -> None:
    parents = attributes_of([{"key": "power", "unit": "W"}, {"key": "voltage", "unit": "V"}])
    own = attributes_of([{"key": "beam"}, {"key": "power", "unit": "kW"}])
    found = inherited(own, parents, by=("key",))
    assert found == (Attribute("power", unit="kW"), Attribute("voltage", unit="V"), Attribute("beam"))


def test_the_categories_of_a_fresh_database_are_whole() -> None:
    """Each parent is there, no label names two attributes of a category, every rule can be followed."""
    resolved: dict[str, tuple[Attribute, ...]] = {}
    for key, zh, en, parent, attributes, rules in CATEGORIES:
        above = resolved[parent] if parent else ()
        resolved[key] = inherited(attributes_of(list(attributes)), above, by=("key",))
        attributes_of([{"key": a.key, "synonyms": a.labels} for a in resolved[key]])
        rules_of(list(rules), (*BASE_KEYS, *(entry.key for entry in resolved[key])))
        assert zh and en and all(a.label_zh and a.label_en for a in resolved[key])
    goods = {"furniture", "lighting", "electronics", "apparel", "kitchenware", "hardware"}
    assert goods <= resolved.keys() and all(len(resolved[key]) >= 12 for key in goods)
    assert not any(entry.key in BASE_KEYS for entries in resolved.values() for entry in entries)


def test_labels_are_compared_without_case_and_space() -> None:
    assert fold("Seat  Height") == fold("seatheight") and fold("座 高") == "座高"
