"""Rows without text beside a merged cell."""

from processing.engine.reading.blank_rows import without_blank_rows
from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.port import Glyphs

Text = list[Glyphs]


def said(text: str) -> Text:
    return [Glyphs(text, (0.0, 0.0, 10.0, 10.0), 10.0, False, 0, False, 0)] if text else []


def grid(*rows: tuple[str | None, ...]) -> tuple[Grid, list[Text]]:
    """``None`` continues the cell above it."""
    cells, own = [], []
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text is not None:
                span = next((n for n in range(1, len(rows) - r) if rows[r + n][c] is not None), len(rows) - r)
                cells.append(GridCell(r, c, span, 1, (50.0 * c, 10.0 * r, 50.0 * c + 50, 10.0 * (r + span))))
                own.append(said(text))
    return Grid((0.0, 0.0, 50.0 * len(rows[0]), 10.0 * len(rows)), len(rows), len(rows[0]), tuple(cells)), own


def shape(found: tuple[Grid, list[Text]]) -> list[tuple[int, int, int, str]]:
    cells = zip(found[0].cells, found[1], strict=True)
    return [(cell.row, cell.col, cell.rows, "".join(word.text for word in words)) for cell, words in cells]


def test_bands_over_and_under_a_line_of_text_are_one_row_with_the_photo_beside_it() -> None:
    bands = [
        ("", "", ""),
        ("Lina", "12.50", None),
        ("", "", None),
        ("", "", ""),
        ("Mara", "14.50", None),
        ("", "", None),
    ]
    found = without_blank_rows(*grid(("Name", "Price", ""), *bands))
    assert found[0].n_rows == 3
    assert shape(found)[3:] == [
        (1, 0, 1, "Lina"),
        (1, 1, 1, "12.50"),
        (1, 2, 1, ""),
        (2, 0, 1, "Mara"),
        (2, 1, 1, "14.50"),
        (2, 2, 1, ""),
    ]
    assert found[0].cells[3].box == (0.0, 10.0, 50.0, 40.0)


def test_rows_with_text_in_a_merged_cell_stay_apart() -> None:
    rows = grid(("Name", "Size"), ("Lina", "S"), (None, "M"), (None, ""))
    assert without_blank_rows(*rows) == rows


def test_rows_that_are_cut_differently_stay_apart() -> None:
    rows, own = grid(("Name", "Price", ""), ("", "", ""), ("Lina", "9.50", None))
    across = GridCell(1, 0, 1, 2, (0.0, 10.0, 100.0, 20.0))
    cells = (*rows.cells[:3], across, *rows.cells[5:])
    assert without_blank_rows(rows._replace(cells=cells), [*own[:3], *own[4:]])[0].n_rows == 3
