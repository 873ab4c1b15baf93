"""Pages built by hand: tables from rows of text, lines and pictures at given places."""

from collections.abc import Sequence

from catalogsku.core.box import Box
from processing.engine.page import Block, Cell, Line, ParsedPage, Picture, Table, Word
from processing.engine.result import PageResult
from processing.engine.understanding.config import AnalystConfig

A4 = (595.0, 842.0)


def line(text: str, x: float, y: float, size: float = 10.0) -> Line:
    """A line whose words share its width by their length."""
    step = 0.55 * size
    words, at = [], x
    for part in text.split():
        wide = sum(1.8 if ord(char) > 0x2E7F else 1.0 for char in part) * step
        words.append(Word(part, (at, y, at + wide, y + size), size))
        at += wide + step
    return Line(text, (x, y, at - step, y + size), tuple(words), size)


def table(
    rows: Sequence[Sequence[str | None]],
    x: float = 50,
    y: float = 100,
    widths: float = 80,
    height: float = 20,
    **options: object,
) -> Table:
    """``None`` continues the cell above it (merged down)."""
    n_cols = len(rows[0])
    cells = []
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text is None:
                continue
            span = 1
            while r + span < len(rows) and rows[r + span][c] is None:
                span += 1
            box = (x + c * widths, y + r * height, x + (c + 1) * widths, y + (r + span) * height)
            cells.append(Cell(r, c, text, box, span, 1))
    box = (x, y, x + n_cols * widths, y + len(rows) * height)
    return Table(str(options.get("id", "G1")), box, len(rows), n_cols, tuple(cells))


def picture(name: str, box: Box, pixels: int = 800, perceptual_hash: str = "") -> Picture:
    return Picture(name, box, pixels, pixels, perceptual_hash=perceptual_hash)


def page(
    *lines: Line,
    tables: Sequence[Table] = (),
    pictures: Sequence[Picture] = (),
    number: int = 1,
    size: Box | tuple[float, float] = A4,
) -> ParsedPage:
    """The tables' words are lines of the page too, as readers give them."""
    inside = [
        line(part, cell.box[0] + 2, cell.box[1] + 2 + 9 * n, 8)
        for t in tables
        for cell in t.cells
        for n, part in enumerate(cell.text.splitlines())
        if part.strip()
    ]
    blocks = tuple(Block(f"T{n}", one.box, (one,)) for n, one in enumerate((*lines, *inside), 1))
    return ParsedPage(number, size[0], size[1], 0, "test", blocks, tuple(tables), tuple(pictures))


def texts(result: PageResult, key: str) -> list[str | None]:
    """The printed value of each SKU, in page order."""
    return [sku.attributes[key].text if key in sku.attributes else None for sku in result.skus]


# What the rules say by themselves, whatever the fitted weights make of it beside other proposals.
BY_RULES = AnalystConfig(proposers=("rules",))
