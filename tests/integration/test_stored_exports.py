"""Stored exports: the same rows in every format, deltas, layouts, signed links, and how they end."""

import asyncio
import csv
import gc
import hashlib
import io
import json
import re
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import openpyxl
import pytest
from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from openpyxl.utils.escape import unescape
from PIL import Image as Pillow

from catalogsku.accounts.models import Role
from catalogsku.core import clock, storage, work
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.presence import current_worker
from ingestion.models import Job
from processing.exports import selectors, workbook
from processing.exports.columns import Entry, Table, columns_of
from processing.exports.formats import writer_of
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish
from processing.models import Export, ExportLayout, Sku, SkuImage
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_image, make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-JSON")]

HOSTILE = "=cmd|' /C calc'!A0"
CLIMBER = "../../灯\x07..\\evil"
KINDS = ("csv", "xlsx", "json", "zip")


@pytest.fixture
def job(people: People) -> Job:
    """Three SKUs on two pages: one with a Chinese name and a picture, one hostile, one that was rejected."""
    job = make_job(people.merchant)
    job.source_name = "Frühling 灯.pdf"
    job.save(update_fields=["source_name"])
    first, late = make_page(job, 1), make_page(job, 100)
    lamp = make_sku(first, 1, attributes={"model": "007", "product_name": "台灯"})
    evil = make_sku(late, 1, attributes={"model": HOSTILE, "product_name": CLIMBER}, validity="partial")
    make_sku(late, 2, "REJECTED", attributes={"model": "R-1"})
    for sku, colour in ((lamp, "red"), (evil, "blue")):
        picture = io.BytesIO()
        Pillow.new("RGB", (300, 200), colour).save(picture, "JPEG")
        key = default_storage.save(f"tests/{job.pk}-{colour}.jpg", ContentFile(picture.getvalue()))
        image = make_image(sku.page, sku.pk % 900, storage_key=key, width_px=300, height_px=200)
        SkuImage.objects.create(sku=sku, image=image, role="PRODUCT_MAIN", method="table_row", confidence=0.9)
    return job


def made(people: People, job: Job | None = None, **wish: Any) -> Export:
    """Asked for by the uploader and made by this process as a worker would."""
    export = exporting.ask_for(people.uploader, people.merchant, job, Wish(wish.pop("kind", "json"), **wish))
    exporting.make_export(export.pk)
    return Export.objects.select_related("layout", "job", "merchant").get(pk=export.pk)


def content(export: Export) -> bytes:
    assert export.status == "DONE", export.code
    with storage.open_file(export.storage_key) as file:
        return file.read()


def skus(export: Export) -> list[dict[str, Any]]:
    return list(json.loads(content(export))["skus"])


def body(response: Any) -> bytes:
    async def collect() -> bytes:
        return b"".join([part async for part in response.streaming_content])

    return asyncio.run(collect())


# --- formats ---------------------------------------------------------------------------------------


def test_every_format_tells_the_same_in_the_order_that_was_picked(people: People, job: Job) -> None:
    columns = ["model", "page", "sku_id", "product_name"]
    files = {kind: made(people, job, kind=kind, columns=columns) for kind in KINDS}
    lines = skus(files["json"])
    assert [list(line) for line in lines] == [columns] * 2, "what was rejected is not there"
    assert [line["page"] for line in lines] == [1, 100]
    assert lines[0]["model"] == "007" and lines[1]["product_name"] == CLIMBER, "a program gets the text as printed"
    text = content(files["csv"])
    assert text.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
    sheet = openpyxl.load_workbook(io.BytesIO(content(files["xlsx"]))).active
    cells = [[str(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    assert cells == rows
    assert rows[0] == columns and rows[1][3] == "台灯"
    assert rows[2][0] == f"'{HOSTILE}" and "\x07" not in rows[2][3], "nothing runs, nothing breaks the file"
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    for file in files.values():
        assert (file.sha256, file.size_bytes) == (hashlib.sha256(content(file)).hexdigest(), len(content(file)))
        assert file.skus == 2


def test_headings_are_in_the_language_that_was_picked(people: People, job: Job) -> None:
    heads = {
        headings: list(skus(made(people, job, columns=["page", "color", "model"], headings=headings))[0])
        for headings in ("keys", "en", "zh-hans")
    }
    assert heads["keys"] == ["page", "color", "model"]
    assert heads["en"] == ["Page", "Colour", "Model"]
    assert re.search("[\u4e00-\u9fff]", "".join(heads["zh-hans"]))


def test_a_zip_has_safe_names_and_a_manifest_that_is_right(people: People, job: Job) -> None:
    with zipfile.ZipFile(io.BytesIO(content(made(people, job, kind="zip")))) as package:
        assert package.testzip() is None
        names = package.namelist()
        manifest = json.loads(package.read("manifest.json"))["files"]
        assert {one["path"] for one in manifest} == {*names} - {"manifest.json"}
        for one in manifest:
            data = package.read(one["path"])
            assert (one["sha256"], one["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
        for info in package.infolist():
            assert not info.filename.startswith("/") and ".." not in info.filename.split("/")
            assert not set(info.filename) & set('\\<>:"|?*\x07')
            assert info.filename.isascii() or info.flag_bits & 0x800, "names are marked as UTF-8"
        pictures = [name for name in names if name.startswith("pictures/")]
        assert len(pictures) == 2 and pictures[0].endswith("_p01_001 007 台灯/01.jpg")
        rows = list(csv.DictReader(io.StringIO(package.read("skus.csv").decode("utf-8-sig"))))
        assert [row["files"] for row in rows] == pictures


def test_a_picture_that_is_gone_is_told_and_stops_nothing(people: People, job: Job) -> None:
    storage.delete_file(SkuImage.objects.order_by("pk")[0].image.storage_key)
    with zipfile.ZipFile(io.BytesIO(content(made(people, job, kind="zip")))) as package:
        manifest = json.loads(package.read("manifest.json"))["files"]
    assert [one["sha256"] is None for one in manifest] == [False, True, False]


def test_pictures_stand_in_the_rows_of_a_workbook(people: People, job: Job, monkeypatch: Any) -> None:
    found = content(made(people, job, kind="xlsx", with_pictures=True, columns=["model"]))
    sheet: Any = openpyxl.load_workbook(io.BytesIO(found)).active
    assert [(image.anchor._from.row, image.anchor._from.col) for image in sheet._images] == [(1, 0), (2, 0)]
    assert {image.format for image in sheet._images} == {"jpeg"}
    assert [row[1] for row in sheet.iter_rows(values_only=True)] == ["model", "007", f"'{HOSTILE}"]
    monkeypatch.setattr(workbook, "PICTURES_MAX", 1)
    refused = made(people, job, kind="xlsx", with_pictures=True)
    assert (refused.status, refused.code) == ("FAILED", "too_many_pictures")


@pytest.mark.parametrize("left_bytes", [0, 60, 91, 160])
def test_a_picture_cut_short_leaves_its_row_without_one(people: People, job: Job, left_bytes: int) -> None:
    first, second = (one.image for one in SkuImage.objects.order_by("pk"))
    with storage.open_file(first.storage_key) as file:
        left = file.read(left_bytes)
    default_storage.delete(first.storage_key)
    default_storage.save(first.storage_key, ContentFile(left))
    found = content(made(people, job, kind="xlsx", with_pictures=True, columns=["model"]))
    sheet: Any = openpyxl.load_workbook(io.BytesIO(found)).active
    (image,) = sheet._images
    shown = image.anchor.to.colOff - image.anchor._from.colOff, image.anchor.to.rowOff - image.anchor._from.rowOff
    assert image.anchor._from.row == 2 and shown[0] / shown[1] == pytest.approx(
        second.width_px / second.height_px, 0.05
    )
    assert [row[1] for row in sheet.iter_rows(values_only=True)] == ["model", "007", f"'{HOSTILE}"]


@pytest.mark.parametrize("text", ["_x0041_", "a\r\nb", "<&>\"'", "x" * 40_000, " two  ", "\ufffe|"])
def test_a_workbook_holds_any_text(people: People, text: str) -> None:
    job = make_job(people.merchant)
    make_sku(make_page(job), attributes={"model": text})
    sheet: Any = openpyxl.load_workbook(io.BytesIO(content(made(people, job, kind="xlsx", columns=["model"])))).active
    assert unescape(sheet["A2"].value) == text[:32_767].replace("\ufffe", "").replace("\r\n", "\n")


def synthetic(number: int, job: Job) -> Iterator[Entry]:
    """SKUs that no list holds."""
    for n in range(number):
        sku_id = f"{job.hash8}_p{n // 9 + 1:02d}_{n % 9 + 1:03d}"
        attributes = {"model": f"M-{n}", "product_name": "椅子" * 100}
        sku = Sku(pk=n + 1, job=job, sku_id=sku_id, confidence=0.9, attributes=attributes)
        sku._prefetched_objects_cache = {"pictures": []}  # type: ignore[attr-defined]
        yield Entry(sku_id, sku)


class Nowhere(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


@pytest.mark.parametrize("kind", KINDS)
def test_memory_does_not_grow_with_the_rows(people: People, kind: str) -> None:
    job = make_job(people.merchant)
    known = columns_of([job.schema])
    columns = [known[key] for key in ("sku_id", "model", "product_name", "confidence")]

    def peak_bytes(number: int) -> int:
        nowhere: Any = Nowhere()
        gc.collect()
        tracemalloc.start()
        for _ in writer_of(kind, with_pictures=kind == "xlsx")(nowhere, Table(columns, synthetic(number, job))):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak_bytes(50)
    few, many = (min(peak_bytes(number) for _ in range(2)) for number in (400, 1200))  # what comes once is no growth
    assert many < few + 200_000, "800 rows more, of 600 bytes at least"


def test_rows_are_read_a_few_hundred_at_a_time(people: People, job: Job, monkeypatch: Any) -> None:
    monkeypatch.setattr(selectors, "AT_ONCE", 2)
    page = job.pages.get(number=1)
    for sequence in range(10, 14):
        make_sku(page, sequence)
    with CaptureQueriesContext(connection) as asked:
        assert len(list(selectors.iterate(selectors.exported_skus(job.merchant_id, job)))) == 6
    assert len([one for one in asked if "skuimage" in one["sql"]]) == 3, "pictures come with each step"


# --- layouts and deltas ------------------------------------------------------------------------------


def revise(sku: Sku, **attributes: str) -> Sku:
    """As a person's correction does: the next revision takes its place."""
    Sku.objects.filter(pk=sku.pk).update(superseded=True)
    return make_sku(sku.page, sku_id=sku.sku_id, revision=sku.revision + 1, attributes={**sku.attributes, **attributes})


def test_a_delta_tells_exactly_what_was_added_changed_and_removed(people: People, job: Job) -> None:
    layout = exporting.save_layout(people.uploader, people.merchant, " Shop  list ", ["sku_id", "model"], "keys")
    assert layout.name == "Shop list"
    whole = made(people, layout=layout)
    assert [line["model"] for line in skus(whole)] == ["007", HOSTILE]
    early = made(people, layout=layout, is_delta=True)
    assert early.added == 2, "nobody fetched the first: its reader knows nothing yet"
    signed_links.note_fetched(whole)
    same = made(people, layout=layout, is_delta=True)
    assert (skus(same), same.added, same.altered, same.removed) == ([], 0, 0, 0)
    page = job.pages.get(number=1)
    lamp, evil = Sku.objects.get(sku_id__endswith="p01_001"), Sku.objects.get(sku_id__endswith="p100_001")
    revise(lamp, model="007b")
    Sku.objects.filter(pk=evil.pk).update(superseded=True)
    new = make_sku(page, 7, attributes={"model": "N-7"})
    delta = made(people, layout=layout, is_delta=True)
    assert skus(delta) == [
        {"change": "changed", "sku_id": lamp.sku_id, "model": "007b"},
        {"change": "added", "sku_id": new.sku_id, "model": "N-7"},
        {"change": "removed", "sku_id": evil.sku_id, "model": None},
    ]
    assert (delta.base, delta.skus, delta.added, delta.altered, delta.removed) == (whole, 2, 1, 1, 1)
    again = made(people, layout=layout, is_delta=True)
    assert skus(again) == skus(delta), "a delta that nobody fetched loses nothing"
    signed_links.note_fetched(again)
    assert skus(made(people, layout=layout, is_delta=True)) == []
    Sku.objects.filter(pk=new.pk).update(status="REJECTED")
    assert [line["change"] for line in skus(made(people, layout=layout, is_delta=True))] == ["removed"]
    other_reach = made(people, job, layout=layout, is_delta=True)
    assert other_reach.base is None, "one document is compared with that document"
    assert made(people, layout=layout, is_delta=True, full_only=True).base is None


def test_all_documents_of_a_merchant_and_of_no_other(people: People, job: Job) -> None:
    second, foreign = make_job(people.merchant), make_job(people.other)
    make_sku(make_page(second), attributes={"model": "S-1"})
    make_sku(make_page(foreign), attributes={"model": "F-1"})
    again = make_job(people.merchant, file_sha256=job.file_sha256)
    make_sku(make_page(again), 1, attributes={"model": "007 anew"})
    found = skus(made(people, columns=["model", "document"]))
    assert {line["model"] for line in found} == {"007 anew", HOSTILE, "S-1"}, "a SKU of one file stands there once"
    assert {line["document"] for line in found} == {again.source_name, job.source_name, second.source_name}
    full = skus(made(people, columns=["model"], full_only=True))
    assert {line["model"] for line in full} == {"007 anew", "S-1"}


def test_a_layout_is_of_its_merchant_and_of_fields_that_there_are(people: People, job: Job) -> None:
    for columns, code in ((["nothing"], "unknown_columns"), ([], "no_columns")):
        with pytest.raises(Refused, match=code):
            exporting.save_layout(people.uploader, people.merchant, "x", columns, "keys")
    with pytest.raises(Refused, match="layout_name"):
        exporting.save_layout(people.uploader, people.merchant, " ", ["model"], "keys")
    with pytest.raises(Refused, match="delta_needs_layout"):
        made(people, is_delta=True)
    layout = exporting.save_layout(people.uploader, people.merchant, "x", ["model", "model", "page"], "en")
    assert layout.columns == ["model", "page"]
    assert exporting.save_layout(people.colleague, people.merchant, "x", ["page"], "en") == layout, "shared, by name"
    with pytest.raises(NotFound):
        selectors.get_layout(people.other_uploader, layout.uuid)
    ExportLayout.objects.filter(pk=layout.pk).update(columns=["page", "went_away"])
    layout.refresh_from_db()
    assert skus(made(people, job, layout=layout))[0] == {"Page": 1, "went_away": None}


# --- links -------------------------------------------------------------------------------------------


def url_of(export: Export, people: People) -> str:
    return signed_links.link_to(export, people.uploader).url


@pytest.mark.req("TA-STORE")
def test_a_link_gives_the_file_whole_or_in_parts_without_a_session(people: People, job: Job) -> None:
    export = made(people, job, kind="csv")
    url, data, client = url_of(export, people), content(export), Client()
    found = client.get(url)
    assert (found.status_code, body(found)) == (200, data)
    assert (found["Content-Length"], found["Accept-Ranges"]) == (str(len(data)), "bytes")
    assert "%E7%81%AF" in found["Content-Disposition"], "its Chinese name"
    etag = found["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    part = client.get(url, headers={"Range": "bytes=3-9"})
    assert (part.status_code, part["Content-Range"], body(part)) == (206, f"bytes 3-9/{len(data)}", data[3:10])
    rest = client.get(url, headers={"Range": "bytes=10-", "If-Range": etag})
    assert (rest.status_code, body(rest)) == (206, data[10:])
    changed = client.get(url, headers={"Range": "bytes=10-", "If-Range": '"another"'})
    assert (changed.status_code, body(changed)) == (200, data)
    assert client.get(url, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    head = client.head(url)
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(data)))


def test_an_export_counts_as_fetched_once_its_last_byte_went_out(people: People, job: Job) -> None:
    export = made(people, job)
    url, client = url_of(export, people), Client()
    client.head(url)
    client.get(url, headers={"Range": "bytes=0-9"})
    export.refresh_from_db()
    assert export.fetched_at is None
    client.get(url, headers={"Range": "bytes=10-"})
    export.refresh_from_db()
    assert export.fetched_at is not None


@pytest.mark.req("TA-STORE")
def test_an_expired_or_altered_link_is_refused(people: People, job: Job) -> None:
    export = made(people, job)
    url, client = url_of(export, people), Client()
    token = url.split("/")[2]
    stranger = signing.Signer(salt="another").sign_object([str(export.uuid), people.uploader.pk, 0, 2**40])
    for altered in (token[:-2] + "xx", "x" + token, token.replace(":", "", 1), stranger, "a:b:c"):
        refused = client.get(reverse("export_file", args=[altered]))
        assert refused.status_code == 403
        assert b"link_expired" in refused.content
    now = clock.now()
    for later_s, status in ((590, 200), (611, 403)):
        with mock.patch.object(clock, "now", return_value=now + timedelta(seconds=later_s)):
            assert client.get(url).status_code == status


@pytest.mark.req("TA-STORE")
def test_a_link_ends_with_what_its_person_may_see(people: People, job: Job) -> None:
    export, client = made(people, job), Client()
    foreign = signed_links.link_to(export, people.other_uploader).url
    assert client.get(foreign).status_code == 404
    assert client.get(signed_links.link_to(export, people.annotator).url).status_code == 403
    url = url_of(export, people)
    assert client.get(url).status_code == 200
    people.uploader.merchants.clear()
    assert client.get(url).status_code == 403, "with the merchant, whatever is theirs later"
    people.uploader.merchants.add(people.merchant)
    assert client.get(url).status_code == 403
    people.uploader.role = Role.LEAD
    people.uploader.save()
    assert client.get(url).status_code == 403, "new rights, new sign-in, new link"


@pytest.mark.req("LX-RESIGN")
def test_an_open_page_gets_new_links_in_time_and_after_a_refusal(people: People, job: Job) -> None:
    export, client = made(people, job), Client()
    client.force_login(people.uploader)
    region = client.get(reverse("export_panel"), {"job": job.uuid}, headers={"X-Fragment": "region"}).content.decode()
    every_s = int(re.search(r"every (\d+)s", region)[1])  # type: ignore[index]
    assert 60 <= every_s < signed_links.GOOD_FOR_S - 60, "long before they end, and not all the time"
    renewed = client.get(reverse("export_link", args=[export.uuid]))
    assert Client().get(renewed.json()["url"]).status_code == 200
    stranger = Client()
    stranger.force_login(people.other_uploader)
    assert stranger.get(reverse("export_link", args=[export.uuid])).status_code == 404


# --- the panel ---------------------------------------------------------------------------------------


def test_the_panel_shows_every_state(people: People, job: Job) -> None:
    client = Client(headers={"HX-Request": "true", "Accept-Language": "en"})
    client.force_login(people.uploader)
    address = reverse("export_panel")
    assert "Nothing has been prepared yet" in client.get(address, {"job": job.uuid}).content.decode()
    told = client.post(reverse("export_make"), {"job": job.uuid, "kind": "csv", "columns": ["model"]}).content.decode()
    assert "Being prepared" in told and "every 2s" in told
    waiting = Export.objects.get()
    claims = work.claim(Export.objects.all(), exporting.STAGE, current_worker())
    assert "Being made" in client.get(address, {"job": job.uuid}).content.decode()
    work.release(Export, claims)
    exporting.make_export(waiting.pk)
    ready = client.get(address, {"job": job.uuid}).content.decode()
    assert "data-renew" in ready and "Ready" in ready
    Export.objects.update(ended_at=timezone.now() - timedelta(days=8))
    exporting.clean_exports()
    assert "No longer kept" in client.get(address, {"job": job.uuid}).content.decode()
    failed = Export.objects.create(merchant=people.merchant, job=job, kind="csv", columns=[])
    exporting.end_failed([failed.pk], "too_many_rows")
    assert "choose CSV or JSON" in client.get(address, {"job": job.uuid}).content.decode()
    with CaptureQueriesContext(connection) as asked:
        client.get(address, {"job": job.uuid})
    assert len(asked) <= 12


def test_a_layout_is_saved_shown_and_deleted_in_the_panel(people: People, job: Job) -> None:
    client = Client(headers={"HX-Request": "true", "Accept-Language": "en"})
    client.force_login(people.uploader)
    given = {"merchant": people.merchant.pk, "name": "Shop", "columns": ["price", "model"], "headings": "en"}
    shown = client.post(reverse("layout_save"), given).content.decode()
    places = [shown.index(f'value="{key}" checked') for key in ("price", "model")]
    assert places == sorted(places), "the fields stand in their order"
    layout = ExportLayout.objects.get()
    assert "Give the layout a name" in client.post(reverse("layout_save"), {**given, "name": " "}).content.decode()
    foreign = Client(headers={"HX-Request": "true"})
    foreign.force_login(people.other_uploader)
    assert foreign.post(reverse("layout_save"), {"layout": layout.uuid, "delete": "1"}).status_code == 404
    assert foreign.post(reverse("layout_save"), given).status_code == 404
    assert foreign.post(reverse("export_make"), {"kind": "csv", "job": job.uuid}).status_code == 404
    client.post(reverse("layout_save"), {"merchant": people.merchant.pk, "layout": layout.uuid, "delete": "1"})
    assert not ExportLayout.objects.exists()
    assert not Export.objects.exists()


# --- workers and time --------------------------------------------------------------------------------


def test_only_one_worker_makes_an_export_and_a_late_one_changes_nothing(people: People, job: Job) -> None:
    export = exporting.ask_for(people.uploader, people.merchant, job, Wish("csv"))
    claims = work.claim(Export.objects.all(), exporting.STAGE, current_worker())
    exporting.make_export(export.pk)
    assert Export.objects.get(pk=export.pk).status == "WAITING", "somebody has it in hand"
    work.reap(Export, [current_worker().pk])
    exporting.make_export(export.pk)
    exporting._record(claims[0], "FAILED", code="internal_error")  # type: ignore[arg-type]
    assert Export.objects.get(pk=export.pk).status == "DONE"


def test_what_raises_is_tried_again_and_then_given_up(people: People, job: Job, monkeypatch: Any) -> None:
    export = exporting.ask_for(people.uploader, people.merchant, job, Wish("csv"))
    monkeypatch.setattr(storage, "put_file", mock.Mock(side_effect=OSError("disk")))
    exporting.make_export(export.pk)
    row = Export.objects.get(pk=export.pk)
    assert (row.status, row.failures, row.worker) == ("WAITING", 1, None)
    assert exporting.sweep_exports()["sent"] == 0, "not before its time"
    for _ in range(4):
        exporting.make_export(export.pk)
    row.refresh_from_db()
    assert (row.status, row.code, row.stage) == ("FAILED", "internal_error", "NONE")


def test_the_sweep_sends_what_lost_its_message(people: People, job: Job) -> None:
    exporting.ask_for(people.uploader, people.merchant, job, Wish("csv"))
    assert [exporting.sweep_exports()["sent"] for _ in range(2)] == [1, 0]


def test_a_merchant_has_ten_exports_in_work_at_most(people: People, job: Job) -> None:
    for _ in range(exporting.WAITING_MAX):
        exporting.ask_for(people.uploader, people.merchant, job, Wish("csv"))
    with pytest.raises(Refused, match="exports_waiting"):
        exporting.ask_for(people.uploader, people.merchant, job, Wish("csv"))


def test_files_go_after_a_week_and_rows_after_a_season_but_not_the_base_of_a_delta(people: People, job: Job) -> None:
    layout = exporting.save_layout(people.uploader, people.merchant, "x", ["sku_id"], "keys")
    older, base, plain = made(people, layout=layout), made(people, layout=layout), made(people)
    for export in (older, base):
        signed_links.note_fetched(export)
    url = url_of(base, people)
    assert exporting.clean_exports() == {"files": 0, "forgotten": 0}
    Export.objects.update(ended_at=timezone.now() - timedelta(days=91))
    assert exporting.clean_exports()["files"] == 3
    assert list(Export.objects.all()) == [base]
    assert not storage.has_file(plain.storage_key)
    assert Client().get(url).status_code == 410
    assert made(people, layout=layout, is_delta=True).base == base


# --- programs ----------------------------------------------------------------------------------------


def test_a_program_has_an_export_made_and_fetches_it(people: People, job: Job) -> None:
    program = Program(people.uploader)
    fields = program("get", "/export-layouts").json()["columns"]
    assert {"sku_id", "model", "images"} <= set(fields)
    layout = program("post", "/export-layouts", {"name": "ERP", "columns": ["sku_id", "price"]}).json()
    assert program("get", "/export-layouts").json()["items"] == [layout]
    asked = program("post", "/exports", {"kind": "json", "layout_id": layout["id"], "job_id": str(job.uuid)})
    assert (asked.status_code, asked.json()["status"], asked.json()["url"]) == (202, "WAITING", None)
    exporting.make_export(Export.objects.get().pk)
    ready = program("get", f"/exports/{asked.json()['id']}").json()
    data = body(Client().get(ready["url"]))
    assert hashlib.sha256(data).hexdigest() == ready["sha256"]
    assert list(json.loads(data)["skus"][0]) == ["sku_id", "price"]
    assert [one["id"] for one in program("get", "/exports").json()["items"]] == [ready["id"]]
    refused = program("post", "/exports", {"kind": "csv", "columns": ["nothing"]})
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_columns")
    stranger = Program(people.other_uploader)
    for method, path in (("get", f"/exports/{ready['id']}"), ("delete", f"/export-layouts/{layout['id']}")):
        assert stranger(method, path).status_code == 404
    assert stranger("get", "/exports").json()["items"] == []
    foreign = {"kind": "csv", "merchant_id": people.merchant.pk}
    assert stranger("post", "/exports", foreign).status_code == 404
    assert program("delete", f"/export-layouts/{layout['id']}").status_code == 204
