"""What a worker had taken from its queue and not begun is not waited for once the worker is known to be dead."""

import os

import pytest
from django.db.models.functions import Now

from catalogsku.core.models import Worker
from ingestion.lifecycle import JobStatus, PageStage, PageStatus
from ingestion.models import Page
from ingestion.services import turns
from ingestion.services.sweep import free_process
from tests.support.people import People
from tests.support.rows import make_job, make_pages

pytestmark = pytest.mark.django_db


def _sent_pages(people: People, dead_unit: str) -> tuple[list[int], list[int]]:
    """Ids of pages whose message went out a moment ago, and those sent once a process of ``dead_unit`` is freed."""
    job = make_job(people.merchant, status=JobStatus.PROCESSING)
    pages = make_pages(job, range(1, 4), status=PageStatus.AI_QUEUED, stage=PageStage.READ)
    ids = [page.pk for page in pages]
    Page.objects.filter(pk__in=ids).update(dispatched_at=Now())
    Worker.objects.create(unit="cpu", host="here", machine="here", pid=os.getpid(), threads=2)
    Worker.objects.create(unit=dead_unit, host="here", machine="here", pid=1, threads=2)
    assert turns.next_turn("cpu") is None, "it was taken a moment ago"
    free_process("here", [1])
    return ids, list(Page.objects.filter(pk__in=ids, dispatched_at=None).values_list("pk", flat=True))


@pytest.mark.req("TA-T52")
def test_what_a_dead_worker_may_have_taken_is_sent_again_at_once(people: People) -> None:
    ids, free = _sent_pages(people, "cpu")
    assert sorted(free) == sorted(ids)


def test_another_units_death_sends_nothing_again(people: People) -> None:
    _, free = _sent_pages(people, "out")
    assert free == []
