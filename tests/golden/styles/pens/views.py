"""Other views of what can be pictured: ``sofa@foot`` is its foot from close by, ``pendant@lit`` a lamp that is on."""

from functools import partial

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from tests.golden.styles.pens.board import Board, Paint
from tests.golden.styles.pens.motifs import MOTIFS, Drawing
from tests.golden.styles.pens.motifs_more import MORE_MOTIFS

_ALL = {**MOTIFS, **MORE_MOTIFS}
_GLOW = (255, 214, 140)
# Views from close by: the point of the board that comes into the middle, and how much larger it is.
_CLOSE = {
    "top": (50.0, 30.0, 2.3), "foot": (30.0, 80.0, 2.6), "side": (78.0, 56.0, 2.2), "middle": (50.0, 52.0, 2.8),
    "corner": (20.0, 40.0, 2.4),
}  # fmt: skip


def drawing(motif: str) -> Drawing:
    """How a motif, or a view of it, is drawn."""
    name, _, view = motif.partition("@")
    draw = _ALL[name]
    if view in _CLOSE:
        return partial(_from_close_by, draw, *_CLOSE[view])
    others: dict[str, Drawing] = {"": draw, "lit": partial(_lit, draw), "turned": partial(_turned, draw)}
    return others[view]


def _from_close_by(draw: Drawing, x: float, y: float, times: float, b: Board, p: Paint) -> None:
    b.dx, b.dy = b.image.width / 2 - x * b.unit * times, b.image.height / 2 - y * b.unit * times
    b.unit *= times
    draw(b, p)


def _lit(draw: Drawing, b: Board, p: Paint) -> None:
    wide, high = b.image.width // 8, b.image.height // 8
    mask = Image.new("L", (wide, high))
    ImageDraw.Draw(mask).ellipse((wide * 0.12, high * 0.3, wide * 0.88, high * 1.1), fill=210)
    b.image.paste(_GLOW, (0, 0), mask.filter(ImageFilter.GaussianBlur(wide / 9)).resize(b.image.size))
    draw(b, p)


def _turned(draw: Drawing, b: Board, p: Paint) -> None:
    draw(b, p)
    b.image = ImageOps.mirror(b.image)
