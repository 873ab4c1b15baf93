"""The audit goes through all rows, in turns that end in time, and tells of what it found until it is mended."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from annotation.models import AuditPass
from annotation.tasks.services import audit as auditing
from annotation.tasks.services.audit import CHECKS, audit, audit_all, audit_further
from catalogsku.core.facts import figures_of
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-GATE", "TA-CRON")]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "NEWEST", 3)
    monkeypatch.setattr(auditing, "AT_ONCE", 2)
    for name in CHECKS.keys() - {"inv_12"}:
        monkeypatch.delitem(CHECKS, name)
    monkeypatch.setitem(CHECKS, "odd", auditing._those(Job.objects.all, Q(source_bytes=0)))


@pytest.fixture
def jobs(people: People) -> list[Job]:
    """Ten, of which the oldest and one in the midst break a rule."""
    made = [make_job(people.merchant) for _ in range(10)]
    for wrong in (made[0], made[4]):
        Job.objects.filter(pk=wrong.pk).update(source_bytes=0)
    return made


def mend() -> None:
    Job.objects.update(source_bytes=1)


def test_turns_go_on_where_the_last_one_ended_until_all_was_looked_at(jobs: list[Job]) -> None:
    assert audit()["odd"] == 0, "the newest three are in order"
    seen = list[tuple[int, int]]()
    for _ in range(20):
        told = audit_further(0.0)  # one bite of each check
        state = AuditPass.objects.get(name="odd")
        seen.append((state.looked_at, len(state.found)))
        if state.whole_at:
            break
    assert seen == [(2, 0), (4, 0), (6, 1), (8, 1), (10, 2), (10, 2)]
    assert told["found"] == 2 and told["through"] == len(CHECKS)
    assert figures_of("audit_rows")[("odd",)] == 10.0
    assert figures_of("audit_whole_timestamp_seconds")[("odd",)] == pytest.approx(timezone.now().timestamp(), abs=60)
    assert figures_of("invariant_violations")[("odd",)] == 2.0
    assert audit()["odd"] == 2, "also what is not among the newest is told until it is mended"

    with_found = audit_further(5.0)
    assert with_found["looked_at"] == 0, "all was looked at within the day"
    mend()
    assert audit_further(5.0)["found"] == 0 and figures_of("invariant_violations")[("odd",)] == 0.0
    AuditPass.objects.update(whole_at=timezone.now() - timedelta(hours=21))
    assert audit_further(5.0)["looked_at"] >= 10, "the next day's"


def test_a_turn_with_time_goes_through_all(jobs: list[Job]) -> None:
    assert audit_further(30.0) == {"looked_at": 10, "found": 2, "through": len(CHECKS)}


def test_all_at_once_by_command(jobs: list[Job]) -> None:
    told = StringIO()
    call_command("audit", stdout=told)
    assert "     0  odd" in told.getvalue()
    told = StringIO()
    with pytest.raises(CommandError):
        call_command("audit", "--all", "--json", stdout=told)
    assert json.loads(told.getvalue()) == {**dict.fromkeys(CHECKS, 0), "odd": 2}
    mend()
    call_command("audit", "--all", stdout=StringIO())
    assert set(audit_all().values()) == {0}


def test_what_moves_while_it_is_looked_at_is_not_told(jobs: list[Job], monkeypatch: pytest.MonkeyPatch) -> None:
    check, looks = CHECKS["odd"], list[int]()

    def moving(ids: Any) -> list[int]:
        looks.append(len(ids))
        return list(ids) if len(looks) == 1 else check.wrong(ids)

    for name in CHECKS.keys() - {"inv_12"}:
        monkeypatch.delitem(CHECKS, name)
    monkeypatch.setitem(CHECKS, "odd", auditing.Check(check.rows, moving))
    assert audit()["odd"] == 0 and looks == [3, 3]


def test_a_bite_reads_no_more_rows_than_it_has(jobs: list[Job]) -> None:
    """By the primary key downwards, whatever else there is."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        query, parameters = CHECKS["inv_12"].rows().filter(pk__lt=10**9).order_by("-pk")[:2].query.sql_with_params()
        cursor.execute(f"EXPLAIN {query}", parameters)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Scan Backward using processing_sku_pkey" in plan, plan
