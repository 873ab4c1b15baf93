"""Small tables in which every cell but those of the first column is a code: one thing in the sizes of the rows and the
kinds of the columns, whose heads and photos stand over it. Or its first row holds the heads, and values that all codes
of a row share stand beside several columns of codes.

A person always looks at such a page: pins and registers are printed alike.
"""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, contains_point, intersect, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, Table
from processing.engine.result import CustomValue
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.shapes import is_extent, is_no_value
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.unread import is_of_figures, is_order_code
from processing.engine.understanding.view import PageView

# Different codes, and the rows and columns that make a matrix; columns of codes beside other ones; how sure it is.
_LEAST, _ROWS, _COLUMNS, _VARIANTS, _FOUND = 3, 2, 3, 2, 0.6
# Of a line's height: the hole within one head, and over the table or its photos.
_CLOSE, _OVER = 0.5, 2.0

Rows = list[list[Line | None]]


@way("code_matrix")
def extract_code_matrix(view: PageView) -> list[Draft]:
    """One product a code of such a table; nothing on pages with figures."""
    if is_of_figures(view):
        return []
    return [draft for table in view.page.tables for draft in _drafts(view, table)]


def _drafts(view: PageView, table: Table) -> list[Draft]:
    columns, rows = (_edges(table, upright=upright) for upright in (True, False))
    if len(columns) < _COLUMNS or len(rows) < _ROWS:
        return []
    inside = [line for line in view.page.lines if intersect(line.box, table.box)]
    lines = [piece for line in inside for piece in pieces(line)]
    grid: Rows = [[_text(lines, (x0, y0, x1, y1)) for x0, x1 in columns] for y0, y1 in rows]
    if headed := _with_heads(grid):
        return _of_headed(view, *headed)
    codes = [line.text for row in grid for line in row[1:] if line and is_order_code(line.text)]
    if len(codes) < _LEAST or len(set(map(squash, codes))) < len(codes) or not _is_matrix(grid):
        return []
    photos = [_photo_over(view, edges, table.box[1]) for edges in columns]
    top = min([box[1] for box in photos[1:] if box] or [table.box[1]])
    heads = [_head(view, edges, top) for edges in columns]
    told = [(row[0], n, line) for row in grid for n, line in enumerate(row) if n and line and is_order_code(line.text)]
    return [_draft(view, line, row, heads[0], heads[n], photos[n]) for row, n, line in told if row]


def _is_matrix(grid: Rows) -> bool:
    """A text that is no code heads each row, and nothing but codes stands beside it."""
    headed = all(row[0] and not is_order_code(row[0].text) for row in grid)
    return headed and all(
        line is None or is_no_value(line.text) or is_order_code(line.text) for row in grid for line in row[1:]
    )


def _with_heads(grid: Rows) -> tuple[Rows, list[int]] | None:
    """The rows with their heads, and the columns of codes, each another one, whose heads tell them apart by a measure:
    under other heads stand the codes of other makers too. None where the table is no such."""
    told = [[line for row in grid[1:] if (line := row[n])] for n in range(len(grid[0]))]
    coded = [n for n, lines in enumerate(told) if len(lines) >= _LEAST and all(map(_is_code, lines))]
    coded = [n for n in coded if len({squash(line.text) for line in told[n]}) == len(told[n])]
    codes = [squash(line.text) for n in coded for line in told[n]]
    sizes = {_size(line) for n in coded if (line := grid[0][n])} - {""}
    if 0 in coded or not _VARIANTS <= len(coded) == len(sizes) or len(set(codes)) < len(codes):
        return None
    return (grid, coded) if all(line and not _is_code(line) for line in grid[0]) else None


def _size(head: Line) -> str:
    """The measure in which the head ends: "Diameter 40 mm"; empty where it ends in none."""
    words = trim(head.text).split()
    return next((end for n in (2, 1) if is_extent(end := " ".join(words[-n:]))), "")


def _is_code(line: Line | None) -> bool:
    return line is not None and is_order_code(line.text)


def _of_headed(view: PageView, grid: Rows, coded: Sequence[int]) -> list[Draft]:
    """A product for each code, with what else its row says and the measure over it."""
    heads, drafts = grid[0], []
    for row in grid[1:]:
        shared = [(head, line) for n, (head, line) in enumerate(zip(heads, row, strict=True)) if n not in coded]
        for n in coded:
            if code := row[n]:
                drafts.append(_of_row(view, code, heads[n], shared))
    return drafts


def _of_row(view: PageView, code: Line, head: Line | None, shared: Sequence[tuple[Line | None, Line | None]]) -> Draft:
    number = view.page.number
    attributes = {"model": text_value(trim(code.text), code.box, number, "cell", _FOUND)}
    if head and (size := _size(head)):
        attributes["size"] = text_value(size, head.box, number, "cell", _FOUND)
    values = [(label, text_value(trim(line.text), line.box, number, "cell", _FOUND))
              for label, line in shared if label and line]  # fmt: skip
    custom = tuple(CustomValue(trim(label.text), value.text, value.evidence) for label, value in values)
    return Draft(box=code.box, anchor=code.box, attributes=attributes, custom=custom, confidence=_FOUND)


def _edges(table: Table, *, upright: bool) -> list[tuple[float, float]]:
    """Of its columns, or of its rows, by cells of one alone; empty where one has none."""
    boxes: dict[int, list[Box]] = {}
    for cell in table.cells:
        if (cell.cols if upright else cell.rows) == 1:
            boxes.setdefault(cell.col if upright else cell.row, []).append(cell.box)
    first, count = (0, table.n_cols) if upright else (1, table.n_rows)
    found = [boxes.get(n, []) for n in range(count)]
    return [(min(b[first] for b in own), max(b[first + 2] for b in own)) for own in found] if all(found) else []


def _text(lines: Sequence[Line], cell: Box) -> Line | None:
    """What is printed there as one line: readers may leave out cells without a shade."""
    inside = [line for line in lines if contains_point(cell, *centre(line.box))]
    return _joined(inside) if inside else None


def _joined(lines: Sequence[Line]) -> Line:
    ordered = [line for row in baselines(lines) for line in row]
    text = " ".join(trim(line.text) for line in ordered)
    return Line(text, union(line.box for line in ordered), (), ordered[0].size)


def _photo_over(view: PageView, edges: tuple[float, float], top: float) -> Box | None:
    """The photo right over the table in that column."""
    over = [p.box for p in view.pictures if edges[0] <= centre(p.box)[0] <= edges[1]
            and -_OVER <= top - p.box[3] <= p.box[3] - p.box[1]]  # fmt: skip
    return max(over, key=lambda box: box[3], default=None)


def _head(view: PageView, edges: tuple[float, float], top: float) -> Line | None:
    """The lines close under each other right over a column or its photo."""
    over = [line for line in view.lines if edges[0] <= centre(line.box)[0] <= edges[1] and centre(line.box)[1] <= top]
    head: list[Line] = []
    foot = top
    for line in sorted(over, key=lambda line: -line.box[3]):
        high = line.box[3] - line.box[1]
        if foot - line.box[3] > (_CLOSE if head else _OVER) * high:
            break
        head.append(line)
        foot = line.box[1]
    return _joined(head) if head else None


def _draft(view: PageView, code: Line, row: Line, label: Line | None, head: Line | None, photo: Box | None) -> Draft:
    number = view.page.number
    attributes = {"model": text_value(trim(code.text), code.box, number, "cell", _FOUND)}
    if head and is_series(head.text):
        attributes["series"] = text_value(trim(head.text), head.box, number, "cell", _FOUND)
    said = text_value(trim(row.text), row.box, number, "cell", _FOUND)
    custom = (CustomValue(trim(label.text), said.text, said.evidence),) if label else ()
    return Draft(box=code.box, anchor=code.box, attributes=attributes, custom=custom, confidence=_FOUND, picture=photo)
