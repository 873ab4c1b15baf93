"""Receivers are told once that a study was approved or opened again, whatever number of parts it has."""

import json
from typing import Any

import pytest

from processing.models import Record, WebhookDelivery
from processing.studies.services import reviewing
from processing.studies.services.reviewing import Answer
from processing.webhooks.services.outbox import write_deliveries
from tests.support.hooks import make_endpoint
from tests.support.people import People
from tests.support.studies import add_record, found, make_study

pytestmark = [pytest.mark.req("X-WEBHOOK", "LX-SYS"), pytest.mark.django_db]


def told() -> list[tuple[str, dict[str, Any]]]:
    write_deliveries()
    rows = WebhookDelivery.objects.filter(type__startswith="study.").order_by("event").values_list("type", "body")
    return [(kind, json.loads(body)["data"]) for kind, body in rows]


def test_a_study_is_told_of_once_as_it_is_approved_and_opened_again(people: People) -> None:
    make_endpoint(people.merchant)
    job = make_study(people.merchant)
    arm = add_record(job, found("n_randomised", "45"), repeat="per_arm", part="Exercise")
    main = Record.objects.get(job=job, repeat="none")
    other = reviewing.add_part(people.lead, job, "per_arm", "Control")
    reviewing.set_rejected(people.lead, other, rejected=True)
    reviewing.set_rejected(people.lead, other, rejected=False)
    assert told() == [], "parts come and go"
    for record, fields in (
        (main, ("study_id", "study_design", "n_randomised_total", "condition")),
        (arm, ("arm_name", "n_randomised")),
    ):
        for field in fields:
            reviewing.decide(people.lead, record, field, Answer("not_reported"))
    assert reviewing.approve(people.lead, job, drop_rest=True) == 2
    assert reviewing.reopen(people.lead, job) == 2
    events = told()
    assert [(kind, data["status"], data["cause"]) for kind, data in events] == [
        ("study.approved", "APPROVED", "approved"),
        ("study.reopened", "REVIEW", "reopened"),
    ]
    assert {**events[0][1], "sequence": 1} == {
        "job_id": str(job.uuid), "merchant_id": people.merchant.pk, "source_file": job.source_name, "sequence": 1,
        "status": "APPROVED", "previous_status": "REVIEW", "cause": "approved", "template": "rct",
        "template_version": 1, "total_pages": 2,
    }  # fmt: skip
