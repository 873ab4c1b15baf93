"""Lists side by side whose heads differ in a label, a word printed downwards beside them, a chart and a note below."""

import msgspec
import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.halves import apart, are_alike
from processing.engine.understanding.tables.open_table import open_tables
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

LEFT, RIGHT = ("Code", "Size", "s", "k", "Price"), ("Code", "Size", "s", "m", "Price")


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def row(head: tuple[str, ...], stem: str, k: int) -> tuple[str, ...]:
    return f"{stem}-{k}10", f"M{k}x20", str(7 + k), str(k), f"{k}.50"


def listed(head: tuple[str, ...], stem: str, x: float, rows: int = 4) -> list[Line]:
    printed = [head, *(row(head, stem, k) for k in range(3, 3 + rows))]
    return [line(text, x + 50 * n, 200 + 18 * k, 8) for k, cells in enumerate(printed) for n, text in enumerate(cells)]


def sheet(*more: Line) -> ParsedPage:
    return page(*listed(LEFT, "BX", 40), *listed(RIGHT, "NX", 310), *more)


def columns(one: ParsedPage, col: int) -> list[list[str]]:
    return [[cell.text for cell in found.cells if cell.col == col] for found in open_tables(one)]


def test_open_lists_whose_heads_differ_in_a_label_are_two() -> None:
    left, right = columns(sheet(), 0)
    assert left == ["Code", "BX-310", "BX-410", "BX-510", "BX-610"]
    assert right == ["Code", "NX-310", "NX-410", "NX-510", "NX-610"]


@pytest.mark.parametrize("tab", [[], ["X"] * 5])
def test_such_a_grid_is_two_tables_with_or_without_a_column_beside_them(tab: list[str]) -> None:
    rows = [[*row(LEFT, "BX", k), *row(RIGHT, "NX", k), *tab[:1]] for k in range(3, 7)]
    left, right, *_ = apart(table([[*LEFT, *RIGHT, *(["" for _ in tab[:1]])], *rows], widths=40))
    assert (left.n_cols, right.n_cols) == (5, 5)
    assert {cell.text for cell in right.cells if cell.col == 0} == {"Code", "NX-310", "NX-410", "NX-510", "NX-610"}


@pytest.mark.parametrize("other", [("Code", "Colour", "Weight", "m", "Price"), ("Code", "Size", "Price"), LEFT[1:]])
def test_other_heads_are_not_alike(other: tuple[str, ...]) -> None:
    assert are_alike(LEFT, RIGHT) and not are_alike(LEFT, other)


def test_a_word_printed_downwards_beside_a_list_is_no_part_of_its_rows() -> None:
    letters = [line(letter, 575, 218 + 18 * n, 8) for n, letter in enumerate("紧固件")]
    assert columns(sheet(*letters), 4)[1] == ["Price", "3.50", "4.50", "5.50", "6.50"]


def chart(*codes: str) -> ParsedPage:
    bars = [(word, f"{n}2 h") for n, word in enumerate(codes or ("Zinc", "Nickel", "Dacromet"), 7)]
    printed = [
        line(text, x, 345 + 24 * n, 8) for n, bar in enumerate(bars) for x, text in zip((44, 240), bar, strict=True)
    ]
    one = page(*listed(LEFT, "BX", 40), line("Hours of salt spray", 44, 315, 14), *printed)
    return msgspec.structs.replace(one, panels=((36.0, 305.0, 500.0, 430.0),))


def test_a_chart_on_a_box_below_a_list_names_none_of_its_rows() -> None:
    assert texts(understood(chart()), "model") == ["BX-310", "BX-410", "BX-510", "BX-610"]


def test_rows_with_codes_under_a_title_on_a_box_are_the_lists() -> None:
    assert columns(chart("BX-710", "BX-810", "BX-910"), 0)[0][-3:] == ["BX-710", "BX-810", "BX-910"]


def test_a_note_wider_than_its_list_makes_the_photo_over_the_next_list_none_of_its_own() -> None:
    note = line("All parts of grade eight steel and plated; other lengths on request, net of carriage", 40, 310, 8)
    photos = [picture("P1", (40, 90, 150, 180)), picture("P2", (310, 90, 420, 180))]
    one = sheet(note)
    result = understood(msgspec.structs.replace(one, pictures=tuple(photos)))
    bound = {sku.attributes["model"].text[:2]: [b.picture for b in sku.bindings] for sku in result.skus}
    assert bound == {"BX": ["P1"], "NX": ["P2"]}
