"""Writing PDF pages as content streams: every glyph, rule and picture exactly where a catalogue needs it, and fast.

Coordinates are points from the top-left corner, y down.
"""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf
from PIL import Image

Rgb = tuple[float, float, float]
Box = tuple[float, float, float, float]
A4: tuple[float, float] = (595.0, 842.0)
# Control points that make a quarter circle out of a cubic curve.
_ARC = 0.5523


def rgb(code: str) -> Rgb:
    """``#RRGGBB`` as PDF colour."""
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


BLACK, WHITE, GREY = rgb("#1E1C1A"), rgb("#FFFFFF"), rgb("#8A857D")


@dataclass(frozen=True)
class Art:
    """A picture kept once in the file; any number of pages may show it."""

    xref: int
    width_px: int
    height_px: int


class Face:
    """One embedded font: text to glyph numbers, and widths."""

    def __init__(self, name: str, buffer: bytes) -> None:
        self.name = name
        self.buffer = buffer
        self._font = pymupdf.Font(fontbuffer=buffer)
        self._glyphs: dict[str, tuple[str, float]] = {}

    def glyph(self, char: str) -> tuple[str, float]:
        """Hexadecimal glyph number and width in em. Raises KeyError for a character that the font cannot show."""
        known = self._glyphs.get(char)
        if known is None:
            number = self._font.has_glyph(ord(char))
            if not number:
                raise KeyError(f"font {self.name} has no glyph for {char!r}")
            known = self._glyphs[char] = (f"{number:04x}", self._font.glyph_advance(ord(char)))
        return known

    @property
    def used(self) -> str:
        """The characters asked for so far."""
        return "".join(sorted(self._glyphs))

    def width(self, text: str, size: float, tracking: float = 0.0) -> float:
        """Width of ``text`` in points; ``tracking`` is added after each glyph."""
        return sum(self.glyph(char)[1] for char in text) * size + tracking * len(text)


@dataclass
class Sheet:
    """One page on its way: ink first, then ``Book.close`` turns it into a page."""

    faces: Mapping[str, Face]
    width: float
    height: float
    rotate: int = 0
    ops: list[str] = field(default_factory=list)
    arts: set[int] = field(default_factory=set)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        face: str = "body",
        size: float = 9,
        colour: Rgb = BLACK,
        tracking: float = 0.0,
        align: str = "left",
    ) -> float:
        """Draw one line with its baseline at ``y``; ``x`` is its left, middle or right. Returns the line's width."""
        font = self.faces[face]
        wide = font.width(text, size, tracking)
        start = x - {"left": 0.0, "center": wide / 2, "right": wide}[align]
        glyphs = "".join(font.glyph(char)[0] for char in text)
        self.ops.append(
            f"BT {_rgb(colour)} rg /{face} {size:g} Tf {tracking:g} Tc "
            f"1 0 0 1 {start:.2f} {self.height - y:.2f} Tm <{glyphs}> Tj ET"
        )
        return wide

    def paragraph(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        *,
        face: str = "body",
        size: float = 9,
        leading: float = 1.5,
        colour: Rgb = BLACK,
        align: str = "left",
    ) -> float:
        """Wrapped text from the baseline ``y``; returns the baseline after the last line."""
        at = {"left": x, "center": x + width / 2, "right": x + width}[align]
        for line in wrap(self.faces[face], text, size, width):
            self.text(at, y, line, face=face, size=size, colour=colour, align=align)
            y += size * leading
        return y

    def rect(
        self, box: Box, *, fill: Rgb | None = None, line: Rgb | None = None, thick: float = 0.6, radius: float = 0
    ) -> None:
        """A filled or ruled rectangle."""
        if fill is None and line is None:
            return
        paint = {(True, True): "B", (True, False): "f", (False, True): "S"}[(fill is not None, line is not None)]
        colours = (f"{_rgb(fill)} rg " if fill else "") + (f"{_rgb(line)} RG {thick:g} w " if line else "")
        self.ops.append(f"{colours}{self._outline(box, radius)} {paint}")

    def rule(self, x0: float, y0: float, x1: float, y1: float, *, colour: Rgb = GREY, thick: float = 0.6) -> None:
        """A straight line."""
        self.ops.append(
            f"{_rgb(colour)} RG {thick:g} w {x0:.2f} {self.height - y0:.2f} m {x1:.2f} {self.height - y1:.2f} l S"
        )

    def art(self, art: Art, box: Box, *, radius: float = 0) -> None:
        """A picture filling ``box``, cut at the box so that its proportions stay; ``radius`` rounds its corners."""
        x0, y0, x1, y1 = box
        self.arts.add(art.xref)
        scale = max((x1 - x0) / art.width_px, (y1 - y0) / art.height_px)
        wide, high = art.width_px * scale, art.height_px * scale
        left, low = (x0 + x1 - wide) / 2, self.height - (y0 + y1 + high) / 2
        clip = f"{self._outline(box, radius)} W n " if radius or wide > x1 - x0 + 0.1 or high > y1 - y0 + 0.1 else ""
        self.ops.append(f"q {clip}{wide:.2f} 0 0 {high:.2f} {left:.2f} {low:.2f} cm /A{art.xref} Do Q")

    def _outline(self, box: Box, radius: float) -> str:
        x0, x1, low, top = box[0], box[2], self.height - box[3], self.height - box[1]
        if not radius:
            return f"{x0:.2f} {low:.2f} {x1 - x0:.2f} {top - low:.2f} re"
        r, k = radius, radius * (1 - _ARC)
        corners = (
            f"{x0 + r:.2f} {low:.2f} m {x1 - r:.2f} {low:.2f} l",
            f"{x1 - k:.2f} {low:.2f} {x1:.2f} {low + k:.2f} {x1:.2f} {low + r:.2f} c {x1:.2f} {top - r:.2f} l",
            f"{x1:.2f} {top - k:.2f} {x1 - k:.2f} {top:.2f} {x1 - r:.2f} {top:.2f} c {x0 + r:.2f} {top:.2f} l",
            f"{x0 + k:.2f} {top:.2f} {x0:.2f} {top - k:.2f} {x0:.2f} {top - r:.2f} c {x0:.2f} {low + r:.2f} l",
            f"{x0:.2f} {low + k:.2f} {x0 + k:.2f} {low:.2f} {x0 + r:.2f} {low:.2f} c h",
        )
        return " ".join(corners)


class Book:
    """A PDF being written page by page. The same calls always give the same bytes."""

    def __init__(self, fonts: Mapping[str, bytes | Face], title: str = "") -> None:
        self.doc = pymupdf.open()
        self.faces = {name: font if isinstance(font, Face) else Face(name, font) for name, font in fonts.items()}
        self._font_xrefs: dict[str, int] = {}
        self._title = title

    def add_art(self, jpeg: bytes) -> Art:
        """Keep a JPEG in the file."""
        with Image.open(io.BytesIO(jpeg)) as picture:
            width, height, mode = picture.width, picture.height, picture.mode
        space = {"L": "/DeviceGray", "RGB": "/DeviceRGB"}[mode]
        xref = int(self.doc.get_new_xref())
        self.doc.update_object(
            xref,
            f"<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace {space}/BitsPerComponent 8>>",
        )
        self.doc.update_stream(xref, jpeg, new=True, compress=False)
        # update_stream takes the filter away, because it expects raw pixels.
        self.doc.xref_set_key(xref, "Filter", "/DCTDecode")
        return Art(xref, width, height)

    def sheet(self, size: tuple[float, float] = A4, rotate: int = 0) -> Sheet:
        """A new sheet; with ``rotate`` 90 it is drawn as displayed and stored on its side under /Rotate 90."""
        return Sheet(self.faces, size[0], size[1], rotate)

    def close(self, sheet: Sheet) -> int:
        """Make the sheet the last page of the file; returns its number, from 1."""
        turned = sheet.rotate == 90
        page = (
            self.doc.new_page(width=sheet.height, height=sheet.width)
            if turned
            else self.doc.new_page(width=sheet.width, height=sheet.height)
        )
        if not self._font_xrefs:
            self._font_xrefs = {
                name: page.insert_font(fontname=name, fontbuffer=face.buffer) for name, face in self.faces.items()
            }
        fonts = "".join(f"/{name} {xref} 0 R" for name, xref in self._font_xrefs.items())
        arts = "".join(f"/A{xref} {xref} 0 R" for xref in sorted(sheet.arts))
        self.doc.xref_set_key(page.xref, "Resources", f"<</Font<<{fonts}>>/XObject<<{arts}>>>>")
        if turned:
            self.doc.xref_set_key(page.xref, "Rotate", "90")
            sheet.ops.insert(0, f"0 1 -1 0 {sheet.height:g} 0 cm")
        if sheet.ops:
            self._write(page.xref, "\n".join(sheet.ops).encode("ascii"))
        return int(self.doc.page_count)

    def to_bytes(self) -> bytes:
        """The finished file."""
        self.doc.set_metadata(
            {"title": self._title, "creator": "samples/build.py", "producer": "PyMuPDF",
             "creationDate": "D:20260101000000Z", "modDate": "D:20260101000000Z"}
        )  # fmt: skip
        data: bytes = self.doc.tobytes(garbage=2, deflate=True, no_new_id=True)
        return data

    def save(self, path: Path) -> None:
        """Write the finished file."""
        path.write_bytes(self.to_bytes())

    def _write(self, page_xref: int, content: bytes) -> None:
        xref = int(self.doc.get_new_xref())
        self.doc.update_object(xref, "<<>>")
        self.doc.update_stream(xref, content, new=True)
        self.doc.xref_set_key(page_xref, "Contents", f"{xref} 0 R")


def wrap(face: Face, text: str, size: float, width: float) -> list[str]:
    """Lines no wider than ``width``: Latin words stay whole, Chinese breaks anywhere but before closing punctuation."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for piece in _pieces(part):
            if line and face.width((line + piece).rstrip(), size) > width:
                lines.append(line.rstrip())
                line = piece.lstrip()
            else:
                line += piece
        lines.append(line.rstrip())
    return lines


def _pieces(text: str) -> Iterable[str]:
    piece = ""
    for char in text:
        if piece and (_breaks_before(char, piece[-1])):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def _breaks_before(char: str, before: str) -> bool:
    if char in "，。、；：）》」！？%)" or before in "（《「(":
        return False
    return before == " " or ord(char) > 0x2E80 or ord(before) > 0x2E80


def _rgb(colour: Rgb) -> str:
    return " ".join(f"{part:.3f}".rstrip("0").rstrip(".") or "0" for part in colour)
