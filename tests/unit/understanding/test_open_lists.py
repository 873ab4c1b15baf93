"""Open lists: side by side, in parts, and whole."""

import pytest

from processing.engine.page import Line
from processing.engine.understanding.tables.open_table import open_tables
from tests.unit.understanding.pages import line, page


@pytest.mark.req("TA-AROUTE")
def test_open_lists_side_by_side_under_one_head_are_read_by_themselves() -> None:
    lines = [line(text, x + 60 * n, 100, 8) for x in (40, 320) for n, text in enumerate(("Code", "Size", "Price"))]
    for k in range(3):
        lines += [line(text, 40 + 60 * n, 120 + 18 * k, 8) for n, text in enumerate((f"AB-1{k}", "20 mm", f"$1.{k}5"))]
        lines += [line(text, 320 + 60 * n, 120 + 18 * k, 8) for n, text in enumerate((f"CD-1{k}", "30 mm", f"$2.{k}5"))]
    first, second = open_tables(page(*lines))
    assert [table.n_rows for table in (first, second)] == [4, 4] and first.id != second.id
    assert {cell.text for cell in second.cells if cell.col == 0} == {"Code", "CD-10", "CD-11", "CD-12"}


def _list(codes: str, y: float, step: float = 18) -> list[Line]:
    lines = [line(text, 40 + 60 * n, y, 8) for n, text in enumerate(("Code", "Size", "Price"))]
    for k, code in enumerate(codes.split(), 1):
        lines += [line(text, 40 + 60 * n, y + step * k, 8) for n, text in enumerate((code, "20 mm", f"$1.{k}5"))]
    return lines


def test_an_open_list_ends_where_a_title_and_a_picture_stand_before_its_head_again() -> None:
    parts = open_tables(page(*_list("AB-1 AB-2 AB-3", 100), line("Hex nuts", 40, 200, 14), *_list("CD-1 CD-2", 330)))
    assert [[cell.text for cell in table.cells if cell.col == 0] for table in parts] == [
        ["Code", "AB-1", "AB-2", "AB-3"], ["Code", "CD-1", "CD-2"],
    ]  # fmt: skip


def test_a_head_repeated_in_the_next_line_parts_no_list() -> None:
    (whole,) = open_tables(page(*_list("AB-1 AB-2 AB-3", 100), *_list("CD-1 CD-2", 172)))
    assert whole.n_rows == 7
