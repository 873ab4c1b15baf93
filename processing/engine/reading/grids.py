"""Rules drawn on a page -> table grids with merged cells. Pure geometry: text is filled in by ``tables``."""

from typing import NamedTuple

from catalogsku.core.box import Box, union
from processing.engine.reading.port import Drawings
from processing.engine.reading.shades import shaded_rules

# Points: rules closer than this are one rule; ends this near to a crossing rule touch it.
_SNAP = 2.5
_TOUCH = 3.5
# Points: between a border and a line beside it, and between the parts of a line that is askew.
_SLIVER = 4.5
# Points: dashes of one line are joined over gaps up to this.
_DASH = 4.0
# Rules beyond this number are a drawing, not a table; the longest are kept.
_MOST_RULES = 4000


class Rule(NamedTuple):
    """A straight rule: at ``at`` on one axis, from ``start`` to ``end`` on the other."""

    at: float
    start: float
    end: float


class GridCell(NamedTuple):
    row: int
    col: int
    rows: int
    cols: int
    box: Box


class Grid(NamedTuple):
    box: Box
    n_rows: int
    n_cols: int
    cells: tuple[GridCell, ...]


def ruled_grids(drawings: Drawings, width_pt: float, height_pt: float) -> list[Grid]:
    """The grids that the page's rules form, top to bottom, left to right."""
    boxes = list(drawings.rules) + shaded_rules(drawings, width_pt * height_pt)
    if len(boxes) > _MOST_RULES:
        boxes = sorted(boxes, key=lambda b: max(b[2] - b[0], b[3] - b[1]), reverse=True)[:_MOST_RULES]
    level = [Rule((b[1] + b[3]) / 2, b[0], b[2]) for b in boxes if b[2] - b[0] >= b[3] - b[1]]
    upright = [Rule((b[0] + b[2]) / 2, b[1], b[3]) for b in boxes if b[2] - b[0] < b[3] - b[1]]
    level, upright = _in_line(joined_rules(level)), _in_line(joined_rules(upright))
    grids = [grid for part in _connected(level, upright) if (grid := _grid(*part))]
    return sorted(grids, key=lambda g: (g.box[1], g.box[0]))


def joined_rules(rules: list[Rule]) -> list[Rule]:
    """Rules on one line made one: near-equal positions snapped together, overlapping or dashed stretches merged."""
    bands: list[list[Rule]] = []
    for rule in sorted(rules):
        if bands and rule.at - bands[-1][-1].at <= _SNAP and rule.at - bands[-1][0].at <= 2 * _SNAP:
            bands[-1].append(rule)
        else:
            bands.append([rule])
    joined = []
    for band in bands:
        at = sum(r.at for r in band) / len(band)
        start, end = None, 0.0
        for rule in sorted(band, key=lambda r: r.start):
            if start is None:
                start, end = rule.start, rule.end
            elif rule.start <= end + _DASH:
                end = max(end, rule.end)
            else:
                joined.append(Rule(at, start, end))
                start, end = rule.start, rule.end
        if start is not None:
            joined.append(Rule(at, start, end))
    return [r for r in joined if r.end - r.start >= 5.0]


def _in_line(rules: list[Rule]) -> list[Rule]:
    """Rules that lie a little beside a longer one and nowhere along it, moved onto it: nothing can be printed between
    them, a scan has bent the line."""
    aligned: list[Rule] = []
    for rule in sorted(rules, key=lambda r: r.start - r.end):
        near = [r for r in aligned if abs(r.at - rule.at) < _SLIVER]
        apart = all(min(r.end, rule.end) - max(r.start, rule.start) <= _TOUCH for r in near)
        aligned.append(rule._replace(at=near[0].at) if near and apart else rule)
    return aligned


def _connected(level: list[Rule], upright: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that cross or touch one another, as separate (level, upright) sets."""
    parent = list(range(len(level) + len(upright)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, row in enumerate(level):
        low, high = row.start - _TOUCH, row.end + _TOUCH
        for j, column in enumerate(upright, len(level)):
            if low <= column.at <= high and column.start - _TOUCH <= row.at <= column.end + _TOUCH:
                parent[root(i)] = root(j)
    parts: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, row in enumerate(level):
        parts.setdefault(root(i), ([], []))[0].append(row)
    for j, column in enumerate(upright, len(level)):
        parts.setdefault(root(j), ([], []))[1].append(column)
    return [part for part in parts.values() if len(part[0]) >= 2 and len(part[1]) >= 1]


def _grid(level: list[Rule], upright: list[Rule]) -> Grid | None:
    sides = _open_sides(level, upright)
    ends = _open_sides(upright + sides, level)
    level, upright = level + _reaching(ends, sides), upright + _reaching(sides, ends)
    xs, ys = _without_slivers(_positions(upright)), _without_slivers(_positions(level))
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) > 40_000:
        return None
    cells = _cells(xs, ys, level, upright)
    if len(cells) < 2:
        return None
    return _numbered(cells)


def _open_sides(across: list[Rule], along: list[Rule]) -> list[Rule]:
    """Rules that close a table whose rows run on beyond the outermost drawn rule (no left or right border). Half of the
    rows do; those that merged cells cut into several rules count as one."""
    if not along or len(across) < 2:
        return []
    closing = []
    least = max(2, 0.5 * len({r.at for r in across}))
    for end, first in ((0, min(r.at for r in along)), (1, max(r.at for r in along))):
        ends = [(r.start, r.at) if end == 0 else (r.end, r.at) for r in across]
        edge = min(e for e, _ in ends) if end == 0 else max(e for e, _ in ends)
        near = {at for e, at in ends if abs(e - edge) <= _TOUCH}
        if abs(edge - first) > 2 * _TOUCH and len(near) >= least:
            closing.append(Rule(edge, min(near), max(near)))
    return closing


def _reaching(closing: list[Rule], others: list[Rule]) -> list[Rule]:
    """Rules that close a table drawn on to those that close it across them: its corners."""
    ats = [r.at for r in others]
    return [Rule(r.at, min([r.start, *ats]), max([r.end, *ats])) for r in closing]


def _positions(rules: list[Rule]) -> list[float]:
    positions: list[float] = []
    for at in sorted(r.at for r in rules):
        if not positions or at - positions[-1] > _SNAP:
            positions.append(at)
    return positions


def _without_slivers(lines: list[float]) -> list[float]:
    """Without an outermost line so close to the next one that nothing can be printed between them."""
    first = 1 if len(lines) > 2 and lines[1] - lines[0] < _SLIVER else 0
    last = len(lines) - (1 if len(lines) - first > 2 and lines[-1] - lines[-2] < _SLIVER else 0)
    return lines[first:last]


def _cells(
    xs: list[float], ys: list[float], level: list[Rule], upright: list[Rule]
) -> list[tuple[int, int, int, int, Box]]:
    """(row, col, last row, last col, box) of each area that rules enclose on its four sides."""
    n_cols, n_rows = len(xs) - 1, len(ys) - 1
    above = _covered(ys, xs, level)
    beside = _covered(xs, ys, upright)
    parent = list(range(n_cols * n_rows))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for r in range(n_rows):
        for c in range(n_cols):
            if c and (c, r) not in beside:
                parent[root(r * n_cols + c)] = root(r * n_cols + c - 1)
            if r and (r, c) not in above:
                parent[root(r * n_cols + c)] = root((r - 1) * n_cols + c)
    areas: dict[int, list[tuple[int, int]]] = {}
    for r in range(n_rows):
        for c in range(n_cols):
            areas.setdefault(root(r * n_cols + c), []).append((r, c))
    cells = []
    for places in areas.values():
        for r0, c0, r1, c1 in _rectangles(places):
            if _enclosed(r0, c0, r1, c1, above, beside):
                cells.append((r0, c0, r1, c1, (xs[c0], ys[r0], xs[c1 + 1], ys[r1 + 1])))
    return cells


def _covered(lines: list[float], stretches: list[float], rules: list[Rule]) -> set[tuple[int, int]]:
    """(line, stretch) pairs that a rule covers."""
    covered = set()
    for rule in rules:
        line = min(range(len(lines)), key=lambda i: abs(lines[i] - rule.at))
        for k in range(len(stretches) - 1):
            start, end = stretches[k], stretches[k + 1]
            shared = min(rule.end, end) - max(rule.start, start)
            if shared >= 0.75 * (end - start) or (shared > 0 and end - start - shared <= _TOUCH):
                covered.add((line, k))
    return covered


def _rectangles(places: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """The area as one rectangle, or row by row where its shape is none."""
    rows, cols = [r for r, _ in places], [c for _, c in places]
    r0, r1, c0, c1 = min(rows), max(rows), min(cols), max(cols)
    if len(places) == (r1 - r0 + 1) * (c1 - c0 + 1):
        return [(r0, c0, r1, c1)]
    rectangles = []
    for r in range(r0, r1 + 1):
        run: list[int] = []
        for c in sorted(c for row, c in places if row == r):
            if run and c != run[-1] + 1:
                rectangles.append((r, run[0], r, run[-1]))
                run = []
            run.append(c)
        if run:
            rectangles.append((r, run[0], r, run[-1]))
    return rectangles


def _enclosed(r0: int, c0: int, r1: int, c1: int, above: set[tuple[int, int]], beside: set[tuple[int, int]]) -> bool:
    """Whether at least three quarters of the outline is ruled: areas open to the page are no cells."""
    outline = [(r0, c) in above for c in range(c0, c1 + 1)] + [(r1 + 1, c) in above for c in range(c0, c1 + 1)]
    outline += [(c0, r) in beside for r in range(r0, r1 + 1)] + [(c1 + 1, r) in beside for r in range(r0, r1 + 1)]
    return sum(outline) >= 0.75 * len(outline)


def _numbered(cells: list[tuple[int, int, int, int, Box]]) -> Grid:
    """Rows and columns renumbered so that none is without the beginning of a cell."""
    rows = sorted({c[0] for c in cells})
    cols = sorted({c[1] for c in cells})
    made = []
    for r0, c0, r1, c1, box in sorted(cells):
        row, col = rows.index(r0), cols.index(c0)
        n_rows = sum(1 for r in rows if r0 <= r <= r1)
        n_cols = sum(1 for c in cols if c0 <= c <= c1)
        made.append(GridCell(row, col, n_rows, n_cols, box))
    return Grid(union(c.box for c in made), len(rows), len(cols), tuple(made))
