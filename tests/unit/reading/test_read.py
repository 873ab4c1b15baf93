"""A page read as a whole: files, notes, fallbacks, prescan and the children's entry points."""

import io
import json
import os
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image

from processing.engine.page import pack_page, unpack_page
from processing.engine.reading import read as reading
from processing.engine.reading import sheet
from processing.engine.reading.children import prescan_file, read_pages
from processing.engine.reading.ocr import Recognition, words_from
from processing.engine.reading.ocr_port import PlacedChar, RecognisedLine
from processing.engine.reading.port import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Drawings,
    Glyphs,
    PasswordNeeded,
    UnreadableDocument,
    UnreadablePage,
)
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, grid, line, place, text

NO_OCR = ReadingSettings(ocr=False)
PROSE = "".join(text(50, 500 - 20 * n, f"Line number {n} of a chair description") for n in range(5))


def red(width=40, height=30):
    return PdfImage(width, height, b"\xff\x00\x00" * width * height)


@pytest.fixture
def read(tmp_path):
    def read_one(page, settings=NO_OCR, number=1):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([page] if isinstance(page, PdfPage) else page))
        with OpenFile(path, settings.readers) as documents:
            return reading.read_page(documents, number, settings, tmp_path)

    return read_one


@pytest.mark.parametrize("readers", [("pymupdf",), ("pypdfium2", "pdfplumber"), ("pdfplumber", "pypdfium2")])
def test_any_reader_order_gives_the_same_page(read, readers):
    rules = grid([50, 150, 250], [300, 320, 340])
    cells = text(55, 325, "Code") + text(155, 325, "Price") + text(55, 305, "A1") + text(155, 305, "5.60")
    content = PROSE + rules + cells + place("Im0", 50, 50, 80, 60)
    page = read(PdfPage(content, images=[red()]), ReadingSettings(readers=readers, ocr=False))
    assert page.reader == readers[0]
    assert [c.text for c in page.tables[0].cells] == ["Code", "Price", "A1", "5.60"]
    assert [b.text.split("\n")[0] for b in page.blocks] == ["Line number 0 of a chair description", "Code"]
    (picture,) = page.pictures
    assert picture.box == pytest.approx((50, 490, 130, 550), abs=0.1)
    assert page.notes == () and page.fallbacks == ()


def test_writes_preview_thumbnail_and_pictures(read, tmp_path):
    page = read(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[red()]))
    with Image.open(tmp_path / page.preview) as shown:
        assert max(shown.size) == 768
    with Image.open(tmp_path / page.thumbnail) as small:
        assert small.width == 240
    with Image.open(tmp_path / page.pictures[0].file) as picture:
        assert picture.size == (40, 30) == (page.pictures[0].width_px, page.pictures[0].height_px)


def test_a_jpeg_is_stored_unchanged(read, tmp_path):
    buffer = io.BytesIO()
    Image.effect_noise((120, 90), 80).convert("RGB").save(buffer, "JPEG")
    image = PdfImage(120, 90, buffer.getvalue(), jpeg=True)
    page = read(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[image]))
    assert (tmp_path / page.pictures[0].file).read_bytes() == buffer.getvalue()


@pytest.mark.parametrize("readers", [("pymupdf",), ("pypdfium2",)])
def test_of_a_picture_in_a_smaller_frame_only_what_is_shown_is_kept(read, tmp_path, readers):
    halves = PdfImage(80, 40, (b"\xff\x00\x00" * 40 + b"\x00\x00\xff" * 40) * 40)
    framed = "q 50 50 80 80 re W n 160 0 0 80 50 50 cm /Im0 Do Q\n"
    page = read(PdfPage(PROSE + framed, images=[halves]), ReadingSettings(readers=readers, ocr=False))
    (picture,) = page.pictures
    assert picture.box == pytest.approx((50, 470, 130, 550), abs=0.1)
    with Image.open(tmp_path / picture.file) as stored:
        assert stored.size == (40, 40) and stored.convert("RGB").getpixel((38, 20)) == (255, 0, 0)


def test_a_little_bleed_leaves_a_jpeg_unchanged(read, tmp_path):
    buffer = io.BytesIO()
    Image.effect_noise((120, 90), 80).convert("RGB").save(buffer, "JPEG")
    image = PdfImage(120, 90, buffer.getvalue(), jpeg=True)
    page = read(PdfPage(PROSE + "q 52 50 78 60 re W n 80 0 0 60 50 50 cm /Im0 Do Q\n", images=[image]))
    assert page.pictures[0].box == pytest.approx((52, 490, 130, 550), abs=0.1)
    assert (tmp_path / page.pictures[0].file).read_bytes() == buffer.getvalue()


def test_a_turned_picture_is_stored_upright(read, tmp_path):
    halves = PdfImage(80, 40, (b"\xff\x00\x00" * 40 + b"\x00\x00\xff" * 40) * 40)
    page = read(PdfPage(PROSE + place("Im0", 50, 50, 80, 40), images=[halves], rotate=90))
    with Image.open(tmp_path / page.pictures[0].file) as picture:
        assert picture.size == (40, 80)
        assert picture.getpixel((20, 10)) == (255, 0, 0) and picture.getpixel((20, 70)) == (0, 0, 255)


def test_decoration_is_left_out(read):
    content = PROSE + place("Im0", 50, 50, 80, 60) + place("Im1", 200, 50, 2, 60)
    assert len(read(PdfPage(content, images=[red(8, 8), red(40, 40)])).pictures) == 0


@pytest.mark.parametrize("reader_name", ["pymupdf", "pypdfium2", "pdfplumber"])
def test_a_slanted_watermark_is_no_part_of_the_lines_it_crosses(read, reader_name):
    watermark = "BT 0.8 g /F1 40 Tf 0.8 0.6 -0.6 0.8 60 380 Tm (COPYRIGHT) Tj ET\n"
    page = read(PdfPage(PROSE + watermark), ReadingSettings(readers=(reader_name,), ocr=False))
    assert [line.text for line in page.lines] == [f"Line number {n} of a chair description" for n in range(5)]


def test_white_text_on_a_dark_box_is_read(read):
    page = read(PdfPage(PROSE + "0 g 40 290 200 40 re f\n" + text(50, 300, "shown", grey=1)))
    assert "shown" in page.text and page.notes == ()


def test_an_enormous_page_is_drawn_within_the_budget(read, tmp_path):
    page = read(PdfPage(text(50, 500, "poster of a very large chair", size=400), media=(0, 0, 14000, 14000)))
    with Image.open(tmp_path / page.preview) as shown:
        assert max(shown.size) == 768


def test_a_picture_beyond_the_budget_is_taken_from_the_page(read):
    settings = ReadingSettings(ocr=False, max_picture_px=1000)
    page = read(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[red()]), settings)
    assert page.pictures[0].file and "picture_too_large" in page.notes


def test_a_broken_picture_does_not_fail_the_page(read):
    broken = PdfImage(400, 300, b"\xff\xd8\xff\xe0 this is no jpeg", jpeg=True)
    page = read(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[broken]))
    assert "Line number 4" in page.text and len(page.pictures) <= 1


@pytest.mark.req("TA-T26")
def test_an_unreadable_first_reader_is_replaced_and_named(read, monkeypatch):
    from processing.engine.reading.pymupdf_reader import PyMuPdfDocument

    def fail(self, number):
        raise UnreadablePage("damaged")

    monkeypatch.setattr(PyMuPdfDocument, "words", fail)
    page = read(PdfPage(PROSE))
    assert page.reader == "pypdfium2" and page.fallbacks == ("pymupdf>pypdfium2:unreadable",)


def test_one_page_is_read_without_going_through_all_of_them(read, monkeypatch):
    """pdfplumber's own closing does: 0.6 s for 2000 pages, once for each chunk that asked it."""
    from pdfminer.pdfpage import PDFPage

    def fail(*args, **named):
        raise AssertionError("every page is read")

    monkeypatch.setattr(PDFPage, "create_pages", fail)
    opened = len(os.listdir("/proc/self/fd"))
    page = read([PdfPage(PROSE)] * 3, ReadingSettings(readers=("pdfplumber",), ocr=False))
    assert "Line number 4" in page.text and len(os.listdir("/proc/self/fd")) == opened


@pytest.mark.req("TA-T26")
def test_a_page_without_text_is_recognised(read, monkeypatch):
    def recognise(image, turn_below, choice):
        scale = image.width / 400
        box = tuple(scale * v for v in (50, 100, 150, 112))
        return Recognition((RecognisedLine("Office Chair D11005", box, 0.98),), 0.98, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    page = read(PdfPage(place("Im0", 0, 0, 400, 600), images=[red(200, 300)]), ReadingSettings())
    assert page.text == "Office Chair D11005"
    assert page.blocks[0].box == pytest.approx((50, 100, 150, 112), abs=0.5)
    assert page.ocr is not None and (page.ocr.reason, page.ocr.mean_score, page.ocr.lines) == ("few_chars", 0.98, 1)
    assert page.fallbacks[-1] == "pymupdf>rapidocr:few_chars" and page.features.ocr_ratio == 1.0


@pytest.mark.req("TA-T26")
@pytest.mark.parametrize(
    ("outlines", "head", "seen", "recognised"),
    [
        (200, "NORTH SUPPLY WORKS 26", 1, True),
        (60, "NORTH SUPPLY WORKS 26", 1, False),
        (500, "NORTH SUPPLY WORKS 26, MILL LANE 4, LEEDS LS1 4AB, CALL 0113 496 0999, WWW.NORTH.TEST", 8, True),
        (300, "NORTH SUPPLY WORKS 26, MILL LANE 4, LEEDS LS1 4AB, CALL 0113 496 0999, WWW.NORTH.TEST", 8, False),
        (500, "NORTH SUPPLY WORKS 26, MILL LANE 4, LEEDS LS1 4AB, CALL 0113 496 0999, WWW.NORTH.TEST", 5, False),
    ],
)
def test_a_page_of_outlines_with_a_running_head_is_recognised(read, monkeypatch, outlines, head, seen, recognised):
    def recognise(image, turn_below, choice):
        found = [
            RecognisedLine("Office Chair D11005 with arms", (50, 40 + 60 * n, 450, 70 + 60 * n), 0.98)
            for n in range(seen)
        ]
        return Recognition(tuple(found), 0.98, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    drawn = "".join(line(50 + n % 200, 100, 51 + n % 200, 120) for n in range(outlines))
    page = read(PdfPage(drawn + f"BT /F1 6 Tf 50 500 Td ({head}) Tj ET"), ReadingSettings())
    assert (page.ocr is not None, "Office Chair" in page.text) == (recognised, recognised)


@pytest.mark.parametrize(("text", "score"), [("Office Chair D11005 with arms", 0.98), ("D1100", 0.2)])
def test_print_that_recognition_leaves_out_makes_a_garbled_page_unsure(monkeypatch, text, score):
    def recognise(image, turn_below, choice):
        return Recognition((RecognisedLine(text, (50, 100, 450, 130), 0.98),), 0.98, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    printed = sheet.Sheet(
        [Glyphs("\u0c15" * 25, (50, 300, 300, 312), 12.0, False, 0, False, 0)], Drawings((), (), 0), lambda box: []
    )
    found = sheet.recognised_sheet(Image.new("RGB", (800, 600), "white"), 2.0, printed, "garbage", ReadingSettings())
    assert found.ocr is not None and found.ocr.mean_score == pytest.approx(score, abs=0.01)


@pytest.mark.parametrize(("fonts", "asked"), [(True, ["pypdfium2", "pdfplumber"]), (False, [])])
def test_other_readers_are_asked_for_text_only_where_the_page_names_fonts(read, fonts, asked):
    outlines = "".join(line(50 + n, 100, 51 + n, 120) for n in range(60))
    page = read(PdfPage(outlines, fonts=fonts))
    assert [step.split(">")[1].split(":")[0] for step in page.fallbacks] == asked


def test_a_font_that_a_form_names_is_found(tmp_path):
    with pikepdf.open(io.BytesIO(build_pdf([PdfPage("/Fm Do", fonts=False)]))) as pdf:
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        form = pdf.make_stream(b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9])
        form.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        pdf.pages[0].Resources.XObject.Fm = form
        pdf.save(tmp_path / "x.pdf")
    with OpenFile(tmp_path / "x.pdf", ("pymupdf",)) as documents:
        assert documents.first().names_fonts(1)


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(
    ("points", "high", "drawn"),
    [((1200, 900), 15.0, 3333), ((1200, 900), 24.0, 2000), ((600, 840), 15.0, 2000), ((1440, 1440), 15.0, 3000)],
)
def test_small_print_on_a_large_sheet_is_read_from_a_larger_drawing(read, monkeypatch, points, high, drawn):
    asked = []

    def recognise(image, turn_below, choice):
        asked.append(max(image.size))
        return Recognition((RecognisedLine("AD146A0", (100, 100, 160, 112), 0.98),), 0.98, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    monkeypatch.setattr(reading, "line_height", lambda image, choice: high)
    read(PdfPage(place("Im0", 0, 0, *points), media=(0, 0, *points), images=[red(200, 300)]), ReadingSettings())
    assert asked == [pytest.approx(drawn, abs=2)]


@pytest.mark.req("TA-OCR")
def test_the_leg_of_a_drawn_chair_and_the_rings_of_scissors_are_no_letters(read, monkeypatch):
    def recognise(image, turn_below, choice):
        scale = image.width / 400
        found = [("D11003", (50, 100, 90, 110), 0.99), ("TH", (60, 130, 90, 180), 0.94), ("Q", (60, 200, 62, 204), 0.7),
                 ("M", (200, 100, 208, 110), 0.7), ("A3", (200, 130, 290, 180), 0.97), ("OK", (60, 250, 96, 342), 0.99),
                 ("L", (60, 400, 129, 460), 0.99), ("01", (200, 300, 235, 350), 0.99),
                 ("00", (200, 400, 235, 450), 0.99),
                 *((f"D1100{n}", (50, 500 + 12 * n, 90, 510 + 12 * n), 0.99) for n in range(5))]  # fmt: skip
        lines = tuple(RecognisedLine(t, tuple(scale * v for v in box), score) for t, box, score in found)
        return Recognition(lines, 0.9, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    page = read(PdfPage(place("Im0", 0, 0, 400, 600), images=[red(200, 300)]), ReadingSettings())
    assert {line.text for line in page.lines if "D1100" not in line.text} == {"01", "A3", "M"}


def test_two_small_strokes_are_the_sign_for_the_same_again(read, monkeypatch):
    def recognise(image, turn_below, choice):
        scale = image.width / 400
        found = [
            ("II", (60, 103, 64, 108), 0.6),
            ("II", (60, 200, 64, 210), 0.9),
            *((f"D1100{n}", (100, 100 * n, 140, 100 * n + 10), 0.99) for n in range(1, 5)),
        ]
        lines = tuple(RecognisedLine(t, tuple(scale * v for v in box), score) for t, box, score in found)
        return Recognition(lines, 0.9, 0, *image.size)

    monkeypatch.setattr(sheet, "recognise", recognise)
    page = read(PdfPage(place("Im0", 0, 0, 400, 600), images=[red(200, 300)]), ReadingSettings())
    assert {word for line in page.lines for word in line.text.split() if "D1100" not in word} == {"〃", "II"}


@pytest.mark.req("TA-OCRLANG")
@pytest.mark.parametrize(
    ("seen", "language", "noted"),
    [("办公椅 D11005", "zh", False), ("オフィスチェア D11005", "ja", False), ("사무용 의자 D11005", "ko", True)],
)
def test_the_language_of_a_recognised_page_is_kept(read, monkeypatch, seen, language, noted):
    line = RecognisedLine(seen, (50, 100, 250, 112), 0.98)
    monkeypatch.setattr(sheet, "recognise", lambda image, below, choice: Recognition((line,), 0.98, 0, *image.size))
    page = unpack_page(pack_page(read(PdfPage(place("Im0", 0, 0, 400, 600), images=[red()]), ReadingSettings())))
    assert (page.ocr.language, "ocr_no_model" in page.notes) == (language, noted) and page.ocr.model


def test_recognition_turned_off_is_noted(read):
    page = read(PdfPage(place("Im0", 0, 0, 400, 600), images=[red(200, 300)]))
    assert page.ocr is None and "ocr_off" in page.notes


@pytest.mark.parametrize(
    ("rotation", "turn", "first_box", "second_box"),
    [
        (0, RIGHT, (50, 50, 100, 60), (112.5, 50, 162.5, 60)),
        (90, UP, (50, 200, 60, 250), (50, 137.5, 60, 187.5)),
        (180, LEFT, (100, 240, 150, 250), (37.5, 240, 87.5, 250)),
        (270, DOWN, (140, 50, 150, 100), (140, 112.5, 150, 162.5)),
    ],
)
def test_recognised_words_share_their_line(rotation, turn, first_box, second_box):
    line = RecognisedLine("型号 AB12", (100, 100, 325, 120), 0.9)
    first, second = words_from(Recognition((line,), 0.9, rotation, 400, 600), 2.0)
    assert (first.text, second.text, first.turn) == ("型号", "AB12", turn)
    assert first.box == pytest.approx(first_box) and second.box == pytest.approx(second_box)


def test_characters_that_stand_apart_are_two_words():
    chars = tuple(PlacedChar(c, x, x + 10) for c, x in zip("5.78100", (0, 10, 20, 30, 90, 100, 110), strict=True))
    line = RecognisedLine("5.78100", (0, 0, 120, 20), 0.9, chars, 16.0)
    words = words_from(Recognition((line,), 0.9, 0, 200, 200), 1.0)
    assert [(w.text, w.box[0], w.box[2], w.size) for w in words] == [("5.78", 0, 40, 16), ("100", 90, 120, 16)]


def print_picture():
    """Rows of thin strokes, as the letters of a table are."""
    rows = np.full((300, 400), 255, np.uint8)
    for y in range(20, 280, 40):
        rows[y : y + 16, 20:380:6] = 0
    return PdfImage(400, 300, rows.tobytes(), "DeviceGray")


class TestPrintInPictures:
    """A table that stands in a picture is read as if it were printed."""

    PAGE = PROSE + place("Im0", 50, 50, 300, 225)

    @pytest.fixture
    def recognised(self, monkeypatch):
        asked = []

        def recognise(image, turn_below, choice):
            asked.append(image.size)
            scale = image.width / 312  # the picture and its margin
            lines = [("GY-2000", (26, 26, 86, 38), 0.99), ("noise", (26, 66, 86, 78), 0.6)]
            found = tuple(RecognisedLine(t, tuple(scale * v for v in box), score) for t, box, score in lines)
            return Recognition(found, 0.8, 0, *image.size)

        monkeypatch.setattr(sheet, "recognise", recognise)
        return asked

    def test_its_words_stand_where_they_are_seen(self, read, recognised):
        page = read(PdfPage(self.PAGE, images=[print_picture()]), ReadingSettings())
        (line,) = [line for line in page.lines if line.text == "GY-2000"]
        assert line.box == pytest.approx((70, 345, 130, 357), abs=1)
        assert "Line number 4" in page.text and "noise" not in page.text
        assert (page.ocr.reason, page.ocr.lines, page.ocr.language) == ("print_in_picture", 1, "en")
        assert page.fallbacks == ("pymupdf>rapidocr:print_in_picture",) and 0 < page.features.ocr_ratio < 0.2

    def test_a_photo_is_not_looked_into(self, read, recognised):
        page = read(PdfPage(self.PAGE, images=[red(400, 300)]), ReadingSettings())
        assert recognised == [] and page.ocr is None

    def test_a_small_picture_is_not_looked_into(self, read, recognised):
        read(PdfPage(PROSE + place("Im0", 50, 50, 80, 60), images=[print_picture()]), ReadingSettings())
        assert recognised == []

    def test_a_page_with_much_text_of_its_own_is_not_looked_into(self, read, recognised):
        more = "".join(text(50, 590 - 8 * n, f"Line number {n} of a long description of a chair") for n in range(14))
        read(PdfPage(more + place("Im0", 50, 50, 300, 225), images=[print_picture()]), ReadingSettings())
        assert recognised == []

    def test_is_put_off_where_the_models_are_not_loaded(self, tmp_path):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([PdfPage(self.PAGE, images=[print_picture()])]))
        with OpenFile(path, ("pymupdf",)) as documents, pytest.raises(reading.RecognitionElsewhere):
            reading.read_page(documents, 1, ReadingSettings(), tmp_path, recognises=False)


@pytest.mark.req("TA-OCR")
def test_really_recognises_print(tmp_path):
    pytest.importorskip("rapidocr")
    from processing.engine.reading.ocr import recognise

    path = tmp_path / "x.pdf"
    path.write_bytes(build_pdf([PdfPage(text(40, 250, "OFFICE CHAIR D11005", 20), media=(0, 0, 320, 300))]))
    with OpenFile(path, ("pypdfium2",)) as documents:
        found = recognise(documents[0].render(1, 2.0), 0.8)
    assert [r.text.replace(" ", "") for r in found.lines] == ["OFFICECHAIRD11005"]
    assert found.lines[0].box == pytest.approx((80, 70, 520, 104), abs=20) and found.mean_score > 0.9


class TestPrescan:
    @pytest.fixture
    def prescan(self, tmp_path):
        def run(*pages, readers=("pymupdf",)):
            path = tmp_path / "x.pdf"
            path.write_bytes(build_pdf(pages))
            seen = {}
            asked = {"path": str(path), "settings": {"readers": list(readers)}}
            prescan_file(asked, lambda number, payload: seen.__setitem__(number, json.loads(payload)))
            return seen

        return run

    @pytest.mark.req("TA-BR02")
    @pytest.mark.parametrize("readers", [("pymupdf",), ("pypdfium2",), ("pdfplumber",)])
    @pytest.mark.parametrize(
        ("content", "blank"),
        [
            ("", True),
            (text(50, 50, "page 7"), True),
            (text(50, 50, "ten or more characters"), False),
            (line(50, 550, 350, 550), True),
            ("1 g 0 0 400 600 re f\n", True),
            ("0.5 g 100 100 100 100 re f\n", False),
            (place("Im0", 50, 50, 80, 60), False),
        ],
        ids=["nothing", "number", "text", "rule", "paper", "shape", "picture"],
    )
    def test_tells_blank_pages(self, prescan, content, blank, readers):
        assert prescan(PdfPage(content, images=[red()]), readers=readers)[1]["blank"] is blank

    @pytest.mark.req("TA-BR02")
    def test_what_counts_as_blank_is_a_setting(self, tmp_path):
        (tmp_path / "few.pdf").write_bytes(build_pdf([PdfPage(text(50, 50, "ten or more characters"))]))
        seen = []
        for least in (10, 40):
            asked = {"path": str(tmp_path / "few.pdf"), "settings": {"blank_min_chars": least}}
            prescan_file(asked, lambda number, payload: seen.append(json.loads(payload)["blank"]))
        assert seen == [False, True]

    def test_tells_scans_and_tables(self, prescan):
        scan = PdfPage(place("Im0", 0, 0, 400, 600), images=[red(200, 300)])
        table = PdfPage(PROSE + grid([50, 150, 250], [300, 320, 340]))
        first, second = prescan(scan, table).values()
        assert (first["needs_ocr"], first["table_hint"], first["image_ratio"]) == (True, False, 1.0)
        assert (second["needs_ocr"], second["table_hint"], second["drawings"]) == (False, True, 6)

    def test_refuses_what_no_reader_opens(self, tmp_path):
        (tmp_path / "x.pdf").write_bytes(b"no pdf")
        with pytest.raises(UnreadableDocument):
            prescan_file({"path": str(tmp_path / "x.pdf")}, lambda number, payload: None)


class TestChildren:
    def test_hands_over_each_page_before_the_next_is_begun(self, tmp_path, monkeypatch):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([PdfPage(text(50, 500, f"this is page {n}")) for n in (1, 2, 3)]))
        events = []
        original = reading.read_page

        def watched(documents, number, *arguments, **more):
            events.append(f"begin {number}")
            return original(documents, number, *arguments, **more)

        monkeypatch.setattr("processing.engine.reading.children.read_page", watched)
        pages = {}

        def emit(number, payload):
            events.append(f"done {number}")
            pages[number] = unpack_page(payload)
            assert (tmp_path / pages[number].preview).exists()

        read_pages({"path": str(path), "pages": [3, 1], "out": str(tmp_path), "settings": {"ocr": False}}, emit)
        assert events == ["begin 3", "done 3", "begin 1", "done 1"]
        assert {n: p.text for n, p in pages.items()} == {3: "this is page 3", 1: "this is page 1"}

    def test_a_page_to_recognise_is_put_off_where_the_models_are_not_loaded(self, tmp_path):
        path = tmp_path / "x.pdf"
        scan = PdfPage("600 0 0 800 0 0 cm /Im0 Do", images=[red()])
        path.write_bytes(build_pdf([PdfPage(PROSE), scan]))
        given = {}
        asked = {"path": str(path), "pages": [1, 2], "out": str(tmp_path), "recognises": False}
        read_pages(asked, given.__setitem__)
        assert (unpack_page(given[1]).number, given[2]) == (1, b"")

    def test_a_page_that_no_reader_can_read_raises(self, tmp_path):
        path = tmp_path / "x.pdf"
        path.write_bytes(build_pdf([PdfPage(PROSE)]))
        with pytest.raises(UnreadablePage):
            read_pages({"path": str(path), "pages": [9], "out": str(tmp_path)}, lambda number, payload: None)

    def test_asks_for_the_password(self, tmp_path):
        import pikepdf

        (tmp_path / "plain.pdf").write_bytes(build_pdf([PdfPage(PROSE)]))
        with pikepdf.open(tmp_path / "plain.pdf") as document:
            document.save(tmp_path / "x.pdf", encryption=pikepdf.Encryption(owner="o", user="u"))
        asked = {"path": str(tmp_path / "x.pdf"), "pages": [1], "out": str(tmp_path), "settings": {"ocr": False}}
        with pytest.raises(PasswordNeeded):
            read_pages(asked, lambda number, payload: None)
        seen = []
        read_pages({**asked, "password": "u"}, lambda number, payload: seen.append(number))
        assert seen == [1]


CORPUS = os.environ.get("CORPUS_DIR", "")


@pytest.mark.skipif(not CORPUS, reason="CORPUS_DIR is not set")
class TestRealTables:
    def read(self, tmp_path, name, number):
        with OpenFile(Path(CORPUS) / "catalog" / name, NO_OCR.readers) as documents:
            return reading.read_page(documents, number, NO_OCR, tmp_path)

    @pytest.mark.parametrize(("number", "items"), [(1, 39), (2, 40), (3, 21)])
    def test_counts_the_rows_of_a_quantity_list(self, tmp_path, number, items):
        (table,) = self.read(tmp_path, "en_habitus_ffe_quantities.pdf", number).tables
        rows = {}
        for cell in table.cells:
            rows.setdefault(cell.row, []).append(cell.text)
        assert sum(1 for row in rows.values() if row[2].replace(",", "").replace(".", "").isdigit()) == items

    def test_spans_the_merged_cells_of_a_selection_table(self, tmp_path):
        (table,) = self.read(tmp_path, "zh_jieli_mcu_selection_table.pdf", 1).tables
        assert (table.n_rows, table.n_cols) == (55, 31)
        series = [(c.text.split("\n")[0], c.rows) for c in table.cells if c.col == 0 and c.row]
        assert [rows for _, rows in series] == [6, 12, 16, 10, 2, 8]
        assert sum(rows for _, rows in series) == 54


CHAIR = "".join(
    f"{60 + n} 300 m {70 + n} {330 - n} {90 - n} {330 + n} {100 - n} 300 c S\n{60 + n} 298 m {90 - n} {258 + n} l S\n"
    for n in range(30)
)


@pytest.mark.req("TA-BR16")
def test_a_line_drawing_becomes_a_picture_of_the_page(read, tmp_path):
    (picture,) = read(PdfPage(PROSE + CHAIR)).pictures
    assert picture.drawn and min(picture.width_px, picture.height_px) >= 640
    assert picture.box == pytest.approx((60, 241, 100, 342), abs=3)
    with Image.open(tmp_path / picture.file) as shown:
        assert shown.size == (picture.width_px, picture.height_px) and shown.convert("L").getextrema()[0] < 100


@pytest.mark.req("TA-BR16")
def test_beside_a_photo_drawings_are_signs(read):
    photo = place("Im0", 200, 100, 150, 120)
    (picture,) = read(PdfPage(PROSE + CHAIR + photo, images=[red()])).pictures
    assert not picture.drawn
