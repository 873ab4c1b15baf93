"""The reader port: what any PDF library must give, and the raw things it gives, before layout and tables are made.

All boxes are points with the origin at the top-left of the page as displayed (/Rotate and CropBox applied). Pages
count from 1. A document serves one thread.
"""

from pathlib import Path
from typing import NamedTuple, Protocol, Self

from PIL import Image

from catalogsku.core.box import Box

# How far clockwise the writing direction is turned from left-to-right, in quarter turns; SLANTED between two of them.
RIGHT, DOWN, LEFT, UP, SLANTED = 0, 1, 2, 3, 4
# All of a picture, in shares of its width and height.
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


class UnreadableDocument(Exception):
    """The file cannot be opened by this reader: damaged, no PDF, or not without its password."""


class PasswordNeeded(UnreadableDocument):
    """The file opens only with a password, and none or a wrong one was given."""


class UnreadablePage(Exception):
    """This reader cannot read this page; another one may."""


class PageSize(NamedTuple):
    """Displayed size in points and the clockwise /Rotate (0, 90, 180, 270) that is already applied to it."""

    width_pt: float
    height_pt: float
    rotation: int


class Glyphs(NamedTuple):
    """A word as drawn: ``turn`` in quarter turns or SLANTED; ``invisible`` for render mode 3 or zero opacity; ``rgb``
    0xRRGGBB."""

    text: str
    box: Box
    size: float
    bold: bool
    turn: int
    invisible: bool
    rgb: int


class Shape(NamedTuple):
    """A drawn path that is neither rules nor rectangles: how many curves and slanted strokes it has."""

    box: Box
    strokes: int


class Drawings(NamedTuple):
    """Vector graphics: straight horizontal and vertical strokes (thin boxes count as such), filled rectangles that are
    larger, and how many ``paths`` the page has in all. ``limited`` where a page had too many to look at each.
    ``over``: of each fill, how many of the rules it was painted over; 0 where it lets them show through. Empty where
    the reader cannot tell."""

    rules: tuple[Box, ...]
    fills: tuple[Box, ...]
    paths: int
    limited: bool = False
    shapes: tuple[Shape, ...] = ()
    over: tuple[int, ...] = ()


class PlacedPicture(NamedTuple):
    """A raster picture on the page; ``box`` is what a clip leaves of it, ``part`` which part of the whole picture as
    displayed that is, in shares of its width and height. ``key`` names it for this document and page; ``turn`` is how
    many quarter turns clockwise it is shown from how it is stored, after mirroring left to right where ``mirrored``;
    ``skewed`` where neither says it."""

    key: int
    box: Box
    width_px: int
    height_px: int
    turn: int = 0
    mirrored: bool = False
    skewed: bool = False
    part: Box = WHOLE


class Glance(NamedTuple):
    """What a page holds, cheaply: its text in drawing order (invisible text too), boxes of pictures and of paths."""

    text: str
    pictures: tuple[Box, ...]
    paths: tuple[Box, ...]


class Imprint(NamedTuple):
    """What tells a page from others: its text by blocks and its pictures as stored (SHA-256), each with its place."""

    blocks: tuple[tuple[str, Box], ...]
    pictures: tuple[tuple[bytes, Box], ...]


class Document(Protocol):
    """One open file."""

    reader: str
    page_count: int
    # Whether it can decode pictures and render pages; one that only reads leaves ``picture`` and ``render`` raising.
    draws: bool

    def size(self, number: int) -> PageSize: ...

    def glance(self, number: int) -> Glance: ...

    def imprint(self, number: int) -> Imprint | None:
        """None where this reader cannot tell the pictures of the page without decoding them."""
        ...

    def names_fonts(self, number: int) -> bool:
        """Whether the page, or a form on it, names a font: one that names none has no text for any reader. True where
        this reader cannot tell cheaply."""
        ...

    def words(self, number: int) -> list[Glyphs]: ...

    def characters(self, number: int, box: Box) -> list[tuple[str, Box]]:
        """Single characters inside ``box``, for words that cross a table rule."""
        ...

    def drawings(self, number: int) -> Drawings: ...

    def pictures(self, number: int) -> list[PlacedPicture]: ...

    def jpeg(self, number: int, placed: PlacedPicture) -> bytes | None:
        """The picture's own JPEG file where it shows as stored (grey or RGB, no mask), else None."""
        ...

    def picture(self, number: int, placed: PlacedPicture) -> Image.Image:
        """The picture as stored, in L, RGB or RGBA (masks applied). Raises UnreadablePage where it cannot be decoded
        or is only a stencil."""
        ...

    def render(self, number: int, px_per_pt: float, clip: Box | None = None) -> Image.Image:
        """The page, or that part of it, in RGB; the caller has checked the number of pixels. Raises UnreadablePage."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class Reader(Protocol):
    """A PDF library. ``name`` as in the settings."""

    name: str

    def open(self, path: Path, password: str = "") -> Document:
        """Raises PasswordNeeded or UnreadableDocument."""
        ...
