"""Rows of a ruled table that lack the rules between their columns, as the last one often does: one cell for all."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from catalogsku.core.box import centre, contains_point
from catalogsku.core.text import trim
from processing.engine.page import Cell, ParsedPage, Table, Word
from processing.engine.understanding.rules.shapes import is_code, is_number, is_price

_LEAST_COLUMNS = 3


def with_parted_rows(table: Table, page: ParsedPage) -> Table:
    """The table, its rows of one cell cut at the edges of its columns where their words stand in all of these: a code
    first and an amount last."""
    if not table.ruled or table.n_cols < _LEAST_COLUMNS:
        return table
    edges = _edges(table)
    wide = [cell for cell in table.cells if cell.cols == table.n_cols and cell.rows == 1 and len(cell.text.split()) > 2]
    parted = {id(cell): parts for cell in wide if edges and (parts := _parts(cell, edges, page))}
    cells = [part for cell in table.cells for part in parted.get(id(cell), [cell])]
    return msgspec.structs.replace(table, cells=tuple(cells)) if parted else table


def _edges(table: Table) -> list[float]:
    """The left edge of each column and the right one of the last; empty where no cells tell."""
    single = {cell.col: cell.box for cell in table.cells if cell.cols == 1}
    if len(single) < table.n_cols:
        return []
    return [single[col][0] for col in range(table.n_cols)] + [single[table.n_cols - 1][2]]


def _parts(cell: Cell, edges: Sequence[float], page: ParsedPage) -> list[Cell]:
    words = [word for line in page.lines for word in line.words if contains_point(cell.box, *centre(word.box))]
    columns = [_within(words, left, right) for left, right in pairwise(edges)]
    texts = [trim(" ".join(word.text for word in column)) for column in columns]
    whole = sum(map(len, columns)) == len(words) and all(texts)
    if not whole or not is_code(texts[0]) or not (is_number(texts[-1]) or is_price(texts[-1])):
        return []
    return [
        Cell(cell.row, col, text, (left, cell.box[1], right, cell.box[3]))
        for col, (text, (left, right)) in enumerate(zip(texts, pairwise(edges), strict=True))
    ]


def _within(words: Sequence[Word], left: float, right: float) -> list[Word]:
    return [word for word in words if left <= word.box[0] and word.box[2] <= right]
