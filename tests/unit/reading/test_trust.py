"""What can be seen on a page, and whether its text layer can be believed."""

import pytest

from processing.engine.reading.hiding import Shown
from processing.engine.reading.port import Glyphs, PageSize
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.text_layer import read_text
from processing.engine.reading.trust import garbage_ratio, junk_ratio, once, rare_han_ratio


def word(text, x=50.0, y=50.0, rgb=0):
    return Glyphs(text, (x, y, x + 30, y + 10), 10.0, False, 0, False, rgb)


def test_overprinted_words_are_one_bold_word():
    words = [word("安徽"), word("安徽", x=50.3), word("安徽", x=50.3, y=50.3), word("安徽", x=200)]
    assert [(w.text, w.box[0], w.bold) for w in once(words)] == [("安徽", 50, True), ("安徽", 200, False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chair 椅子 ￥480", 0),
        ("\ufffd\ufffdab", 0.5),
        ("(cid:12)(cid:7)", 1),
        ("\ue001\ue002ab", 0.5),
        ("\u0c15\u0d15\u0f40\u1000HM-2", 0.5),
        ("\u0e01\u0e02\u0e03\u0e04HM-2", 0),
    ],
)
def test_counts_characters_that_mean_nothing(text, expected):
    assert garbage_ratio([word(text)]) == pytest.approx(expected, abs=0.2)


def test_rare_han_tells_failed_recognition():
    good = word("结果出来要天我领着阳阳在这个城市的游乐园游玩看着他坐在旋转木马上")
    bad = word("瓷堍甏蔑魄罄氇馥篱瓿甓蹀躞氍毹魑魅魍魉饕餮耄耋髑髅")
    traditional = word("結果出來要天我領著陽陽在這個城市的遊樂園遊玩看著他坐在旋轉木馬上")
    assert rare_han_ratio([good]) < 0.03 and rare_han_ratio([traditional]) < 0.06
    assert rare_han_ratio([bad]) > 0.4


def test_lone_signs_are_junk_but_numbers_are_not():
    assert junk_ratio([word(t) for t in ("l", "~", "5", "Chair")]) == 0.5


@pytest.mark.parametrize(
    ("mapped", "printed"),
    [
        ("DN\u00ad25", "DN-25"),
        ("5021201-\u00ad04-\u00ad001", "5021201-04-001"),
        ("\u2f45方向", "方向"),
        ("银\u2f8a色/\u2fca\u2f8a", "银色/黑色"),
        ("重量\uf97e人人", "重量人人"),
    ],
)
def test_a_drawn_character_is_what_it_shows_whatever_its_font_maps_it_to(mapped, printed):
    class Drawn:
        reader = "pymupdf"

        def words(self, number):
            return [word(mapped), *(word(f"Chair {n}", y=70.0 + 15 * n) for n in range(9))]

    read = read_text(
        [Drawn()], 1, PageSize(600, 800, 0), 0.0, Shown(Seen.at(None, 1.0)), ReadingSettings(ocr=False), []
    )
    assert (read.words[0].text, read.distrust) == (printed, "")


@pytest.mark.parametrize(("printed", "believed"), [("Lamp Oak", True), ("/DPS 2DN", False)])
def test_numbers_of_glyphs_are_no_characters(printed, believed):
    """What one reader gives as numbers without a mapping, another one may give as the characters of these numbers."""

    class Drawn:
        def __init__(self, reader, texts):
            self.reader, self.texts = reader, texts

        def words(self, number):
            return [word(text, x=50.0 + 60 * n) for n, text in enumerate(self.texts)]

        def names_fonts(self, number):
            return True

    numbers = ["".join(f"(cid:{ord(char) - 29})" for char in text) for text in ("Lamp", "Oak")]
    readers = [Drawn("pdfplumber", numbers * 3), Drawn("pypdfium2", printed.split() * 3)]
    settings = ReadingSettings(ocr=False)
    read = read_text(readers, 1, PageSize(600, 800, 0), 0.0, Shown(Seen.at(None, 1.0)), settings, [])
    assert read.distrust == ("" if believed else "garbage")
