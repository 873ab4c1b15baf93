"""Cells that print the codes of several products under each other, which share what else stands in the row."""

import re
from collections.abc import Sequence

import msgspec

from catalogsku.core.text import trim
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.tables.additions import quoting
from processing.engine.understanding.tables.columns import Column
from processing.engine.understanding.tables.grid import Grid

# What two codes of one row begin with alike, in signs.
_LEAST_ALIKE = 2


def one_each(draft: Draft, grid: Grid, row: int, columns: tuple[Column, ...]) -> list[Draft]:
    """The draft; where its code's cell prints several, one for each, with the lines beside it where another cell has
    as many. A single price may be for all of them together, and is doubted."""
    lines = {column.role: _lines(grid, row, column) for column in columns}
    codes = lines.get("model", [])
    if not _are_several(codes):
        return [draft]
    own = {key: lines[key] for key in draft.attributes if len(lines.get(key, ())) == len(codes)}
    priced = "price" in draft.attributes
    unclear = priced and not ("price" in own and all(map(is_valid_price, own["price"])))
    drafts = []
    for n, _ in enumerate(codes):
        said = {
            key: msgspec.structs.replace(value, text=own[key][n], evidence=quoting(value.evidence, own[key][n]))
            if key in own
            else value
            for key, value in draft.attributes.items()
        }
        drafts.append(msgspec.structs.replace(draft, attributes=said, price_unclear=unclear))
    return drafts


def _are_several(codes: Sequence[str]) -> bool:
    """Codes of one pattern, each another one; no code that is broken and no text that goes on."""
    patterns = {re.sub(r"[A-Za-z]", "a", re.sub(r"[0-9]", "0", code)) for code in codes}
    alike = len(patterns) == 1 and len({code[:_LEAST_ALIKE] for code in codes}) == 1
    lettered = all(is_code(code) and any(map(str.isalpha, code)) for code in codes)
    return len(codes) == len(set(codes)) > 1 and alike and lettered


def _lines(grid: Grid, row: int, column: Column) -> list[str]:
    """Of a cell that is the row's own."""
    cell = grid.cell(row, column.col)
    whole = cell is not None and not column.part and grid.depth(row, column.col) == 1
    return [line for line in map(trim, cell.text.split("\n")) if line] if cell is not None and whole else []
