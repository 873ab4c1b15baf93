"""Pages drawn on demand in real children: what models are shown, and what is left to show where the source is gone."""

import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image

from catalogsku.core import storage
from catalogsku.core.errors import PermanentFailure, TemporaryFailure
from catalogsku.core.sandbox import Outcome
from ingestion.models import Job
from processing.engine.page import ParsedPage, Picture, pack_page
from processing.models import PageContent
from processing.pages.services import drawing
from processing.sandboxed import frozen, metered, sandboxes
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place, text
from tests.support.people import People
from tests.support.rows import make_job, make_worker
from tests.unit.understanding.pages import line, page

pytestmark = pytest.mark.django_db

JPEG = b"\xff\xd8\xff\xe0"

RED = PdfImage(40, 30, b"\xff\x00\x00" * 1200)
# The picture's box is (60, 180, 220, 300) on the displayed page of 400 x 600.
SHOWN = PdfPage(text(50, 500, "Chair A-100 of oak") + place("Im0", 60, 300, 160, 120), images=[RED])
BOX = (60.0, 180.0, 220.0, 300.0)


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    row = make_worker("llm")
    monkeypatch.setattr(metered, "current_worker", lambda: row)


def job_of(people: People, tmp_path: Path, shown: PdfPage = SHOWN) -> Job:
    source = tmp_path / "source.pdf"
    source.write_bytes(build_pdf([shown]))
    job = make_job(people.merchant)
    storage.put_file(job.source_key, source)
    return job


def parsed(**changes: object) -> ParsedPage:
    made = page(line("Chair A-100 of oak", 50, 90), pictures=[Picture("P1", BOX, 40, 30)], size=(400.0, 600.0))
    return msgspec.structs.replace(made, **changes)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def is_red(image: Image.Image, x: float, y: float) -> bool:
    red, green, _ = image.getpixel((round(x), round(y)))  # type: ignore[misc]
    return red > 200 and green < 60


def with_screenshot(job: Job, made: ParsedPage) -> ParsedPage:
    """What reading kept: the page in blue, so that it is told from the source."""
    key = f"m{job.merchant_id}/{job.file_sha256}/0001_screen.jpg"
    kept = io.BytesIO()
    Image.new("RGB", (800, 1200), (0, 0, 255)).save(kept, "JPEG")
    default_storage.save(key, ContentFile(kept.getvalue()))
    made = msgspec.structs.replace(made, preview="0001_preview.jpg")
    PageContent.objects.create(
        merchant=job.merchant,
        file_sha256=job.file_sha256,
        number=1,
        reading_key=frozen.reading_key(),
        data=pack_page(made),
        files={"0001_screen.jpg": key},
    )
    return made


def test_a_page_is_drawn_anew_with_its_pictures_named(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    (shown,) = drawing.page_pictures(job, parsed())
    (plain,) = drawing.page_pictures(job, parsed(pictures=()))
    image, bare = opened(shown.data), opened(plain.data)
    assert (shown.label, shown.mime, image.height) == ("page", "image/jpeg", 2400)
    assert is_red(image, 4 * 140, 4 * 240), "the photo is where the page has it"
    changed = np.abs(np.asarray(image, dtype=int) - np.asarray(bare, dtype=int)).max(axis=2) > 60
    rows, cols = np.nonzero(changed)
    assert cols.min() == pytest.approx(4 * 60, abs=3) and rows.max() == pytest.approx(4 * 180, abs=3)
    assert drawing.page_pictures(job, parsed())[0].data == shown.data, "part of a request's key"


def test_a_dense_page_comes_in_halves(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    many = page(*[line("M 1", 20 + 9 * (n % 40), 20 + 9 * (n // 40), 3) for n in range(400)], size=(400.0, 600.0))
    upper, lower = drawing.page_pictures(job, many)
    assert (upper.label, lower.label) == ("page, upper half", "page, lower half")
    assert is_red(opened(upper.data), 140 * 300 / 72, 240 * 300 / 72)
    assert is_red(opened(lower.data), 140 * 300 / 72, (285 - 270) * 300 / 72)


@pytest.mark.parametrize(("turn", "at"), [(1, (240, 400 - 140)), (2, (400 - 140, 600 - 240)), (3, (600 - 240, 140))])
def test_a_lying_page_is_shown_upright(people: People, tmp_path: Path, turn: int, at: tuple[int, int]) -> None:
    job = job_of(people, tmp_path)
    (shown,) = drawing.page_pictures(job, parsed(turn=turn))
    image = opened(shown.data)
    assert (image.width > image.height) == (turn != 2)
    assert is_red(image, 4 * at[0], 4 * at[1])
    (clip,) = drawing.page_clips(job, parsed(turn=turn), [BOX])
    assert (opened(clip).width > opened(clip).height) == (turn == 2), "a wide box stands once it is turned"


def test_a_page_with_a_rotation_of_its_own_fits_its_boxes(people: People, tmp_path: Path) -> None:
    turned = PdfPage(place("Im0", 60, 300, 160, 120), images=[RED], rotate=90)
    job = job_of(people, tmp_path, turned)
    box = (300.0, 60.0, 420.0, 220.0)
    made = msgspec.structs.replace(page(pictures=[Picture("P1", box, 40, 30)], size=(600.0, 400.0)), rotation=90)
    (clip,) = drawing.page_clips(job, made, [box])
    image = opened(clip)
    reds = np.asarray(image)[:, :, 1] < 60
    assert 0.6 < reds.mean() < 0.7 and reds[image.height // 2, image.width // 2], "the box and a margin around it"


def test_clips_are_drawn_in_one_visit_and_bounded(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    boxes = [BOX, (0.0, 0.0, 400.0, 600.0), (50.0, 90.0, 52.0, 91.0), (900.0, 900.0, 950.0, 950.0)]
    photo, whole, tiny, outside = drawing.page_clips(job, parsed(), boxes)
    assert is_red(opened(photo), opened(photo).width / 2, opened(photo).height / 2)
    assert opened(photo).width == pytest.approx((160 + 48) * 300 / 72, abs=2)
    assert opened(whole).width * opened(whole).height <= 4_500_000
    assert tiny and opened(tiny).width < 90
    assert outside == b"", "nothing of the page is there"


def test_where_the_source_is_gone_the_kept_rendering_is_shown(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    made = with_screenshot(job, parsed())
    assert is_red(opened(drawing.page_pictures(job, made)[0].data), 4 * 140, 4 * 240)
    storage.delete_file(job.source_key)
    (shown,) = drawing.page_pictures(job, made)
    image = opened(shown.data)
    assert image.size == (800, 1200) and image.getpixel((700, 900))[2] > 200  # type: ignore[index]
    assert (np.asarray(image)[:, :, 0] > 150).any(), "its pictures are named too"
    (clip,) = drawing.page_clips(job, made, [BOX])
    assert opened(clip).width == pytest.approx((160 + 48) * 300 / 72, abs=2)


def test_a_source_that_is_no_pdf_falls_back_too(people: People, tmp_path: Path) -> None:
    job = make_job(people.merchant)
    (tmp_path / "x").write_bytes(b"%PDF-1.7 nothing")
    storage.put_file(job.source_key, tmp_path / "x")
    made = with_screenshot(job, parsed())
    assert opened(drawing.page_pictures(job, made)[0].data).size == (800, 1200)
    assert drawing.page_clips(job, made, [BOX] * 5)[4]


def test_without_source_and_rendering_the_failure_has_a_code(people: People) -> None:
    job = make_job(people.merchant)
    with pytest.raises(PermanentFailure) as failed:
        drawing.page_pictures(job, parsed())
    assert failed.value.code == "page_not_drawn"
    assert drawing.page_clips(job, parsed(), [BOX]) == [b""]


@pytest.mark.parametrize("reason", ["sandbox_lost", "stopped"])
def test_an_interrupted_child_is_nobodys_fault(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    job = job_of(people, tmp_path)
    monkeypatch.setattr(metered.Metered, "run", lambda *args, **named: Outcome({}, None, reason))
    with pytest.raises(TemporaryFailure) as failed:
        drawing.page_pictures(job, parsed())
    assert failed.value.code == "drawing_interrupted"


@pytest.mark.parametrize("payload", [b"\xc1", msgspec.msgpack.encode([]), msgspec.msgpack.encode([("page", b"<svg>")])])
def test_what_a_child_hands_out_is_looked_at(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, payload: bytes
) -> None:
    job = job_of(people, tmp_path)
    monkeypatch.setattr(metered.Metered, "run", lambda *args, **named: Outcome({1: payload}, None, "finished"))
    with pytest.raises(PermanentFailure):
        drawing.page_pictures(job, parsed())


def test_pages_of_a_golden_file_are_drawn_alike(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    with sandboxes.new_sandbox() as plain:
        assert drawing.file_pictures(tmp_path / "source.pdf", parsed(), plain) == drawing.page_pictures(job, parsed())


def test_the_document_pays_for_the_time(people: People, tmp_path: Path) -> None:
    job = job_of(people, tmp_path)
    drawing.page_pictures(job, parsed())
    job.refresh_from_db()
    assert job.machine_s > 0


@pytest.mark.parametrize("turn", [0, 1])
def test_boxes_are_read_again_in_the_sandbox(people: People, tmp_path: Path, turn: int) -> None:
    pytest.importorskip("rapidocr")
    shown = PdfPage(text(50, 500, "Chair A-100 of oak") + text(50, 460, "Price 12.50"))
    box, beside = (50.0, 130.0, 115.0, 143.0), (300.0, 400.0, 350.0, 420.0)
    made = page(size=(400.0, 600.0))
    if turn:  # the same print, running down a page that is displayed on its side
        shown = PdfPage(shown.content, rotate=90)
        made = msgspec.structs.replace(page(size=(600.0, 400.0)), turn=1, rotation=90)
        box, beside = (600 - 143.0, 50.0, 600 - 130.0, 115.0), (180.0, 300.0, 200.0, 350.0)
    job = job_of(people, tmp_path, shown)
    assert drawing.read_again(job, made, [box, beside, (900.0, 900.0, 950.0, 950.0)]) == ["Price 12.50", "", ""]
    (said,) = drawing.said_in(job, made, [box])
    assert said.score > 0.9
    with sandboxes.new_sandbox(recognises=True) as recognising:
        assert drawing.read_file_again(tmp_path / "source.pdf", made, [box], recognising) == ["Price 12.50"]


def test_nothing_is_read_again_where_recognising_is_off(people: People, settings: Any) -> None:
    settings.SANDBOX_OCR = False
    assert drawing.read_again(make_job(people.merchant), parsed(), [BOX]) == [""]


def test_one_box_that_ends_its_child_costs_no_other_one(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, asked = job_of(people, tmp_path), []

    def run(self: Any, task: str, request: dict[str, Any], numbers: Any, *rest: Any, **named: Any) -> Outcome:
        asked.append([tuple(box) for box in request["boxes"]])
        done = {number: JPEG for number, box in enumerate(request["boxes"], 1) if box[0] != 13}
        bad = next((n for n in numbers if n not in done), None)
        return Outcome({n: p for n, p in done.items() if bad is None or n < bad}, bad, "crashed:SIGSEGV")

    monkeypatch.setattr(metered.Metered, "run", run)
    boxes = [(float(x), 0.0, 50.0, 20.0) for x in (11, 12, 13, 14, 15)]
    assert drawing.page_clips(job, parsed(), boxes) == [JPEG, JPEG, b"", JPEG, JPEG]
    assert asked == [boxes, boxes[3:]]
