"""What stands in the text zones of a request: ids and boxes of blocks, tables with their cells, and pictures.

Read for the ids alone, by which an answer says where something stands: what is printed there is told by the image.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from catalogsku.core.box import Box
from tests.support.seeing_model.eyes import folded

_ZONE = re.compile(r"<(tables|text|pictures)-(\w+)>\n(.*?)\n</\1-\2>", re.S)


@dataclass(frozen=True)
class Block:
    """``text`` folded."""

    id: str
    box: Box
    text: str


@dataclass(frozen=True)
class Cell:
    """``text`` folded; it reaches over ``rows`` and ``cols``."""

    id: str
    rows: range
    cols: range
    text: str


@dataclass(frozen=True)
class Table:
    id: str
    box: Box
    cells: tuple[Cell, ...]

    def line(self, n: int, sideways: bool) -> dict[int, Cell]:
        """The cells of a row by their column, or of a column by their row."""
        if sideways:
            return {at: cell for cell in self.cells if n in cell.cols for at in cell.rows}
        return {at: cell for cell in self.cells if n in cell.rows for at in cell.cols}

    def lines(self, sideways: bool) -> list[int]:
        return sorted({at for cell in self.cells for at in (cell.cols if sideways else cell.rows)})


@dataclass(frozen=True)
class Shown:
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    pictures: tuple[tuple[str, Box], ...]


def shown_in(texts: Sequence[str]) -> Shown:
    zones = {name: ElementTree.fromstring(f"<z>{inside}</z>") for name, _, inside in _ZONE.findall("\n".join(texts))}
    return Shown(
        tuple(Block(b.get("id", ""), _box(b), folded(b.text or "")) for b in zones.get("text", ())),
        tuple(
            Table(t.get("id", ""), _box(t), tuple(_cell(c) for row in t for c in row)) for t in zones.get("tables", ())
        ),
        tuple((p.get("id", ""), _box(p)) for p in zones.get("pictures", ())),
    )


def _cell(cell: ElementTree.Element) -> Cell:
    name = cell.get("id", "")
    row, col = (int(part) for part in name.split(":")[1:])
    rows, cols = int(cell.get("rows", "1")), int(cell.get("cols", "1"))
    return Cell(name, range(row, row + rows), range(col, col + cols), folded(cell.text or ""))


def _box(element: ElementTree.Element) -> Box:
    x0, y0, x1, y1 = (float(edge) for edge in element.get("box", "").split())
    return x0, y0, x1, y1
