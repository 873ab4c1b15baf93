"""Price ladders: a product with a row for each quantity it is sold by, all else merged over these rows."""

from dataclasses import dataclass

import msgspec

from catalogsku.core.box import union
from processing.engine.result import CustomValue
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import cell_evidence
from processing.engine.understanding.rules.labels import QUANTITY
from processing.engine.understanding.rules.normalise import is_quantity, least_quantity
from processing.engine.understanding.rules.shapes import is_on_request
from processing.engine.understanding.tables.columns import Column
from processing.engine.understanding.tables.grid import Grid

_IDENTITIES = ("model", "product_name")


@dataclass(frozen=True)
class Ladder:
    """The quantity and the price column of such a table, and the rows that only print a further quantity."""

    quantity: Column
    price: Column
    rows: frozenset[int]

    def extended(self, draft: Draft, grid: Grid, row: int, page_number: int) -> Draft:
        """The product with the quantity and the price of one more row; its box grows to hold the row."""
        first = (grid.text(draft.row, self.quantity.col), grid.text(draft.row, self.price.col))
        own = (grid.text(row, self.quantity.col), grid.text(row, self.price.col))
        custom = tuple(value for value in draft.custom if value.name != self.quantity.label.name)
        cell = grid.cell(row, self.price.col)
        if cell is not None and not is_on_request(cell.text):
            custom = (*custom, CustomValue(own[0], own[1], cell_evidence([cell], page_number)))
        box = union((draft.box, grid.row_box(row)))
        return msgspec.structs.replace(
            draft, box=box, anchor=box, custom=custom, tiers=(*(draft.tiers or (first,)), own)
        )


def find_ladder(grid: Grid, columns: tuple[Column, ...]) -> Ladder | None:
    """The ladder of a table in which quantities rise from row to row of one product; None where it has none."""
    price = next((column for column in columns if column.role == "price"), None)
    quantity = next((column for column in columns if column.label.kind == QUANTITY or column.role == "moq"), None)
    if price is None or quantity is None or not all(map(is_quantity, quantity.values)):
        return None
    rows = frozenset(
        row
        for row in range(1, grid.n_rows)
        if _continues(grid, row, columns) and {col for col, _ in grid.filled(row)} == {price.col, quantity.col}
    )
    return Ladder(quantity, price, rows) if rows and all(_rises(grid, row, quantity.col) for row in rows) else None


def _continues(grid: Grid, row: int, columns: tuple[Column, ...]) -> bool:
    """A code or a name is merged over this row from the one above."""
    identities = [column.col for column in columns if column.role in _IDENTITIES]
    return any(grid.text(row, col) and not grid.starts(row, col) for col in identities)


def _rises(grid: Grid, row: int, col: int) -> bool:
    before, own = least_quantity(grid.text(row - 1, col)), least_quantity(grid.text(row, col))
    return before is not None and own is not None and before < own
