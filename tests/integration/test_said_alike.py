"""What is printed elsewhere stays with a product and is shown; what is counted in two places is one number."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.context import shell
from annotation.models import HumanTask
from annotation.queue import selectors
from annotation.queue.filtering import Wanted, queue_of
from annotation.tasks.lifecycle import Purpose
from annotation.workbench import events
from catalogsku.accounts.models import User
from catalogsku.profiles.services import work_rules
from processing.corrections.services.correcting import GivenSku, GivenValue
from processing.models import Sku
from processing.products.lifecycle import SkuStatus
from processing.products.presenters import sku_filters
from processing.products.selectors import list_skus
from tests.integration.test_submitting import submit
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = pytest.mark.django_db
PLACE = {"page_number": 1, "bbox": [10, 10, 20, 20], "match": 1.0, "method": "header"}


@pytest.fixture
def task(people: People) -> HumanTask:
    """A page with one product: its unit, its currency and the words in the place of its price are printed elsewhere."""
    page = make_page(make_job(people.merchant, "PARTIAL_IMPORTED"), 1, "HUMAN_QUEUED", sku_count=1, page_type="A")
    make_sku(
        page,
        attributes={"model": "A-1", "weight": "11.9", "currency": "CNY"},
        evidence={
            "price": {"quote": "面议 On request", **PLACE},
            "weight_unit": {"quote": "KGS", **PLACE},
            "currency": {"quote": "CNY", **PLACE},
        },
        attribute_source={"currency": "column_inherited", "weight_unit": "column_inherited"},
        normalized={
            "price": {"value": None, "currency": "CNY", "on_request": True, "text": "面议 On request", "tiers": []},
            "weight": {"values": [11.9], "unit": "kg"},
        },
    )
    return HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")


def read(who: User, name: str, *args: Any) -> str:
    client = Client()
    client.force_login(who)
    client.cookies["django_language"] = "en"
    return client.get(reverse(name, args=args)).content.decode()


@pytest.mark.req("X-NORM")
def test_a_price_on_request_and_inherited_units_are_shown(people: People, task: HumanTask) -> None:
    sku = Sku.objects.get(page=task.page)
    for text in (
        read(people.uploader, "sku", task.job.uuid, sku.sku_id),
        read(people.uploader, "results", task.job.uuid),
    ):
        assert "面议 On request" in text and '<span class="muted">CNY</span>' in text
    shown = read(people.uploader, "sku", task.job.uuid, sku.sku_id)
    missing = shown[shown.index("Not printed:") :]
    assert '11.9 <span class="muted">KGS</span>' in shown and "To check" in shown and "Ready" not in shown
    assert ">Price<" not in missing and ">Currency<" not in missing and ">Brand<" in missing


@pytest.mark.req("X-NORM", "TA-RERUN")
def test_a_person_changes_a_weight_and_its_unit_stays(people: People, task: HumanTask) -> None:
    old = Sku.objects.get(page=task.page)
    values = {"model": "A-1", "weight": "12.4", "currency": "CNY"}
    given = GivenSku(old.sku_id, attributes={key: GivenValue(text) for key, text in values.items()}, box=tuple(old.box))
    submit(people, task, given)
    new = Sku.objects.get(page=task.page, superseded=False)
    assert new.revision == 2 and new.normalized["weight"] == {"values": [12.4], "unit": "kg"}
    assert new.normalized["price"]["text"] == "面议 On request" and new.normalized["price"]["currency"] == "CNY"
    assert new.evidence["weight_unit"]["quote"] == "KGS" and new.attribute_source["weight"] == "person"


def test_products_of_a_page_that_waits_are_to_be_checked(people: People, task: HumanTask) -> None:
    make_sku(make_page(task.job, 2, "AI_COMPLETED", import_state="pending"), 2, SkuStatus.BOUND)
    counts = {chip.key: chip.count for chip in sku_filters(task.job)}
    assert (counts["all"], counts["ready"], counts["open"]) == (2, 1, 1)
    for show in ("all", "ready", "open", "delivered", "failed"):
        assert list_skus(task.job, show).count() == counts[show]


def test_the_badge_the_list_and_the_socket_count_the_same_tasks(people: People, task: HumanTask, rf: Any) -> None:
    """Nobody judges their own work, nor has another one's golden page: these are in none of the counts."""
    done = HumanTask.objects.create(
        job=task.job, page=make_page(task.job, 3), type="PAGE_REVIEW", status="COMPLETED", closed_by=people.annotator
    )
    HumanTask.objects.create(job=task.job, page=done.page, type="PAGE_REVIEW", purpose=Purpose.VERDICT, about=done)
    page = make_page(task.job, 4)
    HumanTask.objects.create(
        job=task.job, page=page, type="PAGE_REVIEW", purpose=Purpose.HONEYPOT, assigned_to=people.lead
    )
    request = rf.get("/")
    for who, count in ((people.annotator, 1), (people.lead, 3)):
        request.user = who
        told = events.figures(events.Reader.of(who))
        listed = queue_of(who, Wanted(), work_rules()).count()
        assert (
            told["filter.all"]
            == told["tasks"]
            == str(listed)
            == str(shell(request)["shell"]["task_count"])
            == str(count)
        )
        assert selectors.task_filters(who)[0].count == count
