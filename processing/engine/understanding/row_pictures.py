"""The pictures of table rows: in a cell, beside the row, by a printed code or number, above the table."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from catalogsku.core.box import Box, area, centre, contains_point, height, intersect, width
from catalogsku.core.text import squash
from processing.engine.page import Cell, Line, Picture, Table
from processing.engine.result import Binding, Sku
from processing.engine.understanding.roles import MINOR
from processing.engine.understanding.rules.labels import ROW_NUMBER
from processing.engine.understanding.tables.extractor import Reading
from processing.engine.understanding.view import PageView

_CELL_CONFIDENCE, _LINK_CONFIDENCE, _HEADING_CONFIDENCE = 0.95, 0.9, 0.85
# Share of a table that a picture may cover and still stand in it.
_COVERED = 0.95
# Share of a row's height beside a picture that shows the product of that row too.
_SPANNED = 0.6
# A single number at a picture may be anything.
_LEAST_NUMBERED = 2
# Pictures in a column beside an open list, and the points by which their left edges may differ.
_LEAST_BESIDE, _ALIGNED_PT = 2, 5.0
_MARK_EDGE = " .#:()[]图圖号號款"


def row_bindings(view: PageView, skus: Sequence[Sku]) -> dict[int, tuple[Binding, ...]]:
    """Bindings of the SKUs that stand in tables, by index into ``skus``; several rows may share a picture."""
    decided: dict[int, tuple[Binding, ...]] = {}
    linked = _linked(view, skus)
    free = [p for p in view.pictures if not view.in_product_table(p.box) and p not in linked.values()]
    for reading in view.tables:
        in_rows = _by_row(view, reading, skus)
        heading = None if in_rows else _heading_picture(view, reading.grid.table, free)
        for n, sku in enumerate(skus):
            if sku.table != reading.grid.table.id:
                continue
            if pictures := in_rows.get(sku.row):
                decided[n] = _of_row(pictures)
            elif n in linked:
                decided[n] = (Binding(linked[n].id, "PRODUCT_MAIN", "id_matching", _LINK_CONFIDENCE),)
            elif heading is not None:
                decided[n] = (Binding(heading.id, "PRODUCT_MAIN", "page_inheritance", _HEADING_CONFIDENCE),)
    return decided


def _of_row(pictures: Sequence[Picture]) -> tuple[Binding, ...]:
    """The pictures of the row, the largest as the main one; what is far smaller is a swatch or a badge."""
    ordered = sorted(pictures, key=lambda p: (-p.width_px * p.height_px, p.id))
    largest = max(area(p.box) for p in pictures)
    ordered = [p for p in ordered if area(p.box) >= MINOR * largest]
    return tuple(
        Binding(p.id, "PRODUCT_MAIN" if n == 0 else "DETAIL", "table_cell", _CELL_CONFIDENCE)
        for n, p in enumerate(ordered)
    )


def _by_row(view: PageView, reading: Reading, skus: Sequence[Sku]) -> dict[int, list[Picture]]:
    """Pictures of a table by row; one in a merged cell, or over several empty cells, belongs to all of their rows.

    Where no cell is drawn around a picture it belongs to the product beside which it stands.
    """
    rows: dict[int, list[Picture]] = {}
    grid = reading.grid
    beside = [] if grid.table.ruled else _columns_beside(view, grid.table)
    for picture in view.page.pictures:
        inside = picture in beside or _stands_in(picture, grid.table)
        if view.is_repeated(picture) or picture.short_edge < 16 or not inside:
            continue
        cell = next((c for c in grid.table.cells if contains_point(c.box, *centre(picture.box))), None)
        if cell is None:
            own = {sku.row for sku in _beside(picture, [sku for sku in skus if sku.table == grid.table.id])}
        elif grid.turned:
            own = set(range(cell.col, cell.col + cell.cols))
        else:
            own = set(range(cell.row, cell.row + cell.rows)) | _spanned(picture, cell, grid.table)
        for row in sorted(own):
            rows.setdefault(row, []).append(picture)
    return rows


def _columns_beside(view: PageView, table: Table) -> list[Picture]:
    """Pictures that stand under each other right beside an open list, whose box only holds its texts."""
    x0, y0, x1, y1 = table.box
    near = [
        p
        for p in view.pictures
        if y0 <= centre(p.box)[1]
        and p.box[1] < y1
        and (0 <= x0 - p.box[2] <= width(p.box) or 0 <= p.box[0] - x1 <= width(p.box))
    ]
    return [
        p for p in near if sum(abs(p.box[0] - other.box[0]) <= _ALIGNED_PT for other in near) >= _LEAST_BESIDE
    ]  # fmt: skip


def _stands_in(picture: Picture, table: Table) -> bool:
    """In the table's box; beside the last product of an open list also further down than its text. What the table is
    printed on, a ground or the scan of the page, is no picture in it."""
    if (common := intersect(table.box, picture.box)) and area(common) > _COVERED * area(table.box):
        return False
    x, y = centre(picture.box)
    if table.ruled:
        return contains_point(table.box, x, y)
    x0, y0, x1, y1 = table.box
    return x0 <= x <= x1 and y0 <= y and picture.box[1] < y1


def _spanned(picture: Picture, cell: Cell, table: Table) -> set[int]:
    """Rows whose empty cells, above and below the picture's own empty one, it covers too."""
    column = [c for c in table.cells if c.col == cell.col and not c.text.strip()]
    covered = [c for c in column if _shared(picture.box, c.box) >= _SPANNED * height(c.box)]
    return set() if cell.text.strip() else {row for c in covered for row in range(c.row, c.row + c.rows)}


def _beside(picture: Picture, skus: Sequence[Sku]) -> list[Sku]:
    """The one product whose middle is level with the picture, or in whose stretch of the page, from its own top to the
    next one's, most of the picture stands; several where the picture is higher than theirs."""
    level = [sku for sku in skus if picture.box[1] <= centre(sku.box)[1] <= picture.box[3]]
    if len(level) == 1:
        return level
    ordered = sorted(skus, key=lambda sku: sku.box[1])
    ends = [sku.box[1] for sku in ordered[1:]] + [max([picture.box[3], *(sku.box[3] for sku in ordered[-1:])])]
    stretches = [((0.0, sku.box[1], 0.0, end), sku) for sku, end in zip(ordered, ends, strict=bool(ordered))]
    for stretch, sku in stretches:
        if _shared(picture.box, stretch) >= 0.5 * height(picture.box):
            return [sku]
    return [sku for stretch, sku in stretches if _shared(picture.box, stretch) >= _SPANNED * height(stretch) > 0]


def _shared(a: Box, b: Box) -> float:
    """Height that both have in common."""
    return min(a[3], b[3]) - max(a[1], b[1])


def _linked(view: PageView, skus: Sequence[Sku]) -> dict[int, Picture]:
    """Pictures outside the tables by what is printed at them: the code of one row, or the numbers of rows."""
    codes = {n: squash(sku.attributes["model"].text) for n, sku in enumerate(skus) if "model" in sku.attributes}
    by_code = _by_mark(view, _once({n: code for n, code in codes.items() if skus[n].table}), squash)
    by_number = _by_mark(view, _once(_row_numbers(view, skus)), _number)
    return (by_number if len(by_number) >= _LEAST_NUMBERED else {}) | by_code


def _by_mark(view: PageView, rows: Mapping[str, int], form: Callable[[str], str]) -> dict[int, Picture]:
    found: dict[int, Picture] = {}
    for picture in view.pictures if rows else ():
        if view.in_product_table(picture.box):
            continue
        for line in view.lines:
            if _is_at(picture.box, line) and (mark := form(line.text)) in rows:
                found.setdefault(rows[mark], picture)
    return found


def _once(marks: Mapping[int, str]) -> dict[str, int]:
    """SKUs by their mark, without marks that several have."""
    times = Counter(marks.values())
    return {mark: n for n, mark in marks.items() if mark and times[mark] == 1}


def _row_numbers(view: PageView, skus: Sequence[Sku]) -> dict[int, str]:
    """The printed number of each SKU's row, in tables that count their rows."""
    numbers = {}
    for reading in view.tables:
        column = next((c for c in reading.columns if c.label.kind == ROW_NUMBER), None)
        for n, sku in enumerate(skus):
            if column is not None and sku.table == reading.grid.table.id:
                numbers[n] = _number(reading.grid.text(sku.row, column.col))
    return numbers


def _number(text: str) -> str:
    """The number of a badge or a row ("1", "01", "No. 1", "图1", "①"); empty for anything else."""
    digits = squash(text).removeprefix("no").strip(_MARK_EDGE)
    return digits.lstrip("0") if digits.isdecimal() and len(digits) <= 3 else ""


def _is_at(picture: Box, line: Line) -> bool:
    """Printed on the picture, or within a line and a half above or below it."""
    x, y = centre(line.box)
    reach = 1.5 * max(line.size, height(line.box))
    return picture[0] <= x <= picture[2] and picture[1] - reach <= y <= picture[3] + reach


def _heading_picture(view: PageView, table: Table, pictures: Sequence[Picture]) -> Picture | None:
    """The one picture above a table without pictures of its own, with nothing of another table between."""
    others = [other.box for other in view.page.tables if other.id != table.id]
    above = [picture for picture in pictures if _heads(picture.box, table.box, others)]
    return above[0] if len(above) == 1 else None


def _heads(picture: Box, table: Box, others: Sequence[Box]) -> bool:
    """Over the table's columns, no further from its top than the picture is high."""
    x, _ = centre(picture)
    over = table[0] <= x <= table[2] and -2.0 <= table[1] - picture[3] <= height(picture)
    between = (min(picture[0], table[0]), picture[3], max(picture[2], table[2]), table[1] - 1.0)
    return over and not any(intersect(between, box) for box in others)
