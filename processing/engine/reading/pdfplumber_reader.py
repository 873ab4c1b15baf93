"""pdfplumber as a reader: slow and careful; pictures and renderings are left to the others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import pdfplumber
from pdfminer.converter import PDFPageAggregator
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFException
from pdfminer.pdfinterp import PDFPageInterpreter
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1
from pdfplumber.page import Page
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException
from PIL import Image

from catalogsku.core.box import Box
from processing.engine.reading.assemble import Character, words_of
from processing.engine.reading.geometry import (
    Frame,
    is_slanted,
    keep_rectangle,
    keep_segment,
    orientation,
    quarter_turn,
)
from processing.engine.reading.port import (
    Drawings,
    Glance,
    Glyphs,
    PageSize,
    PasswordNeeded,
    PlacedPicture,
    Shape,
    UnreadableDocument,
    UnreadablePage,
)

# pdfminer lets most of Python's errors through where a file is damaged.
_FAILURES = (
    PDFException,
    PdfminerException,
    MalformedPDFException,
    TypeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    RecursionError,
    OSError,
)
_INHERITED = ("Resources", "MediaBox", "CropBox", "Rotate")
_MOST_PATHS = 30_000
_MOST_DEPTH = 50
# Text render modes "neither fill nor stroke" and "clip".
_INVISIBLE_MODES = (3, 7)


class _Device(PDFPageAggregator):
    """Remembers which characters are drawn in a render mode that shows nothing."""

    _shows_nothing = False

    def render_string(self, textstate: Any, *rest: Any) -> None:
        self._shows_nothing = textstate.render in _INVISIBLE_MODES
        super().render_string(textstate, *rest)

    def render_char(self, *args: Any, **named: Any) -> float:
        advance: float = super().render_char(*args, **named)
        drawn = self.cur_item._objs
        if drawn and self._shows_nothing:
            setattr(drawn[-1], "invisible", True)  # noqa: B010
        return advance


class _Page(Page):
    """A page whose characters know whether they are invisible."""

    @property
    def layout(self) -> Any:
        if not hasattr(self, "_layout"):
            device = _Device(self.pdf.rsrcmgr, pageno=self.page_number, laparams=None)
            PDFPageInterpreter(self.pdf.rsrcmgr, device).process_page(self.page_obj)
            self._layout = device.get_result()
        return self._layout

    def process_object(self, obj: Any) -> Any:
        item = super().process_object(obj)
        item["invisible"] = getattr(obj, "invisible", False)
        return item


class PdfplumberReader:
    name = "pdfplumber"

    def open(self, path: Path, password: str = "") -> "PdfplumberDocument":
        try:
            return PdfplumberDocument(pdfplumber.open(path, password=password or None))
        except _FAILURES as error:
            cause = error.args[0] if error.args else error
            if isinstance(error, PDFPasswordIncorrect) or isinstance(cause, PDFPasswordIncorrect):
                raise PasswordNeeded("a password is needed") from error
            raise UnreadableDocument(f"{type(error).__name__}: {error}") from error


class PdfplumberDocument:
    reader = "pdfplumber"
    draws = False

    def __init__(self, document: Any) -> None:
        self._document = document
        self._number = 0
        self._page: Any = None
        self._frame = Frame(0, 0, 0, 0, 0)
        self._bottom = 0.0
        self.page_count = _page_count(document.doc)
        if self.page_count < 1:
            raise ValueError("no pages")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._leave()
        self._document.stream.close()  # its own close() reads every page of the document first, to close each of them

    def _leave(self) -> None:
        if self._page is not None:
            self._page.close()
        self._page, self._number = None, 0

    def _at(self, number: int) -> Any:
        if number != self._number:
            self._leave()
            try:
                reference, attributes = _page_object(self._document.doc, number)
                self._frame, media = _frame(attributes)
                self._bottom = media[1]
                # Read as if neither turned nor cropped: pdfplumber places what is both wrongly.
                attributes = {**attributes, "Rotate": 0, "MediaBox": list(media), "CropBox": list(media)}
                page = PDFPage(self._document.doc, reference, attributes, label=None)
                self._page = _Page(self._document, page, page_number=number, initial_doctop=0)
            except _FAILURES as error:
                raise UnreadablePage(f"{type(error).__name__}: {error}") from error
            self._number = number
        return self._page

    def size(self, number: int) -> PageSize:
        self._at(number)
        return self._frame.size

    def _placed(self, item: Any) -> Box:
        # pdfplumber counts x in user space and y from the bottom of the media box.
        return self._frame.box(item["x0"], item["y0"] + self._bottom, item["x1"], item["y1"] + self._bottom)

    def imprint(self, number: int) -> None:
        return None

    def names_fonts(self, number: int) -> bool:
        return True

    def glance(self, number: int) -> Glance:
        text = "".join(c.text or " " for c in self._read_characters(number))
        pictures = tuple(self._placed(item) for item in self._items(number, "image"))
        paths = tuple(self._placed(item) for kind in ("line", "rect", "curve") for item in self._items(number, kind))
        return Glance(text, pictures, paths)

    def _items(self, number: int, kind: str) -> list[Any]:
        page = self._at(number)
        try:
            return list(page.objects.get(kind, ()))
        except _FAILURES as error:
            raise UnreadablePage(f"{type(error).__name__}: {error}") from error

    def _read_characters(self, number: int) -> list[Character]:
        characters = []
        for item in self._items(number, "char"):
            if item["text"].isspace():
                characters.append(Character.space())
                continue
            a, b = item["matrix"][:2]
            turn = quarter_turn(*self._frame.direction(a, b))
            bold = "bold" in str(item["fontname"]).lower()
            size = (item["x1"] - item["x0"]) if turn % 2 != self._frame.rotation // 90 % 2 else item["y1"] - item["y0"]
            rgb = _rgb(item.get("non_stroking_color"))
            characters.append(Character(item["text"], self._placed(item), size, bold, turn, item["invisible"], rgb))
        return characters

    def words(self, number: int) -> list[Glyphs]:
        return words_of(self._read_characters(number))

    def characters(self, number: int, box: Box) -> list[tuple[str, Box]]:
        inside = []
        for char in self._read_characters(number):
            x, y = (char.box[0] + char.box[2]) / 2, (char.box[1] + char.box[3]) / 2
            if char.text and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                inside.append((char.text, char.box))
        return inside

    def drawings(self, number: int) -> Drawings:
        rules: list[Box] = []
        fills: list[Box] = []
        lines, rects, curves = (self._items(number, kind) for kind in ("line", "rect", "curve"))
        for item in lines[:_MOST_PATHS]:
            if item.get("stroke", True):
                keep_segment(rules, self._placed(item))
        for item in rects[:_MOST_PATHS]:
            keep_rectangle(rules, fills, self._placed(item), bool(item.get("stroke")), bool(item.get("fill")))
        paths = (*lines[:_MOST_PATHS], *curves[:_MOST_PATHS])
        shapes = [Shape(self._placed(item), strokes) for item in paths if (strokes := _bent_strokes(item["path"]))]
        for item in curves[:_MOST_PATHS]:
            box = self._placed(item)
            if item.get("fill") and min(box[2] - box[0], box[3] - box[1]) < 3.0:
                rules.append(box)
        count = len(lines) + len(rects) + len(curves)
        return Drawings(tuple(rules), tuple(fills), count, count > _MOST_PATHS, tuple(shapes))

    def pictures(self, number: int) -> list[PlacedPicture]:
        placed = []
        for key, item in enumerate(self._items(number, "image")):
            width, height = item["srcsize"]
            turn = orientation(*self._frame.direction(1, 0), *self._frame.direction(0, -1))
            placed.append(PlacedPicture(key, self._placed(item), int(width or 0), int(height or 0), *turn))
        return placed

    def jpeg(self, number: int, placed: PlacedPicture) -> bytes | None:
        return None

    def picture(self, number: int, placed: PlacedPicture) -> Image.Image:
        raise UnreadablePage("this reader decodes no pictures")

    def render(self, number: int, px_per_pt: float, clip: Box | None = None) -> Image.Image:
        raise UnreadablePage("this reader draws no pages")


def _bent_strokes(path: Sequence[Sequence[Any]]) -> int:
    """Curves and slanted lines; a step of the path is its operator and its points, the last one where it ends."""
    count, start, at = 0, (0.0, 0.0), (0.0, 0.0)
    for step in path:
        to = step[-1] if len(step) > 1 else start  # "h" goes back to where the stroke began
        if step[0] == "m":
            start = to
        else:
            count += step[0] in "cvy" or is_slanted(*at, *to)
        at = to
    return count


def _page_count(document: Any) -> int:
    root = resolve1(document.catalog.get("Pages"))
    count = resolve1(root.get("Count")) if isinstance(root, dict) else 0
    return count if isinstance(count, int) and count > 0 else 0


def _page_object(document: Any, number: int) -> tuple[Any, dict[str, Any]]:
    """The page's reference and attributes, inherited ones included, without visiting the pages before it where a
    node's count says that its children are all pages. Raises ValueError where the tree has no such page."""
    node = resolve1(document.catalog["Pages"])
    inherited = {k: node[k] for k in _INHERITED if k in node}
    skipped = number - 1
    for _ in range(_MOST_DEPTH):
        kids = resolve1(node["Kids"])
        flat = resolve1(node.get("Count")) == len(kids)
        for kid in kids[skipped : skipped + 1] if flat else kids:
            child = resolve1(kid)
            pages = 1 if "Kids" not in child else int(resolve1(child.get("Count")) or 0)
            if flat or skipped < pages:
                break
            skipped -= pages
        else:
            raise ValueError(f"no page {number}")
        inherited |= {k: child[k] for k in _INHERITED if k in child}
        if "Kids" not in child:
            return getattr(kid, "objid", number), {**child, **inherited}
        node = child
        skipped = 0 if flat else skipped
    raise ValueError("page tree too deep")


def _numbers(value: Any) -> tuple[float, float, float, float]:
    a, b, c, d = (float(resolve1(v)) for v in resolve1(value))
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _frame(attributes: dict[str, Any]) -> tuple[Frame, tuple[float, float, float, float]]:
    """The displayed frame and the media box, in user space."""
    media = _numbers(attributes["MediaBox"]) if "MediaBox" in attributes else (0.0, 0.0, 612.0, 792.0)
    crop = _numbers(attributes["CropBox"]) if "CropBox" in attributes else media
    left, bottom = max(media[0], crop[0]), max(media[1], crop[1])
    right, top = min(media[2], crop[2]), min(media[3], crop[3])
    if right <= left or top <= bottom:
        left, bottom, right, top = media
    rotation = int(resolve1(attributes.get("Rotate", 0)) or 0) // 90 * 90 % 360
    return Frame(left, bottom, right, top, rotation), media


def _rgb(colour: Any) -> int:
    """0xRRGGBB of a grey, RGB or CMYK colour; black for anything else."""
    parts = [float(c) for c in colour if isinstance(c, (int, float))] if isinstance(colour, (tuple, list)) else []
    if len(parts) == 1:
        parts = parts * 3
    if len(parts) == 4:
        parts = [(1 - c) * (1 - parts[3]) for c in parts[:3]]
    if len(parts) != 3:
        return 0
    red, green, blue = (round(255 * min(1.0, max(0.0, c))) for c in parts)
    return red << 16 | green << 8 | blue
