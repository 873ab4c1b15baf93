"""Tables whose columns are typed by what stands in them: which tables share a head, and what each then lists."""

from collections.abc import Iterator, Sequence, Set

import msgspec

from catalogsku.core.box import Box, union, width
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Table
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.records.aligned import aligned_tables
from processing.engine.understanding.records.column_roles import LEAST, typed
from processing.engine.understanding.records.labelled import labelled_tables
from processing.engine.understanding.rules.shapes import (
    is_code,
    is_date,
    is_measure,
    is_number,
    is_price,
)
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.extractor import Reading, extract_tables
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import (
    Header,
    Label,
    find_header,
    is_head_row,
    labels_of,
)
from processing.engine.understanding.tables.judgement import Judgement
from processing.engine.understanding.tables.open_table import open_tables
from processing.engine.understanding.tables.shaded import tables_of
from processing.engine.understanding.view import PageView

# Rows in which a head is looked for; known words that make one sure.
_HEAD_ROWS, _HEADED = 5, 2
# Of its width, by how much a table may differ from one like it.
_SAME_WIDTH = 0.02
# Lists in one table: so many at most, of so many rows at least; of the longest one's rows, how many another has.
_MOST_BESIDE, _LEAST_ROWS, _SHORTEST = 4, 4, 0.3


def head_of(grid: Grid) -> Header:
    """The head that the dictionaries know, or the first row of several words that are unlike what stands under them."""
    header = find_header(grid)
    if header is not None:
        return header
    for row in range(min(_HEAD_ROWS, grid.n_rows - 1)):
        cells = grid.filled(row)
        if len(cells) >= 2 and 2 * len(cells) >= grid.n_cols and _are_heads(grid, row, cells):
            return Header(row, 1, labels_of(grid, row, 1))
    return Header(0, 0, _no_labels(grid))


def _are_heads(grid: Grid, row: int, cells: Sequence[tuple[int, Cell]]) -> bool:
    """Words that are unlike what stands under them; measures over amounts of money are heads too: prices by size."""
    below = {
        col: [text for lower in range(row + 1, min(row + 5, grid.n_rows)) if (text := grid.text(lower, col))]
        for col, _ in cells
    }
    words = [col for col, cell in cells if _may_head(cell.text)]
    sizes = [
        col for col, cell in cells if is_measure(trim(cell.text)) and below[col] and all(map(is_price, below[col]))
    ]
    if not words or len(words) + len(sizes) < len(cells):
        return False
    return any(not _may_head(text) for texts in below.values() for text in texts)


def _head_alone(grid: Grid) -> Header:
    """A row that is a table of its own may be the head of those that follow, or one of their rows."""
    known = (
        is_head_row(grid, 0) and len(grid.filled(0)) >= 2 and all(_may_head(cell.text) for _, cell in grid.filled(0))
    )
    return Header(0, 1, labels_of(grid, 0, 1)) if known else Header(0, 0, _no_labels(grid))


def _no_labels(grid: Grid) -> tuple[Label, ...]:
    return tuple(Label(col, "", None) for col in range(grid.n_cols))


def _may_head(text: str) -> bool:
    text = trim(text)
    values = (is_number, is_price, is_date, is_measure, is_code, is_sentence)
    return any(map(str.isalpha, text)) and len(text) <= 40 and not any(test(text) for test in values)


def readings(tables: Sequence[Table]) -> list[Reading]:
    """Those tables whose rows, or columns, have an identity; tables with the same heads are typed together, and one
    without a head goes with one before it that has as many columns: below it at the same places, or beside it and as
    wide."""
    families: list[list[tuple[Grid, Header]]] = []
    for table in tables:
        for grid in _seen(Grid(table)):
            if grid.n_cols < 2 or grid.n_rows < (2 if grid.turned else 1):
                continue
            header = head_of(grid) if grid.n_rows > 1 else _head_alone(grid)
            if grid.turned and not (header.rows and header.known):
                continue
            own = next((family for family in families if _are_alike(family[0], (grid, header))), None)
            if own is None:
                families.append([(grid, header)])
            else:
                own.append((grid, header if header.rows else Header(0, 0, own[0][1].labels)))
    by_table: dict[str, Reading] = {}
    for family in families:
        for (grid, header), columns in zip(family, typed(family), strict=True):
            roles = {column.role for column in columns}
            if not roles & {"model", "product_name"} or header.body >= grid.n_rows:
                continue
            score = 10 * len(roles & LEAST.keys()) + (5 if not grid.turned else 0)
            reading = Reading(grid, header, columns, Judgement(True, score, 0.8, ("typed",)))
            other = by_table.get(grid.table.id)
            if other is None or score > other.judgement.score:
                by_table[grid.table.id] = reading
    return [by_table[table.id] for table in tables if table.id in by_table]


def _seen(grid: Grid) -> tuple[Grid, ...]:
    """Rows as products, and columns where no row is a head of several known words."""
    header = find_header(grid)
    return (grid,) if header is not None and header.known >= _HEADED else (grid, grid.turn())


def _are_alike(pair: tuple[Grid, Header], other: tuple[Grid, Header]) -> bool:
    (a, head), (b, own) = pair, other
    if a.turned != b.turned or a.n_cols != b.n_cols:
        return False
    if own.rows:
        return [squash(label.text) for label in head.labels] == [squash(label.text) for label in own.labels]
    return not a.turned and _go_on(a.table.box, b.table.box)


def _go_on(a: Box, b: Box) -> bool:
    """Under each other at the same places, or beside each other and as wide."""
    if abs(a[0] - b[0]) < 5 and abs(a[2] - b[2]) < 5:
        return True
    return (a[2] <= b[0] or b[2] <= a[0]) and abs(width(a) - width(b)) <= _SAME_WIDTH * width(a)


def grids(view: PageView) -> Iterator[tuple[str, Extraction]]:
    """By where the tables come from: rules and shades of the page, rows in open print, gutters, labels that recur."""
    for how, tables in (
        ("ruled", tables_of(view.page)),
        ("open", open_tables(view.page)),
        ("gutters", aligned_tables(view.page)),
        ("labels", labelled_tables(view)),
    ):
        parts = [part for table in tables for part in side_by_side(table)]
        beside = readings(parts) if len(parts) > len(tables) else []
        if beside and len(beside) == len(parts):
            yield f"{how}.beside", replace_name(extract_tables(view.page, beside, view.earlier), f"grid.{how}")
        lists = readings(tables)
        if lists:
            extraction = extract_tables(view.page, lists, view.earlier)
            yield how, replace_name(extraction, f"grid.{how}")
            if len(lists) > 1:
                largest = max(lists, key=lambda reading: reading.grid.n_rows)
                like = [reading for reading in lists if reading.grid.n_cols == largest.grid.n_cols]
                if len(like) < len(lists):
                    yield f"{how}.like", replace_name(extract_tables(view.page, like, view.earlier), f"grid.{how}")


def side_by_side(table: Table) -> list[Table]:
    """The lists that stand beside each other in one table: columns that are filled alike again and again; the table
    itself where there are none."""
    filled: list[set[int]] = [set() for _ in range(table.n_cols)]
    for cell in table.cells:
        if cell.cols == 1 and trim(cell.text):
            filled[cell.col].add(cell.row)
    for period in range(2, table.n_cols // 2 + 1):
        count = table.n_cols // period
        if table.n_cols % period or not 2 <= count <= _MOST_BESIDE or table.n_rows < _LEAST_ROWS:
            continue
        if all(_filled_alike(filled[n::period]) for n in range(period)):
            return [_part(table, n * period, period) for n in range(count)]
    return [table]


def _filled_alike(columns: Sequence[Set[int]]) -> bool:
    """Each full or each (nearly) empty; a list may end before its neighbour."""
    sizes = [len(rows) for rows in columns]
    return max(sizes) <= 1 or min(sizes) >= _SHORTEST * max(sizes)


def _part(table: Table, first: int, count: int) -> Table:
    """So many columns as a table of their own; what spans more of it stands in none."""
    cells = [
        msgspec.structs.replace(cell, col=cell.col - first)
        for cell in table.cells
        if first <= cell.col and cell.col + cell.cols <= first + count
    ]
    box = union(cell.box for cell in cells) if cells else table.box
    return msgspec.structs.replace(table, id=f"{table.id}.{first}", box=box, n_cols=count, cells=tuple(cells))


def replace_name(extraction: Extraction, name: str) -> Extraction:
    return msgspec.structs.replace(extraction, extractor=name)
