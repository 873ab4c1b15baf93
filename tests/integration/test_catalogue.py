"""A merchant's catalogue over all documents: search, filters, orders, steps, and what is there twice."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import NotFound, Refused
from ingestion.models import Job
from processing.catalogue import selectors
from processing.catalogue.selectors import Wanted
from processing.catalogue.services.entries import catalogue_job, catalogue_pages
from processing.models import CatalogueEntry, ImportRecord, Sku, SkuImage
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_image, make_job, make_page, make_sku

pytestmark = pytest.mark.django_db

PRICE = {"price": {"value": "1299.00", "currency": "CNY", "on_request": False, "tiers": []}}


def product(job: Job, number: int = 1, sequence: int = 1, status: str = "IMPORTED", **attributes: Any) -> Sku:
    page = job.pages.filter(number=number).first() or make_page(job, number, "AI_COMPLETED")
    price = attributes.get("price")
    normalized = {"price": {"value": price, "currency": "CNY"}} if price else {}
    sku = make_sku(page, sequence, status, attributes=attributes, normalized=normalized)
    catalogue_pages(job, [page.pk])
    return sku


def names(merchant: Merchant, **wanted: Any) -> list[str]:
    return [str(sku.attributes["model"]) for sku in selectors.list_step(merchant, Wanted(**wanted), "", 50).skus]


@pytest.fixture
def job(people: People) -> Job:
    return make_job(people.merchant, "FULL_IMPORTED")


@pytest.fixture
def chairs(job: Job) -> None:
    product(
        job, 1, model="AX-100", product_name="橡木餐椅", brand="示例家居", price="120", size="45×50", material="oak"
    )
    product(job, 2, model="BX-200", product_name="胡桃木书桌", brand="青禾", price="880")
    product(job, 3, model="A2", product_name="Dining chair", price="99.5", material="solid oak")


@pytest.mark.parametrize(
    ("q", "models"),
    [
        ("椅", ["AX-100"]),
        ("木", ["BX-200", "AX-100"]),
        ("书桌", ["BX-200"]),
        ("胡桃木书", ["BX-200"]),
        ("桌书", []),
        ("ax100", ["AX-100"]),
        ("AX-100", ["AX-100"]),
        ("x-10", ["AX-100"]),
        ("a2", ["A2"]),
        ("x2", []),
        ("OAK", ["A2", "AX-100"]),
        ("hair", ["A2"]),
        ("oak 椅", ["AX-100"]),
        ("家居", ["AX-100"]),
        ("100%", []),
        ("  ", ["A2", "BX-200", "AX-100"]),
        ("'; --", ["A2", "BX-200", "AX-100"]),
    ],
)
@pytest.mark.usefixtures("chairs")
def test_a_part_of_a_word_is_found(people: People, q: str, models: list[str], monkeypatch: Any) -> None:
    """By walking, and where the walk is too short by the index: the same."""
    assert names(people.merchant, q=q) == models
    monkeypatch.setattr(selectors, "WALKED", 0)
    assert names(people.merchant, q=q) == models


@pytest.mark.parametrize(
    ("wanted", "models"),
    [
        ({"brand": "示例 家居"}, ["AX-100"]),
        ({"price_from": 100}, ["BX-200", "AX-100"]),
        ({"price_to": 100}, ["A2"]),
        ({"currency": "USD"}, []),
        ({"complete": True}, ["AX-100"]),
        ({"complete": False}, ["A2", "BX-200"]),
        ({"pictured": True}, []),
        ({"order": "price"}, ["A2", "AX-100", "BX-200"]),
        ({"order": "-price"}, ["BX-200", "AX-100", "A2"]),
        ({"order": "model"}, ["A2", "AX-100", "BX-200"]),
        ({"order": "complete"}, ["BX-200", "A2", "AX-100"]),
        ({"category": "lamps"}, []),
        ({"q": "木", "price_to": 500}, ["AX-100"]),
    ],
)
@pytest.mark.usefixtures("chairs")
def test_filters_and_orders(people: People, wanted: dict[str, Any], models: list[str]) -> None:
    assert names(people.merchant, **wanted) == models


@pytest.mark.usefixtures("chairs")
@pytest.mark.parametrize("order", selectors.ORDERS)
def test_steps_show_each_product_once(people: People, order: str) -> None:
    seen, cursor = list[str](), ""
    while True:
        step = selectors.list_step(people.merchant, Wanted(order=order), cursor, 1)
        seen += [sku.attributes["model"] for sku in step.skus]
        if not (cursor := step.next or ""):
            break
    assert seen == names(people.merchant, order=order) and len(seen) == 3
    other = "model" if order != "model" else "price"
    step = selectors.list_step(people.merchant, Wanted(order=order), "", 1)
    for wrong in (step.next or "", "x", "W10"):
        with pytest.raises(Refused):
            selectors.list_step(people.merchant, Wanted(order=other), wrong, 1)


def test_groups_are_counted_as_the_results_count_them(people: People, job: Job) -> None:
    for number, status in enumerate(("IMPORTED", "IMPORTED", "BOUND", "VALID", "IMPORT_FAILED", "REJECTED"), 1):
        sku = product(job, number, status=status, model=f"M{number}", product_name="椅")
        if status == "IMPORT_FAILED":
            ImportRecord.objects.create(
                target="local",
                merchant=people.merchant,
                job=job,
                page=sku.page,
                sku=sku,
                sku_key=sku.sku_id,
                generation=1,
                state="REFUSED",
                payload=b"{}",
                payload_hash="0" * 64,
            )
    for q in ("", "椅"):
        counts = selectors.count_hits(people.merchant, Wanted(q=q))
        assert counts.by_group == {"all": 5, "delivered": 2, "ready": 1, "open": 1, "failed": 1} and not counts.more
    for show, models in {"delivered": ["M2", "M1"], "ready": ["M3"], "open": ["M4"], "failed": ["M5"]}.items():
        assert names(people.merchant, show=show) == models


def test_the_same_model_in_two_documents_is_a_group_that_says_what_differs(people: People, job: Job) -> None:
    later = make_job(people.merchant, "FULL_IMPORTED")
    product(job, 1, model="AX-100", brand="青禾", price="120", product_name="餐椅", color="原木")
    product(job, 2, model="CX-1", brand="青禾")
    product(job, 3, model="CX-1", brand="青禾")  # twice in one document only
    twin = product(later, 1, model="ax 100", brand="青禾", price="135", product_name="餐椅")
    product(later, 2, model="AX-100", brand="别家", price="1")
    assert names(people.merchant, twice="model") == ["AX-100", "ax 100"]
    assert names(people.merchant, twice="model", q="餐椅") == ["AX-100", "ax 100"]
    assert names(people.merchant, alike=twin.pk) == ["ax 100", "AX-100"]
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(people.uploader)
    html = client.get("/catalogue/?twice=model").content.decode()
    assert "differs in:" in html and "120 / 135" in html and "原木 /" not in html


def test_the_same_picture_in_two_documents_is_a_group(people: People, job: Job) -> None:
    for number, one in enumerate((job, make_job(people.merchant), make_job(people.other)), 1):
        page = make_page(one, 1, "AI_COMPLETED")
        sku = make_sku(page, attributes={"model": f"P{number}"})
        image = make_image(page, content_hash="e" * 64)
        SkuImage.objects.create(sku=sku, image=image, role="PRODUCT_MAIN", method="grid", confidence=0.9)
        catalogue_pages(one, [page.pk])
    assert names(people.merchant, twice="picture") == ["P1", "P2"]
    assert names(people.merchant, pictured=True) == ["P2", "P1"]
    assert names(people.merchant, twice="picture", pictured=False) == []


@pytest.mark.req("TA-T43")
def test_nobody_looks_into_anothers_catalogue(people: People, job: Job) -> None:
    mine = product(job, 1, model="AX-100")
    assert names(people.other, q="ax100") == [] == names(people.other, document=job.uuid)
    assert selectors.count_hits(people.other, Wanted(q="ax100")).by_group["all"] == 0
    with pytest.raises(NotFound):
        names(people.other, alike=mine.pk)
    client = Client()
    for person, address, status in (
        (people.uploader, f"?merchant={people.other.pk}", 404),
        (people.uploader, f"?merchant={people.merchant.pk}", 200),
        (people.admin, f"?merchant={people.merchant.pk}", 200),
        (people.other_uploader, f"?alike={mine.pk}", 404),
    ):
        client.force_login(person)
        answer = client.get(f"/catalogue/{address}")
        assert answer.status_code == status and (b"AX-100" in answer.content) == (status == 200)


def test_entries_follow_their_skus_and_can_be_written_anew(people: People, job: Job, capsys: Any) -> None:
    sku = product(job, 1, model="AX-100")
    Sku.objects.filter(pk=sku.pk).update(superseded=True)
    catalogue_job(job)
    assert not CatalogueEntry.objects.exists()
    Sku.objects.filter(pk=sku.pk).update(superseded=False)
    call_command("catalogue", "--json")
    assert json.loads(capsys.readouterr().out) == {"documents": 1, "entries": 1}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.usefixtures("chairs")
def test_the_page_shows_what_is_missing_and_where_it_comes_from(people: People, job: Job, language: str) -> None:
    client, speaks = Client(), {"Accept-Language": language}
    client.force_login(people.uploader)
    html = client.get("/catalogue/", {"q": "书桌"}, headers=speaks).content.decode()
    assert f"/jobs/{job.uuid}/#page-2" in html and "60%" in html
    assert ("no Size, Material" if language == "en" else "缺 尺寸") in html
    assert ("No SKU matches" if language == "en" else "没有符合条件的 SKU") in client.get(
        "/catalogue/?q=zzz", headers=speaks
    ).content.decode()
    assert client.get("/catalogue/?price_from=x").status_code == 200
    assert client.get("/catalogue/?cursor=x").status_code == 400
    counts = client.get("/catalogue/", {"q": "书桌"}, headers={"X-Fragment": "region"}).content.decode()
    assert counts.count("<a") == 5 and "<table" not in counts


def test_who_works_for_nobody_is_told(people: People) -> None:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(people.outsider)
    assert "No merchant is yours" in client.get("/catalogue/").content.decode()


@pytest.mark.req("TA-API")
@pytest.mark.usefixtures("chairs")
def test_programs_search_too(people: People, job: Job) -> None:
    program = Program(people.uploader)
    first = program("GET", "/skus?order=price&limit=2").json()
    assert [one["attributes"]["model"] for one in first["items"]] == ["A2", "AX-100"]
    rest = program("GET", f"/skus?order=price&limit=2&cursor={first['next']}").json()
    assert [one["attributes"]["model"] for one in rest["items"]] == ["BX-200"] and rest["next"] is None
    assert rest["items"][0]["missing"] == ["size", "material"] and rest["items"][0]["job_id"] == str(job.uuid)
    later = product(make_job(people.merchant), 1, model="AX100", brand="示例家居", price="150")
    same = program("GET", "/skus?q=ax100&order=price").json()["items"][0]["same_as"]
    assert same == [{"job_id": str(later.job.uuid), "sku_id": later.sku_id, "differs": ["model", "price"]}]


@pytest.mark.usefixtures("chairs")
def test_programs_ask_as_few_statements_for_many_products_as_for_one(people: People) -> None:
    """No product asks for what its list has left out."""
    program, asked = Program(people.uploader), []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as statements:
            assert len(program("GET", f"/skus?limit={limit}").json()["items"]) == limit
        asked.append(len(statements))
    assert asked[0] == asked[1]
