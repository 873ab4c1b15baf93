"""What stands over the rows of a product table and names all of them: no product beside its rows."""

from typing import Protocol

from catalogsku.core.box import Box, gap
from catalogsku.core.text import squash
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.tables.extractor import Reading

# Rows whose codes begin with the family's.
_LEAST_ROWS = 2
# Points between a title and its table.
_CLOSE_PT = 12.0


class _View(Protocol):
    @property
    def tables(self) -> list[Reading]: ...


def heads_rows(view: _View, draft: Draft) -> bool:
    """Its code begins those of a table's rows, or it is only a name, right over a table of codes."""
    code = draft.attributes.get("model")
    if code is not None:
        stem = squash(code.text)
        return any(_rows_of(reading, stem) >= _LEAST_ROWS for reading in view.tables)
    return "price" not in draft.attributes and any(_is_right_over(draft.anchor, reading) for reading in view.tables)


def _codes(reading: Reading) -> list[str]:
    return [squash(value) for column in reading.columns if column.role == "model" for value in column.values]


def _rows_of(reading: Reading, stem: str) -> int:
    return sum(code.startswith(stem) and code != stem for code in _codes(reading))


def _is_right_over(anchor: Box, reading: Reading) -> bool:
    table = reading.grid.table.box
    over = anchor[3] <= table[1] + 1.0 and min(anchor[2], table[2]) > max(anchor[0], table[0])
    return over and gap(anchor, table) <= _CLOSE_PT and len(_codes(reading)) >= _LEAST_ROWS
