"""Grids and words -> tables with their text, and the words that are in none."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from statistics import median

from catalogsku.core.box import Box, intersect, rounded, turned, turned_back
from processing.engine.page import Cell, Table
from processing.engine.reading.alignment import (
    aligned_grids,
    are_columns,
    banded_grids,
    column_gutters,
    gutters,
    is_leader,
)
from processing.engine.reading.blank_rows import without_blank_rows
from processing.engine.reading.framed_cells import without_frames
from processing.engine.reading.grids import Grid, GridCell, ruled_grids
from processing.engine.reading.layout import cell_lines, joined, main_turn, typical_size
from processing.engine.reading.open_bodies import with_bodies
from processing.engine.reading.outer_rows import BANDS, with_outer_rows
from processing.engine.reading.port import RIGHT, Drawings, Glyphs, PageSize
from processing.engine.reading.rows_below import with_rows_below
from processing.engine.reading.unruled_columns import with_columns
from processing.engine.reading.unruled_rows import with_rows

_MOST_BARS = 500
# Points: the ends of a table's rules differ by no more.
_SAME_ENDS = 6.0
# Of a line's height: a row's where it holds that line alone. Of a row's: how far a line's middle may be from its own.
_ROOMY, _OFF_MIDDLE = 1.45, 0.2
# Of the print's size: the space between two letters of a word, and between two words at most.
_WITHIN_A_WORD, _NEXT_WORD = 0.1, 0.45
# From here on scripts whose signs stand as close in words as between them.
_CJK = "\u2e80"

# What does not fit a narrow cell, and the figures of a group.
_BROKEN, _GROUP = re.compile(r"^[¥￥](?:\d{1,3},)+(\d{1,2})\n(\d ?\d?)$"), 3

Characters = Callable[[Box], list[tuple[str, Box]]]
Found = tuple[list[Table], list[list[list[Glyphs]]], list[Glyphs]]


def find_tables(
    drawings: Drawings, words: Sequence[Glyphs], characters: Characters, size: PageSize, min_rules: int
) -> Found:
    """Tables with text, the words of each table cell by cell, and the words outside all of them. On a page whose text
    is turned, rows and columns are those of the reader who turns the page."""
    turn = main_turn(words)
    if turn == RIGHT:
        return _find_upright(drawings, words, characters, size.width_pt, size.height_pt, min_rules)

    def into(box: Box) -> Box:
        return turned(box, turn, size.width_pt, size.height_pt)

    def back(box: Box) -> Box:
        return turned_back(box, turn, size.width_pt, size.height_pt)

    shown = Drawings(tuple(map(into, drawings.rules)), tuple(map(into, drawings.fills)), drawings.paths)
    width, height = (size.height_pt, size.width_pt) if turn % 2 else (size.width_pt, size.height_pt)
    tables, inside, rest = _find_upright(
        shown,
        [w._replace(box=into(w.box), turn=(w.turn - turn) % 4) for w in words],
        lambda box: [(c, into(b)) for c, b in characters(back(box))],
        width,
        height,
        min_rules,
    )
    return (
        [_placed_back(table, back) for table in tables],
        [[_words_back(cell, back, turn) for cell in cells] for cells in inside],
        _words_back(rest, back, turn),
    )


def long_rules(drawings: Drawings, size: PageSize) -> list[Box]:
    """The rules that may part the page's text: at least a fifth of its shorter side."""
    least = 0.2 * min(size.width_pt, size.height_pt)
    return [b for b in drawings.rules if max(b[2] - b[0], b[3] - b[1]) >= least][:_MOST_BARS]


def _placed_back(table: Table, back: Callable[[Box], Box]) -> Table:
    cells = tuple(Cell(c.row, c.col, c.text, rounded(back(c.box)), c.rows, c.cols) for c in table.cells)
    return Table(table.id, rounded(back(table.box)), table.n_rows, table.n_cols, cells, table.ruled, table.method)


def _words_back(words: Sequence[Glyphs], back: Callable[[Box], Box], turn: int) -> list[Glyphs]:
    return [w._replace(box=back(w.box), turn=(w.turn + turn) % 4) for w in words]


def _find_upright(
    drawings: Drawings,
    words: Sequence[Glyphs],
    characters: Characters,
    width_pt: float,
    height_pt: float,
    min_rules: int,
) -> Found:
    grids: list[Grid] = []
    if len(drawings.rules) + 4 * len(drawings.fills) >= min_rules:
        ruled = ruled_grids(drawings, width_pt, height_pt)
        grids = with_bodies(with_rows_below(ruled, drawings, words), words)
        grids = _without_shades(grids, banded_grids(drawings, words, width_pt)) if grids else []
    tables, inside, rest = fill_tables(grids, words, characters, "rules")
    for method in (BANDS, "text"):
        candidates = banded_grids(drawings, rest, width_pt) if method == BANDS else aligned_grids(rest)
        more, cells, rest = fill_tables(_apart(candidates, tables), rest, characters, method, ruled=False)
        tables, inside = tables + more, inside + cells
        tables, inside, rest = with_outer_rows(tables, inside, rest)
    order = sorted(range(len(tables)), key=lambda i: (tables[i].box[1], tables[i].box[0]))
    numbered = [_renamed(tables[i], f"G{place}") for place, i in enumerate(order, 1)]
    return numbered, [inside[i] for i in order], rest


def _without_shades(grids: Sequence[Grid], banded: Sequence[Grid]) -> list[Grid]:
    """The grids without those that only the outlines of a table's shaded rows form, its head or headings: the level
    rules run on below, and its columns, which no rules part, are more."""
    return [grid for grid in grids if not any(_is_shade(grid, table) for table in banded)]


def _is_shade(grid: Grid, table: Grid) -> bool:
    x0, top, x1, foot = grid.box
    ends = abs(x0 - table.box[0]) <= _SAME_ENDS and abs(x1 - table.box[2]) <= _SAME_ENDS
    inside = table.box[1] - _SAME_ENDS <= top and foot <= table.box[3] + _SAME_ENDS
    return ends and inside and grid.n_cols < table.n_cols and 2 * grid.n_rows < table.n_rows


def _apart(grids: Sequence[Grid], tables: Sequence[Table]) -> list[Grid]:
    """Those that do not lie over a table already found."""
    return [g for g in grids if all(intersect(g.box, t.box) is None for t in tables)]


def _renamed(table: Table, name: str) -> Table:
    return Table(name, table.box, table.n_rows, table.n_cols, table.cells, table.ruled, table.method)


def fill_tables(
    grids: Sequence[Grid], words: Sequence[Glyphs], characters: Characters, method: str, ruled: bool = True
) -> Found:
    """The grids that are tables, with their text; upright print only."""
    tables: list[Table] = []
    inside: list[list[list[Glyphs]]] = []
    rest = list(words)
    for candidate in grids:
        own, others = _claimed(candidate, rest, characters)
        if not is_table(candidate, own):
            continue
        rest = others
        grid, own = without_blank_rows(
            *_parted(*_parted_across(*with_columns(*_with_gutters(*with_rows(*without_frames(candidate, own))))))
        )
        cells = [
            Cell(c.row, c.col, _cell_text(own[index]), rounded(c.box), c.rows, c.cols)
            for index, c in enumerate(grid.cells)
        ]
        tables.append(
            Table(f"G{len(tables) + 1}", rounded(grid.box), grid.n_rows, grid.n_cols, tuple(cells), ruled, method)
        )
        inside.append(own)
    return tables, inside, rest


def _with_gutters(grid: Grid, own: list[list[Glyphs]]) -> tuple[Grid, list[list[Glyphs]]]:
    """Columns cut where all their cells leave the same gutter white: often only some have rules between them."""
    columns: dict[int, list[list[Glyphs]]] = {}
    for cell, held in zip(grid.cells, own, strict=True):
        if cell.cols == 1 and held:
            columns.setdefault(cell.col, []).append(held)
    cuts = {col: column_gutters(held) for col, held in columns.items()}
    if not any(cuts.values()):
        return grid, own
    firsts = [0, *accumulate(len(cuts.get(col, ())) + 1 for col in range(grid.n_cols))]
    cells: list[GridCell] = []
    words: list[list[Glyphs]] = []
    for cell, held in zip(grid.cells, own, strict=True):
        first, end = firsts[cell.col], firsts[cell.col + cell.cols]
        x0, y0, x1, y1 = cell.box
        xs = [x0, *cuts.get(cell.col, ()), x1] if cell.cols == 1 else [x0, x1]
        for n, (left, right) in enumerate(pairwise(xs)):
            wide = 1 if cell.cols == 1 else end - first
            cells.append(GridCell(cell.row, first + n, cell.rows, wide, (left, y0, right, y1)))
            words.append([w for w in held if len(xs) == 2 or left <= (w.box[0] + w.box[2]) / 2 < right])
    return grid._replace(n_cols=firsts[-1], cells=tuple(cells)), words


def _parted_across(grid: Grid, own: list[list[Glyphs]]) -> tuple[Grid, list[list[Glyphs]]]:
    """Cells over several columns cut where each of these columns has words of its own in them, with a gutter at its
    edges: print broke the thin light rules of a dark head."""
    lefts = {cell.col: cell.box[0] for cell in grid.cells}
    cells: list[GridCell] = []
    words: list[list[Glyphs]] = []
    for cell, held in zip(grid.cells, own, strict=True):
        x0, y0, x1, y1 = cell.box
        xs = [x0, *(lefts[col] for col in range(cell.col + 1, cell.col + cell.cols)), x1]
        parts = _at_gutters(held, xs) or [[w for w in held if a <= _across(w) < b] for a, b in pairwise(xs)]
        if len(parts) < 2 or not are_columns(parts):
            cells.append(cell)
            words.append(held)
            continue
        for n, (left, right) in enumerate(pairwise(xs)):
            cells.append(GridCell(cell.row, cell.col + n, cell.rows, 1, (left, y0, right, y1)))
        words += parts
    return grid._replace(cells=tuple(cells)), words


def _at_gutters(words: Sequence[Glyphs], xs: Sequence[float]) -> list[list[Glyphs]]:
    """The words parted at as many gutters as there are edges of columns, where each part reaches into its column: over
    short values a label may stand across the middle of the space between these."""
    cuts = gutters([words], xs[0], xs[-1], typical_size(words)) if len(xs) > 2 and words else []
    if len(cuts) != len(xs) - 2:
        return []
    parts = [[w for w in words if a <= _across(w) < b] for a, b in pairwise([xs[0], *cuts, xs[-1]])]
    return (
        parts
        if all(p and p[0].box[0] < b and a < p[-1].box[2] for p, (a, b) in zip(parts, pairwise(xs), strict=True))
        else []
    )


def _across(word: Glyphs) -> float:
    return (word.box[0] + word.box[2]) / 2


def _parted(grid: Grid, own: list[list[Glyphs]]) -> tuple[Grid, list[list[Glyphs]]]:
    """Cells over several rows cut where each of these rows has a line of its own in them, in its middle: a rule or a
    shade was too faint there to be seen. Text that is wrapped in a merged cell stands closer than the rows."""
    tops = {cell.row: cell.box[1] for cell in grid.cells}
    cells: list[GridCell] = []
    words: list[list[Glyphs]] = []
    for cell, held in zip(grid.cells, own, strict=True):
        rows = range(cell.row, cell.row + cell.rows)
        # A row in which no cell begins has no height of its own to cut at.
        lines = cell_lines(held) if cell.rows > 1 and tops.keys() >= set(rows) else []
        bands = list(pairwise([*(tops[row] for row in rows if row in tops), cell.box[3]]))
        if not _are_rows(lines, bands):
            cells.append(cell)
            words.append(held)
            continue
        for n, (line, (top, foot)) in enumerate(zip(lines, bands, strict=True)):
            box = (cell.box[0], top, cell.box[2], foot)
            cells.append(GridCell(cell.row + n, cell.col, 1, cell.cols, box))
            words.append(line)
    order = sorted(range(len(cells)), key=lambda n: (cells[n].row, cells[n].col))
    return grid._replace(cells=tuple(cells[n] for n in order)), [words[n] for n in order]


def _are_rows(lines: Sequence[Sequence[Glyphs]], bands: Sequence[tuple[float, float]]) -> bool:
    """Each line stands in the middle of its band, and the bands have room for more."""
    if len(lines) != len(bands) or len(lines) < 2:
        return False
    spans = [(min(w.box[1] for w in line), max(w.box[3] for w in line)) for line in lines]
    usual = median(foot - top for top, foot in spans)
    return all(
        foot - top >= _ROOMY * usual and abs(span[0] + span[1] - top - foot) <= 2 * _OFF_MIDDLE * (foot - top)
        for span, (top, foot) in zip(spans, bands, strict=True)
    )


def is_table(grid: Grid, own: Sequence[Sequence[Glyphs]]) -> bool:
    """More than a frame around text: at least two rows and columns with two places of text, or one row of three."""
    filled = sum(1 for words in own if words)
    if grid.n_rows < 2:
        return grid.n_cols >= 3 and filled >= 0.8 * len(own)
    return grid.n_cols >= 2 and filled >= 2


class _Places:
    """Finds the cell at a point by bisection; a selection table has hundreds of cells and words."""

    def __init__(self, cells: Sequence[GridCell]) -> None:
        self._xs = sorted({x for c in cells for x in (c.box[0], c.box[2])})
        self._ys = sorted({y for c in cells for y in (c.box[1], c.box[3])})
        self._index: dict[tuple[int, int], int] = {}
        for index, cell in enumerate(cells):
            x0, y0, x1, y1 = cell.box
            for i in range(bisect_left(self._xs, x0), bisect_left(self._xs, x1)):
                for j in range(bisect_left(self._ys, y0), bisect_left(self._ys, y1)):
                    self._index.setdefault((i, j), index)

    def cell_at(self, box: Box) -> int | None:
        """The cell that holds the middle of the box."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return self._index.get((bisect_right(self._xs, x) - 1, bisect_right(self._ys, y) - 1))


def _claimed(grid: Grid, words: Sequence[Glyphs], characters: Characters) -> tuple[list[list[Glyphs]], list[Glyphs]]:
    own: list[list[Glyphs]] = [[] for _ in grid.cells]
    others: list[Glyphs] = []
    places = _Places(grid.cells)
    for word in words:
        index = places.cell_at(word.box)
        if index is None:
            others.append(word)
            continue
        parts = _cut_at_rules(word, grid.cells[index].box, places, characters)
        for part in parts:
            place = places.cell_at(part.box) if len(parts) > 1 else _cell_of(word, index, grid.cells, words, places)
            (others if place is None else own[place]).append(part)
    return own, others


def _cell_of(
    word: Glyphs, index: int, cells: Sequence[GridCell], words: Sequence[Glyphs], places: _Places
) -> int | None:
    """The cell that holds the middle of a word; of one that runs over its edge, the cell of the text that it goes on
    with: print that is wider than its cell, centred, begins and ends in its neighbours."""
    (x0, y0, x1, y1), (left, _, right, _) = word.box, cells[index].box
    if x0 >= left - _WITHIN_A_WORD * word.size and x1 <= right + _WITHIN_A_WORD * word.size:
        return index
    reach, middle = _NEXT_WORD * word.size, (y0 + y1) / 2
    gaps = [(max(w.box[0] - x1, x0 - w.box[2]), w) for w in words if w is not word and w.box[1] < middle < w.box[3]]
    beside = {places.cell_at(w.box) for gap, w in gaps if -reach <= gap <= reach}
    return beside.pop() if len(beside) == 1 else index


def _cut_at_rules(word: Glyphs, cell: Box, places: _Places, characters: Characters) -> list[Glyphs]:
    """The word itself, or its parts where it runs over its cell's edge (print without spaces between cells). In its box
    may stand characters of others, before and behind its own."""
    slack = 0.6 * word.size
    if len(word.text) < 2 or (word.box[0] >= cell[0] - slack and word.box[2] <= cell[2] + slack):
        return [word]
    printed = [(char, box) for char, box in characters(word.box) if not char.isspace()]
    first = "".join(char for char, _ in printed).find(word.text)
    if first < 0 or any(len(char) != 1 for char, _ in printed):
        return [word]
    parts: dict[int | None, list[tuple[str, Box]]] = {}
    own = printed[first : first + len(word.text)]
    for char, box in own:
        parts.setdefault(places.cell_at(box), []).append((char, box))
    if any(_are_one(a, b, word.size) for a, b in pairwise(own) if places.cell_at(a[1]) != places.cell_at(b[1])):
        return [word]
    return [
        word._replace(text="".join(c for c, _ in part), box=(part[0][1][0], word.box[1], part[-1][1][2], word.box[3]))
        for part in parts.values()
    ]


def _are_one(a: tuple[str, Box], b: tuple[str, Box], size: float) -> bool:
    """Letters or digits next to each other in a word, which only runs over its cell's edge; Chinese signs are as close
    on both sides of an edge."""
    written = all(char.isalnum() and char < _CJK for char, _ in (a, b))
    return written and a[0].isdigit() == b[0].isdigit() and b[1][0] - a[1][2] < _WITHIN_A_WORD * size


def _cell_text(words: list[Glyphs]) -> str:
    """The lines of a cell, along its print where that runs up or down; dots that lead to the next one are no text of
    it."""
    said = [w for w in words if not is_leader(w)] or words
    turn = main_turn(said)
    if turn == RIGHT:
        return _BROKEN.sub(_whole, "\n".join(joined(run) for run in cell_lines(said)).strip())
    along = cell_lines([w._replace(box=turned(w.box, turn, 0.0, 0.0)) for w in said])
    return "\n".join(_closed(run) for run in along).strip()


def _whole(amount: re.Match[str]) -> str:
    """An amount of yen, which has no decimals, in one line where its last group of figures is broken."""
    whole = "".join(amount.group(0).split())
    return whole if len(whole.rsplit(",", 1)[1]) == _GROUP else amount.group(0)


def _closed(run: Sequence[Glyphs]) -> str:
    """The text of a turned line, whose signs readers often give one by one."""
    text = run[0].text
    for left, right in pairwise(run):
        text += ("" if right.box[0] - left.box[2] < _WITHIN_A_WORD * right.size else " ") + right.text
    return text
