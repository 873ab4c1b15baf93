"""Recognised lines get the size of their type and a line's height; a turned page is read in as few passes as may be."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from processing.engine.reading import ocr
from processing.engine.reading.ocr import recognise
from processing.engine.reading.ocr_models import PP_OCRV6, OcrModel
from processing.engine.reading.ocr_port import LineText, PlacedChar, RecognisedLine


class Engine:
    """Reads what ``lines`` and ``line``, functions of the pixels and the script, say."""

    name = "drawn"

    def __init__(self, lines, line=lambda pixels, script: LineText("", 0.0), further=()):
        self.read, self.read_line = lines, line
        self.models = {"": PP_OCRV6, **{script: OcrModel(f"{script}_model", {script, "latin"}) for script in further}}
        self.asked = []

    def lines(self, pixels, script=""):
        self.asked.append(script)
        return self.read(pixels, script)

    def line(self, pixels, script=""):
        return self.read_line(pixels, script)


def uses(monkeypatch, *args, second=None, **options):
    """The engine that `recognise` reads with from here on."""
    engine = Engine(*args, **options)
    monkeypatch.setattr(ocr, "engines", lambda choice: (engine, second))
    return engine


PAGE = Image.new("RGB", (1200, 1600), "white")


def passes(monkeypatch, upright):
    """The pixels of each pass; ``upright`` is the rotation at which the page can be read."""
    seen = []

    def recognised(pixels, script):
        seen.append(pixels.shape[:2])
        standing = upright in (90, 270) and pixels.shape[0] > pixels.shape[1]
        box = (10, 10, 30, 200) if standing else (10, 10, 200, 30)
        return [RecognisedLine("办公椅 D11005", box, 0.6 if standing else 0.99)]

    uses(monkeypatch, recognised)
    found = recognise(PAGE, 0.8)
    return found, seen


@pytest.mark.parametrize(("upright", "turned", "count"), [(0, 0, 1), (90, 90, 3)])
def test_a_page_is_read_in_few_passes(monkeypatch, upright, turned, count):
    found, seen = passes(monkeypatch, upright)
    assert (found.rotation, len(seen)) == (turned, count)


def fitted(text, inked, monkeypatch, chars=()):
    """The only line of an image with ink in that box, seen by a detector with wide margins."""
    image = Image.new("RGB", (400, 100), "white")
    ImageDraw.Draw(image).rectangle((inked[0], inked[1], inked[2] - 1, inked[3] - 1), "black")
    wide = (inked[0] - 6, inked[1] - 10, inked[2] + 6, inked[3] + 10)
    uses(monkeypatch, lambda pixels, script: [RecognisedLine(text, wide, 0.99, chars)])
    return recognise(Image.fromarray(np.asarray(image)), 0.8).lines[0]


@pytest.mark.parametrize(("text", "high"), [("永利达", 23), ("HY-1001", 18.25), ("Jingqi (mm)", 23.75)])
def test_type_is_as_large_as_its_ink_says(monkeypatch, text, high):
    top = 30
    line = fitted(text, (50, top, 150, top + round(high)), monkeypatch)
    assert line.size == pytest.approx(25, abs=0.6)
    assert (line.box[0], line.box[2]) == (50, 150)
    assert line.box[3] - line.box[1] == pytest.approx(1.25 * line.size)
    assert (line.box[1] + line.box[3]) / 2 == pytest.approx(top + round(high) / 2)


def test_the_pitch_of_han_tells_their_size_where_ink_is_tall(monkeypatch):
    chars = tuple(PlacedChar(c, 50 + 20 * n, 70 + 20 * n) for n, c in enumerate("永利达五"))
    assert fitted("永利达五", (50, 30, 130, 60), monkeypatch, chars).size == 20


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(
    ("text", "white", "read"),
    [
        ("4W", 9, "4 W"),
        ("4W", 4, "4W"),
        ("A4", 9, "A4"),
        ("M8-1W", 9, "M8-1W"),
        ("2×3", 9, "2× 3"),
        ("2×3", 4, "2×3"),
        ("2x3", 9, "2x 3"),
        ("Maxi", 9, "Maxi"),
        ("棉/麻", 9, "棉/ 麻"),
    ],
)
def test_a_space_before_a_unit_or_beside_a_sign_is_seen_in_the_white_between_them(monkeypatch, text, white, read):
    """A type of about 25 pixels, whose spaces are 7 wide; the last two signs stand ``white`` pixels apart."""
    image, chars, x = Image.new("RGB", (400, 100), "white"), [], 50
    pen = ImageDraw.Draw(image)
    for n, char in enumerate(text):
        x += white if n == len(text) - 1 else 2
        pen.rectangle((x, 30, x + 13, 47), "black")
        chars.append(PlacedChar(char, x, x + 14))
        x += 14
    line = RecognisedLine(text, (46, 24, x + 4, 54), 0.99, tuple(chars))
    uses(monkeypatch, lambda pixels, script: [line])
    assert recognise(image, 0.8).lines[0].text == read


def coded(code, stroke):
    """A page with that code, under whose last sign, or under all of it, there is a stroke; and the line as an engine
    finds it that takes its last sign for a Q."""
    image, font, x, base = Image.new("RGB", (400, 100), "white"), ImageFont.load_default(24), 50, 60
    pen, chars = ImageDraw.Draw(image), []
    for char in code:
        pen.text((x, base), char, "black", font, anchor="ls")
        chars.append(PlacedChar(char, x, x + font.getlength(char)))
        x += font.getlength(char)
    start = {"last": chars[-1].start, "whole": 50}.get(stroke)
    if start is not None:
        pen.line((start - 1, base + 3, x, base + 3), "black", 2)
    seen = (*chars[:-1], chars[-1]._replace(text="Q"))
    return image, RecognisedLine(f"{code[:-1]}Q", (44, 36, x + 6, 68), 0.99, seen)


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize("stroke", ["last", "whole"])
def test_an_underlined_zero_that_is_read_as_a_q_is_read_again_without_the_stroke(monkeypatch, stroke):
    image, line = coded("AD146A0", stroke)
    parts = []
    uses(monkeypatch, lambda *_: [line], lambda pixels, script: parts.append(pixels) or LineText("AD146A0", 0.99))
    (found,) = recognise(image, 0.8).lines
    assert (found.text, found.chars[-1].text) == ("AD146A0", "0")
    (part,) = parts
    inked = np.flatnonzero((part < 128).all(axis=2).any(axis=1))
    height = {box[3] - box[1] for box in [ImageFont.load_default(24).getbbox("0")]}
    assert inked[-1] - inked[0] + 1 == pytest.approx(height.pop(), abs=1)  # as high as a digit: the stroke is gone


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(
    ("code", "stroke", "again"),
    [
        ("AD146AQ", "", "AD146A0"),  # a Q's own tail
        ("AD146A0", "last", "AD146AQ"),
        ("AD146A0", "last", "AD146A"),
        ("AD146A0", "last", "AD14GA0"),  # who reads the rest otherwise is not believed
        ("AD146A0", "last", ""),
    ],
)
def test_a_q_stays_where_nothing_underlines_it_or_the_second_reading_says_no_other(monkeypatch, code, stroke, again):
    image, line = coded(code, stroke)
    uses(monkeypatch, lambda *_: [line], lambda *_: LineText(again, 0.99))
    assert recognise(image, 0.8).lines[0].text == "AD146AQ"


def korean(pixels, script):
    """A page in Korean: the first model reads its code alone, and guesses at nothing where the rest stands."""
    if script == "hangul":
        return [RecognisedLine("사무용 의자 D11005", (10, 10, 410, 40), 0.97)]
    code = tuple(PlacedChar(char, 310 + 16 * n, 326 + 16 * n) for n, char in enumerate("D11005"))
    return [RecognisedLine("D11005", (10, 10, 410, 40), 0.98, code)]


@pytest.mark.req("TA-OCRLANG")
@pytest.mark.parametrize(
    ("further", "text", "model", "asked"),
    [
        ((), "D11005", "PP-OCRv6_small", [""]),
        (("hangul", "thai"), "사무용 의자 D11005", "hangul_model", ["", "", "hangul", "thai", "hangul"]),
        (("thai",), "D11005", "PP-OCRv6_small", ["", "", "thai"]),
    ],
)
def test_a_page_of_which_much_is_left_out_is_read_with_the_model_of_its_script(
    monkeypatch, further, text, model, asked
):
    engine = uses(monkeypatch, korean, further=further)
    found = recognise(PAGE, 0.8)
    assert (found.lines[0].text, found.model.name, engine.asked) == (text, model, asked)


@pytest.mark.req("TA-OCRLANG")
def test_other_models_are_not_tried_on_a_page_that_is_read(monkeypatch):
    chars = tuple(PlacedChar(char, 10 + 16 * n, 26 + 16 * n) for n, char in enumerate("D11005"))
    line = RecognisedLine("D11005", (10, 10, 110, 40), 0.98, chars)
    engine = uses(monkeypatch, lambda *_: [line], further=("hangul",))
    assert recognise(PAGE, 0.8).model is PP_OCRV6 and engine.asked == [""]


@pytest.mark.req("TA-OCR")
def test_a_second_engine_is_asked_about_unsure_lines_alone(monkeypatch):
    corners = ((10, 10), (110, 10), (110, 40), (10, 40))
    lines = [RecognisedLine(t, (10, 10, 110, 40), score, corners=corners) for t, score in (("A-1", 0.7), ("B-2", 0.95))]
    asked = []
    second = Engine(lambda *_: [], lambda pixels, script: asked.append(pixels.shape) or LineText("A-1", 0.9))
    uses(monkeypatch, lambda *_: lines, second=second)
    found = recognise(PAGE, 0.8)
    assert asked == [(30, 100, 3)] and [line.text for line in found.lines] == ["A-1", "B-2"]
    assert found.lines[0].score > 0.95 and found.lines[1].score == 0.95
    assert found.mean_score == pytest.approx(sum(line.score for line in found.lines) / 2)
