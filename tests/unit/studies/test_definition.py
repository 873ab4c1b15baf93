"""What a template may ask of a study, and that every mistake is named with its place."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.studies import definition as rules
from processing.studies import files
from processing.studies.definition import DefinitionError, Fault, definition_of, is_key, key_from, stored
from processing.studies.faults import FAULTS

pytestmark = pytest.mark.req("LX-FIELDS", "LX-SYS")

SHIPPED = sorted((Path(files.__file__).parent / "shipped").glob("*.json"))


def field(key: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "labels": {"en": key.title()}, **more}


def asked(*fields: dict[str, Any], checks: Any = (), **more: Any) -> dict[str, Any]:
    group = {"key": "g", "labels": {"en": "G"}, "fields": list(fields)}
    return {"groups": [group], "checks": list(checks), **more}


CHOICE = {"key": "low", "labels": {"en": "Low", "zh": "低"}}
FULL = asked(
    field("n", type="integer", unit="people", required=True, repeat="per_arm"),
    field("total", type="integer"),
    field("hr", type="number", repeat="per_outcome"),
    field("ci", type="interval", repeat="per_outcome"),
    field("risk", type="choice", choices=[CHOICE], instruction="  Take the table's word,\nnot the text's. "),
    checks=[
        {"check": "arms_sum_to_total", "arms": "n", "total": "total"},
        {"check": "interval_holds_estimate", "interval": "ci", "estimate": "hr"},
        {"check": "between", "field": "hr", "least": 0.0},
    ],
)


def faults(raw: Any) -> list[tuple[str, str]]:
    with pytest.raises(DefinitionError) as refused:
        definition_of(raw)
    return [(fault.code, fault.path) for fault in refused.value.faults]


def test_what_is_asked_stays_as_it_was_typed() -> None:
    read = definition_of(FULL)
    assert [one.key for one in read.fields] == ["n", "total", "hr", "ci", "risk"]
    assert read.fields[4].instruction == "  Take the table's word,\nnot the text's. "
    assert definition_of(json.loads(json.dumps(stored(read)))) == read
    assert stored(read)["checks"][2] == {"check": "between", "field": "hr", "least": 0.0}


def _changed(path: str, value: Any) -> dict[str, Any]:
    raw: Any = deepcopy(FULL)
    at = raw
    *above, last = path.split(".")
    for name in above:
        at = at[int(name)] if name.isdigit() else at[name]
    at[int(last) if last.isdigit() else last] = value
    return raw  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "value", "code", "at"),
    [
        ("groups.0.fields.0.type", "colour", "bad_entry", "groups.0.fields.0.type"),
        ("groups.0.fields.0.labels.fr", "Nombre", "bad_entry", "groups.0.fields.0.labels"),
        ("groups.0.fields.0.required", "yes", "bad_entry", "groups.0.fields.0.required"),
        ("groups.0.fields.0", 7, "bad_entry", "groups.0.fields.0"),
        ("checks.0.check", "sum", "bad_entry", "checks.0.check"),
        ("groups", [], "no_groups", "groups"),
        ("groups.0.fields", [], "empty_group", "groups.0.fields"),
        ("groups.0.key", "1st", "bad_key", "groups.0.key"),
        ("groups.0.fields.1.key", "Total N", "bad_key", "groups.0.fields.1.key"),
        ("groups.0.fields.1.key", "x" * 61, "bad_key", "groups.0.fields.1.key"),
        ("groups.0.fields.4.key", "ci", "key_twice", "groups.0.fields.4.key"),
        ("groups.0.fields.1.labels", {"en": "  "}, "no_label", "groups.0.fields.1.labels.en"),
        ("groups.0.labels.zh", "长" * 81, "too_long", "groups.0.labels.zh"),
        ("groups.0.labels.en", "a\u202eb", "bad_text", "groups.0.labels.en"),
        ("groups.0.labels.en", "a\nb", "bad_text", "groups.0.labels.en"),
        ("groups.0.labels.en", "\ud800", "bad_text", "groups.0.labels.en"),
        ("groups.0.fields.4.instruction", "x" * 501, "too_long", "groups.0.fields.4.instruction"),
        ("groups.0.fields.4.instruction", "x\x00", "bad_text", "groups.0.fields.4.instruction"),
        ("groups.0.fields.0.unit", "x" * 21, "too_long", "groups.0.fields.0.unit"),
        ("groups.0.fields.4.unit", "kg", "unit_not_here", "groups.0.fields.4.unit"),
        ("groups.0.fields.4.choices", [], "no_choices", "groups.0.fields.4.choices"),
        ("groups.0.fields.4.choices", [CHOICE] * 2, "key_twice", "groups.0.fields.4.choices.1.key"),
        ("groups.0.fields.1.choices", [CHOICE], "choices_not_here", "groups.0.fields.1.choices"),
        ("checks.0.total", "sum", "check_unknown_field", "checks.0.total"),
        ("checks.0.total", "n", "check_wrong_field", "checks.0.total"),
        ("checks.1.interval", "hr", "check_wrong_field", "checks.1.interval"),
        ("groups.0.fields.3.repeat", "per_arm", "check_repeats_differ", "checks.1"),
        ("checks.2", {"check": "between", "field": "hr"}, "bad_range", "checks.2.least"),
        ("checks.2.most", -1.0, "bad_range", "checks.2.least"),
        ("checks.2.least", float("inf"), "bad_range", "checks.2.least"),
        ("checks.1", FULL["checks"][0], "check_twice", "checks.1"),
    ],
)
def test_a_mistake_is_named_at_its_place(path: str, value: Any, code: str, at: str) -> None:
    assert (code, at) in faults(_changed(path, value))


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (asked(*[field(f"f{n}") for n in range(201)]), "too_many_fields"),
        ({"groups": [{**FULL["groups"][0], "key": f"g{n}"} for n in range(31)]}, "too_many_groups"),
        (
            asked(field("x"), checks=[{"check": "between", "field": "x", "least": n} for n in range(61)]),
            "too_many_checks",
        ),
        (
            asked(field("x", type="choice", choices=[{**CHOICE, "key": f"c{n}"} for n in range(41)])),
            "too_many_choices",
        ),
        (asked(*[field(f"f{n}", instruction="规则" * 249) for n in range(60)]), "too_large"),
    ],
)
def test_a_template_has_bounds(raw: Any, code: str) -> None:
    assert code in [found for found, _ in faults(raw)]


def test_what_fits_the_bounds_is_taken() -> None:
    assert len(definition_of(asked(*[field(f"f{n}") for n in range(200)])).fields) == 200
    assert definition_of(asked(field("f", instruction="x" * 500)))


def test_all_mistakes_are_named_up_to_a_number() -> None:
    raw = asked(*[field(f"{n}th") for n in range(50)])
    assert len(faults(raw)) == rules.FAULTS_MOST
    assert "\ud800" not in DefinitionError([Fault("bad_key", "x", "\ud800")]).faults[0].what


@pytest.mark.parametrize("raw", [None, 7, "x", [], {}, {"groups": None}, {"groups": [], "more": 1}])
def test_what_is_no_definition_is_refused(raw: Any) -> None:
    assert faults(raw)[0][0] in ("bad_entry", "no_groups")


def test_every_code_has_its_words() -> None:
    told = set((definition_of.__doc__ or "").replace("\n", " ").split("DefinitionError:")[1].strip(" .").split(", "))
    assert {code.strip() for code in told} == set(FAULTS)


@given(st.text(max_size=80))
def test_a_suggested_key_is_one_or_empty(label: str) -> None:
    key = key_from(label)
    assert key == "" or is_key(key)
    assert key_from(key) == key


def test_keys_are_suggested_from_labels() -> None:
    assert [key_from(text) for text in ("Âge, mean", "2 arms", "rct_2", "年龄", "__a__")] == [
        *("age_mean", "arms", "rct_2", "", "a")
    ]


def test_each_kind_of_check_says_what_its_fields_are() -> None:
    for kind in rules.CHECKS:
        own = {name for name in kind.__struct_fields__ if name not in ("least", "most")}
        assert own == set(rules.PARTS[kind]), kind
    assert all(msgspec.structs.fields(kind) for kind in rules.CHECKS)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_is_shipped_is_a_template_in_both_languages(path: Path) -> None:
    file, definition = files.read(path.read_bytes())
    assert file.key == path.stem and file.name and file.name_zh
    entries = [*definition.groups, *definition.fields, *(one for f in definition.fields for one in f.choices)]
    assert all(entry.labels.en and entry.labels.zh for entry in entries)
    assert files.written(file.key, file.name, file.name_zh, definition) == path.read_text(encoding="utf-8")
    assert len(definition.fields) >= 40 and len(definition.checks) >= 5


def test_the_three_designs_are_shipped() -> None:
    assert [path.stem for path in SHIPPED] == ["cohort", "diagnostic_accuracy", "rct"]
    _, rct = files.read(SHIPPED[2].read_bytes())
    keys = {one.key for one in rct.fields}
    assert keys >= {"study_id", "registration_number", "funding_source", "n_randomised", "male_percent", "hr_value"}
    assert keys >= {"rob_allocation", "events_treatment", "total_control", "mean_control", "sd_treatment"}
