"""manage.py imports and manage.py reconcile: what operators are told of a target and of what it was sent."""

import json
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from processing.imports.services import delivering
from processing.models import ImportRecord
from tests.support.downstream import Downstream, Mood
from tests.support.imports import importable
from tests.support.people import People


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server


def told(*arguments: str) -> Any:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def examined(downstream: Downstream) -> tuple[dict[str, bool], dict[str, Any], str]:
    """(what holds, what to switch, what the command ends with)."""
    out, ending = StringIO(), ""
    try:
        call_command("imports", "check", downstream.url, "--json", stdout=out)
    except CommandError as error:
        ending = str(error)
    findings = json.loads(out.getvalue())
    switches: dict[str, Any] = {}
    for one in findings:
        switches |= one["switches"]
    return {one["assumption"]: one["holds"] for one in findings}, switches, ending


def no_lists(downstream: Downstream) -> None:
    downstream.lists_jobs = False


def mute(downstream: Downstream) -> None:
    downstream.lists_jobs = downstream.answers_skus = False


def inserting(downstream: Downstream) -> None:
    downstream.inserts = True


def taking_once(downstream: Downstream) -> None:
    downstream.takes_once = True


def wanting_digits(downstream: Downstream) -> None:
    downstream.id_form = r"\d+"


def one_by_one(downstream: Downstream) -> None:
    downstream.takes_many = False


@pytest.mark.req("TA-ADAPT", "TA-IMPORT")
def test_a_downstream_as_it_should_be_holds_all_five(downstream: Downstream) -> None:
    holds, switches, ending = examined(downstream)
    assert holds == dict.fromkeys(("I1", "I2", "I3", "I4", "I5"), True)
    assert (switches, ending) == ({"batch": 100, "query": "job"}, "")
    assert downstream.visible() == {}, "what it sent is deleted"


@pytest.mark.req("TA-ADAPT")
@pytest.mark.parametrize(
    ("unlike", "assumption", "switches"),
    [
        (no_lists, "I5", {"query": "sku"}),
        (mute, "I5", {"query": "none"}),
        (inserting, "I1", {"writes": "insert"}),
        (wanting_digits, "I2", {"id_pattern": "{number}{page}{sequence}"}),
        (one_by_one, "I4", {"batch": 1}),
    ],
)
def test_what_does_not_hold_is_named_with_its_switch(
    downstream: Downstream, unlike: Callable[[Downstream], None], assumption: str, switches: dict[str, Any]
) -> None:
    unlike(downstream)
    holds, told, ending = examined(downstream)
    assert [name for name, given in holds.items() if not given] == [assumption]
    assert switches.items() <= told.items()
    assert ending == f"Not given: {assumption}."


@pytest.mark.req("TA-ADAPT")
def test_a_target_that_takes_a_sku_once_and_one_that_fails_are_told_apart(downstream: Downstream) -> None:
    taking_once(downstream)
    holds, switches, _ = examined(downstream)
    assert (holds["I1"], switches["writes"]) == (False, "once")
    downstream.takes_once, downstream.otherwise = False, Mood.DOWN
    holds, _, ending = examined(downstream)
    assert (holds, ending) == ({"I2": False}, "Not given: I2.")


def test_an_address_that_is_none_is_called_wrongly() -> None:
    with pytest.raises(CommandError, match="no address"):
        call_command("imports", "check", "file:///etc/passwd")


@pytest.mark.django_db
@pytest.mark.req("TA-RECON")
def test_imports_are_listed_and_sent_again(people: People, downstream: Downstream) -> None:
    job, page, skus = importable(people, skus=2)
    downstream.moods.append(Mood.REFUSING)
    delivering.deliver_pages([page.pk])
    (row,) = told("imports", "list")
    assert (row["sku_key"], row["state"], row["attempt"]) == (skus[0].sku_id, "REFUSED", 1)
    assert row["response"].startswith("HTTP 422")
    assert len(told("imports", "list", str(job.uuid))) == 2
    assert told("imports", "list", "--state", "STALE") == []
    assert told("imports", "retry", str(job.uuid)) == {"imports_sent": 1}
    delivering.deliver_pages([page.pk])
    assert set(ImportRecord.objects.values_list("state", flat=True)) == {"CONFIRMED"}


@pytest.mark.django_db
@pytest.mark.req("TA-RECON")
def test_reconcile_looks_at_the_whole_ledger_now(people: People, downstream: Downstream) -> None:
    _, page, skus = importable(people, skus=5)
    delivering.deliver_pages([page.pk])
    downstream.forget(skus[2].sku_id)
    found = told("reconcile")
    assert found == {
        "settled": 0,
        "stale": 0,
        "confirmed": 0,
        "sent_again": 0,
        "unclear": 0,
        "checked": 5,
        "drifted": 1,
    }
