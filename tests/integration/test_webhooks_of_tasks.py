"""Receivers of webhooks hear of tasks that pages wait for, and of no others (X-WEBHOOK)."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.models import HumanTask
from annotation.tasks.lifecycle import TASK, Purpose, TaskStatus
from annotation.tasks.services.joining import ask
from catalogsku.accounts.models import User
from catalogsku.core.moves import move
from ingestion.models import Job, Page
from processing.models import WebhookDelivery
from processing.webhooks.services.outbox import write_deliveries
from tests.support.hooks import make_endpoint
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.req("X-WEBHOOK"), pytest.mark.django_db]


def make_task(page: Page, **columns: Any) -> HumanTask:
    reasons = [{"code": "low_confidence", "params": {}}, {"code": "low_confidence", "sku": "1"}, {"code": "sla"}]
    return HumanTask.objects.create(job=page.job, page=page, **{"type": "PAGE_REVIEW", "reasons": reasons, **columns})


def moved(task: HumanTask, to: str, trigger: str, holder: User | None = None) -> None:
    held = {"locked_by_id": holder.pk, "lock_session": uuid4(), "lease_until": timezone.now()} if holder else {}
    free = {"locked_by_id": None, "lock_session": None, "lease_until": None}
    with transaction.atomic():
        assert move(TASK, HumanTask.objects.filter(pk=task.pk), to=to, trigger=trigger, changes=held or free)


def told() -> list[tuple[str, dict[str, Any]]]:
    """Of tasks, in order."""
    write_deliveries()
    rows = WebhookDelivery.objects.filter(type__startswith="task.").order_by("event").values_list("type", "body")
    return [(kind, json.loads(body)["data"]) for kind, body in rows]


@pytest.fixture
def job(people: People) -> Job:
    make_endpoint(people.merchant)
    return make_job(people.merchant)


def test_an_escalation_says_which_page_asks_what(job: Job) -> None:
    task = make_task(make_page(job, 7, "HUMAN_QUEUED", sku_count=3), priority="HIGH")
    moved(task, TaskStatus.ESCALATED, "escalated")
    ((kind, data),) = told()
    assert kind == "task.escalated" and data.pop("sequence") > 0
    assert data == {
        "job_id": str(job.uuid),
        "merchant_id": job.merchant_id,
        "source_file": job.source_name,
        "status": "ESCALATED",
        "previous_status": "CREATED",
        "cause": "escalated",
        "task_id": str(task.uuid),
        "task_type": "PAGE_REVIEW",
        "priority": "HIGH",
        "reasons": ["low_confidence", "sla"],
        "page_number": 7,
        "sku_count": 3,
    }


def test_what_is_done_and_opened_again_is_told_and_what_is_handed_back_is_not(job: Job, people: People) -> None:
    task = make_task(make_page(job, 1, "HUMAN_QUEUED"))
    moved(task, TaskStatus.PROCESSING, "claimed", people.annotator)
    moved(task, TaskStatus.CREATED, "released")
    moved(task, TaskStatus.PROCESSING, "claimed", people.annotator)
    moved(task, TaskStatus.COMPLETED, "completed")
    moved(task, TaskStatus.CREATED, "rejected")
    assert [(kind, data["cause"]) for kind, data in told()] == [
        ("task.completed", "completed"),
        ("task.reopened", "rejected"),
    ]


def test_a_further_question_to_a_task_of_leads_is_no_escalation(job: Job) -> None:
    page = make_page(job, 1, "HUMAN_QUEUED")
    moved(make_task(page), TaskStatus.ESCALATED, "escalated")
    with transaction.atomic():
        ask(HumanTask(job=job, page=page, type="PAGE_REVIEW", reasons=[{"code": "reported_wrong", "params": {}}]))
    assert [kind for kind, _ in told()] == ["task.escalated"]


@pytest.mark.parametrize("purpose", [Purpose.HONEYPOT, Purpose.VERDICT, Purpose.AUDIT, Purpose.AT_ONCE])
def test_golden_pages_judgements_and_blind_looks_are_nobodys_business(job: Job, purpose: str) -> None:
    task = make_task(make_page(job, 1, "HUMAN_QUEUED"), purpose=purpose)
    moved(task, TaskStatus.ESCALATED, "escalated")
    moved(task, TaskStatus.COMPLETED, "accepted")
    moved(task, TaskStatus.CREATED, "reopened")
    assert told() == []


def test_another_merchants_receiver_hears_nothing(people: People) -> None:
    make_endpoint(people.merchant)
    task = make_task(make_page(make_job(people.other), 1, "HUMAN_QUEUED"))
    moved(task, TaskStatus.ESCALATED, "escalated")
    assert told() == []
