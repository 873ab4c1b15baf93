"""A second engine makes an unsure line surer or more doubtful; its text stays the first one's."""

import numpy as np
import pytest

from processing.engine.reading.ocr_port import LineText, PlacedChar, RecognisedLine
from processing.engine.reading.second_opinion import weighed

pytestmark = pytest.mark.req("TA-OCR")

PIXELS = np.full((60, 400, 3), 255, np.uint8)
CORNERS = ((10.0, 10.0), (210.0, 10.0), (210.0, 40.0), (10.0, 40.0))


class Second:
    def __init__(self, text, score):
        self.answer, self.asked = LineText(text, score), []

    def line(self, pixels, script=""):
        self.asked.append((pixels.shape[:2], script))
        return self.answer


def read(text, score, second, corners=CORNERS, below=0.9, script=""):
    chars = tuple(PlacedChar(char, 10 + 20 * n, 30 + 20 * n, 0.95) for n, char in enumerate("".join(text.split())))
    line = RecognisedLine(text, (10, 10, 210, 40), score, chars, corners=corners)
    (found,) = weighed([line], PIXELS, second, below, script)
    assert (found.text, [c[:3] for c in found.chars]) == (text, [c[:3] for c in chars])
    return found


@pytest.mark.parametrize(
    ("text", "score", "other", "its", "weighed_score"),
    [
        ("HY-1001", 0.8, "HY-1001", 0.8, 16 / 17),  # odds of 4 and 4
        ("HY - 1001", 0.8, "HY-1001", 0.8, 16 / 17),  # spaces are none of its business
        ("（4 W）", 0.8, "(4W)", 0.8, 16 / 17),  # nor is the width of signs
        ("HY-1001", 0.8, "HY-I001", 0.8, 0.5),
        ("HY-1001", 0.8, "HY-I001", 0.95, 4 / 23),
        ("HY-1001", 0.8, "HY-I001", 0.4, 0.8),  # who does not know has no opinion
        ("HY-1001", 0.8, "", 0.0, 0.8),
        ("HY-1001", 0.8, "HY-1001", 1.0, 0.99975),  # and nobody is beyond doubt
    ],
)
def test_odds_are_multiplied_where_both_agree_and_divided_where_they_differ(text, score, other, its, weighed_score):
    assert read(text, score, Second(other, its)).score == pytest.approx(weighed_score, abs=1e-4)


def test_the_characters_that_differ_are_doubtful():
    scores = [char.score for char in read("HY-1001", 0.8, Second("HY-I001", 0.8)).chars]
    assert scores == pytest.approx([0.95, 0.95, 0.95, 0.5, 0.95, 0.95, 0.95])


def test_all_are_where_another_number_of_them_was_read():
    assert {round(char.score, 2) for char in read("HY-1001", 0.8, Second("HY-10001", 0.8)).chars} == {0.5}


def test_agreement_leaves_characters_as_they_were():
    assert {char.score for char in read("HY-1001", 0.8, Second("HY-1001", 0.99)).chars} == {0.95}


@pytest.mark.parametrize(("score", "corners"), [(0.9, CORNERS), (0.5, ())])
def test_sure_lines_and_those_that_no_engine_found_are_not_asked_about(score, corners):
    second = Second("another", 0.99)
    assert read("HY-1001", score, second, corners).score == score and not second.asked


def test_the_second_sees_the_line_alone_and_hears_the_script():
    second = Second("", 0.0)
    read("사무용", 0.5, second, script="hangul")
    assert second.asked == [((30, 200), "hangul")]


def test_a_standing_line_is_laid_down():
    second = Second("", 0.0)
    read("HY-1001", 0.5, second, ((10.0, 10.0), (30.0, 10.0), (30.0, 55.0), (10.0, 55.0)))
    assert second.asked == [((20, 45), "")]
