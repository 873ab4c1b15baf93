"""Papers built by hand: pages of blocks of lines at given places, as readers give them."""

from collections.abc import Sequence

from processing.engine.kinds.printed import PrintedText
from processing.engine.page import Block, ParsedPage
from tests.unit.understanding.pages import A4, line

# Left edge and top in points, and lines of text.
Piece = tuple[float, float, Sequence[str]]


def block(name: str, x: float, y: float, lines: Sequence[str]) -> Block:
    printed = tuple(line(text, x, y + 12 * n) for n, text in enumerate(lines))
    return Block(name, (x, y, max(ln.box[2] for ln in printed), printed[-1].box[3]), printed)


def page(*pieces: Piece, number: int = 1) -> ParsedPage:
    blocks = tuple(block(f"T{n}", *piece) for n, piece in enumerate(pieces, 1))
    return ParsedPage(number, *A4, 0, "made", blocks)


def printed(*texts: str) -> PrintedText:
    """A page of one block, its lines under one another in the page's midst."""
    return PrintedText([page((50, 200, texts))])
