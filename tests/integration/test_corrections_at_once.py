"""Who reads results puts one value right at once: checked, sent exactly once, told, and taken back (TA-ATONCE)."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from annotation.at_once.services import Corrected, correct, take_back
from annotation.models import Annotation, HumanTask
from annotation.people.services import learning
from annotation.problems import PROBLEMS
from annotation.reports.services import report
from annotation.tasks.services import locks
from annotation.tasks.services.settle import settle_pages
from annotation.workbench.past import Event, page_past
from annotation.workbench.services.submitting import Invalid
from catalogsku.accounts.models import User
from catalogsku.core.errors import Conflict, NotFound, ProductError, Refused
from catalogsku.profiles.models import ConfigChange
from catalogsku.profiles.services import set_dictionary
from ingestion.models import Job, Page
from processing.catalogue.services.entries import catalogue_pages
from processing.corrections.services.rules import set_rule
from processing.engine.page import pack_page
from processing.imports.services import delivering, ledger
from processing.models import AnnotationExample, CatalogueEntry, CorrectionRule, PageContent, Sku
from processing.products.parts import sku_part
from processing.sandboxed import frozen
from tests.support.downstream import Downstream
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_image, make_job, make_page, make_sku
from tests.unit.understanding.pages import page as printed
from tests.unit.understanding.pages import table

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-ATONCE")]
ROWS = [["Model", "Name", "Price", "Size"], ["A-1", "Mug", "$5", "9 cm"], ["A-2", "Cup", "$4", "8 cm"]]


@pytest.fixture
def downstream(settings: Any) -> Iterator[Downstream]:
    with Downstream() as server:
        settings.IMPORT_URL = server.url
        yield server


@pytest.fixture
def sku(people: People, downstream: Downstream) -> Sku:
    """The first of two products of a page that was delivered; its price was read wrong."""
    set_rule(people.merchant, people.lead, at_once=True)
    job = make_job(people.merchant, "FULL_IMPORTED", category="lamps")
    PageContent.objects.create(
        merchant=people.merchant,
        file_sha256=job.file_sha256,
        number=1,
        reading_key=frozen.reading_key(),
        data=pack_page(printed(tables=[table(ROWS)])),
    )
    page = make_page(job, 1, "AI_COMPLETED", page_type="A", layout_type="L3", sku_count=2, width_pt=595, height_pt=842)
    box = [200.0, 120.0, 280.0, 140.0]
    evidence = {"price": {"quote": "$4", "page_number": 1, "bbox": box, "match": 1.0, "method": "rules"}}
    first = {"model": "A-1", "product_name": "Mug", "price": "$4", "size": "9 cm"}
    sku = make_sku(page, 1, attributes=first, evidence=evidence, normalized={"price": {"value": "4"}})
    make_sku(page, 2, attributes={"model": "A-2", "size": "8 cm"})
    sku.pictures.create(image=make_image(page), role="SCENE", method="near", confidence=0.8)
    with transaction.atomic():
        ledger.open_imports(job, list(Sku.objects.filter(page=page)))
        catalogue_pages(job, [page.pk])
    deliver(page)
    return Sku.objects.get(pk=sku.pk)


def deliver(page: Page) -> None:
    delivering.deliver_pages([page.pk])
    settle_pages([page.pk])


def given(sku: Sku, text: str = "$5", key: str = "price", **more: Any) -> Corrected:
    return Corrected(key, text, more.pop("revision", sku.revision), **more)


def put_right(people: People, sku: Sku, *args: Any, by: Any = None, **more: Any) -> HumanTask:
    return correct(by or people.uploader, sku.job.uuid, sku.sku_id, given(sku, *args, **more))


def past(made: HumanTask) -> Event:
    with override("en"):
        return page_past(made)[0]


def active(sku: Sku) -> Sku:
    return Sku.objects.get(job=sku.job_id, sku_id=sku.sku_id, superseded=False)


def client_of(person: Any, language: str = "en") -> Client:
    client = Client(headers={"HX-Request": "true"})
    client.force_login(person)
    client.cookies["django_language"] = language
    return client


# --- what becomes of it -------------------------------------------------------------------------------


@pytest.mark.req("TA-DICT")
def test_what_a_person_says_is_measured_in_the_merchants_own_units(people: People, sku: Sku) -> None:
    words = set_dictionary(people.merchant, "", [{"kind": "unit", "word": "pol", "means": "in"}], people.lead, "")
    made = put_right(people, sku, "12 pol", "size", insist=True, why="seen on the sample")
    assert active(sku).normalized["size"] == {"values": [12], "unit": None}, "its document knows no such word"
    Job.objects.filter(pk=sku.job_id).update(dictionaries=[words.pk])
    take_back(people.uploader, sku.job.uuid, sku.sku_id, made.uuid)
    put_right(people, active(sku), "12 pol", "size", insist=True, why="seen on the sample")
    assert active(sku).normalized["size"] == {"values": [12], "unit": "in"}


def test_one_value_is_revised_and_goes_out_once_and_the_rest_of_its_page_stays(
    people: People, sku: Sku, downstream: Downstream
) -> None:
    other = Sku.objects.get(page=sku.page, sku_id__endswith="_002")
    sent = len(downstream.posts())
    made = put_right(people, sku, why="It says $5 in the table")
    deliver(sku.page)
    deliver(sku.page)
    now = active(sku)
    assert (now.revision, now.status, now.attributes["price"]) == (2, "IMPORTED", "$5")
    assert now.attributes == {**sku.attributes, "price": "$5"}
    assert (now.confidence, now.attribute_source) == (sku.confidence, {"price": "person"})
    assert now.evidence["price"]["quote"] == "$5" and now.evidence["price"]["bbox"] == sku.evidence["price"]["bbox"]
    assert [(one.role, one.method, one.confidence) for one in now.pictures.all()] == [("SCENE", "near", 0.8)]
    assert len(downstream.posts()) == sent + 1, "exactly once"
    assert downstream.visible()[people.merchant.pk, sku.sku_id]["attributes"]["price"] == "$5"
    assert CatalogueEntry.objects.get(sku=now).price == 5
    assert Sku.objects.get(pk=other.pk).status == "IMPORTED" and active(other).pk == other.pk
    page = Page.objects.get(pk=sku.page_id)
    assert (page.status, page.import_state) == ("AI_COMPLETED", "confirmed")
    said = now.decisions["said"]["price"]
    assert (said["by"], said["user"], said["why"]) == ("Uploader", people.uploader.pk, "It says $5 in the table")
    annotation = Annotation.objects.get()
    assert (annotation.task, annotation.annotator) == (made, people.uploader)
    assert (annotation.type, annotation.field, annotation.before, annotation.after) == (
        "SKU_ATTRIBUTE",
        "price",
        "$4",
        "$5",
    )
    event = past(made)
    assert (event.word, event.who, event.why) == ("Corrected at once", "Uploader", "It says $5 in the table")
    assert [(one.before, one.after) for one in event.differences] == [("$4", "$5")]


def test_the_same_again_changes_nothing_more(people: People, sku: Sku) -> None:
    wanted = given(sku, submit_id=UUID(int=3))
    first = correct(people.uploader, sku.job.uuid, sku.sku_id, wanted)
    assert correct(people.uploader, sku.job.uuid, sku.sku_id, wanted) == first
    assert (active(sku).revision, HumanTask.objects.count(), Annotation.objects.count()) == (2, 1, 1)


def test_it_teaches_as_work_does_until_it_is_taken_back(people: People, sku: Sku) -> None:
    made = put_right(people, sku)
    assert learning.offer_corrected_pages()["examples"] == 1
    assert "$5" in AnnotationExample.objects.get().answer
    AnnotationExample.objects.all().delete()
    take_back(people.uploader, sku.job.uuid, sku.sku_id, made.uuid)
    assert learning.offer_corrected_pages() == {"pages": 0, "examples": 0}


def test_taken_back_it_is_as_it_was_read_downstream_too(people: People, sku: Sku, downstream: Downstream) -> None:
    before = downstream.visible()[people.merchant.pk, sku.sku_id]
    made = put_right(people, sku)
    deliver(sku.page)
    sent = len(downstream.posts())
    take_back(people.uploader, sku.job.uuid, sku.sku_id, made.uuid)
    take_back(people.uploader, sku.job.uuid, sku.sku_id, made.uuid)
    deliver(sku.page)
    now = active(sku)
    same = ("attributes", "evidence", "attribute_source", "normalized", "validity", "quality_warning", "decisions")
    assert {name: getattr(now, name) for name in same} == {name: getattr(sku, name) for name in same}
    assert (now.revision, now.status, len(downstream.posts())) == (3, "IMPORTED", sent + 1)
    assert downstream.visible()[people.merchant.pk, sku.sku_id]["attributes"] == before["attributes"]
    made.refresh_from_db()
    assert made.status == "SKIPPED" and past(made).word == "Correction taken back"


def test_two_values_are_taken_back_each_for_itself(people: People, sku: Sku) -> None:
    price = put_right(people, sku)
    size = put_right(people, active(sku), "8 cm", "size")
    take_back(people.uploader, sku.job.uuid, sku.sku_id, price.uuid)
    now = active(sku)
    assert (now.attributes["price"], now.attributes["size"]) == ("$4", "8 cm")
    assert set(now.decisions["said"]) == {"size"} and now.attribute_source == {"size": "person"}
    take_back(people.uploader, sku.job.uuid, sku.sku_id, size.uuid)
    assert active(sku).attributes == sku.attributes and active(sku).decisions == {}


def test_only_its_author_takes_it_back_and_only_while_it_stands(people: People, sku: Sku) -> None:
    made = put_right(people, sku)
    with pytest.raises(Refused, match="not_your_correction"):
        take_back(people.colleague, sku.job.uuid, sku.sku_id, made.uuid)
    with pytest.raises(NotFound):
        take_back(people.other_uploader, sku.job.uuid, sku.sku_id, made.uuid)
    with pytest.raises(NotFound):
        take_back(people.uploader, sku.job.uuid, sku.sku_id, uuid4())
    put_right(people, active(sku), "$4", by=people.colleague)
    with pytest.raises(Conflict, match="value_moved_on"):
        take_back(people.uploader, sku.job.uuid, sku.sku_id, made.uuid)


# --- what is refused ----------------------------------------------------------------------------------


def waits(people: People, sku: Sku) -> None:
    report(people.colleague, sku.job.uuid, "wrong", "The size", sku_id=sku.sku_id)


def judged(people: People, sku: Sku) -> None:
    HumanTask.objects.create(job=sku.job, page=sku.page, type="PAGE_REVIEW", purpose="verdict")


def in_later_edition(people: People, sku: Sku) -> None:
    later = make_page(make_job(people.merchant, "FULL_IMPORTED"), 1, "AI_COMPLETED")
    make_sku(later, 1, "IMPORTED", downstream_id=sku.key, predecessor=sku.sku_id)


def put(model: Any, **columns: Any) -> Any:
    return lambda people, sku: model.objects.filter(pk=getattr(sku, f"{model.__name__.lower()}_id")).update(**columns)


REFUSED = {
    "at_once_off": lambda people, sku: set_rule(people.merchant, people.lead, at_once=False),
    "page_waits": waits,
    "job_ended": put(Job, status="CANCELLED"),
    "page_with_machines": put(Page, status="AI_QUEUED"),
    "sku_in_later_edition": in_later_edition,
    "sku_not_out": lambda people, sku: Sku.objects.filter(pk=sku.pk).update(status="REJECTED"),
}


@pytest.mark.parametrize("code", REFUSED)
def test_where_another_way_is_open_nothing_changes_and_it_is_said(people: People, sku: Sku, code: str) -> None:
    REFUSED[code](people, sku)
    tasks = HumanTask.objects.count()
    with pytest.raises(ProductError) as refused:
        put_right(people, sku)
    assert refused.value.code == code and code in PROBLEMS
    assert (active(sku).pk, HumanTask.objects.count(), Annotation.objects.count()) == (sku.pk, tasks, 0)
    html = (
        client_of(people.uploader)
        .post(
            reverse("sku_correct", args=[sku.job.uuid, sku.sku_id]),
            {"field": "price", "value": "$5", "why": "In the table", "revision": 1, "submit_id": str(uuid4())},
        )
        .content.decode()
    )
    assert code in html and "Price: $4 should be $5\nIn the table" in html, "what was typed goes into a report"


def test_a_second_look_that_waits_has_the_page_too(people: People, sku: Sku) -> None:
    judged(people, sku)
    with pytest.raises(Conflict, match="page_waits"):
        put_right(people, sku)


def test_a_page_that_somebody_has_in_hand_is_not_changed_under_them(people: People, sku: Sku) -> None:
    waits(people, sku)
    locks.claim_task(people.annotator, HumanTask.objects.get().uuid, UUID(int=1))
    with pytest.raises(Conflict, match="page_waits"):
        put_right(people, sku)


@pytest.mark.parametrize(
    ("key", "text", "code"),
    [
        ("price", "five", "price_unclear"),
        ("price", "l5.OO", "figures_mixed"),
        ("price", "$7", "not_printed"),
        ("moq", "many", "number_missing"),
        ("currency", "shells", "currency_unknown"),
        ("model", "A-9", "not_printed"),
        ("colour of the lid", "red", "unknown_key"),
    ],
)
def test_values_are_checked_as_typed_ones_are_and_may_be_insisted_on(
    people: People, sku: Sku, key: str, text: str, code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        put_right(people, sku, text, key)
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [(f"skus[0].attributes.{key}", code)]
    if code == "unknown_key":
        return
    with pytest.raises(Invalid) as refused:
        put_right(people, sku, text, key, insist=True)
    assert refused.value.faults[0].code == "insist_why_missing"
    assert active(sku).pk == sku.pk
    put_right(people, sku, text, key, insist=True, why="The stamp beside it says so")
    assert active(sku).attributes[key] == text


@pytest.mark.parametrize(("text", "code"), [("  ", "value_missing"), ("$4", "value_same")])
def test_no_value_and_the_same_one_are_none(people: People, sku: Sku, text: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        put_right(people, sku, text)


def test_who_saw_an_earlier_revision_is_told_what_stands_now(people: People, sku: Sku) -> None:
    put_right(people, sku, by=people.colleague)
    with pytest.raises(Conflict) as refused:
        put_right(people, sku, "$6")
    assert (refused.value.code, refused.value.params) == ("value_moved_on", {"value": "$5"})


def test_what_a_person_insisted_on_is_not_said_to_be_printed(people: People, sku: Sku) -> None:
    dialog = f"{reverse('sku', args=[sku.job.uuid, sku.sku_id])}?field=price"
    put_right(people, sku, "$7", insist=True, why="By the price list")
    html = client_of(people.uploader).get(dialog).content.decode()
    assert "Nothing printed on this page says so" in html and "By the price list" in html
    assert "Printed as" not in html
    put_right(people, active(sku), "$5")
    assert "Printed as $5" in client_of(people.uploader).get(dialog).content.decode()


# --- the dialog ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "correct_word"), [("en", "Correct: Price"), ("zh-hans", "改正：价格")])
def test_the_dialog_offers_it_where_it_is_allowed(people: People, sku: Sku, language: str, correct_word: str) -> None:
    address = reverse("sku", args=[sku.job.uuid, sku.sku_id])
    for person, offered in (
        (people.uploader, True),
        (people.lead, True),
        (people.admin, True),
        (people.annotator, False),
    ):
        assert (correct_word in client_of(person, language).get(address).content.decode()) == offered, person
    set_rule(people.merchant, people.lead, at_once=False)
    html = client_of(people.uploader, language).get(address).content.decode()
    assert correct_word not in html and reverse("sku_report", args=[sku.job.uuid]) in html


def test_the_dialog_corrects_says_who_and_takes_back(people: People, sku: Sku) -> None:
    client, address = client_of(people.uploader), reverse("sku_correct", args=[sku.job.uuid, sku.sku_id])
    form = client.get(f"{address}?field=price").content.decode()
    assert 'value="$4"' in form and 'name="revision" value="1"' in form
    fields = {"field": "price", "value": "five", "revision": 1, "submit_id": str(uuid4())}
    html = client.post(address, fields).content.decode()
    assert "This is no price: five" in html and 'name="insist"' in html and 'value="five"' in html
    answer = client.post(address, {**fields, "value": "$5", "why": "As printed"})
    assert answer["HX-Trigger"] == '{"corrected": {"field": "price"}}'
    dialog = reverse("sku", args=[sku.job.uuid, sku.sku_id])
    html = client.get(dialog).content.decode()
    assert "Corrected by Uploader" in html and "As printed" in html and "Take it back" in html
    assert "Corrected by Uploader" in client.get(f"{dialog}?field=price").content.decode()
    other = client_of(people.colleague).get(dialog).content.decode()
    assert "Corrected by Uploader" in other and "Take it back" not in other
    undo = reverse("sku_correct_undo", args=[sku.job.uuid, sku.sku_id])
    taken = {"field": "price", "correction": str(HumanTask.objects.get().uuid)}
    assert "not_your_correction" in client_of(people.colleague).post(undo, taken).content.decode()
    assert client.post(undo, taken)["HX-Trigger"]
    assert "Corrected by" not in client.get(dialog).content.decode()


def test_a_stale_dialog_shows_what_stands_now_and_keeps_what_was_typed(people: People, sku: Sku) -> None:
    put_right(people, sku, by=people.colleague)
    fields = {"field": "price", "value": "$4", "revision": 1, "submit_id": str(uuid4())}
    html = (
        client_of(people.uploader)
        .post(reverse("sku_correct", args=[sku.job.uuid, sku.sku_id]), fields)
        .content.decode()
    )
    assert "By now it says: $5" in html and 'value="$4"' in html and 'name="revision" value="2"' in html


# --- the merchant's rule, and programs ----------------------------------------------------------------


def test_a_merchants_rule_is_set_by_its_leads_and_written_down(people: People) -> None:
    address = reverse("correction_rule")
    assert client_of(people.uploader).get(address).status_code == 403
    lead = client_of(people.lead)
    assert 'value="no" required checked' in lead.get(address).content.decode(), "off by itself"
    assert lead.post(address, {"at_once": "yes"}).status_code == 302
    assert 'value="yes" required checked' in lead.get(address).content.decode()
    assert "field-error" in lead.post(address, {"at_once": "perhaps"}).content.decode()
    lead.post(address, {"at_once": "yes", "merchant": people.other.pk})
    assert list(CorrectionRule.objects.values_list("merchant", "at_once")) == [(people.merchant.pk, True)]
    change = ConfigChange.objects.filter(model="processing.correctionrule").latest("pk")
    assert (change.after["at_once"], change.by) == (True, people.lead.username)
    assert (
        "You belong to no merchant"
        in client_of(User.objects.create(username="new", role="lead", language="en")).get(address).content.decode()
    )


def test_programs_correct_and_take_back(people: People, sku: Sku) -> None:
    program = Program(people.uploader)
    address = f"/jobs/{sku.job.uuid}/skus/{sku.sku_id}/corrections"
    body = {"field": "price", "value": "$7", "revision": 1, "submit_id": str(UUID(int=9))}
    refused = program("POST", address, body).json()
    assert (refused["code"], refused["problems"][0]["code"]) == ("invalid", "not_printed")
    made = program("POST", address, {**body, "value": "$5"})
    assert made.status_code == 200 and made.json()["sku"] == sku_part(active(sku))
    assert program("POST", address, {**body, "value": "$5"}).json() == made.json()
    stale = program("POST", address, {**body, "value": "$4", "submit_id": None})
    assert (stale.status_code, stale.json()["code"]) == (409, "value_moved_on")
    undo = f"{address}/{made.json()['correction_id']}/undo"
    assert Program(people.colleague)("POST", undo).status_code == 403
    assert Program(people.other_uploader)("POST", undo).status_code == 404
    assert Program(people.other_uploader)("POST", address, body).status_code == 404
    assert program("POST", undo).json()["revision"] == 3
    assert active(sku).attributes["price"] == "$4"
    lead = Program(people.lead)
    assert lead("PUT", "/correction-rule", {"at_once": False}).json() == {
        "merchant_id": people.merchant.pk,
        "at_once": False,
    }
    assert program("POST", address, {**body, "submit_id": None}).json()["code"] == "at_once_off"
    assert lead("GET", "/correction-rule").json()["at_once"] is False
    assert lead("PUT", "/correction-rule", {"at_once": True, "merchant_id": people.other.pk}).status_code == 404


@pytest.mark.parametrize("named", ["other", "x", "99999999999999999999", "0"])
@pytest.mark.parametrize("address", ["correction_rule", "file_rule", "asking"])
def test_a_rule_for_a_merchant_that_is_not_ones_own_changes_nobodys(
    client: Client, people: People, address: str, named: str
) -> None:
    client.force_login(people.uploader if address == "asking" else people.lead)
    merchant = str(people.other.pk) if named == "other" else named
    for answer in (
        client.get(reverse(address), {"merchant": merchant}),
        client.post(reverse(address), {"merchant": merchant, "at_once": "yes"}),
    ):
        assert answer.status_code == 404
    assert not CorrectionRule.objects.filter(at_once=True).exists()
