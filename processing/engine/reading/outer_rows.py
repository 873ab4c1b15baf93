"""Rows of a table over its first rule or under its last one: where rules only part the rows, the outermost rows have
one on one side alone."""

from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from catalogsku.core.box import Box, rounded, union
from processing.engine.page import Cell, Table
from processing.engine.reading.alignment import segments
from processing.engine.reading.layout import cell_lines, joined, text_rows
from processing.engine.reading.port import Glyphs

Found = tuple[list[Table], list[list[list[Glyphs]]], list[Glyphs]]
Columns = dict[int, tuple[float, float]]
Row = Sequence[tuple[int, list[Glyphs]]]
Rows = dict[int, dict[int, list[Glyphs]]]

# How a table is named whose rows stand between level rules, no other ones.
BANDS = "bands"

_LEAST_COLS = 3
# Columns, at least, in which every row has digits or a dash: what stands beyond the rules has them there too, as no
# head has.
_LEAST_COUNTED = 2
# Of the columns that rows have text in: so many has a row.
_FILLED = 0.6
# Points by which a text may pass its column's edge; of its size, by which the print of rows differs; white between two
# texts of one line, in em; of the highest row, how high one beyond the rules may be; points of white that it may have
# more than others between the rule and its text.
_OVER, _SAME_PRINT, _SPACE, _HIGHER, _MORE_WHITE = 4.0, 0.15, 0.8, 1.15, 4.0


def with_outer_rows(tables: Sequence[Table], inside: Sequence[list[list[Glyphs]]], rest: Sequence[Glyphs]) -> Found:
    """The tables with the rows beyond their rules; ``inside``: the words of each cell, ``rest``: those of none."""
    tables, inside, rest = list(tables), list(inside), list(rest)
    for n in range(len(tables)):
        for below in (True, False):
            others = [other.box for m, other in enumerate(tables) if m != n]
            while row := _outer_row(tables[n], inside[n], rest, others, below=below):
                taken = {id(word) for _, held in row for word in held}
                rest = [word for word in rest if id(word) not in taken]
                edge = _edge(tables[n], row, rest, others, below=below)
                tables[n], inside[n] = _extended(tables[n], inside[n], row, edge, below=below)
    return tables, inside, rest


def _outer_row(
    table: Table, inside: list[list[Glyphs]], rest: Sequence[Glyphs], others: Sequence[Box], *, below: bool
) -> Row:
    """The words of the row beyond the last rule by their column; nothing where none stands there as the others do."""
    columns, rows = _columns(table), _rows(table, inside)
    heights = [cell.box[3] - cell.box[1] for cell in table.cells if cell.rows == 1]
    if len(columns) < _LEAST_COLS or not (rows and heights):
        return []
    x0, top, x1, foot = table.box
    reach = _HIGHER * max(heights)
    area = (x0, foot, x1, foot + reach) if below else (x0, top - reach, x1, top)
    if any(b[0] < x1 and x0 < b[2] and b[1] < area[3] and area[1] < b[3] for b in others):
        return []
    row = _texts_by_column([w for w in rest if _is_in(w, area)], rows, columns, below=below)
    if not row or _white(row, foot if below else top, below=below) > _usual_white(table, rows, below=below):
        return []
    listed = table.method == BANDS and below and len(row) == len(columns)
    return sorted(row.items()) if listed or _is_like(row, rows, columns, below=below) else []


def _texts_by_column(words: Sequence[Glyphs], rows: Rows, columns: Columns, *, below: bool) -> dict[int, list[Glyphs]]:
    """Line by line away from the rule, as long as the texts stand in the columns and in the print of the rows."""
    size = median([w.size for row in rows.values() for held in row.values() for w in held])
    by_column: dict[int, list[Glyphs]] = {}
    for line in sorted(text_rows(words), key=lambda line: min(w.box[1] for w in line), reverse=not below):
        texts = segments(line, size, _SPACE)
        places = [_column(union([w.box for w in text]), columns) for text in texts]
        if None in places or abs(median([w.size for w in line]) - size) > _SAME_PRINT * size:
            break
        for col, text in zip(places, texts, strict=True):
            if col is not None:
                by_column.setdefault(col, []).extend(text)
    return by_column


def _is_like(row: Mapping[int, list[Glyphs]], rows: Rows, columns: Columns, *, below: bool) -> bool:
    """Has text in every column that all rows have it in, in most of the others, and digits where all have digits."""
    counted = [col for col in columns if _are_counted(rows, col)]
    next_row = rows[max(rows) if below else min(rows)]
    if len(counted) < _LEAST_COUNTED + (len(rows) == 1) or not all(_is_count(next_row.get(c, [])) for c in counted):
        return False
    usual, always = set.union(*map(set, rows.values())), set.intersection(*map(set, rows.values()))
    said = sum(_is_count(row.get(col, [])) for col in counted)
    return always <= set(row) and len(row) >= _FILLED * len(usual) and said >= max(_LEAST_COUNTED, len(counted) - 1)


def _white(row: Mapping[int, list[Glyphs]], edge: float, *, below: bool) -> float:
    """Between the rule and the row's first text, or its last one over the rule."""
    text = union([w.box for held in row.values() for w in held])
    return text[1] - edge if below else edge - text[3]


def _usual_white(table: Table, rows: Rows, *, below: bool) -> float:
    """The most that rows have there, and a little more."""
    edges = {cell.row: cell.box[1] if below else cell.box[3] for cell in table.cells if cell.rows == 1}
    return max([_white(row, edges[n], below=below) for n, row in rows.items() if n in edges], default=0.0) + _MORE_WHITE


def _edge(table: Table, row: Row, rest: Sequence[Glyphs], others: Sequence[Box], *, below: bool) -> float:
    """Where the row ends: it is as high as the others are, for pictures stand in it, up to what stands beyond it."""
    x0, top, x1, foot = table.box
    text = union([w.box for _, held in row for w in held])
    usual = median([cell.box[3] - cell.box[1] for cell in table.cells if cell.rows == 1])
    beyond = [box for box in (*others, *(w.box for w in rest)) if box[0] < x1 and x0 < box[2]]
    if below:
        return max(text[3], min([foot + usual, *(box[1] for box in beyond if box[1] >= text[3])]))
    return min(text[1], max([top - usual, *(box[3] for box in beyond if box[3] <= text[1])]))


def _extended(
    table: Table, inside: list[list[Glyphs]], row: Row, edge: float, *, below: bool
) -> tuple[Table, list[list[Glyphs]]]:
    columns = _columns(table)
    x0, top, x1, foot = table.box
    top, foot, y0, y1 = (top, edge, foot, edge) if below else (edge, foot, edge, top)
    number = table.n_rows if below else 0
    held = dict(row)
    cells = [Cell(number, col, _text(held.get(col, [])), rounded((a, y0, b, y1))) for col, (a, b) in columns.items()]
    words = [held.get(col, []) for col in columns]
    if below:
        all_cells, all_words = [*table.cells, *cells], [*inside, *words]
    else:
        moved = [msgspec.structs.replace(cell, row=cell.row + 1) for cell in table.cells]
        all_cells, all_words = [*cells, *moved], [*words, *inside]
    grown = msgspec.structs.replace(
        table, box=rounded((x0, top, x1, foot)), n_rows=table.n_rows + 1, cells=tuple(all_cells)
    )
    return grown, all_words


def _columns(table: Table) -> Columns:
    """Left and right edge of each column by its number; nothing where one has no cell of its own."""
    edges = {cell.col: (cell.box[0], cell.box[2]) for cell in table.cells if cell.cols == 1}
    return dict(sorted(edges.items())) if len(edges) == table.n_cols else {}


def _rows(table: Table, inside: Sequence[list[Glyphs]]) -> Rows:
    """The words of each row by column: of rows with more than one text, none of them in several columns."""
    rows: Rows = {}
    for cell, held in zip(table.cells, inside, strict=True):
        if held:
            rows.setdefault(cell.row, {})[cell.col] = held
    across = {cell.row for cell, held in zip(table.cells, inside, strict=True) if held and cell.cols > 1}
    return {n: row for n, row in rows.items() if len(row) > 1 and n not in across}


def _are_counted(rows: Rows, col: int) -> bool:
    """Every row has digits or a dash there; of several, the first may be a head."""
    held = [row.get(col, []) for _, row in sorted(rows.items())]
    return bool(held) and all(map(_is_count, held[1:] or held))


def _is_count(words: Sequence[Glyphs]) -> bool:
    """Digits, or a sign that there is nothing to count."""
    text = "".join(word.text for word in words)
    return any(map(str.isdigit, text)) or (bool(text) and not any(map(str.isalpha, text)))


def _is_in(word: Glyphs, area: Box) -> bool:
    y = (word.box[1] + word.box[3]) / 2
    return area[0] - _OVER <= word.box[0] and word.box[2] <= area[2] + _OVER and area[1] <= y <= area[3]


def _column(text: Box, columns: Columns) -> int | None:
    return next((col for col, (a, b) in columns.items() if a - _OVER <= text[0] and text[2] <= b + _OVER), None)


def _text(words: Sequence[Glyphs]) -> str:
    return "\n".join(joined(line) for line in cell_lines(words))
