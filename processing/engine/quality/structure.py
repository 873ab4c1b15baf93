"""How faithfully a page was read, whatever was made of it then: the order of its lines, and its tables' rows.

Both tell a page that was read worse from one that was understood worse.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from catalogsku.core.text import squash
from processing.engine.page import ParsedPage, Table
from processing.engine.quality.truth import TruthPage, TruthSku

Share = tuple[int, int]  # (kept, asked)


def reading_order(page: TruthPage, skus: Sequence[TruthSku], parsed: ParsedPage | None) -> Share:
    """Neighbours of the truth that follow each other in what was read, and all of which both were found there once.

    Neighbours are the lines of the truth's ``text``; where it quotes none, its products, by the name that they go by.
    """
    lines = page.text.splitlines() if page.text else [sku.identity for sku in skus]
    read = squash(parsed.text) if parsed else ""
    places = [read.find(line) for line in map(squash, lines) if line and read.count(line) == 1]
    pairs = list(pairwise(places))
    return sum(first < second for first, second in pairs), len(pairs)


def table_rows(page: TruthPage, skus: Sequence[TruthSku], parsed: ParsedPage | None) -> Share:
    """Printed values of a table's products that stand together in one row (or column) of one table that was read.

    Of pages whose truth is a table, and products of which at least two values are printed.
    """
    if page.page_type != "A":
        return 0, 0
    lines = [line for table in (parsed.tables if parsed else ()) for line in _lines(table)]
    kept = asked = 0
    for sku in skus:
        values = [[squash(text) for text in sku.texts(key)] for key in sku.asked]
        if len(values) < 2:
            continue
        asked += len(values)
        kept += max((sum(_holds(line, texts) for texts in values) for line in lines), default=0)
    return kept, asked


def _lines(table: Table) -> Iterator[list[str]]:
    """The texts of each row and each column; a cell that spans several stands in all of them."""
    for row in range(table.n_rows):
        yield [squash(cell.text) for cell in table.cells if cell.row <= row < cell.row + cell.rows]
    for col in range(table.n_cols):
        yield [squash(cell.text) for cell in table.cells if cell.col <= col < cell.col + cell.cols]


def _holds(cells: Sequence[str], texts: Sequence[str]) -> bool:
    return any(_stands_in(text, cell) for text in texts for cell in cells)


def _stands_in(text: str, cell: str) -> bool:
    """As a whole: "10" is not in "100", but in "10cm"."""
    at = cell.find(text)
    while text and at >= 0:
        before, after = cell[at - 1 : at], cell[at + len(text) : at + len(text) + 1]
        if not (text[0].isdigit() and before.isdigit()) and not (text[-1].isdigit() and after.isdigit()):
            return True
        at = cell.find(text, at + 1)
    return False
