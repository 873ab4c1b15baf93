"""Tables without rules: rows of print between which the same gutters stay free."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from catalogsku.core.box import Box, centre, height, union
from processing.engine.page import Cell, ParsedPage, Table, Word

METHOD = "gutters"
_LEAST_ROWS, _LEAST_COLUMNS = 5, 2
# Of the line step: how far apart rows of one table are at most; of the rows: how many may cross a gutter; of the size:
# how wide one is at least.
_STEP, _CROSSING, _GUTTER = 2.4, 0.06, 0.35


def aligned_tables(page: ParsedPage) -> list[Table]:
    """In page order; none where fewer than five rows share their gutters."""
    tables: list[Table] = []
    for rows in _runs(_baselines(page)):
        gutters = _gutters(rows)
        if len(gutters) + 1 >= _LEAST_COLUMNS:
            tables.append(_table(f"A{len(tables) + 1}", rows, gutters))
    return tables


def _baselines(page: ParsedPage) -> list[list[Word]]:
    words = sorted((w for line in page.lines if not line.vertical for w in line.words), key=lambda w: centre(w.box)[1])
    rows: list[list[Word]] = []
    for word in words:
        if rows and abs(centre(rows[-1][0].box)[1] - centre(word.box)[1]) <= 0.4 * max(height(word.box), 1.0):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda w: w.box[0]) for row in rows]


def _runs(rows: Sequence[list[Word]]) -> Iterator[list[list[Word]]]:
    """Rows that follow each other at about one step."""
    steps = [centre(b[0].box)[1] - centre(a[0].box)[1] for a, b in pairwise(rows)]
    if not steps:
        return
    usual = median(steps)
    run = [rows[0]]
    for row, step in zip(rows[1:], steps, strict=True):
        if step > _STEP * max(usual, height(row[0].box)):
            if len(run) >= _LEAST_ROWS:
                yield run
            run = []
        run.append(row)
    if len(run) >= _LEAST_ROWS:
        yield run


def _gutters(rows: Sequence[Sequence[Word]]) -> list[float]:
    """Where across the page hardly any row has print, between the first and the last that has."""
    left, right = min(row[0].box[0] for row in rows), max(row[-1].box[2] for row in rows)
    size = median(height(word.box) for row in rows for word in row)
    filled = np.zeros(int(right - left) + 3, dtype=int)
    for row in rows:
        own = np.zeros(len(filled), dtype=bool)
        for word in row:
            own[int(word.box[0] - left) : int(word.box[2] - left) + 1] = True
        filled += own
    most = _CROSSING * len(rows)
    gutters: list[float] = []
    begun: int | None = None
    for x, count in enumerate([*filled.tolist()[:-1], len(rows)]):
        if count <= most and begun is None:
            begun = x
        elif count > most and begun is not None:
            if begun > 0 and x < len(filled) and x - begun >= max(2.0, _GUTTER * size):
                gutters.append(left + (begun + x) / 2)
            begun = None
    return gutters


def _table(name: str, rows: Sequence[Sequence[Word]], gutters: Sequence[float]) -> Table:
    edges = [*gutters, float("inf")]
    cells = []
    for n, row in enumerate(rows):
        parts: dict[int, list[Word]] = {}
        for word in row:
            x = centre(word.box)[0]
            parts.setdefault(next(k for k, edge in enumerate(edges) if x < edge), []).append(word)
        for col, words in parts.items():
            cells.append(Cell(n, col, " ".join(word.text for word in words), union(word.box for word in words)))
    box: Box = union(cell.box for cell in cells)
    return Table(name, box, len(rows), len(edges), tuple(cells), ruled=False, method=METHOD)
