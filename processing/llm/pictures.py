"""Images as they go to a model: the page's screenshot, and its pictures alone or on numbered contact sheets.

The same input gives the same bytes, since they are part of a request's key. Only files that reading wrote come here;
their kind and size are looked at before anything is decoded.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw, ImageFont

SIDE_PX = 1536
# Cells of a sheet are never smaller: a product stays recognisable, and 36 fit on one sheet.
CELL_PX = 256
MOST_PX = 60_000_000
_KINDS = ("JPEG", "PNG", "WEBP")
_QUALITY = 85
_LABEL_PX = 24
_BORDER_PX = 4
_DRAWN_PX = 48


class NotAPicture(ValueError):
    """Bytes that are no JPEG, PNG or WebP file, or one with too many pixels."""


@dataclass(frozen=True)
class Source:
    """A picture of the page and the bytes of its file."""

    id: str
    data: bytes


@dataclass(frozen=True)
class Sheet:
    """One image (JPEG). ``numbers``: the number printed beside each picture, and the picture's id; a picture that has
    an image to itself has no number printed on it."""

    image: bytes
    numbers: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Arrangement:
    """``left_out`` names the pictures on no sheet: for want of room, which the call records (LA-TRUNC), or because
    their file cannot be decoded. Their roles are the rule analyst's to give (LA-IMGBATCH)."""

    sheets: tuple[Sheet, ...]
    left_out: tuple[str, ...]


def as_screenshot(data: bytes) -> bytes:
    """A JPEG of at most 1536 px on its longest side; one that is so already goes as it is. Raises NotAPicture."""
    shown = _opened(data, SIDE_PX)
    with Image.open(io.BytesIO(data), formats=_KINDS) as stored:
        fits = stored.format == "JPEG" and stored.mode == "RGB" and stored.size == shown.size
    return data if fits else _jpeg(shown)


def drawn(text: str) -> bytes:
    """A small JPEG that shows ``text`` in black on white."""
    font = ImageFont.load_default(_DRAWN_PX)
    left, top, right, bottom = font.getbbox(text)
    paper = Image.new("RGB", (round(right - left) + _DRAWN_PX, round(bottom - top) + _DRAWN_PX), "white")
    ImageDraw.Draw(paper).text((_DRAWN_PX / 2 - left, _DRAWN_PX / 2 - top), text, fill="black", font=font)
    return _jpeg(paper)


def shrunk(data: bytes, side_px: int | None) -> bytes:
    """A JPEG whose longest side has ``side_px``; what is not longer goes as it is. Raises NotAPicture."""
    if side_px is None or max(_size(data)) <= side_px:
        return data
    return _jpeg(_opened(data, side_px))


def arrange(pictures: Sequence[Source], limit: int) -> Arrangement:
    """At most ``limit`` images that show every picture: one each if they are few, else sheets of equal size in the
    pictures' order, numbered through from 1."""
    shown, left_out = [], []
    for picture in pictures:
        try:
            shown.append((picture.id, _opened(picture.data, SIDE_PX if len(pictures) <= limit else SIDE_PX // 2)))
        except NotAPicture:
            left_out.append(picture.id)
    room = limit * (SIDE_PX // CELL_PX) ** 2
    left_out += [name for name, _ in shown[room:]]
    shown = shown[:room]
    if len(shown) <= limit:
        alone = (Sheet(_jpeg(image), ((n, name),)) for n, (name, image) in enumerate(shown, 1))
        return Arrangement(tuple(alone), tuple(left_out))
    each = ceil(len(shown) / limit)
    starts = range(0, len(shown), each)
    return Arrangement(tuple(_sheet(shown[start : start + each], start + 1) for start in starts), tuple(left_out))


def _sheet(pictures: Sequence[tuple[str, Image.Image]], first: int) -> Sheet:
    """A square grid; each cell has its number above its picture."""
    across = ceil(sqrt(len(pictures)))
    cell_px = SIDE_PX // across
    paper = Image.new("RGB", (SIDE_PX, cell_px * ceil(len(pictures) / across)), "white")
    pen = ImageDraw.Draw(paper)
    font = ImageFont.load_default(_LABEL_PX - _BORDER_PX)
    for n, (_, image) in enumerate(pictures):
        x, y = n % across * cell_px, n // across * cell_px
        pen.rectangle((x, y, x + cell_px - 1, y + cell_px - 1), outline="black")
        pen.text((x + _BORDER_PX, y + 1), str(first + n), fill="black", font=font)
        small = image.copy()
        small.thumbnail((cell_px - 2 * _BORDER_PX, cell_px - _LABEL_PX - 2 * _BORDER_PX), Image.Resampling.LANCZOS)
        paper.paste(small, (x + (cell_px - small.width) // 2, y + _LABEL_PX + _BORDER_PX))
    return Sheet(_jpeg(paper), tuple((first + n, name) for n, (name, _) in enumerate(pictures)))


def _size(data: bytes) -> tuple[int, int]:
    """Of the file's head; nothing is decoded."""
    try:
        with Image.open(io.BytesIO(data), formats=_KINDS) as image:
            return image.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise NotAPicture(str(error)) from error


def _opened(data: bytes, side_px: int) -> Image.Image:
    """The picture in RGB, no side longer than ``side_px``."""
    try:
        with Image.open(io.BytesIO(data), formats=_KINDS) as image:
            if image.width * image.height > MOST_PX:
                raise NotAPicture(f"{image.width} x {image.height} px")
            image.draft("RGB", (side_px, side_px))
            shown = _on_white(image)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise NotAPicture(str(error)) from error
    shown.thumbnail((side_px, side_px), Image.Resampling.LANCZOS)
    return shown


def _on_white(image: Image.Image) -> Image.Image:
    if "A" not in image.getbands() and "transparency" not in image.info:
        return image.convert("RGB")
    clear = image.convert("RGBA")
    paper = Image.new("RGB", image.size, "white")
    paper.paste(clear, mask=clear.getchannel("A"))
    return paper


def _jpeg(image: Image.Image) -> bytes:
    """Without metadata of the source."""
    buffer = io.BytesIO()
    bare = Image.frombytes("RGB", image.size, image.tobytes())
    bare.save(buffer, "JPEG", quality=_QUALITY, subsampling=0)
    return buffer.getvalue()
