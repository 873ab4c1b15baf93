"""Grids with rows in which no cell begins: all of their cells come from above."""

from itertools import pairwise

from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.open_bodies import with_bodies
from processing.engine.reading.outer_rows import with_outer_rows
from processing.engine.reading.tables import fill_tables
from tests.unit.reading.test_tables import word


def grid(xs: list[float], ys: list[float], spans: list[tuple[int, int]]) -> Grid:
    """``spans``: first row and number of rows of the cells of each column, which are alike."""
    cells = [
        GridCell(row, col, rows, 1, (left, ys[row], right, ys[row + rows]))
        for row, rows in spans
        for col, (left, right) in enumerate(pairwise(xs))
    ]
    return Grid((xs[0], ys[0], xs[-1], ys[-1]), len(ys) - 1, len(xs) - 1, tuple(cells))


def test_a_row_in_which_no_cell_begins_cuts_none() -> None:
    """Its height is not known."""
    words = [word(t, x, y) for x in (60, 160) for y, t in ((110, "one"), (140, "two"), (170, "three"), (200, "four"))]
    made = grid([50, 150, 250], [100, 130, 160, 190, 220], [(0, 3), (3, 1)])
    (table,), _, _ = fill_tables([made], words, lambda box: [], "rules")
    assert [cell.text for cell in table.cells] == ["one\ntwo\nthree"] * 2 + ["four"] * 2


def test_a_table_of_such_rows_alone_has_none_beyond_its_rules() -> None:
    words = [word(text, x, y) for y in (115, 155, 195) for x, text in ((60, "A-10"), (160, "75"), (260, "30"))]
    made = grid([50, 150, 250, 350], [100, 120, 140, 160, 180], [(0, 2), (2, 2)])
    (table,), _, rest = with_outer_rows(*fill_tables([made], words, lambda box: [], "bands"))
    assert table.n_rows == 4 and len(rest) == 3


def test_columns_beside_such_rows_are_of_the_same_rows() -> None:
    ys = [100.0 + 20 * n for n in range(8)]
    made = grid([50, 150], ys, [(0, 1), (1, 2), (3, 1), (4, 1), (5, 1), (6, 1)])
    rows = {0: 105, 1: 115 + 10, 3: 165, 4: 185, 5: 205, 6: 225}
    words = [word(f"{n}{n}.5", x, y) for n, y in rows.items() for x in (200, 300)]
    (wide,) = with_bodies([made], words)
    assert wide.n_cols == 3
    assert [(cell.row, cell.rows) for cell in wide.cells if cell.col == 1] == [
        (0, 1),
        (1, 2),
        (3, 1),
        (4, 1),
        (5, 1),
        (6, 1),
    ]
