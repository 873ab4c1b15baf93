"""Rows that only level rules or shades part, below a head whose columns are ruled: they have the head's columns."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, union
from processing.engine.reading.grids import Grid, GridCell, Rule, joined_rules
from processing.engine.reading.layout import text_rows
from processing.engine.reading.port import Drawings, Glyphs

# A title, and labels in two rows.
_HEAD_ROWS = 3
_LEAST_COLS, _LEAST_ROWS = 3, 2
# Columns, at least, that a rule parts which runs over some of them only.
_LEAST_PARTED = 2
# Of the usual row's height: what is higher holds more than a row. In em: white between two texts of one line.
_HIGH, _SPACE = 3.0, 0.8
# Points by which the ends of the rules may differ from the head's, by which a word may pass its column's edge, and
# under which two rules are one.
_SAME_ENDS, _OVER, _ONE_RULE = 6.0, 3.0, 5.0

Columns = list[tuple[float, float]]


def with_rows_below(grids: Sequence[Grid], drawings: Drawings, words: Sequence[Glyphs]) -> list[Grid]:
    """The grids, heads among them with the rows below; ``words``: those of the page."""
    heads = [grid for grid in grids if grid.n_rows <= _HEAD_ROWS and grid.n_cols >= _LEAST_COLS]
    drawn = [Rule((b[1] + b[3]) / 2, b[0], b[2]) for b in drawings.rules if heads and b[2] - b[0] > b[3] - b[1]]
    edges = [Rule(y, b[0], b[2]) for b in drawings.fills if heads for y in (b[1], b[3])]
    level, drawn = sorted(joined_rules(edges + drawn)), joined_rules(drawn)
    return [_extended(g, _bounds(g, grids, level, drawn), drawn, words) if g in heads else g for g in grids]


def _bounds(head: Grid, grids: Sequence[Grid], level: Sequence[Rule], drawn: Sequence[Rule]) -> list[float]:
    """The head's foot and the rules below it that are as long, down to the next grid; behind the edge of a shade, which
    the rules ``drawn`` do not repeat, the foot that a further row would have."""
    left, _, right, foot = head.box
    others = [g.box[1] for g in grids if g is not head and g.box[1] >= foot - _OVER and _across(g.box, head.box)]
    end = min(others, default=float("inf")) + _OVER
    ys = [foot]
    for rule in level:
        if _are_ends(rule, left, right) and ys[-1] + _ONE_RULE <= rule.at <= end:
            ys.append(rule.at)
    if len(ys) < _LEAST_ROWS or any(_are_ends(rule, left, right) and rule.at > ys[-1] - _ONE_RULE for rule in drawn):
        return ys
    further = ys[-1] + median(low - high for high, low in pairwise(ys))
    return [*ys, further] if further <= end else ys


def _are_ends(rule: Rule, left: float, right: float) -> bool:
    return abs(rule.start - left) <= _SAME_ENDS and abs(rule.end - right) <= _SAME_ENDS


def _across(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2]


def _extended(head: Grid, ys: Sequence[float], drawn: Sequence[Rule], words: Sequence[Glyphs]) -> Grid:
    left, _, right, foot = head.box
    below = [w for w in words if foot < _middle(w) < ys[-1] and left < w.box[2] and w.box[0] < right]
    rows = _rows(ys, _columns(head), drawn, below) if below else []
    if sum(len(row) > 1 for row in rows) < _LEAST_ROWS:
        return head
    cells = [cell._replace(row=head.n_rows + n) for n, row in enumerate(rows) for cell in row]
    box = union([head.box, *(cell.box for cell in cells)])
    return Grid(box, head.n_rows + len(rows), head.n_cols, (*head.cells, *cells))


def _columns(grid: Grid) -> Columns:
    """Left and right edge of each column; none where one has no cell of its own."""
    edges = {cell.col: (cell.box[0], cell.box[2]) for cell in grid.cells if cell.cols == 1}
    return [edges[col] for col in range(grid.n_cols)] if len(edges) == grid.n_cols else []


def _middle(word: Glyphs) -> float:
    return (word.box[1] + word.box[3]) / 2


def _rows(
    ys: Sequence[float], columns: Columns, drawn: Sequence[Rule], words: Sequence[Glyphs]
) -> list[list[GridCell]]:
    """From the head down to the first band whose texts do not stand in its columns; one alone across them is a heading.

    Each row has texts in a third of the columns, at least.
    """
    rows: list[list[GridCell]] = []
    least = len(columns) / _LEAST_COLS
    usual = median([low - high for high, low in pairwise(ys)] or [0.0])
    for top, foot in pairwise(ys if columns else ()):
        texts = _texts([w for w in words if top <= _middle(w) < foot])
        places = {_column(text, columns) for text in texts}
        if foot - top > _HIGH * usual:
            break
        if None not in places and len(places) > 1 and len(places) >= least:
            rows += _parted(top, foot, columns, drawn)
        elif len(texts) == 1:
            rows.append([GridCell(0, 0, 1, len(columns), (columns[0][0], top, columns[-1][1], foot))])
        else:
            break
    while rows and len(rows[-1]) == 1:
        rows.pop()
    return rows


def _parted(top: float, foot: float, columns: Columns, drawn: Sequence[Rule]) -> list[list[GridCell]]:
    """The band's cells by the row in which they begin: rules inside it that run over some whole columns part these, and
    the cells of the others are merged over the rows."""
    cuts = [
        (rule.at, own)
        for rule in drawn
        if top + _ONE_RULE < rule.at < foot - _ONE_RULE and len(own := _under(rule, columns)) >= _LEAST_PARTED
    ]
    tops = [top, *sorted({at for at, _ in cuts})]
    rows: list[list[GridCell]] = [[] for _ in tops]
    for col, (x0, x1) in enumerate(columns):
        edges = [n for n, y in enumerate(tops) if y == top or any(at == y and col in own for at, own in cuts)]
        for first, end in pairwise([*edges, len(tops)]):
            low = tops[end] if end < len(tops) else foot
            rows[first].append(GridCell(0, col, end - first, 1, (x0, tops[first], x1, low)))
    return rows


def _under(rule: Rule, columns: Columns) -> list[int]:
    """The columns that a rule runs over from edge to edge; none where it begins or ends inside of one."""
    own = [n for n, (x0, x1) in enumerate(columns) if rule.start - _SAME_ENDS <= x0 and x1 <= rule.end + _SAME_ENDS]
    whole = own and _are_ends(rule, columns[own[0]][0], columns[own[-1]][1])
    return own if whole else []


def _texts(words: Sequence[Glyphs]) -> list[Box]:
    """The words of each line, joined where hardly more than a space parts them."""
    texts: list[Box] = []
    for line in text_rows(words):
        boxes: list[Box] = []
        for word in sorted(line, key=lambda w: w.box[0]):
            if boxes and word.box[0] - boxes[-1][2] < _SPACE * word.size:
                boxes[-1] = union([boxes[-1], word.box])
            else:
                boxes.append(word.box)
        texts += boxes
    return texts


def _column(text: Box, columns: Columns) -> int | None:
    """The column in which the text stands; None for one across an edge."""
    x0, x1 = text[0], text[2]
    return next((n for n, (a, b) in enumerate(columns) if a - _OVER <= x0 and x1 <= b + _OVER and x1 > a), None)
