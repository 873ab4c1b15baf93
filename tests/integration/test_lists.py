"""Lists of products: columns that a person chooses, sorting by them, filters by attribute, and what they may cost."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from ingestion.models import Job
from processing.catalogue import selectors as catalogue
from processing.catalogue.selectors import Wanted
from processing.catalogue.services.entries import catalogue_job
from processing.lists.columns import columns_of
from processing.lists.conditions import CONDITIONS_MOST, conditions_of
from processing.models import ShownColumns, Sku
from processing.problems import PROBLEMS, sentence
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_page, make_sku

pytestmark = pytest.mark.django_db

# model: colour, price, MOQ, wear class (an attribute that no schema knows)
PRODUCTS: dict[str, tuple[Any, ...]] = {
    "A-1": ("Oak", "120", "20", "AC4"),
    "A-2": ("ＯＡＫ light", "99.5", None, None),
    "A-3": ("Red", None, "5", "AC5"),
    "A-4": (None, "880", "100", None),
}


def make_products(job: Job, times: int = 1) -> None:
    page = make_page(job, 1, "AI_COMPLETED")
    for n, (model, (color, price, moq, wear)) in enumerate(list(PRODUCTS.items()) * times, 1):
        normalized = {"price": {"value": price, "currency": "EUR"}} if price else {}
        normalized |= {"moq": {"value": moq}} if moq else {}
        given = {"model": model, "product_name": f"Chair {n}", "color": color, "price": price, "moq": moq}
        custom = [{"name": "Wear: class", "value": wear, "evidence": None}] if wear else []
        make_sku(page, n, "IMPORTED", attributes=given, normalized=normalized, custom_attributes=custom)
    catalogue_job(job)


@pytest.fixture
def job(people: People) -> Job:
    job = make_job(people.merchant, "FULL_IMPORTED")
    make_products(job)
    return job


@pytest.fixture
def browser(people: People) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(people.uploader)
    client.cookies["django_language"] = "en"
    return client


def models(answer: Any) -> list[str]:
    return re.findall(r'class="model"[^>]*>([^<]*)<', answer.content.decode())


def heads(answer: Any) -> list[str]:
    found = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", answer.content.decode(), re.DOTALL)
    return [re.sub(r"<[^>]*>", "", one).strip() for one in found]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (["color:has:oak"], ["A-1", "A-2"]),
        (["color:is:OAK"], ["A-1"]),
        (["color:empty"], ["A-4"]),
        (["color:filled"], ["A-1", "A-2", "A-3"]),
        (["price:from:100"], ["A-1", "A-4"]),
        (["price:to:120", "color:has:oak"], ["A-1", "A-2"]),
        (["moq:from:20"], ["A-1", "A-4"]),
        (["currency:is:eur"], ["A-1", "A-2", "A-4"]),
        (["custom.Wear: class:has:ac"], ["A-1", "A-3"]),
        (["custom.Wear: class:is:AC5"], ["A-3"]),
        (["custom.Unheard of:filled"], []),
        (["product_name:has:'; --"], []),
        (["product_name:has:100%"], []),
    ],
)
@pytest.mark.req("TA-JSON")
def test_a_document_and_the_catalogue_are_filtered_by_attribute(
    browser: Client, people: People, job: Job, where: list[str], found: list[str], monkeypatch: Any
) -> None:
    assert models(browser.get(f"/jobs/{job.uuid}/results/", {"where": where})) == found
    assert sorted(models(browser.get("/catalogue/", {"where": where}))) == found
    monkeypatch.setattr(catalogue, "WALKED", 0)
    assert sorted(models(browser.get("/catalogue/", {"where": where}))) == found
    program = Program(people.uploader)
    asked = "&".join(f"where={one.replace('%', '%25').replace(' ', '%20').replace(';', '%3B')}" for one in where)
    for path in (f"/jobs/{job.uuid}/skus?{asked}", f"/skus?{asked}"):
        told = program("GET", path).json()
        assert sorted(sku["attributes"]["model"] for sku in told["items"]) == found, path


@pytest.mark.parametrize(
    ("where", "code"),
    [
        (["wattage:has:5"], "filter_column"),
        (["sku_id; DROP TABLE:has:5"], "filter_column"),
        (["custom.:has:5"], "filter_column"),
        (["color"], "filter_unreadable"),
        (["color:like:5"], "filter_unreadable"),
        (["color:has:"], "filter_value"),
        (["color:has:" + "x" * 101], "filter_value"),
        (["price:from:cheap"], "filter_number"),
        (["price:from:NaN"], "filter_number"),
        (["color:from:5"], "filter_no_number_column"),
        ([f"color:has:{n}" for n in range(CONDITIONS_MOST + 1)], "too_many_filters"),
    ],
)
def test_a_filter_that_cannot_be_is_said_with_its_code_and_shows_nothing(
    browser: Client, people: People, job: Job, where: list[str], code: str
) -> None:
    for language in ("en", "zh-hans"):
        browser.cookies["django_language"] = language
        for address in (f"/jobs/{job.uuid}/results/", "/catalogue/"):
            answer = browser.get(address, {"where": where})
            assert answer.status_code == 400 and models(answer) == []
            assert f"<code>{code}</code>" in answer.content.decode()
    params = {"what": "x", "max": 1, "value": "x"}
    with translation.override("en"):
        english = sentence(code, params)
    with translation.override("zh-hans"):
        assert sentence(code, params) != english
    program = Program(people.uploader)
    asked = "&".join(f"where={one.replace(';', '%3B').replace(' ', '%20')}" for one in where)
    for path in (f"/jobs/{job.uuid}/skus?{asked}", f"/skus?{asked}"):
        told = program("GET", path)
        if len(where[0]) < 100:
            assert (told.status_code, told.json()["code"]) == (PROBLEMS[code][0], code), path


@pytest.mark.parametrize(
    ("sort", "found"),
    [
        ("price", ["A-2", "A-1", "A-4", "A-3"]),
        ("-price", ["A-4", "A-1", "A-2", "A-3"]),
        ("moq", ["A-3", "A-1", "A-4", "A-2"]),
        ("-color", ["A-3", "A-2", "A-1", "A-4"]),
        ("-model", ["A-4", "A-3", "A-2", "A-1"]),
        ("-custom.Wear: class", ["A-3", "A-1", "A-2", "A-4"]),
        ("page", ["A-1", "A-2", "A-3", "A-4"]),
    ],
)
def test_a_document_is_sorted_by_any_column_and_what_has_nothing_comes_last(
    browser: Client, job: Job, sort: str, found: list[str]
) -> None:
    answer = browser.get(f"/jobs/{job.uuid}/results/", {"sort": sort})
    assert models(answer) == found
    assert browser.get(f"/jobs/{job.uuid}/results/", {"sort": "nothing"}).status_code == 400


def test_a_head_sorts_the_other_way_round_and_says_how_the_list_stands(browser: Client, job: Job) -> None:
    text = browser.get(f"/jobs/{job.uuid}/results/?where=color:has:oak&sort=price&page=1").content.decode()
    assert 'aria-sort="ascending"><a class="sort" href="?where=color%3Ahas%3Aoak&amp;sort=-price"' in text
    text = browser.get("/catalogue/?where=color:has:oak&order=-model&cursor=").content.decode()
    assert 'aria-sort="descending"><a class="sort" href="?where=color%3Ahas%3Aoak&amp;order=model"' in text


@pytest.mark.parametrize("order", catalogue.ORDERS)
def test_the_catalogue_in_steps_shows_each_product_once_both_ways(people: People, job: Job, order: str) -> None:
    seen, cursor = list[str](), ""
    where = conditions_of(["price:from:1"], columns_of([job.schema]))
    while True:
        step = catalogue.list_step(people.merchant, Wanted(order=order, where=where), cursor, 1)
        seen += [sku.attributes["model"] for sku in step.skus]
        if not (cursor := step.next or ""):
            break
    assert sorted(seen) == ["A-1", "A-2", "A-4"]
    backwards = {"newest": "oldest", "oldest": "newest"}.get(order, order[1:] if order[0] == "-" else f"-{order}")
    step = catalogue.list_step(people.merchant, Wanted(order=backwards, where=where), "", 50)
    assert [sku.attributes["model"] for sku in step.skus] == seen[::-1]


def test_a_filter_of_the_form_goes_into_the_address_and_its_chip_takes_it_out(browser: Client, job: Job) -> None:
    for here in (f"/jobs/{job.uuid}/results/", "/catalogue/"):
        form = {"q": "Chair", "cursor": "x", "page": "2", "column": "custom.Wear: class", "is": "has", "value": " ac4 "}
        sent = browser.get(here, form)
        assert sent.status_code == 302 and sent["Location"] == f"{here}?q=Chair&where=custom.Wear%3A+class%3Ahas%3Aac4"
        answer = browser.get(sent["Location"])
        assert models(answer) == ["A-1"]
        assert "Wear: class contains ac4" in answer.content.decode()
        assert '<a class="chip-drop" href="?q=Chair">' in answer.content.decode()


def test_columns_are_chosen_by_each_person_for_each_merchant(browser: Client, people: People, job: Job) -> None:
    here = f"/jobs/{job.uuid}/results/"
    usual = ["Picture", "Model", "Name", "Size", "Material", "Colour", "Price", "Currency", "MOQ"]
    assert heads(browser.get(here))[:9] == usual
    form = {"job": str(job.uuid), "columns": ["custom.Wear: class", "currency", "brand"], "address": "sort=price&x=//y"}
    sent = browser.post("/results/columns/", form)
    assert sent["Location"] == f"{here}?sort=price&x=%2F%2Fy"
    answer = browser.get(here)
    assert heads(answer)[3:6] == ["Wear: class", "Currency", "Brand"]
    assert "AC5" in answer.content.decode() and "EUR" in answer.content.decode()
    assert heads(browser.get("/catalogue/"))[3:7] == ["Brand", "Size", "Price", "Currency"]
    browser.post("/results/columns/", {"merchant": people.merchant.pk, "columns": ["moq"]})
    assert heads(browser.get("/catalogue/"))[3:5] == ["MOQ", "Completeness"]
    other = Client(headers={"Accept-Language": "en"})
    other.force_login(people.lead)
    other.cookies["django_language"] = "en"
    assert heads(other.get(here))[:9] == usual
    browser.post("/results/columns/", {"job": str(job.uuid), "usual": "1", "columns": ["brand"]})
    assert heads(browser.get(here))[:9] == usual


def test_columns_that_cannot_be_are_refused_and_those_of_others_are_not_there(
    browser: Client, people: People, job: Job
) -> None:
    browser.post("/results/columns/", {"job": str(job.uuid), "columns": ["wattage"]})
    assert not ShownColumns.objects.exists()
    assert browser.post("/results/columns/", {"merchant": people.other.pk, "columns": ["brand"]}).status_code == 404
    strange = make_job(people.other)
    assert browser.post("/results/columns/", {"job": str(strange.uuid), "columns": ["brand"]}).status_code == 404
    assert browser.post("/results/columns/", {"merchant": "x"}).status_code == 404
    assert not ShownColumns.objects.exists()


def test_a_list_asks_as_often_whatever_it_holds_and_reads_only_its_document(
    browser: Client, people: People, job: Job
) -> None:
    full = make_job(people.merchant, "FULL_IMPORTED")
    make_products(full, times=30)
    asked = {}
    for one in (job, full, full):
        address = f"/jobs/{one.uuid}/results/?where=custom.Wear: class:has:ac&where=price:from:1&sort=-color"
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert browser.get(address).status_code == 200
        asked[one.pk] = len(captured)
    assert asked[job.pk] == asked[full.pk]
    listed = next(query["sql"] for query in captured if "position(" in query["sql"] and "LIMIT" in query["sql"])
    Sku.objects.filter(job=job).count()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {listed}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert re.search(r"Index (Only )?Scan .*processing_sku|Bitmap Index Scan on (one_sku|inv_07)", plan), plan
    assert "Seq Scan on processing_sku" not in plan, plan


def test_a_step_that_looked_at_enough_says_where_the_next_begins(
    browser: Client, people: People, job: Job, monkeypatch: Any
) -> None:
    """However rare it is: no request looks at more than so many entries."""
    monkeypatch.setattr(catalogue, "WALKED", 1)
    monkeypatch.setattr(catalogue, "LOOKED_AT", 2)
    answer = browser.get("/catalogue/?where=color:is:oak")
    assert models(answer) == [] and "No SKU matches so far" in answer.content.decode()
    following = re.search(r'rel="next" href="([^"]*)"', answer.content.decode())
    assert following and models(browser.get(f"/catalogue/{following[1].replace('&amp;', '&')}")) == ["A-1"]
    where = conditions_of(["color:filled"], columns_of([job.schema]))
    counts = catalogue.count_hits(people.merchant, Wanted(where=where))
    assert counts.by_group["all"] == 1 and counts.more
    seen, cursor = list[str](), ""
    for _ in range(10):
        step = catalogue.list_step(people.merchant, Wanted(where=where), cursor, 5)
        seen += [sku.attributes["model"] for sku in step.skus]
        if not (cursor := step.next or ""):
            break
    assert seen == ["A-3", "A-2", "A-1"]
