"""Receivers of webhooks hear of held imports and of nearly spent budgets when people do, of their merchant alone."""

import json
from typing import Any

import pytest
from django.db import transaction

from ingestion.models import Job, Notice
from ingestion.services import jobs
from ingestion.services.settle import settle_job
from processing.llm.models import Budget, BudgetLimit, BudgetScope
from processing.llm.money import today
from processing.llm.services.warning import warn_of_budgets
from processing.models import WebhookDelivery
from processing.webhooks.services.outbox import write_deliveries
from tests.support.hooks import make_endpoint
from tests.support.people import People
from tests.support.rows import make_job, make_page

pytestmark = [pytest.mark.req("X-WEBHOOK"), pytest.mark.django_db]


@pytest.fixture
def job(people: People) -> Job:
    for merchant in (people.merchant, people.other):
        make_endpoint(merchant)
    return make_job(people.merchant)


def told(kinds: str) -> list[tuple[int, str, dict[str, Any]]]:
    """(merchant of the receiver, event, what it says)."""
    write_deliveries()
    rows = WebhookDelivery.objects.filter(type__startswith=kinds).order_by("pk")
    return [(row.endpoint.merchant_id, row.type, json.loads(row.body)["data"]) for row in rows]


def spend(budget: Budget, micro: int) -> int:
    Budget.objects.filter(pk=budget.pk).update(settled_micro=micro)
    return warn_of_budgets()


def test_imports_that_an_operator_holds_are_told_once(job: Job) -> None:
    assert [jobs.hold_imports(Job.objects.all(), "Wang Lei") for _ in range(2)] == [1, 0]
    assert [(merchant, kind) for merchant, kind, _ in told("import.")] == [(job.merchant_id, "import.held")]
    ((_, _, data),) = told("import.")
    assert data.pop("sequence") == WebhookDelivery.objects.get().event
    assert data == {
        "job_id": str(job.uuid),
        "merchant_id": job.merchant_id,
        "source_file": job.source_name,
        "status": "HELD",
        "previous_status": "",
        "cause": "by_operator",
    }, "who it was is the house's own business"


def test_an_edition_that_waits_for_approval_is_told(people: People, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(import_hold=True, edition_of=make_job(people.merchant))
    make_page(job, 1, "AI_COMPLETED", import_state="pending")
    settle_job(job.pk)
    assert [data["cause"] for _, _, data in told("import.")] == ["awaits_approval"]


def test_what_is_taken_back_is_told_nobody(people: People, job: Job) -> None:
    BudgetLimit.objects.create(scope=BudgetScope.MERCHANT, merchant=people.merchant, limit_micro=1000)
    budget = Budget.objects.create(merchant=people.merchant, day=today(), settled_micro=0)
    with pytest.raises(ValueError), transaction.atomic():
        jobs.hold_imports(Job.objects.all(), "Wang Lei")
        assert spend(budget, 900) == 1 and WebhookDelivery.objects.exists()
        raise ValueError
    assert not told("") and not Notice.objects.exists()


def test_a_budget_is_told_to_its_merchant_at_eighty_per_cent_and_when_it_is_spent(people: People, job: Job) -> None:
    deaf = make_endpoint(people.merchant, "https://a.example.org/", events=["job.completed"])
    make_endpoint(people.merchant, "https://b.example.org/", off="person")
    BudgetLimit.objects.create(scope=BudgetScope.MERCHANT, merchant=people.merchant, limit_micro=1000)
    budget = Budget.objects.create(merchant=people.merchant, day=today(), settled_micro=790)
    assert warn_of_budgets() == 0 and not told("budget.")
    assert [spend(budget, 850), spend(budget, 870), spend(budget, 1000), spend(budget, 1000)] == [1, 0, 1, 0]
    day = today().isoformat()
    assert told("budget.") == [
        (people.merchant.pk, "budget.nearly_spent", {"merchant_id": people.merchant.pk, "day": day, "percent": 85}),
        (people.merchant.pk, "budget.spent", {"merchant_id": people.merchant.pk, "day": day, "percent": 100}),
    ]
    assert not deaf.deliveries.exists()


def test_the_budget_of_the_installation_is_told_no_merchant(people: People, job: Job) -> None:
    BudgetLimit.objects.filter(scope=BudgetScope.DAY).update(limit_micro=1000)
    assert spend(Budget.objects.create(merchant=None, day=today(), settled_micro=0), 900) == 1
    assert Notice.objects.filter(person=people.admin).exists() and not told("budget.")
