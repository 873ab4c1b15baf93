"""Pages through the sandbox into the database: what needs no OCR is read without its models, the rest with them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from catalogsku.core import storage
from ingestion.models import Page
from processing.engine.page import unpack_page
from processing.models import PageContent
from processing.pages.services import reading
from processing.sandboxed import sandboxes
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place, text
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_worker


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No fork server is there yet; those that come end with the test."""
    started: dict[bool, sandboxes.Sandbox] = {}
    monkeypatch.setattr(sandboxes, "_sandboxes", started)
    worker = make_worker("cpu")
    monkeypatch.setattr(reading, "current_worker", lambda: worker)
    yield
    for sandbox in started.values():
        sandbox.close()


def scan(words: str) -> PdfPage:
    """A page that is one picture of text."""
    image = Image.new("RGB", (800, 300), "white")
    ImageDraw.Draw(image).text((40, 100), words, fill="black", font=ImageFont.load_default(60))
    return PdfPage(place("Im0", 0, 0, 400, 150), images=[PdfImage(800, 300, image.tobytes())])


@pytest.mark.django_db
@pytest.mark.req("TA-G4")
def test_only_a_page_without_text_is_read_with_the_models(fresh: None, people: People, tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    source = tmp_path / "mixed.pdf"
    job = make_job(people.merchant, file_sha256=("ab" * 32))
    source.write_bytes(build_pdf([PdfPage(text(50, 500, f"Chair A-{n}, of oak, 450 mm")) for n in (1, 2)]))
    storage.put_file(job.source_key, source)
    make_page(job, 1, "AI_QUEUED", stage="READ")
    reading.read_pages(list(Page.objects.filter(job=job).values_list("pk", flat=True)))
    assert list(sandboxes._sandboxes) == [False], "no page has needed them"

    again = make_job(people.merchant, file_sha256=("cd" * 32))
    source.write_bytes(build_pdf([PdfPage(text(50, 500, "Chair A-1, of oak, 450 mm")), scan("TABLE B-200")]))
    storage.put_file(again.source_key, source)
    for number in (1, 2):
        make_page(again, number, "AI_QUEUED", stage="READ")
    reading.read_pages(list(Page.objects.filter(job=again).values_list("pk", flat=True)))
    rows = PageContent.objects.filter(file_sha256=again.file_sha256).order_by("number")
    first, second = (unpack_page(bytes(row.data)) for row in rows)
    assert first.ocr is None and second.ocr is not None and "B-200" in second.text
    assert set(Page.objects.filter(job=again).values_list("stage", flat=True)) == {"UNDERSTAND_RULES"}
