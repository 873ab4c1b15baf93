"""Uploads in the browser: several at once, cut off and continued, refused with a reason; and what becomes of them."""

import csv
import io
import json
import re
from itertools import pairwise
from pathlib import Path

import jsonschema
import openpyxl
import pymupdf
import pytest
from playwright.sync_api import Page, Route, expect

from tests.functional.conftest import ROWS, Visit, catalogue
from tests.support.stack import PROJECT, Stack

pytestmark = pytest.mark.browser

FIRST_PART_BYTES, PART_BYTES_MAX = 1 << 20, 8 << 20
WORDS = {
    "en": {"not_pdf": "Not a PDF, not sent", "too_large": "Larger than 200 MB, not sent", "earlier": "Show it",
           "again": "Process again", "choose": "Choose the same file again to continue",
           "save": "Save the document as PDF and upload that file.",
           "split": "Split the document into smaller files and upload them one by one.",
           "quota": "Have an administrator raise what your merchant may store, then upload the file again."},
    "zh": {"not_pdf": "不是 PDF", "too_large": "200 MB", "earlier": "去看", "again": "再处理一次",
           "choose": "重新选择同一文件即可续传", "save": "将文档另存为 PDF 后上传。",
           "split": "把文档拆成较小的文件，分别上传。", "quota": "请管理员提高贵商户的存储限额，然后重新上传文件。"},
}  # fmt: skip


def row_of(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.locator(".upload").filter(has_text=name)


@pytest.mark.req("X-UPLOAD")
def test_two_files_go_up_at_once_are_read_and_can_be_taken_away(visit: Visit, tmp_path: Path) -> None:
    for name, series in (("First-list.pdf", "FST"), ("Second-list.pdf", "SND")):
        (tmp_path / name).write_bytes(catalogue("en", series))
    page = visit("/")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Choose files").click()
    chosen.value.set_files([tmp_path / "First-list.pdf", tmp_path / "Second-list.pdf"])
    for name in ("First-list.pdf", "Second-list.pdf"):
        expect(row_of(page, name)).to_have_attribute("data-state", "received")

    row_of(page, "First-list.pdf").get_by_role("link", name="Open").click()
    delivered = page.locator('.tile[data-state="IMPORTED_CONFIRMED"]')
    expect(delivered).to_have_count(2, timeout=60_000)
    expect(page.locator("[data-figure=skus]")).to_have_text(str(2 * ROWS))

    page.locator(".job-head").get_by_role("link", name="Results").click()
    expect(page.locator(".result-table tbody tr")).to_have_count(2 * ROWS)
    line = page.locator(".result-table tbody tr").filter(has_text="FST-101")
    line.get_by_role("button", name="201.00").click()
    evidence = page.locator("#evidence")
    expect(evidence).to_contain_text("Printed as 201.00")
    expect(evidence.locator(".hl")).to_be_visible()
    assert evidence.locator("image").evaluate("async image => (await fetch(image.href.baseVal)).ok")
    evidence.get_by_role("link", name="Open page").click()
    detail = page.locator("#sku-dialog")
    expect(detail.locator(".proof-mark.lit .hl")).to_be_visible()
    expect(detail.locator('[data-mark-for="price"]')).to_be_focused()
    page.keyboard.press("Escape")
    downloads_hold_the_same(page)


def downloads_hold_the_same(page: Page) -> None:
    def take(kind: str) -> bytes:
        with page.expect_download() as download:
            page.locator("#export-panel").get_by_role("link", name=kind).click()
        return Path(download.value.path()).read_bytes()

    page.get_by_role("button", name="Export").click()
    result = json.loads(take("JSON"))
    schema = json.loads((PROJECT / "processing/exports/result.schema.json").read_text())
    jsonschema.validate(result, schema)
    models = {f"FST-{page_number}{n:02d}" for page_number in (1, 2) for n in range(1, ROWS + 1)}
    assert {sku["attributes"]["model"] for sku in _skus(result)} == models
    lines = list(csv.reader(io.StringIO(take("CSV").decode("utf-8-sig"))))
    assert models <= {cell for line in lines for cell in line} and len(lines) == 2 * ROWS + 1
    sheet = openpyxl.load_workbook(io.BytesIO(take("XLSX"))).worksheets[0]
    assert models <= {str(cell) for line in sheet.iter_rows(values_only=True) for cell in line}


def _skus(result: dict) -> list[dict]:  # type: ignore[type-arg]
    return list(result["skus"])


@pytest.mark.req("X-UPLOAD")
def test_what_was_just_sent_is_in_the_list_at_once_and_what_others_sent_waits(
    visit: Visit, stack: Stack, tmp_path: Path
) -> None:
    for name, series in (("Earlier.pdf", "ERL"), ("Own-list.pdf", "OWN"), ("Of-another-window.pdf", "OTH")):
        (tmp_path / name).write_bytes(catalogue("en", series))
    stack.upload(tmp_path / "Earlier.pdf")
    page = visit("/")
    expect(page.locator(".doc-table")).to_contain_text("Earlier.pdf")
    documents = int(page.locator(".table-foot").inner_text().split()[-1])
    page.locator("[data-file]").set_input_files(tmp_path / "Own-list.pdf")
    expect(row_of(page, "Own-list.pdf")).to_have_attribute("data-state", "received")
    expect(page.locator(".doc-table tbody tr").first).to_contain_text("Own-list.pdf")
    expect(page.locator(".table-foot")).to_contain_text(f"of {documents + 1}")
    stack.upload(tmp_path / "Of-another-window.pdf")
    expect(page.locator("[data-new-rows]")).to_be_visible()
    expect(page.locator(".doc-table")).not_to_contain_text("Of-another-window.pdf")


def test_an_upload_cut_off_goes_on_after_a_reload(visit: Visit, stack: Stack, tmp_path: Path) -> None:
    file = tmp_path / "Large.pdf"
    large_pdf(file, 2 * PART_BYTES_MAX + 100_000)
    page, sent = visit("/"), SentParts()
    page.on("dialog", lambda dialog: dialog.accept())
    page.route("**/uploads/*/", sent.let_one_part_through)
    page.set_input_files("[data-file]", file)
    page.wait_for_function("() => document.querySelector('[aria-valuenow]').ariaValueNow > 0")
    sent.until_cut(page)
    page.reload()
    page.unroute_all(behavior="ignoreErrors")
    expect(row_of(page, "Large.pdf")).to_contain_text(WORDS["en"]["choose"])

    page.on("request", sent.note)
    page.set_input_files("[data-file]", file)
    expect(row_of(page, "Large.pdf")).to_have_attribute("data-state", "received", timeout=60_000)
    assert sent.offsets_after[0] == FIRST_PART_BYTES, "what was committed is not sent again"
    steps = [after - before for before, after in pairwise(sent.offsets_after)]
    assert steps[0] == FIRST_PART_BYTES and 0 < min(steps) <= max(steps) <= PART_BYTES_MAX
    (stored,) = stack.sql("SELECT source_bytes FROM ingestion_job WHERE source_name = 'Large.pdf'")
    assert stored[0] == file.stat().st_size


class SentParts:
    """Lets the first part through and none after it, as a connection that dies in the middle."""

    def __init__(self) -> None:
        self.parts = 0
        self.offsets_after: list[int] = []

    def let_one_part_through(self, route: Route) -> None:
        if route.request.method == "PATCH":
            self.parts += 1
            if self.parts > 1:
                return route.abort("connectionreset")
        route.continue_()

    def until_cut(self, page: Page) -> None:
        for _ in range(200):
            if self.parts > 1:
                return
            page.wait_for_timeout(50)
        raise AssertionError("the second part was never sent")

    def note(self, request) -> None:  # type: ignore[no-untyped-def]
        if request.method == "PATCH":
            self.offsets_after.append(int(request.headers["upload-offset"]))


def large_pdf(path: Path, at_least_bytes: int) -> None:
    """A readable catalogue that carries an unused object of noise."""
    document = pymupdf.open(stream=catalogue("en", "LRG", pages=1))
    number = document.get_new_xref()
    document.update_object(number, "<<>>")
    noise = bytes(range(256)) * 4096
    document.update_stream(number, noise * (at_least_bytes // len(noise) + 1), compress=False)
    document.save(path)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.req("X-UPLOAD")
def test_says_what_is_wrong_before_a_byte_is_sent(visit: Visit, stack: Stack, tmp_path: Path, language: str) -> None:
    words = WORDS[language]
    (tmp_path / "Letter.pdf").write_bytes(b"Dear reader" * 200)
    with (tmp_path / "Huge.pdf").open("wb") as huge:
        huge.write(b"%PDF-1.7\n")
        huge.truncate((200 << 20) + 1)
    known = tmp_path / f"Known-{language}.pdf"
    known.write_bytes(catalogue("en", f"DUP{language.upper()}", pages=1))
    earlier = stack.upload(known)
    bodies: list[str] = []
    page = visit("/", language=language)
    page.on("request", lambda request: bodies.append(request.url) if request.method == "PATCH" else None)

    page.set_input_files("[data-file]", [tmp_path / "Letter.pdf", tmp_path / "Huge.pdf"])
    expect(row_of(page, "Letter.pdf")).to_have_attribute("data-state", "refused")
    expect(row_of(page, "Letter.pdf")).to_contain_text(words["not_pdf"])
    expect(row_of(page, "Letter.pdf").locator(".upload-way")).to_have_text(words["save"])
    expect(row_of(page, "Huge.pdf")).to_contain_text(words["too_large"])
    expect(row_of(page, "Huge.pdf").locator(".upload-way")).to_have_text(words["split"])

    page.set_input_files("[data-file]", known)
    duplicate = row_of(page, known.name)
    expect(duplicate).to_have_attribute("data-state", re.compile("duplicate|received"))
    assert duplicate.get_attribute("data-state") == "duplicate" and not bodies
    expect(duplicate.get_by_role("link", name=words["earlier"])).to_have_attribute("href", f"/jobs/{earlier}/")
    duplicate.get_by_role("button", name=words["again"]).click()
    expect(duplicate).to_have_attribute("data-state", "received")
    (count,) = stack.sql("SELECT count(*) FROM ingestion_job WHERE source_name = %s", known.name)
    assert count[0] == 2 and len(bodies) == 1


@pytest.mark.parametrize(("language", "width"), [("en", 1440), ("zh", 390)])
@pytest.mark.req("X-UPLOAD")
def test_what_the_server_refuses_says_why_and_the_way_on(
    visit: Visit, stack: Stack, tmp_path: Path, language: str, width: int
) -> None:
    (tmp_path / "Large.pdf").write_bytes(b"%PDF-1.7\n" + bytes(2 << 20))
    (merchant,) = stack.sql(
        "SELECT merchant_id FROM accounts_user_merchants m JOIN accounts_user u ON u.id = m.user_id"
        " WHERE u.username = 'uploader'"
    )
    stack.sql("INSERT INTO ingestion_quota (merchant_id, storage_mb) VALUES (%s, 1) RETURNING 1", merchant[0])
    try:
        page = visit("/", language=language, width=width)
        page.set_input_files("[data-file]", tmp_path / "Large.pdf")
        row = row_of(page, "Large.pdf")
        expect(row).to_have_attribute("data-state", "refused")
        expect(row.locator(".upload-said")).to_contain_text("1 MB")
        expect(row.locator(".upload-way")).to_have_text(WORDS[language]["quota"])
        box = row.locator(".upload-way").bounding_box()
        assert box and box["x"] + box["width"] <= width, "nothing of it is cut off"
    finally:
        stack.sql("DELETE FROM ingestion_quota WHERE merchant_id = %s RETURNING 1", merchant[0])
