"""Ruled tables with merged cells and pictures in cells."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.catalogues.ink import BLACK, Art, Box, Rgb, Sheet, rgb, wrap


@dataclass(frozen=True)
class Entry:
    """A cell at (row, col) that covers ``rows`` x ``cols`` places; holds a text (with line breaks) or a picture."""

    text: str = ""
    rows: int = 1
    cols: int = 1
    art: Art | None = None
    align: str = ""
    face: str = ""
    fill: Rgb | None = None
    colour: Rgb | None = None


@dataclass(frozen=True)
class Look:
    """How a table is drawn. Sizes in points."""

    size: float = 7.6
    leading: float = 1.32
    pad: float = 4.0
    face: str = "body"
    header_face: str = "bold"
    header_fill: Rgb | None = rgb("#2F2B27")
    header_colour: Rgb = rgb("#FFFFFF")
    band: Rgb | None = rgb("#F8F4EE")
    line: Rgb = rgb("#CFC6BA")
    colour: Rgb = BLACK
    aligns: Sequence[str] = field(default_factory=tuple)


# None stands at a place that a merged cell covers.
Row = Sequence[Entry | str | None]


def draw_table(
    sheet: Sheet,
    x: float,
    y: float,
    widths: Sequence[float],
    heights: Sequence[float],
    rows: Sequence[Row],
    look: Look,
    header_rows: int = 1,
) -> dict[tuple[int, int], Box]:
    """Draw the table with its top-left corner at (x, y); returns the box of every cell by (row, col)."""
    lefts, tops = _edges(x, widths), _edges(y, heights)
    boxes: dict[tuple[int, int], Box] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell is None:
                continue
            entry = cell if isinstance(cell, Entry) else Entry(cell)
            box = (lefts[c], tops[r], lefts[c + entry.cols], tops[r + entry.rows])
            boxes[r, c] = box
            _draw_cell(sheet, box, entry, look, header=r < header_rows, banded=(r - header_rows) % 2 == 1, col=c)
    for box in boxes.values():
        sheet.rect(box, line=look.line, thick=0.5)
    return boxes


def _draw_cell(sheet: Sheet, box: Box, entry: Entry, look: Look, *, header: bool, banded: bool, col: int) -> None:
    band = look.band if banded and entry.rows == 1 else None
    fill = entry.fill or (look.header_fill if header else band)
    if fill:
        sheet.rect(box, fill=fill)
    if entry.art:
        inset = 3.0
        sheet.art(entry.art, (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset), radius=2)
    if not entry.text:
        return
    face = entry.face or (look.header_face if header else look.face)
    colour = entry.colour or (look.header_colour if header else look.colour)
    align = entry.align or ("center" if header else (look.aligns[col] if look.aligns else "left"))
    lines = wrap(sheet.faces[face], entry.text, look.size, box[2] - box[0] - 2 * look.pad)
    step = look.size * look.leading
    baseline = (box[1] + box[3]) / 2 - step * (len(lines) - 1) / 2 + look.size * 0.36
    at = {"left": box[0] + look.pad, "center": (box[0] + box[2]) / 2, "right": box[2] - look.pad}[align]
    for line in lines:
        sheet.text(at, baseline, line, face=face, size=look.size, colour=colour, align=align)
        baseline += step


def _edges(start: float, sizes: Sequence[float]) -> list[float]:
    edges = [start]
    for size in sizes:
        edges.append(edges[-1] + size)
    return edges
