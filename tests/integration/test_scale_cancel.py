"""Cancelling a document whose pages are being recorded at that moment: nobody waits for the other in a circle."""

import threading

import pytest
from django.db import transaction

from ingestion.models import Job, Page
from ingestion.services.jobs import cancel_job
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_sku, waiting_pages


@pytest.mark.req("TA-CANCEL")
def test_a_page_that_is_being_recorded_does_not_stand_in_the_way_of_cancelling(committed: None, people: People) -> None:
    """What is recorded refers to the job, and PostgreSQL looks at that reference when the recording commits."""
    job = make_job(people.merchant)
    page = waiting_pages(job, range(1, 4))[0]
    holds_its_page, cancelling = threading.Event(), threading.Event()

    def record() -> str:
        with transaction.atomic():
            locked = Page.objects.select_for_update(no_key=True).get(pk=page.pk)
            make_sku(locked)
            holds_its_page.set()
            cancelling.wait(10)
            cancelling.clear()
            cancelling.wait(0.5)  # the order has the job by now and waits for the page
        return "recorded"

    def cancel() -> str:
        holds_its_page.wait(10)
        cancelling.set()
        return f"{cancel_job(Job.objects.get(pk=job.pk), 'lead')} stopped"

    assert in_threads([record, cancel], timeout_s=20) == ["recorded", "3 stopped"]
    assert Job.objects.get(pk=job.pk).status == "CANCELLED"
