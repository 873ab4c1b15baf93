"""Images as they go to a model.

The same input gives the same bytes, since they are part of a request's key. Only files that reading wrote come here;
their kind and size are looked at before anything is decoded.
"""

import io

from PIL import Image, ImageDraw, ImageFont

SIDE_PX = 1536
MOST_PX = 60_000_000
_KINDS = ("JPEG", "PNG", "WEBP")
_QUALITY = 85
_DRAWN_PX = 48


class NotAPicture(ValueError):
    """Bytes that are no JPEG, PNG or WebP file, or one with too many pixels."""


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
