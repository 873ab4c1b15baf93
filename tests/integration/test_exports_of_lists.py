"""Exports of what a list shows: of a document and over all of them, alike in every format, with the filter's name."""

import csv
import io
import json
import zipfile
from typing import Any

import openpyxl
import pytest
from asgiref.sync import async_to_sync
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import translation

from catalogsku.core.errors import Refused
from ingestion.models import Job
from processing.catalogue.services.entries import catalogue_job
from processing.exports.models import Export
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-JSON")]

OAK = "show=ready&where=color%3Ahas%3Aoak"


def fill(job: Job) -> Job:
    page = make_page(job, 1, "AI_COMPLETED")
    for n, (model, color, price) in enumerate((("A-1", "Oak", "120"), ("A-2", "Red", "90"), ("A-3", "oak", "80")), 1):
        given = {"model": model, "product_name": "Chair", "color": color, "price": price}
        status = "IMPORTED" if model == "A-3" else "BOUND"
        make_sku(page, n, status, attributes=given, normalized={"price": {"value": price, "currency": "EUR"}})
    catalogue_job(job)
    return job


@pytest.fixture
def job(people: People) -> Job:
    return fill(make_job(people.merchant, "FULL_IMPORTED"))


def made(people: People, job: Job | None, kind: str, listed: str, **wish: Any) -> Export:
    export = exporting.ask_for(people.uploader, people.merchant, job, Wish(kind, listed=listed, **wish))
    exporting.make_export(export.pk)
    return Export.objects.select_related("layout", "job", "merchant").get(pk=export.pk)


def held(export: Export) -> list[str]:
    """Models in the file, whatever its format."""
    return models_in(default_storage.open(export.storage_key).read(), export.kind)


def body(answer: Any) -> bytes:
    async def collect() -> bytes:
        return b"".join([part async for part in answer])

    return async_to_sync(collect)()


def models_in(data: bytes, kind: str) -> list[str]:
    if kind == "json":
        return [sku["model"] for sku in json.loads(data)["skus"]]
    if kind == "xlsx":
        rows = list(openpyxl.load_workbook(io.BytesIO(data)).worksheets[0].values)
        return [str(row[rows[0].index("model")]) for row in rows[1:]]
    if kind == "zip":
        data = zipfile.ZipFile(io.BytesIO(data)).read("skus.csv")
    return [row["model"] for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig")))]


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json", "zip"])
def test_every_format_holds_what_the_list_shows_and_says_so(people: People, job: Job, kind: str) -> None:
    export = made(people, job, kind, f"{OAK}&sort=-price&page=2")
    assert (export.status, export.wanted) == ("DONE", OAK)
    assert held(export) == ["A-1"] and export.skus == 1
    with translation.override("en"):
        assert " (filtered) " in signed_links.file_name(export)
    data = default_storage.open(export.storage_key).read()
    said = {"address": OAK, "words": ["Ready", "Colour contains oak"]}
    if kind == "json":
        assert json.loads(data)["filter"] == said
    if kind == "zip":
        assert json.loads(zipfile.ZipFile(io.BytesIO(data)).read("manifest.json"))["filter"] == said
    if kind == "xlsx":
        sheet = openpyxl.load_workbook(io.BytesIO(data)).worksheets[1]
        assert [row[0] for row in sheet.values] == ["Ready", "Colour contains oak", OAK]
    whole = made(people, job, kind, "")
    assert held(whole) == ["A-1", "A-2", "A-3"]
    with translation.override("en"):
        assert "filtered" not in signed_links.file_name(whole)


@pytest.mark.parametrize(
    ("listed", "models"),
    [
        ("where=color:has:oak", ["A-1", "A-3", "A-1", "A-3"]),
        ("price_to=100", ["A-2", "A-3", "A-2", "A-3"]),
        ("q=A-2", ["A-2", "A-2"]),
        ("show=delivered", ["A-3", "A-3"]),
        ("twice=model&where=color:is:red", ["A-2", "A-2"]),
        ("order=price&cursor=W10", ["A-1", "A-2", "A-3"] * 2),
        ("brand=Nobody", []),
    ],
)
def test_over_all_documents_it_holds_what_the_catalogue_shows(
    people: People, job: Job, listed: str, models: list[str]
) -> None:
    fill(make_job(people.merchant, "FULL_IMPORTED"))
    fill(make_job(people.other, "FULL_IMPORTED"))
    export = made(people, None, "csv", listed)
    assert sorted(held(export)) == sorted(models)
    assert bool(export.wanted) == (not listed.startswith("order"))


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_at_once_it_is_the_same(people: People, job: Job, kind: str) -> None:
    browser = Client()
    browser.force_login(people.uploader)
    address = f"/jobs/{job.uuid}/export/{kind}/"
    answer = browser.get(f"{address}?{OAK}&sort=model")
    assert models_in(body(answer), kind) == ["A-1"]
    assert "%28" in answer["Content-Disposition"] or "(" in answer["Content-Disposition"]
    refused = browser.get(f"{address}?where=price:from:cheap")
    assert refused.status_code == 400 and "filter_number" in refused.content.decode()
    if kind == "json":
        assert "pages" in json.loads(body(browser.get(address)))  # result.json


def test_a_list_that_cannot_be_is_no_export(people: People, job: Job) -> None:
    for listed, code in (
        ("where=wattage:has:5", "filter_column"),
        ("where=price:from:cheap", "filter_number"),
        ("where=color:has:x" + "x" * 2000, "filter_unreadable"),
    ):
        for one in (job, None):
            with pytest.raises(Refused) as refused:
                exporting.ask_for(people.uploader, people.merchant, one, Wish("csv", listed=listed))
            assert refused.value.code == code
    with pytest.raises(Refused):
        exporting.ask_for(people.uploader, people.merchant, None, Wish("csv", listed="price_from=cheap"))
    assert not Export.objects.exists()


def test_a_delta_of_a_list_is_told_from_the_last_one_of_the_same_list(people: People, job: Job) -> None:
    layout = exporting.save_layout(people.uploader, people.merchant, "Shop", ["sku_id", "model"], "keys")
    for listed in ("", "where=color:has:oak"):
        signed_links.note_fetched(made(people, job, "csv", listed, layout=layout))
    assert made(people, job, "csv", "where=color:has:oak", layout=layout, is_delta=True).skus == 0
    assert made(people, job, "csv", "where=color:is:red", layout=layout, is_delta=True).added == 1


def test_programs_ask_for_it_and_are_told_which_filter_it_was(people: People, job: Job) -> None:
    program = Program(people.uploader)
    asked = {"kind": "csv", "job_id": str(job.uuid), "filter": "where=color:has:oak"}
    made_of = program("POST", "/exports", asked)
    assert (made_of.status_code, made_of.json()["filter"]) == (202, "where=color%3Ahas%3Aoak")
    refused = program("POST", "/exports", {**asked, "filter": "where=color:from:5"})
    assert (refused.status_code, refused.json()["code"]) == (400, "filter_no_number_column")
    at_once = program("GET", f"/jobs/{job.uuid}/export/csv?filter=where%3Dcolor:is:red")
    assert models_in(body(at_once), "csv") == ["A-2"]


def test_the_panel_offers_what_the_list_shows_and_names_it(people: People, job: Job) -> None:
    browser = Client()
    browser.force_login(people.uploader)
    browser.cookies["django_language"] = "en"
    page = browser.get(f"/jobs/{job.uuid}/results/?{OAK}&sort=price").content.decode()
    assert f"/export/csv/?{OAK.replace('&', '&amp;')}" in page
    panel = browser.get("/exports/", {"job": str(job.uuid), "listed": OAK}).content.decode()
    assert "Ready, Colour contains oak" in panel and 'value="listed" checked' in panel
    browser.post("/exports/make/", {"job": str(job.uuid), "kind": "csv", "which": "listed", "listed": OAK})
    assert Export.objects.get().wanted == OAK
    shown = browser.get("/exports/", {"job": str(job.uuid)}, headers={"X-Fragment": "region"}).content.decode()
    assert "Ready, Colour contains oak" in shown
    browser.post("/exports/make/", {"job": str(job.uuid), "kind": "csv", "which": "all", "listed": OAK})
    assert Export.objects.latest("pk").wanted == ""
    bad = browser.get("/exports/", {"job": str(job.uuid), "listed": "where=x:has:y"})
    assert bad.status_code == 400 and "filter_column" in bad.content.decode()
    catalogue = browser.get("/catalogue/?where=color:has:oak").content.decode()
    assert "listed=where%253Dcolor%25253Ahas" in catalogue or "listed=where%3Dcolor%253Ahas%253Aoak" in catalogue
