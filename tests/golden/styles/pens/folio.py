"""A catalogue being drawn page by page, and the truth of what was drawn, noted in the same moment."""

import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pymupdf
from PIL import Image

from tests.golden.styles.pens.pictures import photo
from tests.support.catalogues.fonts import built_in
from tests.support.catalogues.ink import A4, BLACK, Art, Book, Box, Face, Rgb, Sheet

# Printed where nothing is known.
NO_VALUES = frozenset(("", "/", "-", "--", "—", "–", "N/A", "n/a", "undefined", "TBD", "待定", "暂无", "无"))
ON_REQUEST = frozenset(("面议", "询价", "电议", "POA", "On request", "Price on request", "Call", "TBC"))
# Faces that come with PyMuPDF, so that a catalogue looks the same on every machine. ``zhb`` is ``zh`` with its edges
# drawn as well, which is how a Chinese text is made bold where a font has one weight only.
_LATIN = {"sans": "helv", "bold": "hebo", "italic": "heit", "serif": "tiro", "serifb": "tibo", "mono": "cour"}
# A resource must not have the name of a standard font, or MuPDF does not embed it.
_STRIPS, _SMALL_PT = 4, 50.0
_PICTURE_DPI = 200
# What may stand at a price besides the amount, and is as right left out.
_MEASURE = re.compile(r"\b[0-9]+(?:\.[0-9]+)? (?:mm|cm|m|ml|L|g|kg)\b")
_SIGN = re.compile(r"^(USD|US\$|EUR|[$€¥])\s*|元.*$")


@cache
def _latin(name: str) -> bytes:
    buffer: bytes = pymupdf.Font(_LATIN[name]).buffer
    return buffer


@dataclass
class Leaf(Sheet):
    """A sheet that also writes bold Chinese, face ``zhb``, and remembers its lines."""

    said: list[str] = field(default_factory=list)

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
        """As in Sheet."""
        self.said.append(text)
        face, bold = ("zh", True) if face == "zhb" else (face, False)
        wide = super().text(x, y, text, face=face, size=size, colour=colour, tracking=tracking, align=align)
        if bold:
            edge = " ".join(f"{part:.3f}" for part in colour)
            self.ops[-1] = f"q {edge} RG {size * 0.028:.2f} w 2 Tr {self.ops[-1]} Q"
        return wide

    def slanted(self, text: str, *, face: str, size: float, colour: Rgb, degrees: float = 40) -> None:
        """A watermark through the middle of the page."""
        font = self.faces[face]
        glyphs = "".join(font.glyph(char)[0] for char in text)
        cos, sin, half = math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), font.width(text, size) / 2
        x, y = self.width / 2 - half * cos, self.height / 2 - half * sin
        paint = " ".join(f"{part:.3f}" for part in colour)
        self.ops.append(
            f"BT {paint} rg /{face} {size:g} Tf 0 Tc {cos:.4f} {sin:.4f} {-sin:.4f} {cos:.4f} {x:.2f} {y:.2f} Tm "
            f"<{glyphs}> Tj ET"
        )


@dataclass(frozen=True)
class PageFacts:
    """What a page is for in the matrix. ``scanned``: no text layer; ``continues``: what began on the page before."""

    number: int
    page_type: str
    layout: str
    continues: bool = False
    fragmented: bool = False
    scanned: bool = False


@dataclass(frozen=True)
class Drawn:
    """A finished catalogue with its truth, shaped as the golden runner reads it."""

    name: str
    pdf: bytes
    truth: dict[str, Any]
    pages: tuple[PageFacts, ...]

    def save(self, folder: Path) -> None:
        """Write ``NAME.pdf`` and ``NAME.truth.json``."""
        (folder / f"{self.name}.pdf").write_bytes(self.pdf)
        text = json.dumps(self.truth, ensure_ascii=False, indent=1) + "\n"
        (folder / f"{self.name}.truth.json").write_text(text, encoding="utf-8")


@dataclass
class _Open:
    leaf: Leaf
    facts: PageFacts


@dataclass
class Folio:
    """Draw with ``leaf``; ``page`` begins the next one; ``sku`` and ``shows`` note what stands on it.

    ``brand`` (of the file) and ``heading`` (of the page) are printed in passing: a product may be given the one as its
    brand and the other as its series, in any of the forms listed.
    """

    name: str
    faces: Sequence[str]
    brand: Sequence[str] = ()
    heading: Sequence[str] = ()
    random: Random = field(init=False)
    skus: list[dict[str, Any]] = field(default_factory=list)
    images: list[dict[str, Any]] = field(default_factory=list)
    pages: list[dict[str, Any]] = field(default_factory=list)
    facts: list[PageFacts] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.name)
        fonts = {name: built_in() if name == "zh" else _latin(name) for name in self.faces}
        self.book = Book(fonts, title=self.name.replace("_", " "))
        self.seen: Mapping[str, Face] = {**self.book.faces, **({"zhb": self.book.faces["zh"]} if "zh" in fonts else {})}
        self._arts: dict[bytes, Art] = {}
        self._now: _Open | None = None

    @property
    def leaf(self) -> Leaf:
        """The page being drawn."""
        assert self._now, "begin a page first"
        return self._now.leaf

    @property
    def number(self) -> int:
        """Number of the page being drawn, from 1."""
        return len(self.facts) + 1

    def page(
        self,
        page_type: str,
        layout: str,
        *,
        size: tuple[float, float] = A4,
        rotate: int = 0,
        continues: bool = False,
        fragmented: bool = False,
        scanned: bool = False,
    ) -> Leaf:
        """Begin a page; the one before is finished."""
        self._close()
        self.heading = ()
        facts = PageFacts(self.number, page_type, layout, continues, fragmented, scanned)
        self._now = _Open(Leaf(self.seen, size[0], size[1], rotate), facts)
        return self.leaf

    def art(self, jpeg: bytes) -> Art:
        """A picture, kept once in the file however often it is shown."""
        if jpeg not in self._arts:
            self._arts[jpeg] = self.book.add_art(jpeg)
        return self._arts[jpeg]

    def decorates(self, motif: str, box: Box, paint: str = "#8A8F98", wall: str = "#FFFFFF") -> None:
        """A picture that belongs to no product: logo, cover, certificate."""
        self._picture(motif, box, paint, wall)

    def shows(self, motif: str, box: Box, paint: str, wall: str = "#FFFFFF") -> str:
        """A picture of a product; on a page with fragmented pictures it lies in strips. Returns its id."""
        self._picture(motif, box, paint, wall)
        return self.notes_image(box)

    def notes_image(self, box: Box) -> str:
        """A picture drawn already, as truth."""
        image_id = f"p{self.number}-{sum(image['page_number'] == self.number for image in self.images) + 1}"
        self.images.append({"image_id": image_id, "page_number": self.number, "bbox": _rounded(box)})
        return image_id

    def sku(
        self,
        cards: Sequence[Box],
        attributes: Mapping[str, str],
        *,
        images: Iterable[str] = (),
        shared: Iterable[str] = (),
        optional: Mapping[str, str] | None = None,
        accept: Mapping[str, Sequence[str]] | None = None,
        custom: Mapping[str, str] | None = None,
        tiers: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Note a product on this page. Texts that are no values are left out; a price on request may be given.

        ``cards``: boxes whose union holds its text and picture; ``shared``: pictures that may be bound and need not.
        """
        kinds = dict(accept or {})
        if bare := _SIGN.sub("", attributes.get("price", "")):
            kinds["price"] = [*kinds.get("price", ()), bare]
        asked = {k: " ".join(v.split()) for k, v in attributes.items() if v.strip() not in NO_VALUES | ON_REQUEST}
        also = {k: v for k, v in attributes.items() if v.strip() in ON_REQUEST} | dict(optional or {})
        for key, forms in (("brand", self.brand), ("series", self.heading)):
            if forms and key not in asked:
                also.setdefault(key, forms[0])
                kinds[key] = [*kinds.get(key, ()), *forms]
        told = _MEASURE.findall(asked.get("product_name", ""))
        if len(told) == 1 and not {"size", "weight"} & {*asked, *also}:
            also["size"] = told[0]  # of "Stock pot 24 cm" it may be said how large it is
        self.skus.append(
            {
                "page_number": self.number,
                "attributes": asked,
                "optional": also,
                "accept": {key: list(texts) for key, texts in kinds.items() if key in asked or key in also},
                "custom_attributes": [
                    {"name": name, "value": value} for name, value in (custom or {}).items() if value not in NO_VALUES
                ],
                "tiers": [list(tier) for tier in tiers if tier[1] not in NO_VALUES | ON_REQUEST] or None,
                "card_bbox": _rounded(around(cards)),
                "images": [{"image_id": one, "required": True} for one in images]
                + [{"image_id": one, "required": False} for one in shared],
            }
        )

    @contextmanager
    def pictured(self, box: Box) -> Iterator[None]:
        """What is drawn inside becomes one picture at ``box``: a table that somebody pasted as a screen shot."""
        leaf, book = self.leaf, self.book
        before, leaf.ops = leaf.ops, []
        yield
        book.close(Leaf(self.seen, leaf.width, leaf.height, 0, leaf.ops, leaf.arts))
        pixels = book.doc[-1].get_pixmap(dpi=_PICTURE_DPI, clip=box)
        book.doc.delete_page(-1)
        out = io.BytesIO()
        Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).save(out, "JPEG", quality=88)
        leaf.ops = before
        place(leaf, self.art(out.getvalue()), box)

    def finish(self) -> Drawn:
        """The catalogue's bytes and truth."""
        self._close()
        self.book.doc.subset_fonts()
        truth = {
            "schema_version": "1.0",
            "job": {"source_file": f"{self.name}.pdf", "total_pages": len(self.facts)},
            "pages": self.pages,
            "skus": self.skus,
            "images": self.images,
        }
        return Drawn(self.name, self.book.to_bytes(), truth, tuple(self.facts))

    def _close(self) -> None:
        if self._now:
            self.book.close(self._now.leaf)
            one = self._now.facts
            page = {"page_number": one.number, "page_type": one.page_type, "text": "\n".join(self._now.leaf.said)}
            self.pages.append(page | ({"continues": one.number - 1} if one.continues else {}))
            self.facts.append(one)
            self._now = None

    def _picture(self, motif: str, box: Box, paint: str, wall: str) -> None:
        """In strips on a page of fragmented pictures, as some programs write all but small ones."""
        assert self._now, "begin a page first"
        pieces = _STRIPS if self._now.facts.fragmented and box[3] - box[1] > _SMALL_PT else 1
        step = (box[3] - box[1]) / pieces
        shape = (round(box[2] - box[0], 1), round(box[3] - box[1], 1))
        for k, jpeg in enumerate(photo(motif, paint, wall, shape, pieces)):
            strip = (box[0], box[1] + k * step, box[2], box[1] + (k + 1) * step)
            place(self.leaf, self.art(jpeg), strip)


def place(sheet: Sheet, art: Art, box: Box) -> None:
    """A picture stretched to exactly ``box``."""
    sheet.arts.add(art.xref)
    wide, high = box[2] - box[0], box[3] - box[1]
    sheet.ops.append(f"q {wide:.2f} 0 0 {high:.2f} {box[0]:.2f} {sheet.height - box[3]:.2f} cm /A{art.xref} Do Q")


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _rounded(box: Box) -> list[float]:
    return [round(edge, 1) for edge in box]
