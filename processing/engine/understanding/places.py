"""Where the values that a model gives stand on the page, and whether that is their own product's place (LX-QUOTE).

A right text from the wrong row is as wrong as an invented one: each product has a home, the row (or column, or lines)
that most of its values stand in, and what stands in another product's home is not this one's.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.result import Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import cell_value, part_box, text_value
from processing.engine.understanding.quotes import Printed
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, SIZE_OR_TEXT, label_kind
from processing.engine.understanding.view import PageView

_PART = re.compile(r"(G\d+)[.:](\d+)(?:[.:](\d+))?|([TG]\d+)")
IDENTITY = ("model", "product_name")
# Two other values outvote the identity about the row that a product stands in, one does not.
_IDENTITY_COUNTS, _VALUE_COUNTS = 3, 2
# Attributes of which each has a column of its own where two of them are printed, and no value of one is the other's.
_APART = frozenset({"model", "price", "moq", "size", "weight", "packing", "material", "color"})
_KEY_OF = {CODE_OR_NUMBER: "model", SIZE_OR_TEXT: "size"}


class Spot(NamedTuple):
    """A text that values may stand in: a table's cell, else a line."""

    text: str
    box: Box
    table: Table | None = None
    cell: Cell | None = None
    line: Line | None = None

    @property
    def rows(self) -> set[tuple[str, int]]:
        if self.table is None or self.cell is None:
            return set()
        return {(self.table.id, self.cell.row + n) for n in range(self.cell.rows)}

    @property
    def cols(self) -> set[tuple[str, int]]:
        if self.table is None or self.cell is None:
            return set()
        return {(self.table.id, self.cell.col + n) for n in range(self.cell.cols)}

    def holds(self, text: str) -> bool:
        return Printed((self.text,)).match(text).kind == "exact"

    def proof_of(self, text: str, page_number: int) -> Value:
        if self.cell is not None:
            return msgspec.structs.replace(cell_value([self.cell], page_number), text=text)
        box = part_box(self.line, text) if self.line is not None else self.box
        return text_value(text, box, page_number, "text_line")

    def label_of(self, text: str) -> str:
        """What stands before it on its line, or as the uppermost text over its cell."""
        if self.table is None or self.cell is None:
            return trim(self.text.partition(text)[0]) if text in self.text else ""
        own = self.cell
        above = [c for c in self.table.cells if c.row < own.row and _is_at(c, None, own.col) and trim(c.text)]
        return trim(min(above, key=lambda c: c.row).text) if above else ""


@dataclass(frozen=True)
class Home:
    """``row``: table and row, or column where products stand side by side (``sideways``); ("", -1) for none.

    ``lines``: boxes of the lines that name the product, ``named``: what they name it."""

    row: tuple[str, int] = ("", -1)
    sideways: bool = False
    lines: frozenset[Box] = frozenset()
    named: frozenset[str] = frozenset()


class Said(NamedTuple):
    """One value of a model, with the ids that it gives as its source."""

    key: str
    text: str
    source: str


class Named:
    """The spots that ids of blocks, tables, rows and cells stand for."""

    def __init__(self, page: ParsedPage) -> None:
        self.tables = {table.id: table for table in page.tables}
        self._blocks = {block.id: block for block in page.blocks}

    def of(self, source: str) -> list[Spot]:
        spots: list[Spot] = []
        for name, row, col, part in _PART.findall(source):
            if table := self.tables.get(name or part):
                at = (int(row) if row else None, int(col) if col else None)
                spots += [Spot(c.text, c.box, table, c) for c in table.cells if _is_at(c, *at)]
            elif part in self._blocks:
                spots += [self.spot_of(line) for line in self._blocks[part].lines]
        return spots

    def spot_of(self, line: Line) -> Spot:
        """A line within a table is that of its cell."""
        for table in self.tables.values():
            if contains_point(table.box, *centre(line.box)):
                for cell in table.cells:
                    if contains_point(cell.box, *centre(line.box)) and squash(line.text) in squash(cell.text):
                        return Spot(cell.text, cell.box, table, cell)
        return Spot(line.text, line.box, line=line)


class Places:
    """The spots of one page, and whose they are."""

    def __init__(self, view: PageView, products: Sequence[Sequence[Said]], rules: Sequence[Draft]) -> None:
        page = view.page
        self._page = page
        self._spots = Named(page)
        self._tables = self._spots.tables
        headless = (
            reading for reading in view.tables if reading.merge is not None and reading.merge.reason == "head_inherited"
        )
        self._inherited = {reading.grid.table.id: {c.col: c.role for c in reading.columns} for reading in headless}
        self.homes = [self._home(values) for values in products]
        self._rules = rules
        self._taken = {home.row for home in self.homes if home.row[0]}
        self._taken |= {(draft.table, draft.row) for draft in rules if draft.table}

    def find(self, said: Said, home: Home, near: Box | None) -> tuple[Spot | None, bool]:
        """The spot that proves the value, and whether it is another product's. ``near``: what was found so far.

        What was named comes before the product's own row, and that before the line that is nearest; a spot of the
        product's own before any other, and one that holds the value as it is before one that holds it in parts.
        """
        wanted = squash(trim(said.text))
        if not wanted:
            return None, False
        best: tuple[tuple[bool, bool], Spot] | None = None
        for spot in self._candidates(said.source, home, near):
            if wanted in squash(spot.text) or spot.holds(said.text):
                rank = (not spot.holds(said.text), self._is_elsewhere(spot, home))
                if best is None or rank < best[0]:
                    best = rank, spot
                if rank == (False, False):
                    break
        return (best[1], best[0] == (False, True)) if best else (None, False)

    def named_lines(self, source: str) -> list[Spot]:
        return [spot for spot in self._spots.of(source) if spot.cell is None]

    def is_mislabelled(self, said: Said, spot: Spot, home: Home) -> bool:
        """The spot is the product's own but stands under the label of another attribute, while under the label of this
        one something else is printed for the product: the quantity given as the price."""
        table, cell = spot.table, spot.cell
        if table is None or cell is None or said.key not in _APART or home.row[0] != table.id:
            return False
        labels = self._labels(table, sideways=home.sideways)
        here = {labels.get(n) for n in _lines_of(cell, sideways=home.sideways)}
        if said.key in here or not here & _APART:
            return False
        cells = (s.cell for s in self._of_row(home) if s.cell is not None)
        own = [c.text for c in cells if said.key in {labels.get(n) for n in _lines_of(c, sideways=home.sideways)}]
        return any(trim(text) for text in own) and not any(squash(trim(said.text)) in squash(text) for text in own)

    def _labels(self, table: Table, *, sideways: bool) -> dict[int, str]:
        """Attribute by column, as the first row names it, or the head on the page before; by row and the first column
        where products are columns."""
        if not sideways and table.id in self._inherited:
            return self._inherited[table.id]
        labels: dict[int, str] = {}
        for cell in table.cells:
            if (cell.col if sideways else cell.row) == 0 and (kind := label_kind(cell.text)):
                labels |= dict.fromkeys(_lines_of(cell, sideways=sideways), _KEY_OF.get(kind, kind))
        return labels

    # -- spots

    @cached_property
    def _lines(self) -> list[Spot]:
        return [self._spots.spot_of(line) for line in self._page.lines]

    def _candidates(self, source: str, home: Home, near: Box | None) -> Iterator[Spot]:
        yield from self._spots.of(source)
        yield from self._of_row(home)
        yield from sorted(self._lines, key=lambda spot: gap(near, spot.box)) if near else self._lines

    def _of_row(self, home: Home) -> Iterator[Spot]:
        name, n = home.row
        for cell in self._tables[name].cells if name in self._tables else ():
            if _is_at(cell, None, n) if home.sideways else _is_at(cell, n, None):
                yield Spot(cell.text, cell.box, self._tables[name], cell)

    # -- whose they are

    def _home(self, values: Sequence[Said]) -> Home:
        """By the cells that were named for its values; where none is, by those that hold its identity."""
        proofs = [(v, spot) for v in values for spot in self._spots.of(v.source) if spot.holds(v.text)]
        naming = [v for v in values if v.key in IDENTITY]
        if not any(v.key in IDENTITY for v, _ in proofs):
            proofs += [(v, spot) for v in naming for spot in self._lines if spot.holds(v.text)]
        rows, cols = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
        for value, spot in proofs:
            counts = _IDENTITY_COUNTS if value.key in IDENTITY else _VALUE_COUNTS
            rows.update(dict.fromkeys(spot.rows, counts))
            cols.update(dict.fromkeys(spot.cols, counts))
        lines = frozenset(spot.box for v, spot in proofs if v.key in IDENTITY and spot.cell is None)
        named = frozenset(squash(v.text) for v in naming)
        if not rows:
            return Home(lines=lines, named=named)
        (by_row, most), (by_col, across) = rows.most_common(1)[0], cols.most_common(1)[0]
        return Home(by_row if most >= across else by_col, across > most, lines, named)

    def _is_elsewhere(self, spot: Spot, home: Home) -> bool:
        """The spot is another product's and not this one's too, as a merged cell or one that is filled down may be."""
        if spot.table is not None and spot.cell is not None:
            spans = spot.cols if home.sideways else spot.rows
            if home.row in spans or not spans & self._taken:
                return False
            return not self._is_filled_down(spot.table, spot.cell, home)
        if spot.box in home.lines:
            return False
        if any(spot.box in other.lines for other in self.homes):
            return True
        return any(self._is_of(rule, spot.box, home) for rule in self._rules if not rule.table)

    def _is_filled_down(self, table: Table, cell: Cell, home: Home) -> bool:
        """Nothing else is printed in its column down to the product's row."""
        name, row = home.row
        if home.sideways or name != table.id or cell.row > row:
            return False
        below = (c for c in table.cells if cell.row < c.row <= row and _is_at(c, None, cell.col))
        return not any(trim(c.text) for c in below)

    def _is_of(self, rule: Draft, box: Box, home: Home) -> bool:
        """The rule analyst has a product there that is another one, and nothing of this one stands in it."""
        names = {squash(rule.attributes[key].text) for key in IDENTITY if key in rule.attributes}
        if not names or names & home.named or not home.lines:
            return False
        return contains_point(rule.anchor, *centre(box)) and not any(
            contains_point(rule.anchor, *centre(line)) for line in home.lines
        )


def _lines_of(cell: Cell, *, sideways: bool) -> range:
    """Columns that the cell spans, or rows."""
    return range(cell.row, cell.row + cell.rows) if sideways else range(cell.col, cell.col + cell.cols)


def _is_at(cell: Cell, row: int | None, col: int | None) -> bool:
    """None: anywhere."""
    in_row = row is None or cell.row <= row < cell.row + cell.rows
    return in_row and (col is None or cell.col <= col < cell.col + cell.cols)
