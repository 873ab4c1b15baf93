"""Tables with an empty cell beside them, where a heading's rule reaches beyond the last column."""

import msgspec

from processing.engine.page import Cell, Table
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.outer_columns import without_outer_columns
from tests.unit.understanding.pages import BY_RULES, page, table, texts

HEAD = ["Model", "Shape", "Price"]
ROWS = [[f"HX{n}", "Round", f"{n}.80"] for n in range(10, 19)]


def with_cell_beside(whole: Table, row: int, text: str = "") -> Table:
    box = (whole.box[2], 100 + 20 * row, whole.box[2] + 40, 120 + 20 * row)
    cells = (*whole.cells, Cell(row, whole.n_cols, text, box))
    return msgspec.structs.replace(whole, n_cols=whole.n_cols + 1, cells=cells)


def test_an_empty_cell_beside_the_table_is_no_column() -> None:
    whole = table([HEAD, *ROWS])
    assert without_outer_columns(with_cell_beside(whole, 4)) == whole


def test_a_text_beside_the_table_is_one() -> None:
    beside = with_cell_beside(table([HEAD, *ROWS]), 4, "new")
    assert without_outer_columns(beside) is beside


def test_an_empty_column_of_all_rows_is_one() -> None:
    empty = table([[*HEAD, ""], *([*row, ""] for row in ROWS)])
    assert without_outer_columns(empty) is empty


def test_the_table_goes_on_under_its_head_on_the_next_page() -> None:
    first = page(tables=[with_cell_beside(table([HEAD, *ROWS[:5]]), 3)], number=1)
    second = page(tables=[table(ROWS[5:])], number=2)
    result = understand_page(second, (first,), DocumentFacts(), BY_RULES)
    assert texts(result, "price") == [row[2] for row in ROWS[5:]]


PANEL = "Why our burrs?\nThey cut.\nEvery tooth is ground by hand. It stays sharp.\nWe test\neach of them\ntwice."


def with_panel(whole: Table, text: str) -> Table:
    x0, y0, _, y1 = whole.box
    cells = [msgspec.structs.replace(cell, col=cell.col + 1) for cell in whole.cells]
    panel = Cell(0, 0, text, (x0 - 200, y0, x0, y1), whole.n_rows, 1)
    return msgspec.structs.replace(whole, n_cols=whole.n_cols + 1, cells=(panel, *cells))


def test_running_text_along_all_rows_is_the_panel_beside_the_table() -> None:
    whole = table([HEAD, *ROWS], x=300)
    assert without_outer_columns(with_panel(whole, PANEL)) == whole


def test_a_name_along_all_rows_is_a_column() -> None:
    named = with_panel(table([HEAD, *ROWS], x=300), "Burrs\nof hard metal")
    assert without_outer_columns(named) is named
