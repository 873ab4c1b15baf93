"""ParsedPage: what a reader saw on one page, whichever reader it was. Boxes as in catalogsku.core.box."""

import zlib
from typing import TypeVar

import msgspec

from catalogsku.core.box import Box
from catalogsku.core.text import without_nul

# Raised whenever reading changes what a page contains: kept pages of an older version are read anew (LX-PARSECACHE).
READING_VERSION = 19
MAX_PAGE_BYTES = 64_000_000  # unpacked

Unpacked = TypeVar("Unpacked")


class Word(msgspec.Struct, frozen=True, array_like=True):
    """A run of text without a space; in CJK print often a whole line. ``size`` in points."""

    text: str
    box: Box
    size: float = 0.0
    bold: bool = False


class Line(msgspec.Struct, frozen=True, array_like=True):
    """Words on one baseline of one block, left to right (top to bottom where ``vertical``)."""

    text: str
    box: Box
    words: tuple[Word, ...]
    size: float = 0.0
    bold: bool = False
    vertical: bool = False


class Block(msgspec.Struct, frozen=True):
    """Lines that belong together; ``id`` is T1, T2 ... in reading order."""

    id: str
    box: Box
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


class Hidden(msgspec.Struct, frozen=True, array_like=True):
    """A line of text that lies in the page but is not to be read on it, and so is in no block.

    ``reason``: white, tiny, off_page (its box then lies outside), covered, invisible_mode or slanted (a watermark).
    """

    text: str
    box: Box
    reason: str


class Cell(msgspec.Struct, frozen=True):
    """A table cell at its top-left grid place; a merged cell spans ``rows`` x ``cols`` places."""

    row: int
    col: int
    text: str
    box: Box
    rows: int = 1
    cols: int = 1


class Table(msgspec.Struct, frozen=True):
    """A grid of cells; places covered by a merged cell hold no cell of their own. ``id`` is G1, G2 ..."""

    id: str
    box: Box
    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...]
    ruled: bool = True
    method: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A picture as placed on the page; ``file`` is its name in the reading child's output folder, if it was extracted.

    ``content_hash``: SHA-256 of the file's bytes. ``perceptual_hash``: 64-bit difference hash as 16 hex digits.
    ``id`` is P1, P2 ... in reading order. ``drawn``: cut from the page as it shows, with what lies upon it. ``tones``:
    colours of 4 x 4 parts in hex digits; empty in pages that were read before they were kept.
    """

    id: str
    box: Box
    width_px: int
    height_px: int
    content_hash: str = ""
    perceptual_hash: str = ""
    file: str = ""
    fragmented: bool = False
    blur: float = 0.0
    drawn: bool = False
    tones: str = ""

    @property
    def short_edge(self) -> int:
        return min(self.width_px, self.height_px)


class Features(msgspec.Struct, frozen=True):
    """Numbers that router and classifier use (TA-FEAT). Ratios are 0 to 1 of the page area unless said otherwise."""

    chars: int = 0
    blocks: int = 0
    columns: int = 1
    tables: int = 0
    table_ratio: float = 0.0
    pictures: int = 0
    picture_ratio: float = 0.0
    text_density: float = 0.0
    drawings: int = 0
    ocr_ratio: float = 0.0
    fragmented_pictures: int = 0
    han_ratio: float = 0.0
    body_size_pt: float = 0.0


class Ocr(msgspec.Struct, frozen=True):
    """That this page's text (all or in part) was recognised, by which engine, why, and how sure it was (0 to 1).

    ``language``: zh, en, ja, ko, ru, hi, th or ar by the scripts on the page, read with ``model``. ``mended``:
    characters that the print around them proves to be others than the engine said.
    """

    engine: str
    reason: str
    mean_score: float
    rotation: int = 0
    lines: int = 0
    language: str = ""
    model: str = ""
    mended: int = 0


class Timing(msgspec.Struct, frozen=True):
    read_ms: int = 0
    table_ms: int = 0
    ocr_ms: int = 0
    picture_ms: int = 0
    screenshot_ms: int = 0


class ParsedPage(msgspec.Struct, frozen=True):
    """One page as displayed (rotation and crop applied). ``number`` counts from 1.

    ``reader`` names the reader that gave the text, ``table_reader`` the one that gave the tables; ``fallbacks`` lists
    every time one was left for another, with its reason (TA-T26). ``notes`` are codes such as ``hidden_text``.
    ``turn``: by how many quarter turns clockwise most of its text is turned from running left to right. ``panels``:
    shaded or framed parts on which text and pictures may stand together.
    """

    number: int
    width_pt: float
    height_pt: float
    rotation: int
    reader: str
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    features: Features = Features()
    table_reader: str = ""
    ocr: Ocr | None = None
    fallbacks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    preview: str = ""
    thumbnail: str = ""
    timing: Timing = Timing()
    turn: int = 0
    panels: tuple[Box, ...] = ()
    version: int = READING_VERSION

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks)

    @property
    def lines(self) -> list[Line]:
        return [line for block in self.blocks for line in block.lines]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ParsedPage)


def pack_page(page: ParsedPage) -> bytes:
    """Compressed bytes as kept in the database (about 4 KB a page). NUL signs, which no database column takes and no
    page shows, are left out."""
    raw = _encoder.encode(page)
    return zlib.compress(without_nul(raw), 6)


class _PagePictures(msgspec.Struct, frozen=True):
    pictures: tuple[Picture, ...] = ()


_pictures_decoder = msgspec.json.Decoder(_PagePictures)


def unpack_page(data: bytes, max_bytes: int = MAX_PAGE_BYTES) -> ParsedPage:
    """The page again. Raises ValueError for anything that is not a packed page, or unpacks beyond ``max_bytes``."""
    return _unpack(data, max_bytes, _decoder)


def unpack_pictures(data: bytes) -> tuple[Picture, ...]:
    """The page's pictures alone, without building the rest. Raises as unpack_page does."""
    return _unpack(data, MAX_PAGE_BYTES, _pictures_decoder).pictures


def _unpack(data: bytes, max_bytes: int, decoder: msgspec.json.Decoder[Unpacked]) -> Unpacked:
    try:
        inflate = zlib.decompressobj()
        raw = inflate.decompress(data, max_bytes)
        if inflate.unconsumed_tail:
            raise ValueError("packed page larger than its limit")
        return decoder.decode(raw)
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"not a packed page: {error}") from error
