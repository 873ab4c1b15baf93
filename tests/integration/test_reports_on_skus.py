"""What an uploader reports becomes a task at that place, and the answer comes back (TA-REPORT)."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from annotation.models import HumanTask, SkuReport
from annotation.tasks.services import locks, settle
from annotation.workbench.services.submitting import skip_task, submit_task
from ingestion.models import Page
from processing.corrections.services.correcting import GivenSku, GivenValue, PageState, content_version
from processing.models import Sku
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-REPORT")]
TAB = UUID(int=1)
ANSWERS = {
    "en": {
        "waits": "Waits for a person",
        "corrected": "Corrected",
        "kept": "it stays as it was",
        "sent": "Reported: a",
    },
    "zh-hans": {"waits": "等人处理", "corrected": "已改正", "kept": "看过，保持原样", "sent": "已报告"},
}


@pytest.fixture
def sku(people: People) -> Sku:
    page = make_page(
        make_job(people.merchant, "FULL_IMPORTED"),
        1,
        "AI_COMPLETED",
        import_state="confirmed",
        page_type="B",
        layout_type="L3",
        sku_count=1,
    )
    return make_sku(page, 1, "IMPORTED", attributes={"price": "$3"})


def client_of(person: Any, language: str = "en") -> Client:
    client = Client()
    client.force_login(person)
    client.cookies["django_language"] = language
    return client


def send(people: People, sku: Sku, language: str = "en", **given: Any) -> str:
    fields = {"kind": "wrong", "sku_id": sku.sku_id, "text": "The price is $4"} | given
    answer = client_of(people.uploader, language).post(f"/jobs/{sku.job.uuid}/report/", fields, follow=True)
    settle.settle_pages([sku.page_id])
    return answer.content.decode()


def correct(people: People, task: HumanTask, *skus: GivenSku) -> None:
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    state = PageState(page_type="B", layout_type="L3", skus=skus)
    submit_task(people.annotator, task.uuid, lock.token, uuid4(), content_version(task.page), state)
    settle.settle_pages([task.page_id])


@pytest.mark.parametrize("language", ANSWERS)
def test_a_wrong_value_comes_back_corrected(people: People, sku: Sku, language: str) -> None:
    words, client = ANSWERS[language], client_of(people.uploader, language)
    assert words["sent"] in send(people, sku, language)
    task = HumanTask.objects.get()
    assert (task.type, task.subject, task.page.number) == ("SKU_CONFIRM", sku.sku_id, 1)
    assert Page.objects.get(pk=sku.page_id).status == "HUMAN_QUEUED"
    assert "The price is $4" in client_of(people.annotator, language).get("/tasks/").content.decode()
    assert words["waits"] in client.get("/reports/").content.decode()
    assert client.get("/").context["shell"]["answer_count"] == 0

    correct(people, task, GivenSku(sku.sku_id, attributes={"model": GivenValue("M-1"), "price": GivenValue("$4")}))
    assert client.get("/").context["shell"]["answer_count"] == 1
    html = client.get("/reports/").content.decode()
    assert words["corrected"] in html and "$3 → <b>$4</b>" in html
    assert client.get("/").context["shell"]["answer_count"] == 0, "the answer was read"


def test_what_is_right_stays_and_the_reporter_is_told(people: People, sku: Sku) -> None:
    send(people, sku)
    given = {key: GivenValue(value) for key, value in sku.attributes.items() if value}
    correct(people, HumanTask.objects.get(), GivenSku(sku.sku_id, attributes=given))
    assert ANSWERS["en"]["kept"] in client_of(people.uploader).get("/reports/").content.decode()


def test_a_surplus_one_is_taken_away(people: People, sku: Sku) -> None:
    send(people, sku, kind="surplus", text="A headline")
    correct(people, HumanTask.objects.get(), GivenSku(sku.sku_id, rejected=True))
    assert Sku.objects.get(superseded=False).status == "REJECTED"
    assert ANSWERS["en"]["corrected"] in client_of(people.uploader).get("/reports/").content.decode()


@pytest.mark.parametrize("status", ["AI_COMPLETED", "BLANK", "SKIPPED", "DEAD_LETTER", "HUMAN_COMPLETED"])
def test_a_missing_one_is_looked_for_on_its_page(people: People, sku: Sku, status: str) -> None:
    page = make_page(sku.job, 2, status)
    send(people, sku, kind="missing", sku_id="", page_number="2", text="M-9 below the table")
    settle.settle_pages([page.pk])
    task = HumanTask.objects.get()
    assert (task.type, task.subject, task.page_id) == ("PAGE_REVIEW", "", page.pk)
    assert Page.objects.get(pk=page.pk).status == "HUMAN_QUEUED"
    added = GivenSku(attributes={"model": GivenValue("M-9"), "size": GivenValue("9 cm")})
    correct(people, task, added)
    html = client_of(people.uploader).get("/reports/").content.decode()
    assert ANSWERS["en"]["corrected"] in html and "M-9" in html


def test_why_a_page_was_skipped_is_the_answer(people: People, sku: Sku) -> None:
    send(people, sku)
    task = HumanTask.objects.get()
    lock = locks.claim_task(people.annotator, task.uuid, TAB)
    skip_task(people.annotator, task.uuid, lock.token, uuid4(), "Printed so in the catalogue")
    html = client_of(people.uploader).get("/reports/").content.decode()
    assert "Closed without a decision" in html and "Printed so in the catalogue" in html


def test_two_reports_on_one_product_are_one_task(people: People, sku: Sku) -> None:
    send(people, sku)
    send(people, sku, text="And the size")
    task = HumanTask.objects.get()
    assert [reason["params"]["text"] for reason in task.reasons] == ["The price is $4", "And the size"]
    assert SkuReport.objects.count() == 2


@pytest.mark.parametrize(("job", "page"), [("CANCELLED", "SKIPPED"), ("PROCESSING", "AI_QUEUED")])
def test_what_is_over_or_in_machine_hands_takes_no_report(people: People, sku: Sku, job: str, page: str) -> None:
    type(sku.job).objects.filter(pk=sku.job_id).update(status=job)
    Page.objects.filter(pk=sku.page_id).update(status=page)
    send(people, sku)
    assert not SkuReport.objects.exists() and not HumanTask.objects.exists()


@pytest.mark.req("TA-T43")
def test_reports_are_read_by_their_reporter_and_leads(people: People, sku: Sku) -> None:
    send(people, sku)
    for person, status, told in (
        (people.uploader, 200, True),
        (people.colleague, 200, False),
        (people.lead, 200, True),
        (people.other_uploader, 200, False),
        (people.annotator, 403, False),
        (people.admin, 200, True),
    ):
        answer = client_of(person).get("/reports/")
        assert (answer.status_code, b"The price is $4" in answer.content) == (status, told)
    foreign = client_of(people.other_uploader).post(f"/jobs/{sku.job.uuid}/report/", {"kind": "wrong", "text": "x"})
    assert foreign.status_code == 404


def test_the_results_offer_it_to_who_may(people: People, sku: Sku) -> None:
    for person, offered in ((people.uploader, True), (people.annotator, False)):
        for address in (f"/jobs/{sku.job.uuid}/results/", f"/jobs/{sku.job.uuid}/skus/{sku.sku_id}/"):
            assert (f"/jobs/{sku.job.uuid}/report/" in client_of(person).get(address).content.decode()) == offered
