"""What leaves as a file: result.json by its schema, CSV and XLSX that a spreadsheet opens safely and unchanged."""

import asyncio
import csv
import io
import json

import jsonschema
import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from ingestion.lifecycle import ImportState, PageStatus
from ingestion.models import Job
from processing.exports import result_file, selectors
from processing.exports.formats import writer_of
from processing.exports.result_file import SCHEMA_FILE
from processing.exports.tables import streamed
from processing.models import SkuImage
from processing.products.lifecycle import SkuStatus
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

SCHEMA = json.loads(SCHEMA_FILE.read_text())
EVIL = ["=1+1", "+49 40", "-20", "@SUM(A1)", " =1", "\ufeff=1", "=cmd|' /C calc'!A0", "＝1+1", "\t=1", "\r=1", "x;=1"]


def file_of(job: Job, kind: str) -> bytes:
    """As it is streamed."""
    return b"".join(streamed(writer_of(kind, with_pictures=False), selectors.job_table(job)))


@pytest.fixture
def job(people: People) -> Job:
    """Every page and SKU status, a SKU with all that can be on one, and one with nothing."""
    job = make_job(people.merchant, category="home", total_pages=99)
    number = 0
    for status in PageStatus.values:
        for state in ImportState.values if status == "AI_COMPLETED" else ["none"]:
            number += 1
            make_page(job, number, status, import_state=state)
    page = job.pages.get(number=1)
    for sequence, status in enumerate(SkuStatus.values, 1):
        make_sku(page, sequence, status, attributes={"model": f"00{sequence}"})
    image, copy = make_image(page, 1), make_image(page, 2)
    type(copy).objects.filter(pk=copy.pk).update(duplicate_of=image)
    full = make_sku(
        page,
        90,
        attributes={"model": "007", "product_name": "椅子", "price": "1299.00", "description": 'a\nb, "c"'},
        attribute_source={"brand": "document_inherited"},
        quality_warning="missing_specifications",
        evidence={"model": {"quote": "007", "page_number": 1, "bbox": [0, 0, 1, 1], "match": 1.0, "method": "label"}},
        normalized={"price": {"value": "1299.00", "currency": "CNY", "on_request": False, "tiers": []}},
        custom_attributes=[{"name": "Finish", "value": "=oiled", "evidence": {"quote": "x"}}],
        candidates=[{"image_id": image.image_id, "confidence": 0.4, "method": "x", "reason": "near"}],
    )
    SkuImage.objects.create(sku=full, image=image, role="PRODUCT_MAIN", method="spatial_proximity", confidence=0.8)
    for sequence, text in enumerate(EVIL, 100):
        make_sku(page, sequence, attributes={"model": text})
    make_sku(page, 200, superseded=True, status="SUPERSEDED")
    return job


@pytest.mark.django_db
@pytest.mark.req("TA-JSON", "X-NORM")
def test_result_json_is_what_its_schema_says(job: Job) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
    whole = result_file.result(job)
    assert [error.message for error in validator.iter_errors(json.loads(json.dumps(whole)))] == []
    assert len(whole["skus"]) == len(SkuStatus.values) + 1 + len(EVIL)
    sku = next(s for s in whole["skus"] if s["sku_id"].endswith("_090"))
    assert sku["custom_attributes"] == [{"name": "Finish", "value": "=oiled"}], "a program gets the text as printed"
    assert sku["images"][0]["binding_method"] == "spatial_proximity"
    assert sku["normalized"]["price"]["on_request"] is False
    broken = json.loads(json.dumps(whole))
    del broken["skus"][0]["attributes"]["moq"]
    assert not validator.is_valid(broken), "the schema notices a missing key"


@pytest.mark.django_db
@pytest.mark.req("TA-JSON", "TA-G1")
def test_the_stream_is_the_same_file(job: Job, people: People) -> None:
    assert json.loads("".join(result_file.stream(job))) == result_file.result(job)
    empty = make_job(people.merchant)
    assert json.loads("".join(result_file.stream(empty)))["skus"] == []


@pytest.mark.django_db
@pytest.mark.req("TA-JSON")
def test_delivered_pages_have_the_sources_names(job: Job) -> None:
    names = {page["status"] for page in result_file.result(job)["pages"]}
    assert {"IMPORTED_CONFIRMED", "IMPORTED_ASSUMED", "IMPORT_FAILED", "AI_COMPLETED"} <= names


@pytest.mark.django_db
@pytest.mark.req("TA-JSON")
def test_csv_opens_in_excel_as_text_and_runs_nothing(job: Job) -> None:
    text = file_of(job, "csv").decode()
    assert text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text[1:])))
    model = rows[0].index("model")
    assert len({len(row) for row in rows}) == 1
    by_id = {row[0][-3:]: row for row in rows[1:]}
    assert by_id["090"][model] == "007"
    assert by_id["090"][rows[0].index("description")] == 'a\nb, "c"'
    assert by_id["090"][rows[0].index("product_name")] == "椅子"
    marked = [f"'{evil}" for evil in EVIL[:-3]] + ["\t'=1", "\r'=1", "x;'=1"]
    assert [by_id[str(sequence)][model] for sequence, _ in enumerate(EVIL, 100)] == marked
    for row in rows:
        assert not any(cell.strip().startswith(("=", "+", "-", "@", "＝")) for cell in row)


@pytest.mark.django_db
@pytest.mark.req("TA-JSON")
def test_xlsx_keeps_leading_zeros_and_holds_no_formula(job: Job) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(file_of(job, "xlsx"))).active
    rows = list(sheet.iter_rows())
    model = [cell.value for cell in rows[0]].index("model")
    by_id = {row[0].value[-3:]: row for row in rows[1:]}
    assert by_id["090"][model].value == "007"
    assert by_id["090"][model].data_type == "s"
    assert all(cell.data_type != "f" for row in rows for cell in row)
    assert by_id["100"][model].value == "'=1+1"
    assert isinstance(by_id["090"][[c.value for c in rows[0]].index("confidence")].value, float)


@pytest.mark.django_db
@pytest.mark.req("TA-JSON")
def test_a_control_character_does_not_break_the_workbook(people: People) -> None:
    job = make_job(people.merchant)
    make_sku(make_page(job), attributes={"model": "A\x01\x0b1"})
    sheet = openpyxl.load_workbook(io.BytesIO(file_of(job, "xlsx"))).active
    rows = list(sheet.iter_rows(values_only=True))
    assert "A1" in rows[1]


@pytest.mark.req("TA-JSON")
@pytest.mark.parametrize(("kind", "type_"), [("json", "application/json"), ("csv", "text/csv; charset=utf-8")])
def test_downloads_have_a_name_and_are_not_kept(committed: None, people: People, kind: str, type_: str) -> None:
    job = make_job(people.merchant)
    Job.objects.filter(pk=job.pk).update(source_name='Lampen "Süd" 灯.pdf')
    make_sku(make_page(job), attributes={"model": "M-1"})
    client = Client()
    client.force_login(people.uploader)
    found = client.get(reverse("export", args=[job.uuid, kind]))
    assert (found.status_code, found["Content-Type"], found["Cache-Control"]) == (200, type_, "no-store")
    assert found["Content-Disposition"].startswith("attachment; filename*=utf-8''Lampen")

    async def body() -> bytes:
        return b"".join([part async for part in found.streaming_content])

    assert "M-1" in asyncio.run(body()).decode()
    assert client.get(reverse("export", args=[job.uuid, "exe"])).status_code == 404
