"""Characters that look alike are told apart by the print around them, and left alone where nothing proves them."""

import numpy as np
import pytest

from processing.engine.reading.lookalikes import mended
from processing.engine.reading.ocr_port import PlacedChar, RecognisedLine

pytestmark = pytest.mark.req("TA-OCR")
WIDE, HIGH = 10.0, 16.0
PAPER = np.full((100, 600), 255, np.uint8)


def line(text, y, x=100.0, unsure=(), score=0.6):
    """``unsure``: places of characters, spaces counted, that have that score."""
    chars = tuple(
        PlacedChar(c, x + WIDE * n, x + WIDE * (n + 1), score if n - len(text) in unsure else 1.0)
        for n, c in enumerate(text)
        if not c.isspace()
    )
    return RecognisedLine(text, (x, y, x + WIDE * len(text), y + HIGH), 0.97, chars)


def column(*texts, unsure="1O5"):
    """Lines under each other; the last character is unsure where it is one of those."""
    return [line(text, 20.0 * n, unsure=(-1,) if text[-1] in unsure else ()) for n, text in enumerate(texts)]


def texts(lines):
    return [one.text for one in mended(lines, PAPER)[0]]


def test_a_doubtful_digit_is_the_letter_that_codes_of_its_column_have_there():
    lines = column("HX100-S", "HX200-G", "HX201-G", "HX300-1")
    assert texts(lines) == ["HX100-S", "HX200-G", "HX201-G", "HX300-I"]
    found, count = mended(lines, PAPER)
    assert count == 1 and found[3].chars[-1].text == "I" and found[3].box == lines[3].box


def test_and_a_doubtful_letter_the_digit():
    assert texts(column("KL-104", "KL-107", "KL-109", "KL-10O"))[3] == "KL-100"


@pytest.mark.parametrize(
    "lines",
    [
        column("HX100-S", "HX200-G", "HX201-G", "HX300-1", unsure=""),  # the engine is sure
        column("HX100-S", "HX200-7", "HX201-G", "HX202-G", "HX300-1"),  # digits stand there too
        column("HX100-S", "HX201-G", "HX300-1"),  # hardly a family
        column("HX10-S", "HX200-Gs", "HX2A1-G", "HX300-1"),  # built otherwise
        [*column("HX100-S", "HX200-G", "HX201-G"), line("HX300-1", 60, x=300, unsure=(-1,))],  # another column
        column("Seat S", "Seat G", "Seat B", "Seat 1"),  # no codes
    ],
)
def test_without_proof_a_character_stays_as_it_was_read(lines):
    assert texts(lines) == [one.text for one in lines]


def printed(lines, foot, head, *, struck=False):
    """Pixels in which rings stand on the lines, the signs between them from ``foot`` to ``head`` of their height; zeros
    have a stroke through them where ``struck``."""
    grey = np.full((100, 600), 255, np.uint8)
    for one in lines:
        top, bottom = round(one.box[1]) + 2, round(one.box[3]) - 2
        high = bottom - top
        for char in one.chars:
            low = char.text in "x×"
            y0, y1 = (bottom - round(head * high), bottom - round(foot * high)) if low else (top, bottom)
            x0, x1 = round(char.start) + 1, round(char.end) - 1
            grey[y0:y1, x0:x1] = 0
            if not low and not (struck and char.text == "0"):
                grey[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2] = 255
    return grey


@pytest.mark.parametrize(
    ("foot", "head", "sign"), [(0.25, 0.75, "×"), (0.08, 0.55, "×"), (0.08, 0.92, "×"), (0.0, 0.75, "x")]
)
@pytest.mark.parametrize("read", ["PH2{}100", "48{}54 mm", "25 {} 38", "L20 {} W30 cm"])
def test_a_letter_between_measures_that_was_read_as_a_sign_stands_on_the_line_and_is_high(read, foot, head, sign):
    lines = [line(read.format("×"), 20), line("xenon lamp 2 x", 60)]
    found, count = mended(lines, printed(lines, foot, head))
    assert [one.text for one in found] == [read.format(sign), "xenon lamp 2 x"]
    assert count == (sign == "x")


@pytest.mark.parametrize("text", [" × 20 mm", "× 20 mm", "20 ×", "5× ×3"])
def test_a_sign_without_a_measure_before_it_is_left_alone(text):
    lines = [line(text, 20)]
    assert "x 20" not in mended(lines, printed(lines, 0.0, 0.75))[0][0].text


def test_a_letter_that_was_read_as_one_is_one():
    lines = [line("48x54 mm", 20)]
    assert [one.text for one in mended(lines, printed(lines, 0.25, 0.75))[0]] == ["48x54 mm"]


@pytest.mark.parametrize(
    ("text", "struck", "read"),
    [
        ("095 x 62 mm", True, "Ø95 x 62 mm"),
        ("085 mm", True, "Ø85 mm"),
        ("095 x 62 mm", False, "095 x 62 mm"),
        ("100 mm", True, "100 mm"),
        ("Art. 095", True, "Art. 095"),
        ("1 095 mm", True, "1 095 mm"),
    ],
)
def test_a_struck_zero_in_front_of_a_measure_is_the_sign_of_a_diameter(text, struck, read):
    lines = [line(text, 20)]
    assert [one.text for one in mended(lines, printed(lines, 0.0, 0.7, struck=struck))[0]] == [read]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("L156 xW54 x H17 cm", "L156 x W54 x H17 cm"),
        ("172x 60x 185 mm", "172 x 60 x 185 mm"),
        ("20mm x30", "20mm x 30"),
        ("3000 K/ 4000 K", "3000 K / 4000 K"),
        ("cotton /navy", "cotton / navy"),
        ('1 /4-20 x 2-1/ 2"', '1/4-20 x 2-1/2"'),
        ("100 /4", "100 /4"),
        ("1/4 / 5", "1/4 / 5"),
        ("172x60x185", "172x60x185"),
        ("Max 20W", "Max 20W"),
        ("1/2", "1/2"),
        ("2/ 3 Ltr.", "2/ 3 Ltr."),
        ("http:// a", "http:// a"),
        ("US 5– 11", "US 5 – 11"),
        ("Runner —Suede", "Runner — Suede"),
        ("5–11", "5–11"),
        ("AB -12", "AB -12"),
    ],
)
def test_space_on_one_side_of_a_sign_stands_on_both(text, read):
    found, count = mended([line(text, 20)], PAPER)
    assert (found[0].text, len(found[0].chars), count) == (read, len("".join(text.split())), 0)


def test_where_nothing_is_printed_a_sign_stays_as_it_was_read():
    lines = [line("48x54", 0), line("48×54", 20), line("MX-1001", 40)]
    assert texts(lines) == [one.text for one in lines]


def test_characters_without_a_place_are_left_alone():
    lines = [one._replace(chars=()) for one in column("HX100-S", "HX200-G", "HX201-G", "HX300-1")]
    assert texts(lines) == [one.text for one in lines] and mended([], PAPER) == ([], 0)


@pytest.mark.parametrize(
    ("read", "printed"), [("QS0P24", "QSOP24"), ("1O5", "105"), ("QSA024", "QSA024"), ("S0", "S0"), ("A 0 B", "A 0 B")]
)
def test_a_doubtful_sign_between_two_of_a_kind_is_of_their_kind(read, printed):
    doubtful = line(read, 0, unsure=tuple(n - len(read) for n, c in enumerate(read) if c in "0O"))
    assert texts([doubtful]) == [printed]


def test_and_a_sure_one_is_left_alone():
    assert texts([line("QS0P24", 0)]) == ["QS0P24"]


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("540 Im", "540 lm"),
        ("E27 1200Im/W", "E27 1200lm/W"),
        ("5 Image", "5 Image"),
        ("Im 5", "Im 5"),
        ("PCle 4.0", "PCIe 4.0"),
        ("NVMe, PCle", "NVMe, PCIe"),
        ("ABlend", "ABlend"),
        ("XPCle", "XPCle"),
    ],
)
def test_a_capital_i_and_a_small_l_are_told_by_what_they_stand_in(read, printed):
    (found,) = mended([line(read, 20)], PAPER)[0]
    assert found.text == printed and "".join(c.text for c in found.chars) == printed.replace(" ", "")


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("PRICE - $25O", "PRICE - $250"),
        ("$3OO", "$300"),
        ("€ 1.O5O,00", "€ 1.050,00"),
        ("$5OFF", "$5OFF"),
        ("Type 25O", "Type 25O"),
        ("$O", "$O"),
    ],
)
def test_a_letter_between_the_figures_of_an_amount_is_a_zero(read, printed):
    assert texts([line(read, 20)]) == [printed]
