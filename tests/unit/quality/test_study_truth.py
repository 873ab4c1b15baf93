"""Truths of studies: what is taken, and where an error lies."""

import json
from typing import Any

import pytest

from processing.engine.quality.study_truth import Asked, check_fields, read_study_truth
from processing.engine.quality.truth import TruthError
from tests.unit.quality.study_made import NAME, body, once, part, result, truth, value

pytestmark = pytest.mark.req("LX-FIELDS", "TA-T49")


def problems(*records: dict[str, Any], **changes: Any) -> tuple[str, ...]:
    with pytest.raises(TruthError) as told:
        read_study_truth(json.dumps(body(*records, **changes)).encode(), NAME)
    assert all(line.startswith(f"{NAME}: ") for line in str(told.value).splitlines())
    return told.value.problems


def test_takes_the_agreed_shape_with_all_its_fields() -> None:
    told = truth(
        once(country=value("Norway", accept=["Kingdom of Norway"]), conflicts=None),
        part("Exercise", "Group I", size=value("45")),
        file={"name": "falls.pdf", "sha256": "a" * 64, "source": "https://example.org/falls"},
    )
    assert told.records[0].fields["conflicts"] is None
    assert told.records[1].names == {"exercise", "group i"}, "as names are folded"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "catalogue"}, "$.kind"),
        ({"schema_version": "1.0"}, "$.schema_version"),
        ({"template": "rct"}, "$.template"),
        ({"maker": " "}, "$.maker"),
        ({"file": {"name": "falls.pdf", "sha256": "abc"}}, "$.file.sha256"),
        ({"more": 1}, "unknown field `more`"),
        ({"records": []}, "$.records"),
    ],
)
def test_what_is_not_of_the_form_is_refused_at_its_place(changes: dict[str, Any], said: str) -> None:
    (problem,) = problems(**changes)
    assert said in problem


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (value("Norway", page=0), "$.records[0].fields[...].page"),
        (value(""), "fields[...].value"),
        ({"value": "Norway", "page": 1}, "quote"),
        ({**value("Norway"), "pages": [1]}, "unknown field `pages`"),
        ("Norway", "Expected `object | null`"),
    ],
)
def test_a_value_needs_its_quote_and_page(wrong: Any, said: str) -> None:
    (problem,) = problems(once(country=wrong))
    assert said in problem


def test_parts_are_named_once_and_what_is_said_once_is_not() -> None:
    twice = problems(part("Exercise", "Group I", size=None), part("group  i", size=None))
    assert twice == tuple(f"group i is there 2 times - at `$.records[{n}]`" for n in (0, 1))
    assert problems(part(" ", size=None)) == (
        "What is said once has no part, an arm or outcome is named by one - at `$.records[0]`",
    )
    assert problems(once(country=None), once(total=None)) == tuple(
        f"What is said once is there 2 times - at `$.records[{n}]`" for n in (0, 1)
    )
    assert problems(once()) == ("Says nothing of any field - at `$.records[0]`",)
    assert problems({**once(country=None), "also": ["A"]}) == (
        "Only an arm or outcome is also called something - at `$.records[0]`",
    )
    assert truth(part("Exercise", size=None), part("Exercise", repeat="per_outcome", mean=None))


def test_only_what_the_template_asks_is_judged_in_its_own_place_and_words() -> None:
    told = truth(
        once(city=None, size=value("9"), design=value("parallel", accept=["crossover"]), conflicts=value("none"))
    )
    with pytest.raises(TruthError) as refused:
        check_fields(told, result().template.fields, NAME)
    assert refused.value.problems == (
        "rct/1 asks no such field - at `$.records[0].fields.city`",
        "rct/1 asks it per_arm, not none - at `$.records[0].fields.size`",
        "crossover: none of parallel, cluster - at `$.records[0].fields.design`",
        "none: none of yes, no - at `$.records[0].fields.conflicts`",
    )
    check_fields(truth(once(conflicts=value("yes"))), [Asked("conflicts", "boolean", "none")], NAME)


def test_what_is_no_json_is_refused() -> None:
    for data in (b"{", b"\xff\xfe", b"[]"):
        with pytest.raises(TruthError):
            read_study_truth(data, NAME)
