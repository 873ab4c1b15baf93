"""A template while it is put together: parts come, move and go, and what was typed is what stands there."""

from typing import Any

import msgspec
import pytest

from processing.studies import drafting
from processing.studies.definition import DefinitionError, definition_of
from processing.studies.drafting import NotThere
from tests.unit.studies.test_definition import FULL, asked, field

pytestmark = pytest.mark.req("LX-FIELDS")


def draft(*fields: dict[str, Any], **more: Any) -> drafting.Draft:
    return drafting.draft_of(definition_of(asked(*fields, **more)))


def keys(given: drafting.Draft) -> list[str]:
    return [one["key"] for one in given["groups"][0]["fields"]]


def test_a_draft_is_what_the_page_sends_back() -> None:
    given = drafting.draft_of(definition_of(FULL))
    assert drafting.draft_in(msgspec.json.encode(given).decode()) == given
    assert definition_of(given) == definition_of(FULL)
    assert drafting.draft_in('{"groups":[]}') == {"groups": [], "checks": []}


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"groups":7}', '{"groups":[{"key":1}]}', "[" * 99_999])
def test_what_is_no_draft_is_none(text: str) -> None:
    with pytest.raises(NotThere):
        drafting.draft_in(text)


def test_parts_move_among_their_neighbours() -> None:
    given = draft(field("a"), field("b"), field("c"))
    assert drafting.move(given, "groups.0.fields.0", 1) == "groups.0.fields.1" and keys(given) == ["b", "a", "c"]
    assert drafting.move(given, "groups.0.fields.0", -1) == "groups.0.fields.0"
    assert drafting.move(given, "groups.0.fields.2", 1) == "groups.0.fields.2" and keys(given) == ["b", "a", "c"]
    drafting.remove(given, "groups.0.fields.1")
    assert keys(given) == ["b", "c"]


def test_a_template_is_built_from_nothing() -> None:
    given = drafting.draft_in('{"groups":[]}')
    group = drafting.add(given, "groups")
    drafting.put(given, group, {"label_en": "Baseline data"})
    for label, more in (("Mean age", {"type": "number", "unit": "years"}), ("Age range", {"type": "interval"})):
        drafting.put(given, drafting.add(given, f"{group}.fields"), {"label_en": label, **more})
    check = drafting.add(given, "checks.interval_holds_estimate")
    drafting.put(given, check, {"interval": "age_range", "estimate": "mean_age"})
    between = drafting.add(given, "checks.between")
    drafting.put(given, between, {"field": "mean_age", "least": "0", "most": "−1x"})
    made = definition_of(given)
    assert (made.groups[0].key, [one.key for one in made.fields]) == ("baseline_data", ["mean_age", "age_range"])
    assert [type(one).__name__ for one in made.checks] == ["IntervalHoldsEstimate", "Between"]
    assert drafting.typed_of(given, between) == {"check": "between", "field": "mean_age", "least": "0"}


def test_keys_come_from_names_and_stay_apart() -> None:
    given = draft(field("age"))
    for label in ({"label_en": "Age"}, {"label_zh": "年龄"}, {"label_zh": "性别"}, {}):
        drafting.put(given, drafting.add(given, "groups.0.fields"), label)
    assert keys(given) == ["age", "age_2", "field", "field_2", ""]


def test_a_key_that_changes_changes_in_the_checks() -> None:
    given = drafting.draft_of(definition_of(FULL))
    at = "groups.0.fields.2"
    drafting.put(given, at, {**drafting.typed_of(given, at), "key": "hazard"})
    assert [check.get("estimate") or check.get("field") for check in given["checks"]] == [None, "hazard", "hazard"]
    assert definition_of(given)


def test_what_was_typed_stands_in_the_inputs_again() -> None:
    given = drafting.draft_of(definition_of(FULL))
    for n in range(5):
        at = f"groups.0.fields.{n}"
        drafting.put(
            given, at, {key: value for key, value in drafting.typed_of(given, at).items() if value is not False}
        )
    assert definition_of(given) == definition_of(FULL)
    drafting.put(given, "groups.0.fields.4", {"key": "risk", "label_en": "Risk", "type": "choice", "choices": CHOICES})
    assert given["groups"][0]["fields"][4]["choices"] == [
        {"key": "low", "labels": {"en": "Low", "zh": "低"}},
        {"key": "high", "labels": {"en": "High"}},
        {"key": "not_clear", "labels": {"en": "Not clear"}},
        {"key": "x", "labels": {"zh": "其他"}},
    ]
    assert drafting.typed_of(given, "groups.0.fields.4")["choices"].splitlines()[0] == "low | Low | 低"
    drafting.put(given, "groups.0.fields.4", {"key": "risk", "label_en": "Risk", "type": "text", "choices": CHOICES})
    assert "choices" not in given["groups"][0]["fields"][4]


CHOICES = "low | Low | 低\n\n  high|High\nNot clear\nx | | 其他"


def test_an_instruction_keeps_its_lines() -> None:
    given = draft(field("a"))
    drafting.put(given, "groups.0.fields.0", {"key": "a", "label_en": "A", "instruction": " first\r\nsecond "})
    assert definition_of(given).fields[0].instruction == " first\nsecond "


@pytest.mark.parametrize("at", ["", "groups", "groups.1", "groups.0.fields.9", "groups.9.fields.0", "checks.0", "x.0"])
def test_a_place_that_is_not_there_changes_nothing(at: str) -> None:
    given = draft(field("a"))
    for act in (
        lambda: drafting.remove(given, at),
        lambda: drafting.move(given, at, 1),
        lambda: drafting.put(given, at, {"label_en": "X"}),
        lambda: drafting.typed_of(given, at),
        lambda: drafting.add(given, f"{at}.fields") if at.startswith("groups") else drafting.add(given, at),
    ):
        with pytest.raises(NotThere):
            act()
    assert given == draft(field("a"))


@pytest.mark.parametrize(
    ("path", "owner", "input_name", "line"),
    [
        ("groups.0.fields.3.labels.en", "groups.0.fields.3", "label_en", 0),
        ("groups.0.fields.3.choices.1.key", "groups.0.fields.3", "choices", 2),
        ("groups.0.fields.3.choices", "groups.0.fields.3", "choices", 0),
        ("groups.0.fields", "groups.0", "fields", 0),
        ("checks.1", "checks.1", "", 0),
        ("checks.1.total", "checks.1", "total", 0),
        ("", "", "", 0),
    ],
)
def test_a_fault_finds_its_input(path: str, owner: str, input_name: str, line: int) -> None:
    assert drafting.owner_of(path) == owner
    assert drafting.input_of(owner, path) == (input_name, line)


def test_what_it_lacks_is_told_when_it_is_saved() -> None:
    given = draft(field("a"))
    drafting.add(given, "checks.between")
    drafting.add(given, "groups")
    with pytest.raises(DefinitionError) as refused:
        definition_of(given)
    assert {drafting.owner_of(fault.path) for fault in refused.value.faults} == {"groups.1", "checks.0"}
