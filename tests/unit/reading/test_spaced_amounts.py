"""Amounts that are printed sign by sign."""

import pytest

from processing.engine.reading.port import Drawings, Glyphs, PageSize
from processing.engine.reading.spaced_amounts import closed_amounts
from processing.engine.reading.tables import find_tables


def signs(text: str, x: float = 50.0, y: float = 100.0, gap: float = 4.0) -> list[Glyphs]:
    """Each sign of the text apart from the next one."""
    return [
        Glyphs(sign, (x + n * (6 + gap), y, x + n * (6 + gap) + 6, y + 11), 11.0, False, 0, False, 0)
        for n, sign in enumerate(text)
    ]


def told(words: list[Glyphs]) -> list[str]:
    return [word.text for word in closed_amounts(words)]


TEA = Glyphs("煎茶ティー", (50, 50, 110, 61), 11.0, False, 0, False, 0)


@pytest.mark.parametrize("text", ["¥1,620", "¥870", "1500円", "12,400円"])
def test_an_amount_is_one_word(text: str) -> None:
    assert told(signs(text)) == [text]
    assert closed_amounts(signs(text))[0].box == (50, 100, 50 + 10 * len(text) - 4, 111)


@pytest.mark.parametrize(("text", "gap"), [("12345", 4.0), ("1,62", 4.0), ("¥1,620", 9.0), ("ABC円", 4.0)])
def test_other_signs_and_those_of_columns_stay_apart(text: str, gap: float) -> None:
    assert told(signs(text, gap=gap)) == list(text)


def test_two_amounts_beside_each_other_are_two() -> None:
    assert told([*signs("¥870"), *signs("¥650", 90)]) == ["¥870", "¥650"]


def test_a_backslash_is_a_yen_sign_in_japanese_alone() -> None:
    path = Glyphs("C:\\temp", (50, 70, 90, 81), 11.0, False, 0, False, 0)
    assert told([TEA, *signs("\\1,620"), path]) == ["煎茶ティー", "¥1,620", "C:\\temp"]
    assert told(signs("\\1,620")) == ["\\1,620"]


def test_an_amount_that_is_broken_in_its_cell_is_whole() -> None:
    def text(first: str, second: str) -> str:
        words = [TEA, *closed_amounts([*signs(first, 152, 105), *signs(second, 152, 118)])]
        words += [TEA._replace(box=(60, 105, 120, 116)), TEA._replace(box=(60, 145, 120, 156))]
        xs, ys = (50, 150, 250), (100, 140, 160)
        rules = [(50, y, 250, y) for y in ys] + [(x, 100, x, 160) for x in xs]
        (table,), _, _ = find_tables(Drawings(tuple(rules), (), 6), words, lambda box: [], PageSize(600, 800, 0), 4)
        return next(cell.text for cell in table.cells if (cell.row, cell.col) == (0, 1))

    assert text("¥8,11", "0") == "¥8,110" and text("¥6,4", "80") == "¥6,480"
    assert text("¥8,110", "5") == "¥8,110\n5"
