"""What waits for machines in seconds of their work, by which an autoscaler starts and ends workers."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from catalogsku.core.facts import figures_of
from ingestion.lifecycle import JobStage, JobStatus, PageStage
from ingestion.services.dispatch import active_jobs, active_pages
from ingestion.stages import JOB_STAGES, PAGE_STAGES
from processing.imports.lifecycle import Delivery
from processing.models import ImportRecord, TargetHold
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages, make_sku, make_worker

pytestmark = pytest.mark.django_db


def backlog() -> dict[str, tuple[float, float, int, int]]:
    """Of each unit the seconds that wait and are in hand, and of how many things."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT unit, waiting_s, in_hand_s, waiting, in_hand FROM catalogsku_backlog")
        return {unit: (round(waiting_s, 6), round(in_hand_s, 6), n, m) for unit, waiting_s, in_hand_s, n, m in cursor}


def test_nothing_waits_in_an_empty_installation() -> None:
    assert backlog() == dict.fromkeys(("cpu", "llm", "out"), (0, 0, 0, 0))


def test_pages_count_by_what_the_documents_last_pages_took(people: People) -> None:
    """No worker is there: a queue would be empty."""
    job = make_job(people.merchant, paces={"READ": 0.04, "UNDERSTAND_RULES": 0.01})
    make_pages(job, range(1, 101), stage=PageStage.READ)
    make_pages(job, range(101, 121), stage=PageStage.UNDERSTAND_RULES)
    new = make_job(people.merchant, paces={})
    make_pages(new, range(1, 11), stage=PageStage.READ)
    make_pages(new, range(11, 14), stage=PageStage.UNDERSTAND)
    assert backlog()["cpu"] == (100 * 0.05 + 20 * 0.01 + 10 * 0.25, 0, 130, 0)
    assert backlog()["llm"] == (24, 0, 3, 0)


def test_what_is_in_hand_stands_apart_and_still_counts(people: People) -> None:
    """Whoever scales by what waits alone would take workers away from what they do."""
    worker = make_worker()
    job = make_job(people.merchant, paces={"READ": 1.0, "UNDERSTAND_RULES": 0.0})
    make_pages(job, [1, 2], stage=PageStage.READ, worker=worker.pk)
    make_job(people.merchant, JobStatus.UPLOADED, stage=JobStage.INSPECT, worker=worker.pk)
    assert backlog()["cpu"] == (0, 2.5, 0, 3)
    assert figures_of("backlog_seconds")[("cpu", "in_hand")] == pytest.approx(2.5)


@pytest.mark.parametrize("later", [None, timedelta(minutes=5), timedelta(minutes=-5)])
@pytest.mark.parametrize("held", ["", "machine_time"])
def test_what_waits_is_what_machines_may_do_now(people: People, held: str, later: timedelta | None) -> None:
    """In whatever state a document is."""
    not_before = None if later is None else timezone.now() + later
    is_due = later is None or later < timedelta()
    counted = dict.fromkeys(("cpu", "llm"), 0)
    for status in JobStatus:
        for stage in JOB_STAGES:
            make_job(people.merchant, status, stage=stage, held_reason=held, not_before=not_before)
        sampling = make_job(people.merchant, status, stage=JobStage.EVALUATE, held_reason=held)
        make_page(sampling, sampled=True, stage=PageStage.READ, not_before=not_before)
        for stage in PAGE_STAGES:
            make_page(make_job(people.merchant, status, held_reason=held), stage=stage, not_before=not_before)
        for unit in counted:
            pages = [stage for stage, doing in PAGE_STAGES.items() if doing.unit == unit]
            jobs = [stage for stage, doing in JOB_STAGES.items() if doing.unit == unit]
            expected = active_pages().filter(stage__in=pages).count() if is_due else 0
            expected += sum(is_due or job.not_before is None for job in active_jobs().filter(stage__in=jobs))
            counted[unit] = expected
            assert backlog()[unit][2] == expected, (unit, status)
    assert bool(counted["cpu"]) == (is_due and not held)


def test_imports_wait_unless_their_target_is_held(people: People) -> None:
    page = make_page(make_job(people.merchant), stage="NONE")
    for number, (target, state) in enumerate(
        [("local", Delivery.PENDING), ("south", Delivery.PENDING), ("south", Delivery.CONFIRMED)], start=1
    ):
        ImportRecord.objects.create(
            target=target,
            merchant=people.merchant,
            job=page.job,
            page=page,
            sku=make_sku(page, number),
            sku_key=f"k{number}",
            generation=1,
            state=state,
            payload=b"{}",
            payload_hash="0",
        )
    assert backlog()["out"] == (0.1, 0, 2, 0)
    TargetHold.objects.create(target="south", response="HTTP 401", try_at=timezone.now() + timedelta(minutes=5))
    assert backlog()["out"] == (0.05, 0, 1, 0)


def test_it_costs_what_waits_and_not_what_is_stored(people: People) -> None:
    done = make_job(people.merchant, JobStatus.FULL_IMPORTED)
    make_pages(done, range(1, 5001), stage=PageStage.NONE)
    make_pages(make_job(people.merchant), [1, 2], stage=PageStage.READ)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ingestion_page")
        cursor.execute("EXPLAIN SELECT * FROM catalogsku_backlog")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "page_ready" in plan and "page_in_hand" in plan
    assert "Seq Scan on ingestion_page" not in plan
