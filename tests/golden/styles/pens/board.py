"""A board to draw product pictures on, fast: flat shapes with a sheen before a soft wall."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

Point = tuple[float, float]
Paint = tuple[int, int, int]
# Edge of the small picture that a gradient is computed on.
_COARSE = 32


def hexa(code: str) -> Paint:
    """``#RRGGBB`` as three numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def toned(paint: Paint, share: float) -> Paint:
    """Lighter for a positive share, darker for a negative one."""
    goal = 255 if share > 0 else 0
    r, g, b = (round(part + (goal - part) * abs(share)) for part in paint)
    return r, g, b


class Board:
    """100 units along the short edge, the product in the middle square of it; y runs down."""

    def __init__(self, width_px: int, height_px: int, wall: Paint) -> None:
        self.unit = min(width_px, height_px) / 100
        self.dx, self.dy = (width_px - 100 * self.unit) / 2, (height_px - 100 * self.unit) / 2
        down, across = np.linspace(1.0, 0.93, _COARSE), np.linspace(-1.2, 1.6, _COARSE)
        tone = down[:, None] * (1 + 0.03 * np.cos(across))[None, :]
        self.image = _shaded(wall, tone, (width_px, height_px))

    def box(self, x0: float, y0: float, x1: float, y1: float, paint: Paint, r: float = 0) -> None:
        """A rectangle with round corners."""
        self._fill((x0, y0, x1, y1), paint, lambda pen, at: pen.rounded_rectangle(at, r * self.unit * 2, fill=255))

    def oval(self, x0: float, y0: float, x1: float, y1: float, paint: Paint) -> None:
        """An ellipse."""
        self._fill((x0, y0, x1, y1), paint, lambda pen, at: pen.ellipse(at, fill=255))

    def form(self, points: Sequence[Point], paint: Paint) -> None:
        """A polygon."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        left, top = min(xs), min(ys)
        scaled = [((x - left) * self.unit * 2, (y - top) * self.unit * 2) for x, y in points]
        self._fill((left, top, max(xs), max(ys)), paint, lambda pen, at: pen.polygon(scaled, fill=255))

    def bar(self, start: Point, end: Point, thick: float, paint: Paint) -> None:
        """A straight bar."""
        (x0, y0), (x1, y1) = start, end
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
        nx, ny = (y1 - y0) / length * thick / 2, -(x1 - x0) / length * thick / 2
        self.form([(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)], paint)

    def shadow(self, x0: float, x1: float, y: float) -> None:
        """Where the product stands on the floor."""
        small = Image.new("L", (self.image.width // 8, self.image.height // 8))
        left, right = ((self.dx + x * self.unit) / 8 for x in (x0, x1))
        foot, deep = (self.dy + y * self.unit) / 8, 3.2 * self.unit / 8
        ImageDraw.Draw(small).ellipse((left, foot - deep, right, foot + deep), fill=90)
        mask = small.filter(ImageFilter.GaussianBlur(2.0)).resize(self.image.size)
        self.image.paste((40, 36, 32), (0, 0), mask)

    def _fill(self, at: tuple[float, float, float, float], paint: Paint, draw: Callable[..., object]) -> None:
        x0, y0, x1, y1 = at
        wide, high = max(1, round((x1 - x0) * self.unit)), max(1, round((y1 - y0) * self.unit))
        mask = Image.new("L", (wide * 2, high * 2))
        draw(ImageDraw.Draw(mask), (0, 0, wide * 2 - 1, high * 2 - 1))
        across, down = np.linspace(-1, 1, _COARSE), np.linspace(0, 0.12, _COARSE)
        tone = 1.12 - 0.22 * (across + 0.35)[None, :] ** 2 - down[:, None]
        self.image.paste(
            _shaded(paint, tone, (wide, high)),
            (round(self.dx + x0 * self.unit), round(self.dy + y0 * self.unit)),
            mask.resize((wide, high), Image.Resampling.BOX),
        )


def _shaded(paint: Paint, tone: NDArray[np.float64], size_px: tuple[int, int]) -> Image.Image:
    """A colour under a soft light, computed small: it holds nothing but a gradient."""
    pixels = np.clip(np.array(paint)[None, None, :] * tone[:, :, None], 0, 255).astype(np.uint8)
    return Image.fromarray(pixels).resize(size_px, Image.Resampling.BILINEAR)
