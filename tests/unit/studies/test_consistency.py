"""Checks between values of a study: what does not hold is told with what was read; nothing is guessed."""

from decimal import Decimal

import pytest

from processing.studies.consistency import Breach, Part, Read, breaches, checked_fields, interval_in, number_in
from processing.studies.definition import Definition, definition_of

pytestmark = pytest.mark.req("LX-FIELDS", "LX-EXACT")


def field(key: str, type_: str, repeat: str = "none", unit: str = "") -> dict[str, str]:
    return {"key": key, "labels": {"en": key}, "type": type_, "repeat": repeat, "unit": unit}  # type: ignore[dict-item]


FIELDS = [
    field("total", "integer"), field("arm", "integer", "per_arm"), field("events", "integer", "per_outcome"),
    field("of", "integer", "per_outcome"), field("hr", "number", "per_outcome"), field("ci", "interval", "per_outcome"),
    field("male", "percentage", "per_arm"), field("age", "number", "per_arm", "years"),
]  # fmt: skip
CHECKS = [
    {"check": "arms_sum_to_total", "arms": "arm", "total": "total"},
    {"check": "events_at_most_total", "events": "events", "total": "of"},
    {"check": "interval_holds_estimate", "interval": "ci", "estimate": "hr"},
    {"check": "between", "field": "male", "least": 0, "most": 100},
    {"check": "between", "field": "age", "least": 18.5},
]


@pytest.fixture
def definition() -> Definition:
    return definition_of({"groups": [{"key": "g", "labels": {"en": "G"}, "fields": FIELDS}], "checks": CHECKS})


def told(definition: Definition, *parts: tuple[str, str, dict[str, str]]) -> list[tuple[str, str, list[str]]]:
    found = breaches(definition, [Part(*part) for part in parts])
    return [(breach.check, breach.part, [read.text for read in breach.values]) for breach in found]


def study(**texts: str) -> tuple[str, str, dict[str, str]]:
    return ("none", "", texts)


def arm(name: str, **texts: str) -> tuple[str, str, dict[str, str]]:
    return ("per_arm", name, texts)


def outcome(name: str, **texts: str) -> tuple[str, str, dict[str, str]]:
    return ("per_outcome", name, texts)


def test_each_check_says_what_it_has_read(definition: Definition) -> None:
    parts = [
        Part(*study(total="1,092")), Part(*arm("A", arm="545", male="104%", age="18.4 years")),
        Part(*arm("B", arm="546")),
        Part(*outcome("Falls", events="48", of="45")), Part(*outcome("Death", hr="0·71", ci="0·72 to 0·99")),
    ]  # fmt: skip
    found = breaches(definition, parts)
    assert found[0] == Breach(
        "arms_sum_to_total", "none", "", (Read("arm", "A", "545"), Read("arm", "B", "546"), Read("total", "", "1,092"))
    )
    assert found[1:3] == [
        Breach(
            "events_at_most_total", "per_outcome", "Falls", (Read("events", "Falls", "48"), Read("of", "Falls", "45"))
        ),
        Breach(
            "interval_holds_estimate",
            "per_outcome",
            "Death",
            (Read("ci", "Death", "0·72 to 0·99"), Read("hr", "Death", "0·71")),
        ),
    ]
    assert [(breach.values[0].text, breach.least, breach.most) for breach in found[3:]] == [
        ("104%", 0, 100),
        ("18.4 years", 18.5, None),
    ]
    assert checked_fields(definition) == {one["key"] for one in FIELDS}


def test_what_holds_is_not_told(definition: Definition) -> None:
    assert not told(
        definition,
        study(total="92"),
        arm("A", arm="45", male="0", age="18.5"),
        arm("B", arm="47", male="100%"),
        outcome("Falls", events="45", of="45"),
        outcome("Death", hr="−0.5", ci="(−1.2 to −0.5)"),
        outcome("Stroke", hr="-1.2", ci="-1.2 to -0.5"),
    )


@pytest.mark.parametrize(
    "parts",
    [
        (study(total="92"), arm("A", arm="45")),  # the other arm was not found
        (study(total="92"), arm("A", arm="45"), arm("B", arm="about 40")),
        (study(total="92"), arm("A", arm="45"), arm("B")),
        (study(), arm("A", arm="45"), arm("B", arm="50")),
        (study(total="92 (46 couples)"), arm("A", arm="45"), arm("B", arm="50")),
        (outcome("Falls", events="9 (20.0)", of="5"),),
        (outcome("Falls", events="48"), outcome("Death", of="45")),  # of two outcomes
        (outcome("Death", hr="<0.5", ci="0.6 to 0.9"),),
        (outcome("Death", hr="0.5", ci="-1.2 - 0.3"),),  # to 0.3, or to -0.3
        (arm("A", male="12a"),),
        (arm("A", age="3 months"),),  # another unit than the field's
    ],
)
def test_what_cannot_be_read_or_is_missing_is_not_judged(
    definition: Definition, parts: tuple[tuple[str, str, dict[str, str]], ...]
) -> None:
    assert not told(definition, *parts)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12.5", "12.5"),
        ("-20", "-20"),
        ("–20", "-20"),
        ("1,234", "1234"),
        ("12,5", "12.5"),
        ("45%", "45"),
        ("0·84", "0.84"),
        (".5", "0.5"),
        ("0,125", None),
        ("<0.05", None),
        ("10⁹", None),
        ("5½", None),
        ("1.2.3", None),
        ("１２", "12"),
        ("IL-6", None),
        ("007", None),
        ("45/120", None),
        ("1e5", None),
        ("", None),
        ("- 20", None),
        ("=1+1", None),
    ],
)
def test_a_number_is_read_as_printed_or_not_at_all(text: str, number: str | None) -> None:
    assert number_in(text) == (Decimal(number) if number is not None else None)


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("0.6 - 0.9", ("0.6", "0.9")),
        ("0.6–0.9", ("0.6", "0.9")),
        ("[0.6; 0.9]", ("0.6", "0.9")),
        ("0.6至0.9", ("0.6", "0.9")),
        ("−1.2 – −0.3", ("-1.2", "-0.3")),
        ("1,20, 2,30", ("1.20", "2.30")),
        ("12% to 15%", ("12", "15")),
        ("0.9 to 0.6", None),
        ("1.2 - 0.3", None),
        ("-1.2 - 0.3", None),
        ("1,234", None),
        ("95% CI 0.6 to 0.9", None),
        ("0.6", None),
    ],
)
def test_an_interval_has_two_bounds_in_their_order(text: str, bounds: tuple[str, str] | None) -> None:
    assert interval_in(text) == (tuple(map(Decimal, bounds)) if bounds is not None else None)
