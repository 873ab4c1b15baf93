"""Open lists that go on over the end of a page and print their head on the first one only."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.tables.open_table import (
    FLUSH,
    OPEN_LIST,
    baselines,
    by_column,
    cut_at,
    edges_of,
    open_tables,
)
from processing.engine.understanding.tables.shaded import tables_of

# Of the page's height, how far down the list stands that goes on; of its rows, how many begin a column at one place.
_LOW, _MOST = 0.75, 0.8
_LEAST_COLUMNS = 2


def begun_list(page: ParsedPage, earlier: Sequence[ParsedPage], look_back: int) -> tuple[ParsedPage, Table] | None:
    """The last list with a head before this page, where it stands at a page's foot and no other table came since."""
    before = {other.number: other for other in earlier}
    for number in range(page.number - 1, page.number - 1 - look_back, -1):
        other = before.get(number)
        if other is None:
            return None
        last = max(open_tables(other), key=lambda table: table.box[3], default=None)
        if last is not None:
            return (other, last) if last.box[3] >= _LOW * other.height_pt else None
        if any(table.ruled for table in tables_of(other)):
            return None
    return None


def going_on(page: ParsedPage, before: Table) -> Table | None:
    """The page's lines as rows at the columns of the list before; None where few of them stand there, headers,
    footers and notes under the last one aside."""
    filled = [[cell.box for cell in before.cells if cell.col == col] for col in range(before.n_cols)]
    head = [Line("", union(boxes), ()) for boxes in filled]
    columns = _aligned(before)
    starts = [x for side, x in columns if side == 0]
    printed = [p for line in page.lines for p in pieces(line)]
    rows = [[part for line in row for part in cut_at(line, starts)] for row in baselines(printed)]
    fitting = [row for row in rows if _fits(row, columns)]
    foot = max((line.box[3] for row in fitting for line in row), default=0.0)
    others = [row for row in rows if row not in fitting and not all(in_margin(p.box, page.height_pt) for p in row)]
    others = [row for row in others if not (row[0].box[1] >= foot and all(_is_footnote(line) for line in row))]
    if not fitting or len(fitting) < _MOST * (len(fitting) + len(others)):
        return None
    edges = edges_of(head, page.width_pt)
    cells = [
        Cell(n, col, "  ".join(trim(line.text) for line in lines), union(line.box for line in lines))
        for n, row in enumerate(fitting)
        for col, lines in sorted(by_column(row, edges).items())
    ]
    box = union(cell.box for cell in cells)
    return Table("L1", box, len(fitting), before.n_cols, tuple(cells), ruled=False, method=OPEN_LIST)


def _is_footnote(line: Line) -> bool:
    return trim(line.text)[:1] in ("*", "＊", "※", "†")


def _aligned(table: Table) -> list[tuple[int, float]]:
    """By column where most of its entries begin, have their middle or end (0, 1, 2), and that place; columns whose
    entries share none are left out."""
    alignments: list[tuple[int, float]] = []
    for col in range(table.n_cols):
        boxes = [cell.box for cell in table.cells if cell.col == col and cell.row > 0]
        places = [(side, sorted(_place(box, side) for box in boxes)) for side in range(3) if boxes]
        usual = [(side, at[len(at) // 2], at) for side, at in places]
        shared = [(side, x) for side, x, at in usual if sum(abs(a - x) <= FLUSH for a in at) >= _MOST * len(at)]
        alignments += shared[:1]
    return alignments


def _place(box: Box, side: int) -> float:
    return (box[0], centre(box)[0], box[2])[side]


def _fits(row: Sequence[Line], columns: Sequence[tuple[int, float]]) -> bool:
    """Entries in at least two columns stand as those of the list do."""
    return sum(any(abs(_place(line.box, side) - x) <= FLUSH for line in row) for side, x in columns) >= _LEAST_COLUMNS
