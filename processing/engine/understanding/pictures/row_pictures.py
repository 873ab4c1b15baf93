"""The pictures of table rows: in a cell, beside the row, by a printed code or number, above the table."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from catalogsku.core.box import Box, area, centre, contains_point, height, holds_centre, intersect, width
from catalogsku.core.text import fold, squash, trim
from processing.engine.page import Cell, Picture, Table
from processing.engine.result import Binding, Sku
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.captions.strips import is_level
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.pictures.list_rows import are_variants, beside_list, columns_box, shared_height
from processing.engine.understanding.pictures.marks import is_at, is_under, linked_rows, marked_pictures
from processing.engine.understanding.pictures.roles import MINOR, shows_something_else
from processing.engine.understanding.rules.labels import PICTURE
from processing.engine.understanding.tables.extractor import Reading
from processing.engine.understanding.tables.family_titles import HEADLINE
from processing.engine.understanding.view import PageView

_CELL_CONFIDENCE, _LINK_CONFIDENCE, _HEADING_CONFIDENCE = 0.95, 0.9, 0.85
# Share of a table that a picture may cover and still stand in it.
_COVERED = 0.7
# Share of a row's height beside a picture that shows the product of that row too.
_SPANNED = 0.6
# Share of a row's height that a picture must reach into it to be its too, where the names are one.
_REACHED = 0.25
# Pictures in a column beside an open list, and the points by which their left edges or middles may differ.
_LEAST_BESIDE, _ALIGNED_PT = 2, 5.0
# Of a ruled table's rows: those with a picture beside it, for others may show what they like there.
_MOST_ROWS = 0.6
# Share of the lower of both that a table and the picture beside it have in common.
_LEVEL = 0.5
# Of the photo over a table: what is no larger beside it is its detail or drawing.
_FAR_SMALLER = 0.35
# Rows with names of their own that one picture cannot show.
_SORTS = 5
# Share of names that a word says the sort of.
_KINDRED = 0.6
# Letters of a word; what has fewer is a dimension.
_WORD = 4
# Of a picture's width or height: how far from its table it may stand.
_REACH = 1.0


def row_bindings(view: PageView, skus: Sequence[Sku]) -> dict[int, tuple[Binding, ...]]:
    """Bindings of the SKUs that stand in tables, by index into ``skus``; several rows may share a picture."""
    decided: dict[int, tuple[Binding, ...]] = {}
    coded = _over_codes(view, skus)
    linked = _linked(view, skus) | coded
    named = {picture.id for picture in coded.values()}
    free = [p for p in view.pictures if not view.in_product_table(p.box) and p not in linked.values()]
    for reading in view.tables:
        own = {n: sku for n, sku in enumerate(skus) if sku.table == reading.grid.table.id}
        in_rows = _by_row(view, reading, skus, named) or _over_columns(view, reading, free)
        shared = () if in_rows or linked.keys() & own.keys() else _shared_by_rows(view, reading, free, own.values())
        for n, sku in own.items():
            if pictures := in_rows.get(sku.row):
                decided[n] = _of_row(pictures)
            elif n in linked:
                decided[n] = (Binding(linked[n].id, "PRODUCT_MAIN", "id_matching", _LINK_CONFIDENCE),)
            elif shared:
                decided[n] = tuple(
                    Binding(p.id, "DETAIL" if k else "PRODUCT_MAIN", "page_inheritance", _HEADING_CONFIDENCE)
                    for k, p in enumerate(_over_part(view, reading, sku) or shared)
                )
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


def _by_row(view: PageView, reading: Reading, skus: Sequence[Sku], named: Collection[str]) -> dict[int, list[Picture]]:
    """Pictures of a table by row, but for those ``named`` by a code under them; one in a merged cell, or over several
    empty cells, belongs to all of their rows.

    Where no cell is drawn around a picture it belongs to the product beside which it stands, unless it stands in a cell
    of another table between the parts of this one.
    """
    rows: dict[int, list[Picture]] = {}
    grid = reading.grid
    beside = _columns_beside(view, grid.table)
    if grid.table.ruled and not _have_a_row_each(reading, beside):
        beside = []
    others = [c.box for other in view.tables if other is not reading for c in other.grid.table.cells]
    for picture in view.page.pictures:
        inside = picture in beside or _stands_in(picture, grid.table)
        if view.is_repeated(picture) or picture.short_edge < 16 or picture.id in named or not inside:
            continue
        cell = next((c for c in grid.table.cells if contains_point(c.box, *centre(picture.box))), None)
        if cell is None and holds_centre(others, picture.box):
            continue
        if cell is None:
            own = {sku.row for sku in beside_list(view, picture, [s for s in skus if s.table == grid.table.id])}
        elif cell.row + cell.rows <= reading.header.first and grid.span(cell.row, cell.col) == grid.n_cols > 1:
            own = set(range(reading.header.body, grid.n_rows))  # it stands across the table over its head
        elif grid.turned:
            own = set(range(cell.col, cell.col + cell.cols))
        else:
            level = _one_each(view, cell, grid.table)
            own = level.get(picture.id) or set(range(cell.row, cell.row + cell.rows))
            own |= set() if level else _spanned(picture, cell, grid.table)
            own |= set() if level else _reached(view, picture, cell, [s for s in skus if s.table == grid.table.id])
        for row in sorted(own):
            rows.setdefault(row, []).append(picture)
    return {row: _in_picture_column(reading, pictures) for row, pictures in rows.items()}


def _in_picture_column(reading: Reading, pictures: list[Picture]) -> list[Picture]:
    """Those in the columns headed as pictures, where one stands there; others in its row are badges and swatches."""
    if reading.grid.turned:
        return pictures
    columns = {column.col for column in reading.columns if column.label.kind == PICTURE}
    boxes = [cell.box for cell in reading.grid.table.cells if cell.col in columns]
    headed = [picture for picture in pictures if holds_centre(boxes, picture.box)]
    return headed or pictures


def _one_each(view: PageView, cell: Cell, table: Table) -> dict[str, set[int]]:
    """By picture the rows that it is level with, where each row along a merged cell has one of its pictures."""
    inside = [p for p in view.page.pictures if contains_point(cell.box, *centre(p.box))]
    if cell.rows < 2 or len(inside) < 2:
        return {}
    rows = {c.row: c.box for c in table.cells if c.rows == 1 and cell.row <= c.row < cell.row + cell.rows}
    rows_of = {
        p.id: {n for n, box in rows.items() if shared_height(p.box, box) >= _SPANNED * min(height(p.box), height(box))}
        for p in inside
    }
    return rows_of if sorted(n for own in rows_of.values() for n in own) == sorted(rows) else {}


def _columns_beside(view: PageView, table: Table) -> list[Picture]:
    """Pictures that stand under each other right beside an open list, whose box only holds its texts: their left edges
    or middles in one place, one of them no further off than the widest of them is wide."""
    x0, y0, x1, y1 = table.box
    level = [p for p in view.pictures if y0 <= centre(p.box)[1] and p.box[1] < y1]
    beside: list[Picture] = []
    for side in [p for p in level if p.box[2] <= x0], [p for p in level if p.box[0] >= x1]:
        for picture in side:
            column = [p for p in side if _are_in_column(p.box, picture.box)]
            apart = min(max(x0 - p.box[2], p.box[0] - x1) for p in column)
            if len(column) >= _LEAST_BESIDE and apart <= max(width(p.box) for p in column):
                beside.append(picture)
    return beside


def _have_a_row_each(reading: Reading, pictures: Sequence[Picture]) -> bool:
    """Each is level with a row of its own, and most rows have one."""
    body = range(reading.header.body, reading.grid.n_rows)
    boxes = [] if reading.grid.turned else [reading.grid.row_box(row) for row in body]
    own = [
        [n for n, box in enumerate(boxes) if shared_height(p.box, box) >= _SPANNED * height(p.box)] for p in pictures
    ]
    rows = [level[0] for level in own if len(level) == 1]
    return len(set(rows)) == len(pictures) >= _MOST_ROWS * len(boxes)


def _are_in_column(a: Box, b: Box) -> bool:
    return min(abs(a[0] - b[0]), abs(centre(a)[0] - centre(b)[0])) <= _ALIGNED_PT


def _stands_in(picture: Picture, table: Table) -> bool:
    """In the table's box; beside the last product of an open list also further down than its text. What the table, or
    a row of it, is printed on, a ground or the scan of the page, is no picture in it."""
    if (common := intersect(table.box, picture.box)) and area(common) > _COVERED * area(table.box):
        return False
    over = {c.col for c in table.cells if c.text.strip() and contains_point(picture.box, *centre(c.box))}
    if 2 * len(over) > table.n_cols:
        return False
    x, y = centre(picture.box)
    if table.ruled:
        return contains_point(table.box, x, y)
    x0, y0, x1, y1 = table.box
    return x0 <= x <= x1 and y0 <= y and picture.box[1] < y1


def _spanned(picture: Picture, cell: Cell, table: Table) -> set[int]:
    """Rows whose empty cells, above and below the picture's own empty one, it covers too."""
    column = [c for c in table.cells if c.col == cell.col and not c.text.strip()]
    covered = [c for c in column if shared_height(picture.box, c.box) >= _SPANNED * height(c.box)]
    return set() if cell.text.strip() else {row for c in covered for row in range(c.row, c.row + c.rows)}


def _linked(view: PageView, skus: Sequence[Sku]) -> dict[int, Picture]:
    """Pictures outside the tables by what is printed at them: the code of one row, or the marks of rows."""
    return linked_rows(view, skus, marked_pictures(view)) | _by_code(view, skus)


def _by_code(view: PageView, skus: Sequence[Sku]) -> dict[int, Picture]:
    """Pictures at which the code of one row stands, or whose caption begins with it."""
    codes = {n: squash(sku.attributes["model"].text) for n, sku in enumerate(skus) if "model" in sku.attributes}
    rows = _once({n: code for n, code in codes.items() if skus[n].table})
    shown: dict[int, Picture] = {}
    for picture in view.pictures if rows else ():
        if view.in_product_table(picture.box):
            continue
        for line in view.lines:
            if is_at(picture.box, line) and (code := squash(line.text)) in rows:
                shown.setdefault(rows[code], picture)
    for caption in captioned_pictures(view) if rows else ():
        named = {code for line in caption.lines if (code := squash(trim(line.text).split(" ", 1)[0])) in rows}
        if len(named) == 1 and caption.picture not in shown.values() and not view.in_product_table(caption.picture.box):
            shown.setdefault(rows[named.pop()], caption.picture)
    return shown


def _over_codes(view: PageView, skus: Sequence[Sku]) -> dict[int, Picture]:
    """Pictures in a row of their own amid an open list, under each of which the code of one of its rows stands again:
    so far from that row, none is the picture of the row that it is level with."""
    lists = {reading.grid.table.id for reading in view.tables if not reading.grid.table.ruled}
    codes = {n: squash(sku.attributes["model"].text) for n, sku in enumerate(skus) if "model" in sku.attributes}
    rows = _once({n: code for n, code in codes.items() if skus[n].table in lists})
    linked: dict[int, Picture] = {}
    lines = [piece for line in view.page.lines for piece in pieces(line)] if rows else []
    for picture in view.pictures if rows else ():
        under = [
            rows[code]
            for line in lines
            if (code := squash(line.text)) in rows
            and is_under(picture.box, line)
            and not contains_point(skus[rows[code]].box, *centre(line.box))
        ]
        if len(under) == 1:
            linked[under[0]] = picture
    return linked if len(linked) >= _LEAST_BESIDE else {}


def _once(marks: Mapping[int, str]) -> dict[str, int]:
    """SKUs by their mark, without marks that several have."""
    times = Counter(marks.values())
    return {mark: n for n, mark in marks.items() if mark and times[mark] == 1}


def _over_columns(view: PageView, reading: Reading, pictures: Sequence[Picture]) -> dict[int, list[Picture]]:
    """Pictures in a row over a table with its products as columns, each over the text of one; all or none."""
    table = reading.grid.table
    if not reading.grid.turned:
        return {}
    others = _others(view, table)
    by_column: dict[int, list[Picture]] = {}
    for picture in pictures:
        if not _heads(picture.box, table.box, others):
            continue
        over = Counter(c.col for c in table.cells if c.cols == 1 and c.text.strip() and _is_over(picture.box, c.box))
        most = [col for col, times in over.items() if times == max(over.values())]
        if len(most) != 1 or most[0] in by_column or most[0] < reading.header.body:
            return {}
        by_column[most[0]] = [picture]
    return by_column if len(by_column) >= _LEAST_BESIDE else {}


def _is_over(picture: Box, cell: Box) -> bool:
    """Most of the narrower one stands over or under the other."""
    return min(picture[2], cell[2]) - max(picture[0], cell[0]) >= 0.5 * min(width(picture), width(cell))


def _shared_by_rows(
    view: PageView, reading: Reading, pictures: Sequence[Picture], skus: Collection[Sku]
) -> tuple[Picture, ...]:
    """The picture of all rows: the only one above the table, or those over each other beside it, as a photo and its
    drawing. Several above it, and those beside the only table, are theirs where the rows vary one product; all of the
    page's photos where its headline is that product's family."""
    table = reading.grid.table
    others = _others(view, table)
    above = [p for p in pictures if p is not view.letterhead and _heads(p.box, columns_box(table), others)]
    if len(above) == 1:
        return (above[0],) if not _are_named_apart(skus) or _counts(view, above[0], reading, skus) else ()
    variants = are_variants(skus)
    if len(view.tables) == 1 and _are_headed(skus):
        return _photos(view, pictures)
    if above:
        shown = above if is_level(above) else _large_one(above)
        return tuple(shown) if variants else ()
    products = [other.grid.table.box for other in view.tables]
    own = [p for p in pictures if [box for box in products if _is_beside(p.box, box)] == [table.box]]
    named = (len(own) > 1 and any(_is_named(view, p.box) for p in own)) or _are_of_all_sorts(skus)
    if not own or named or not (variants or len(products) > 1) or not _in_column(own):
        return ()
    below = min((box[1] for box in products if box[1] >= table.box[3]), default=view.page.height_pt)
    under = [p for p in pictures if p not in own and own[0].box[3] <= p.box[1] and p.box[3] <= below]
    return (*own, *(p for p in under if _in_column([*own, p]) and not any(_is_beside(p.box, b) for b in products)))


def _over_part(view: PageView, reading: Reading, sku: Sku) -> list[Picture]:
    """The last picture amid the list over the row, and what is level with it: where the list goes on under another
    one the picture over its head is no longer the row's."""
    over = [p for p in view.pictures if _stands_in(p, reading.grid.table) and p.box[3] <= sku.box[1]]
    last = max(over, key=lambda p: p.box[3], default=None)
    return [p for p in over if last and shared_height(p.box, last.box) >= _LEVEL * height(last.box)]


def _reached(view: PageView, picture: Picture, cell: Cell, skus: Sequence[Sku]) -> set[int]:
    """Rows next to the picture's own, of one name with it, into which it reaches above or below and that have none: the
    inner rules of the cell that they share are hidden, or not read."""
    named = {sku.row: sku for sku in skus if "product_name" in sku.attributes}
    others = [centre(p.box) for p in view.pictures if p is not picture]
    middles = [y for x, y in others if picture.box[0] <= x <= picture.box[2]]
    own = named.get(cell.row)
    if own is None or cell.rows > 1 or cell.text.strip():
        return set()
    reached = set()
    for row in (cell.row - 1, cell.row + 1):
        if (other := named.get(row)) is None or _name(other) != _name(own):
            continue
        free = not any(other.box[1] <= y <= other.box[3] for y in middles)
        if free and shared_height(picture.box, other.box) >= _REACHED * height(other.box):
            reached.add(row)
    return reached


def _name(sku: Sku) -> str:
    return squash(sku.attributes["product_name"].text)


def _large_one(pictures: Sequence[Picture]) -> list[Picture]:
    """The one beside which all others stand, far smaller, as parts of a drawing do on a scan; empty without it."""
    main, *rest = sorted(pictures, key=lambda p: -area(p.box))
    level = all(shared_height(p.box, main.box) >= _LEVEL * height(p.box) for p in rest)
    return [main] if level and all(area(p.box) <= _FAR_SMALLER * area(main.box) for p in rest) else []


def _others(view: PageView, table: Table) -> list[Box]:
    """Boxes of the page's other tables, but for a reader's guess at one around or across this one."""
    x, y = centre(table.box)
    others = [other for other in view.page.tables if other.id != table.id and not contains_point(other.box, x, y)]
    return [other.box for other in others if other.ruled or intersect(other.box, table.box) is None]


def _are_headed(skus: Collection[Sku]) -> bool:
    """Their family is the headline of the page: it tells of nothing else."""
    series = [sku.attributes["series"].evidence for sku in skus if "series" in sku.attributes]
    return len(series) == len(skus) and all(place.method == HEADLINE for place in series)


def _photos(view: PageView, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """The photos of a page of one product, the largest first, without what is far smaller or shows something else."""
    shown = [p for p in pictures if p is not view.letterhead and not shows_something_else(view, p)]
    ordered = sorted(shown, key=lambda p: (-area(p.box), p.id))
    return tuple(p for p in ordered if area(p.box) >= MINOR * area(ordered[0].box))


def _is_named(view: PageView, picture: Box) -> bool:
    """A word stands right under it: it shows only some of the rows."""
    return any(
        picture[0] <= centre(line.box)[0] <= picture[2]
        and 0 <= centre(line.box)[1] - picture[3] <= 2 * height(line.box)
        and sum(char.isalpha() for char in line.text) >= _WORD
        for line in view.lines
    )


def _are_named_apart(skus: Collection[Sku]) -> bool:
    """Most rows have a name of their own, as a list of all sorts of goods under its maker's sign has."""
    names = {squash(sku.attributes["product_name"].text) for sku in skus if "product_name" in sku.attributes}
    return len(names) >= max(_SORTS, 0.8 * len(skus))


def _are_of_all_sorts(skus: Collection[Sku]) -> bool:
    """Named apart, and no word says what most of them are."""
    names = [sku.attributes["product_name"].text for sku in skus if "product_name" in sku.attributes]
    words = Counter(word for name in names for word in set(fold(name).split()) if len(word) >= _WORD)
    return _are_named_apart(skus) and max(words.values(), default=0) < _KINDRED * len(names)


def _counts(view: PageView, picture: Picture, reading: Reading, skus: Collection[Sku]) -> bool:
    """The number of every row is printed on the picture, once: it shows what they list."""
    printed = Counter(trim(line.text) for line in view.lines if contains_point(picture.box, *centre(line.box)))
    numbers = [reading.grid.text(sku.row, 0) for sku in skus]
    return len(set(numbers)) == len(numbers) and all(n.isdigit() and printed[n] == 1 for n in numbers)


def _in_column(pictures: Sequence[Picture]) -> bool:
    """Over each other, as a photo and a drawing at their table."""
    x0, x1 = max(p.box[0] for p in pictures), min(p.box[2] for p in pictures)
    return all(x1 - x0 >= _LEVEL * width(p.box) for p in pictures)


def _is_beside(picture: Box, table: Box) -> bool:
    """At the table's left or right, level with it, no further off than the picture is wide."""
    apart = max(table[0] - picture[2], picture[0] - table[2])
    level = shared_height(picture, table) >= _LEVEL * min(height(picture), height(table))
    return -_ALIGNED_PT <= apart <= _REACH * width(picture) and level


def _heads(picture: Box, table: Box, others: Sequence[Box]) -> bool:
    """Over the table's columns, no further from its top than the picture is high."""
    x, _ = centre(picture)
    over = table[0] <= x <= table[2] and -2.0 <= table[1] - picture[3] <= height(picture)
    between = (min(picture[0], table[0]), picture[3], max(picture[2], table[2]), table[1] - 1.0)
    return over and not any(intersect(between, box) for box in others)
