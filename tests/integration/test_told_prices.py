"""What was told of a model's last pages and what they have cost becomes a ratio, within bounds."""

from typing import Any

import pytest
from django.db.models.functions import Now

from ingestion.models import Job, Page
from processing.llm.services import told_prices
from processing.models import ModelCall, ToldPrice
from tests.support.people import People
from tests.support.rows import make_job, make_pages

pytestmark = pytest.mark.django_db


def told_and_paid(people: People, pages: int, told: int, booked: int, model: str = "m", **columns: Any) -> None:
    job = make_job(people.merchant)
    for page in make_pages(job, range(1, pages + 1), "AI_COMPLETED", **{"stage": "NONE", **columns}):
        ToldPrice.objects.create(page=page, model=model, micro=told)
        if booked:
            make_call(job, page, booked)


def make_call(job: Job, page: Page, micro: int) -> None:
    ModelCall.objects.create(
        merchant_id=job.merchant_id,
        job=job,
        page=page,
        operation="read_page",
        model="m",
        prompt_version="1",
        request_key=f"{page.pk}",
        state="ANSWERED",
        day="2026-11-28",
        reserved_micro=micro,
        settled_micro=micro,
        worker=1,
    )


def test_the_correction_is_bounded_and_follows_pages_that_were_paid_for(people: People) -> None:
    told_and_paid(people, told_prices.FEWEST - 1, told=100, booked=200)
    assert told_prices.ratio_of("m") == 1, "too few"
    told_and_paid(people, 50, told=100, booked=0)
    told_and_paid(people, 50, told=100, booked=900, stage="UNDERSTAND")
    told_and_paid(people, 50, told=100, booked=900, model="another")
    assert told_prices.ratio_of("m") == 1, "nothing was paid, or is not yet, or not of this model"
    told_and_paid(people, 1, told=100, booked=200)
    assert told_prices.ratio_of("m") == 2
    told_and_paid(people, 40, told=100, booked=10_000)
    assert told_prices.ratio_of("m") == told_prices.MOST
    told_and_paid(people, told_prices.LOOKED_AT, told=1000, booked=1)
    assert told_prices.ratio_of("m") == told_prices.LEAST, "what is older does not count"


def test_what_a_page_cost_before_it_was_told_anew_does_not_count(people: People) -> None:
    told_and_paid(people, told_prices.FEWEST, told=100, booked=300)
    ToldPrice.objects.update(told_at=Now())
    assert told_prices.ratio_of("m") == 1
