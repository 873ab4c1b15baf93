"""Tables drawn by shading alone, of which a reader sees the head, or every second row, as a table of its own.

Between and below these strips the page's lines stand at the same columns; together they are one Table like any other:
with ``ruled`` rows where shading tells where each row ends, as an open list below a head that alone is shaded.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, centre, height, holds_centre, overlap_ratio, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import part_line, pieces
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.same_page import SamePage
from processing.engine.understanding.tables.code_groups import by_variant
from processing.engine.understanding.tables.double_heads import divided
from processing.engine.understanding.tables.facing import unfolded
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.halves import apart
from processing.engine.understanding.tables.header import find_header
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.tables.restarts import restarted

SHADED = "shaded_rows"
# A head of two rows and a shaded row right under it; what has more rows is a table in its own right.
_STRIP_ROWS = 3
_LEAST_COLS = 3
_LEAST_LABELS = 2
# Points by which columns of one table may differ, and a text may pass its column's edge.
_SAME_EDGE, _OVER = 3.0, 3.0
# Of the usual row: what is higher between two strips is more than one row.
_ONE_ROW = 1.6
# Points by which two texts of one column may begin apart.
_CUT = 1.0
# In line heights: the largest hole between two rows of one list, where no taller row was seen before.
_HOLE = 2.0
_LARGER = 1.25
_COVERED = 0.5

Edges = list[tuple[float, float]]
Row = list[Line]


def tables_of(page: ParsedPage) -> list[Table]:
    """The page's tables as printed: strips and the text at their columns joined, lists side by side in one apart and
    those under each other or with a code for each variant, the halves of a table over two facing pages together, two
    values in one column in two."""
    return list(_tables_of(SamePage(page)))


@kept(32)
def _tables_of(this: SamePage) -> list[Table]:
    page = this.page
    parts = [
        part
        for table in _whole(page)
        for beside in apart(table)
        for variants in by_variant(beside)
        for part in restarted(variants)
    ]
    return unfolded([divided(part) for part in parts])


def _whole(page: ParsedPage) -> list[Table]:
    strips = sorted((t for t in page.tables if _is_strip(t)), key=lambda t: (t.box[1], t.box[0]))
    strips += [t for t in page.tables if any(_goes_on(t, strip) for strip in strips)]
    if not strips:
        return list(page.tables)
    groups = _groups(strips)
    lines = _free_lines(page, strips)
    joined = {group[0].id: whole for group in groups if (whole := _joined(page, group, _limit(group, strips), lines))}
    gone = {strip.id for group in groups if group[0].id in joined for strip in group}
    boxes = [table.box for table in joined.values()]
    remaining = [t for t in page.tables if t.id not in gone and (t.ruled or not _is_covered(t, boxes))]
    return sorted([*remaining, *joined.values()], key=lambda t: (t.box[1], t.box[0]))


def _is_strip(table: Table) -> bool:
    return table.ruled and table.n_rows <= _STRIP_ROWS and table.n_cols >= _LEAST_COLS and len(_edges(table)) > 0


def _goes_on(table: Table, strip: Table) -> bool:
    """A grid of the strip's columns and no head, one row of the page's below it: shading goes on that far, and what
    stands between is not shaded."""
    if not table.ruled or table.n_rows <= _STRIP_ROWS or not _same_columns(strip, table) or _is_head(table):
        return False
    hole = table.box[1] - strip.box[3]
    return _SAME_EDGE < hole <= _ONE_ROW * height(table.box) / table.n_rows


def _is_covered(table: Table, boxes: Sequence[Box]) -> bool:
    return any(overlap_ratio(table.box, box) > _COVERED for box in boxes)


def _edges(table: Table) -> Edges:
    """Left and right edge of each column; none where a column has no cell of its own."""
    edges = {cell.col: (cell.box[0], cell.box[2]) for cell in table.cells if cell.cols == 1}
    return [edges[col] for col in range(table.n_cols)] if len(edges) == table.n_cols else []


def _is_head(table: Table) -> bool:
    """Begins a table; a section's or the table's own title may stand over the labels."""
    header = find_header(Grid(table))
    return header is not None and header.known >= _LEAST_LABELS


def _groups(strips: Sequence[Table]) -> list[list[Table]]:
    """Strips of one table, from top to bottom: at the same columns, each head beginning another one."""
    groups: list[list[Table]] = []
    for strip in strips:
        own = next((group for group in reversed(groups) if _same_columns(group[0], strip)), None)
        if own is None or _is_head(strip):
            groups.append([strip])
        else:
            own.append(strip)
    return groups


def _same_columns(a: Table, b: Table) -> bool:
    pairs = list(zip(_edges(a), _edges(b), strict=False))
    return a.n_cols == b.n_cols and all(abs(p[side] - q[side]) <= _SAME_EDGE for p, q in pairs for side in (0, 1))


def _limit(group: Sequence[Table], strips: Sequence[Table]) -> float:
    """Where the table ends at the latest: at the next strip across its columns that is none of its own."""
    last, ids = group[-1].box, {strip.id for strip in group}
    below = [s.box[1] for s in strips if s.id not in ids and s.box[1] >= last[3] - _OVER and _across(s.box, last)]
    return min(below, default=float("inf"))


def _across(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2]


def _free_lines(page: ParsedPage, strips: Sequence[Table]) -> list[Line]:
    """The lines outside all ruled tables."""
    taken = [table.box for table in page.tables if table.ruled]
    printed = [piece for line in page.lines for piece in pieces(line) if not line.vertical and piece.text.strip()]
    return [line for line in printed if not holds_centre(taken, line.box)]


def _joined(page: ParsedPage, group: Sequence[Table], limit: float, lines: Sequence[Line]) -> Table | None:
    """The whole table; None where no text stands between or below its strips."""
    edges, box = _edges(group[0]), group[0].box
    own = [line for line in lines if box[0] - _OVER <= line.box[0] and line.box[2] <= box[2] + _OVER]
    own = [line for line in own if line.box[1] < limit]
    shaded = [strip for strip in group if not _is_head(strip)]
    if shaded:
        rows = _between(group, shaded, own, edges)
    else:
        rows = [(union(line.box for line in row), row) for row in _below(page, group[0], own, edges)]
    if not rows:
        return None
    return _table(group, rows, edges, bool(shaded))


def _between(
    group: Sequence[Table], shaded: Sequence[Table], lines: Sequence[Line], edges: Edges
) -> list[tuple[Box, Row]]:
    """Rows of a striped table: what stands between two strips, above the first one and below the last."""
    left, right = group[0].box[0], group[0].box[2]
    usual = median(height(strip.box) / strip.n_rows for strip in shaded)
    bounds = [(upper.box[3], lower.box[1]) for upper, lower in pairwise(group)]
    high = max([usual, *(bottom - top for top, bottom in bounds if bottom - top <= _ONE_ROW * usual)])
    if group[0] is shaded[0]:
        bounds.insert(0, (group[0].box[1] - high, group[0].box[1]))
    bounds.append((group[-1].box[3], group[-1].box[3] + high))
    rows: list[tuple[Box, Row]] = []
    for top, bottom in bounds:
        inside = _cut([line for line in lines if top <= centre(line.box)[1] <= bottom], edges)
        if (title := _title(inside)) is not None:
            rows.append(((left, top, right, title.box[3]), [title]))
            inside, top = [line for line in inside if line is not title], title.box[3]
        if not inside or not _fits_row(inside, edges):
            continue
        if bottom - top <= _ONE_ROW * usual:
            rows.append(((left, top, right, bottom), inside))
        else:
            rows += [(union(line.box for line in row), row) for row in baselines(inside)]
    return rows


def _cut(lines: Sequence[Line], edges: Edges) -> list[Line]:
    """The lines, parted at the edge of a column where a word of theirs begins right under or over another text of it:
    texts that fill their columns stand as close as words do."""
    parts = []
    for line in lines:
        lefts = {n for n, word in enumerate(line.words) if n and _begins(word.box[0], line, lines, edges)}
        bounds = [0, *sorted(lefts), len(line.words)]
        parts += [part_line(line, line.words[a:b]) for a, b in pairwise(bounds)] if lefts else [line]
    return parts


def _begins(left: float, line: Line, lines: Sequence[Line], edges: Edges) -> bool:
    x0 = max((edge for edge, _ in edges if edge <= left + _OVER), default=None)
    others = (other.box[0] for other in lines if other is not line)
    return x0 is not None and line.box[0] < x0 - _OVER and any(abs(other - left) <= _CUT for other in others)


def _title(lines: Sequence[Line]) -> Line | None:
    """The line alone over the others at their left edge, further away than the next line of a text would be."""
    first = min(lines, key=lambda line: line.box[1], default=None)
    rest = [line for line in lines if line is not first]
    if first is None or not rest or first.box[0] > min(line.box[0] for line in rest):
        return None
    return first if min(line.box[1] for line in rest) - first.box[3] >= height(first.box) else None


def _below(page: ParsedPage, head: Table, lines: Sequence[Line], edges: Edges) -> list[Row]:
    """Rows of a list under its shaded head, as far as they stand closely enough at its columns."""
    pictures = [
        p.box for p in page.pictures if any(x0 - _OVER <= p.box[0] and p.box[2] <= x1 + _OVER for x0, x1 in edges)
    ]
    rows: list[Row] = []
    bottom, step = head.box[3], 0.0
    for row in baselines([line for line in lines if centre(line.box)[1] > head.box[3]]):
        box = union(line.box for line in row)
        filled = max([b[3] for b in pictures if bottom - _OVER <= b[1] < box[3]], default=bottom)
        hole = box[1] - max(bottom, min(filled, box[1]))
        if hole > max(step, _HOLE * height(box)) or _is_heading(row, rows):
            break
        rows.append(row)
        step = max(step, hole)
        bottom = max(bottom, box[3])
    while rows and not _fits_row(rows[-1], edges):
        rows.pop()
    return rows


def _is_heading(row: Row, rows: Sequence[Row]) -> bool:
    sizes = [line.size for other in rows for line in other if line.size]
    return bool(sizes) and len(row) == 1 and row[0].size > _LARGER * median(sizes)


def _fits_row(row: Sequence[Line], edges: Edges) -> bool:
    """Texts in at least two columns, none of them across the edge of its column."""
    places = [_place(line, edges) for line in row]
    return len({first for first, _ in places}) >= 2 and all(first == last for first, last in places)


def _place(line: Line, edges: Edges) -> tuple[int, int]:
    """The first and the last column in which the line stands."""
    middle = centre(line.box)[0]
    for col, (x0, x1) in enumerate(edges):
        if x0 - _OVER <= line.box[0] and line.box[2] <= x1 + _OVER and x0 <= middle <= x1:
            return col, col
    inside = [col for col, (x0, x1) in enumerate(edges) if line.box[0] < x1 - _OVER and line.box[2] > x0 + _OVER]
    return (inside[0], inside[-1]) if inside else (0, 0)


def _table(group: Sequence[Table], rows: Sequence[tuple[Box, Row]], edges: Edges, ruled: bool) -> Table:
    """Strips and rows from top to bottom, numbered anew."""
    parts: list[tuple[float, int, list[Cell]]] = [(t.box[1], t.n_rows, list(t.cells)) for t in group]
    parts += [(box[1], 1, _cells(box, row, edges, ruled)) for box, row in rows]
    cells, at = [], 0
    for _, n_rows, own in sorted(parts, key=lambda part: part[0]):
        cells += [Cell(c.row + at, c.col, c.text, c.box, c.rows, c.cols) for c in own]
        at += n_rows
    return Table(group[0].id, union(c.box for c in cells), at, len(edges), tuple(cells), ruled, SHADED)


def _cells(box: Box, row: Row, edges: Edges, ruled: bool) -> list[Cell]:
    """One cell a column, as high as the row; in an open list only those with text, as large as that is."""
    placed: dict[tuple[int, int], Row] = {}
    for line in row:
        placed.setdefault(_place(line, edges), []).append(line)
    cells = []
    for (first, last), lines in sorted(placed.items()):
        text = "\n".join(trim(line.text) for line in sorted(lines, key=lambda line: line.box[1]))
        around = (edges[first][0], box[1], edges[last][1], box[3]) if ruled else union(line.box for line in lines)
        cells.append(Cell(0, first, text, around, 1, last - first + 1))
    if ruled:
        taken = {col for first, last in placed for col in range(first, last + 1)}
        free = [col for col in range(len(edges)) if col not in taken]
        cells += [Cell(0, col, "", (edges[col][0], box[1], edges[col][1], box[3])) for col in free]
    return sorted(cells, key=lambda cell: cell.col)
