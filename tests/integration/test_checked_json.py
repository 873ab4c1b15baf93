"""Configuration in force is complete, whoever wrote it: the database refuses what the forms refuse (TA-FREEZE)."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from catalogsku.profiles import figures, routes
from catalogsku.profiles.models import CategorySchema, MerchantDictionary, RoutingTable, ThresholdProfile
from catalogsku.profiles.services import profile_for, routing_now, schema_for
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-FREEZE")]
checked: Any = import_module("catalogsku.profiles.migrations.0008_checked_json")
WHOLE = {
    "prescan_rules": figures.defaults(figures.PRESCAN_RULES),
    "classification": figures.defaults(figures.CLASSIFICATION),
}


@pytest.mark.parametrize(
    ("known", "columns"),
    [
        (figures.PRESCAN_RULES, checked.PRESCAN_RULES),
        (figures.CLASSIFICATION, checked.CLASSIFICATION),
        (figures.LIMITS, checked.LIMITS),
        (routes.POINTS, checked.POINTS),
    ],
)
def test_the_database_asks_for_what_the_forms_ask_for(known: Mapping[str, figures.Figure], columns: Any) -> None:
    """Where this fails a migration is due that says the same as the figures."""
    assert {key: (kind, least, most, is_needed) for key, kind, least, most, is_needed in columns} == {
        key: ("boolean" if figure.kind == "switch" else "number", figure.least, figure.most, figure.is_needed)
        for key, figure in known.items()
    }


def refused(model: Any, pk: int, **columns: Any) -> bool:
    try:
        with transaction.atomic():
            model.objects.filter(pk=pk).update(**columns)
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("prescan_rules", {"all_blank_reject": "yes"}),
        ("prescan_rules", {"all_blank_reject": None}),
        ("prescan_rules", {"ocr_rate_penalty_weight": "0.1"}),
        ("prescan_rules", {"ocr_rate_penalty_weight": 1.5}),
        ("prescan_rules", {"min_text_chars_for_blank": -1}),
        ("classification", {"page_type_min_confidence": "abc"}),
        ("classification", {"skips_checked": "two"}),
        ("classification", {"skip_doubtful_below": 2}),
    ],
)
def test_a_figure_that_is_none_does_not_come_into_force(column: str, change: dict[str, Any]) -> None:
    profile = profile_for("")
    assert refused(ThresholdProfile, profile.pk, **{column: WHOLE[column] | change})
    assert not refused(ThresholdProfile, profile.pk, **{column: WHOLE[column]})


@pytest.mark.parametrize("key", [*WHOLE["prescan_rules"], *WHOLE["classification"]])
def test_nor_does_a_profile_without_one_that_is_needed(key: str) -> None:
    column = next(name for name, values in WHOLE.items() if key in values)
    left = {name: value for name, value in WHOLE[column].items() if name != key}
    assert refused(ThresholdProfile, profile_for("").pk, **{column: left})


@pytest.mark.parametrize("value", [[], "", 3, None, {"gap_l1": "far"}, {"max_candidates": 0}])
def test_limits_are_an_object_of_figures(value: Any) -> None:
    assert refused(ThresholdProfile, profile_for("").pk, limits=value)


@pytest.mark.parametrize(
    ("columns", "wrong"),
    [
        ({"rows": {}}, True),
        ({"rows": [{"operation": "read_page", "page_type": "any", "complexity": "any"}]}, True),
        ({"rows": ["read_page any any cheap"]}, True),
        ({"rows": []}, False),
        ({"points": {}}, True),
        ({"points": routes.DEFAULT_POINTS | {"columns": "one"}}, True),
    ],
)
def test_routes_are_rows_of_four_texts_and_points(columns: dict[str, Any], wrong: bool) -> None:
    assert refused(RoutingTable, routing_now().pk, **columns) == wrong


@pytest.mark.parametrize(
    ("columns", "wrong"),
    [
        ({"attributes": {}}, True),
        ({"attributes": [{"label_en": "Socket"}]}, True),
        ({"attributes": [{"key": 3}]}, True),
        ({"attributes": [{"key": "socket", "label_en": "Socket"}]}, False),
        ({"rules": [{"rule": "some_check", "field": "price"}]}, True),
        ({"rules": [{"rule": "required_field"}]}, True),
        ({"resolved_rules": [{"rule": "required_field", "field": "price"}]}, False),
    ],
)
def test_schemas_are_lists_of_attributes_and_rules(columns: dict[str, Any], wrong: bool) -> None:
    assert refused(CategorySchema, schema_for("").pk, **columns) == wrong


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([{"kind": "unit", "word": "只", "means": "CNY"}], False),
        ([{"kind": "letter", "word": "只", "means": "CNY"}], True),
        ([{"kind": "unit", "word": "只"}], True),
        ("words", True),
    ],
)
def test_words_are_entries_of_a_kind(people: People, entries: Any, wrong: bool) -> None:
    dictionary = MerchantDictionary.objects.create(key="m1", version=1, merchant=people.merchant)
    assert refused(MerchantDictionary, dictionary.pk, entries=entries) == wrong


def test_what_an_older_version_stored_is_put_out_of_force_all_the_same() -> None:
    profile = profile_for("")
    assert not refused(ThresholdProfile, profile.pk, classification={"old": "figures"}, active=False)
    assert refused(ThresholdProfile, profile.pk, active=True)
