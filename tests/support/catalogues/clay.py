"""A small renderer for product pictures: soft-shaded shapes before a coloured wall, drawn with Pillow and numpy."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

Colour = tuple[int, int, int]
Point = tuple[float, float]
Field = NDArray[np.floating[Any]]
Draw = Callable[[ImageDraw.ImageDraw], object]

# Everything is drawn on a 100 x 100 board at twice the final size and scaled down, which smooths the edges.
_OVERSAMPLING = 2
_LIGHT = np.array([-0.50, -0.62, 0.61], dtype=np.float32)
_HALFWAY = np.array([-0.28, -0.35, 0.89], dtype=np.float32)


def hexa(code: str) -> Colour:
    """``#RRGGBB`` as three numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """``one`` with ``share`` (0 to 1) of ``other`` in it."""
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


@dataclass
class Board:
    """A square or oblong picture being painted. Board units: 100 units are the short edge, y runs down."""

    width_px: int
    height_px: int
    wall: Colour
    floor_y: float = 74.0
    canvas: Field = field(init=False)

    def __post_init__(self) -> None:
        height, width = self.height_px * _OVERSAMPLING, self.width_px * _OVERSAMPLING
        self.unit, self.zoom, self.dx, self.dy = min(height, width) / 100, 1.0, 0.0, 0.0
        y = np.linspace(0, height / self.unit, height, dtype=np.float32)[:, None]
        x = np.linspace(0, width / self.unit, width, dtype=np.float32)[None, :]
        glow = np.exp(-(((x - 30) / 62) ** 2) - ((y - 24) / 58) ** 2)
        tone = 0.90 + 0.16 * glow
        on_floor = 1 / (1 + np.exp(np.clip(-(y - self.floor_y) / 0.35, -60, 60)))
        tone = tone * (1 - on_floor) + (0.965 + 0.05 * glow - 0.0022 * (y - self.floor_y)) * on_floor
        self.canvas = np.clip(np.array(self.wall, dtype=np.float32)[None, None, :] * tone[:, :, None], 0, 255)

    @property
    def scale(self) -> float:
        """Pixels of the canvas in one board unit."""
        return self.unit * self.zoom

    @property
    def width(self) -> float:
        """Width in board units; 100 for a product that was placed."""
        return self.width_px * _OVERSAMPLING / self.unit if self.zoom == 1 else 100.0

    def place(self, centre_x: float, foot_y: float, zoom: float) -> None:
        """Draw what follows smaller or larger, its middle at ``centre_x`` and its foot (84) at ``foot_y``."""
        self.zoom, self.dx, self.dy = zoom, centre_x - 50 * zoom, foot_y - 84 * zoom

    def shadow(self, centre: Point, radius: Point, strength: float = 0.34, softness: float = 3.0) -> None:
        """A blurred dark ellipse, as where something stands on the floor."""
        (x, y), (rx, ry) = centre, radius
        mask = self._mask(lambda pen: pen.ellipse(self._px(x - rx, y - ry, x + rx, y + ry), fill=255), softness)
        self.canvas *= 1 - strength * mask[:, :, None]

    def glow(self, centre: Point, radius: float, colour: Colour, strength: float = 0.5) -> None:
        """Light of a lamp, added around ``centre``."""
        x, y = self._at(centre)
        rows = (np.arange(self.canvas.shape[0], dtype=np.float32)[:, None] - y) / self.scale
        cols = (np.arange(self.canvas.shape[1], dtype=np.float32)[None, :] - x) / self.scale
        amount = strength * np.exp(-(rows**2 + cols**2) / radius**2)[:, :, None]
        self.canvas += (np.array(colour, dtype=np.float32) - self.canvas) * amount

    def turned(self, profile: Sequence[Point], cx: float, colour: Colour, gloss: float = 0.25) -> None:
        """A body of revolution: ``profile`` gives (y, radius) from top to bottom."""
        ys = np.array([self._at((cx, point[0]))[1] for point in profile])
        middle = self._at((cx, 0))[0]
        top, bottom = int(ys[0]), int(ys[-1]) + 1
        rows = np.arange(top, bottom, dtype=np.float32)
        radius = np.maximum(_smooth(rows, ys, np.array([point[1] for point in profile]) * self.scale), 0.5)
        reach = int(radius.max()) + 2
        left, right = max(0, int(middle) - reach), min(self.canvas.shape[1], int(middle) + reach)
        across = (np.arange(left, right, dtype=np.float32)[None, :] - middle) / radius[:, None]
        inside = np.clip((1 - np.abs(across)) * radius[:, None], 0, 1)
        nx = np.clip(across, -1, 1)
        slope = np.clip(np.gradient(radius), -1.2, 1.2)
        blur = max(3, int(5 * self.scale))
        slope = np.convolve(np.pad(slope, blur, mode="edge"), np.hanning(blur) / np.hanning(blur).sum(), "same")[
            blur:-blur
        ]
        ny = np.broadcast_to(-slope.astype(np.float32)[:, None], nx.shape)
        nz = np.sqrt(np.maximum(1 - nx**2, 0.0))
        self._paint(top, left, inside, (nx, ny, nz), colour, gloss)

    def shape(self, points: Sequence[Point], colour: Colour, *, roundness: float = 1.6, gloss: float = 0.12) -> None:
        """A padded polygon: edges fall away softly over ``roundness`` board units."""
        self._padded(lambda pen: pen.polygon([self._at(p) for p in points], fill=255), colour, roundness, gloss)

    def box(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        colour: Colour,
        *,
        radius: float = 2.0,
        roundness: float = 1.6,
        gloss: float = 0.12,
    ) -> None:
        """A padded rectangle with round corners."""
        self._padded(
            lambda pen: pen.rounded_rectangle(self._px(x0, y0, x1, y1), radius * self.scale, fill=255),
            colour,
            roundness,
            gloss,
        )

    def disc(
        self, centre: Point, radius: Point, colour: Colour, *, roundness: float = 1.2, gloss: float = 0.12
    ) -> None:
        """A padded ellipse."""
        (x, y), (rx, ry) = centre, radius
        self._padded(
            lambda pen: pen.ellipse(self._px(x - rx, y - ry, x + rx, y + ry), fill=255), colour, roundness, gloss
        )

    def rod(self, start: Point, end: Point, thick: float, colour: Colour, gloss: float = 0.3) -> None:
        """A round bar, as legs and stems are."""
        (x0, y0), (x1, y1) = start, end
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
        dx, dy = (y1 - y0) / length * thick / 2, -(x1 - x0) / length * thick / 2
        self.shape(
            [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)],
            colour,
            roundness=thick * 0.45,
            gloss=gloss,
        )

    def jpeg(self, quality: int = 82) -> bytes:
        """The finished picture as JPEG bytes at its final size."""
        pixels = np.clip(self.canvas, 0, 255).astype(np.uint8)
        picture = Image.fromarray(pixels).resize((self.width_px, self.height_px), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=quality, optimize=True)
        return out.getvalue()

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale + self.dx * self.unit, point[1] * self.scale + self.dy * self.unit

    def _px(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        return (*self._at((x0, y0)), *self._at((x1, y1)))

    def _mask(self, draw: Draw, blur: float) -> Field:
        mask = Image.new("L", (self.canvas.shape[1], self.canvas.shape[0]))
        draw(ImageDraw.Draw(mask))
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * self.scale))
        return np.asarray(mask, dtype=np.float32) / 255

    def _padded(self, draw: Draw, colour: Colour, roundness: float, gloss: float) -> None:
        sharp = Image.new("L", (self.canvas.shape[1], self.canvas.shape[0]))
        draw(ImageDraw.Draw(sharp))
        bounds = sharp.getbbox()
        if bounds is None:
            return
        margin = int(roundness * self.scale * 2) + 2
        padded = Image.new("L", (bounds[2] - bounds[0] + 2 * margin, bounds[3] - bounds[1] + 2 * margin))
        padded.paste(sharp.crop(bounds), (margin, margin))
        blur = roundness * self.scale
        solid = np.asarray(padded, dtype=np.float32) / 255
        height = _blurred(solid, blur * 0.5) + _blurred(solid, blur)
        slope_y, slope_x = np.gradient(height * np.float32(blur * 0.95))
        crop = np.s_[margin:-margin, margin:-margin]
        nx, ny = -slope_x[crop], -slope_y[crop]
        nz = np.ones_like(nx)
        inside = np.asarray(sharp.crop(bounds), dtype=np.float32) / 255
        self._paint(bounds[1], bounds[0], inside, (nx, ny, nz), colour, gloss)

    def _paint(
        self, top: int, left: int, inside: Field, normal: tuple[Field, Field, Field], colour: Colour, gloss: float
    ) -> None:
        nx, ny, nz = normal
        length = np.sqrt(nx**2 + ny**2 + nz**2) + 1e-6
        lit = np.maximum((nx * _LIGHT[0] + ny * _LIGHT[1] + nz * _LIGHT[2]) / length, 0)
        shine = np.maximum((nx * _HALFWAY[0] + ny * _HALFWAY[1] + nz * _HALFWAY[2]) / length, 0) ** 24
        tone = (0.52 + 0.72 * lit)[:, :, None]
        paint = np.array(colour, dtype=np.float32) * tone + 255 * gloss * shine[:, :, None] * 0.5
        paint = np.clip(paint, 0, 255)
        y0, x0 = max(top, 0), max(left, 0)
        y1, x1 = min(top + inside.shape[0], self.canvas.shape[0]), min(left + inside.shape[1], self.canvas.shape[1])
        window = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
        cover = inside[window][:, :, None]
        self.canvas[y0:y1, x0:x1] += (paint[window] - self.canvas[y0:y1, x0:x1]) * cover


def _blurred(picture: Field, radius: float) -> Field:
    """Three box blurs, near to a Gaussian one; in floats, since 256 steps would show as rings on soft shapes."""
    half = max(1, round(radius))
    for _ in range(3):
        for axis in (0, 1):
            pad = [(half + 1, half) if k == axis else (0, 0) for k in (0, 1)]
            sums = np.cumsum(np.pad(picture, pad, mode="edge"), axis=axis, dtype=np.float64)
            count = picture.shape[axis]
            upper = np.take(sums, range(2 * half + 1, 2 * half + 1 + count), axis=axis)
            picture = ((upper - np.take(sums, range(count), axis=axis)) / (2 * half + 1)).astype(np.float32)
    return picture


def _smooth(at: NDArray[np.float32], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> Field:
    """Monotone cubic interpolation (Fritsch and Carlson 1980): no bumps between the given radii."""
    gaps, slopes = np.diff(xs), np.diff(ys) / np.diff(xs)
    tangents = np.concatenate([slopes[:1], (slopes[:-1] + slopes[1:]) / 2, slopes[-1:]])
    turning = np.concatenate([[False], slopes[:-1] * slopes[1:] <= 0, [False]])
    tangents[turning] = 0
    limit = 3 * np.minimum(np.abs(np.append(slopes, slopes[-1])), np.abs(np.insert(slopes, 0, slopes[0])))
    tangents = np.sign(tangents) * np.minimum(np.abs(tangents), np.maximum(limit, 1e-9))
    i = np.clip(np.searchsorted(xs, at, side="right") - 1, 0, len(gaps) - 1)
    t = (at - xs[i]) / gaps[i]
    curve = (
        ys[i] * (2 * t**3 - 3 * t**2 + 1)
        + ys[i + 1] * (3 * t**2 - 2 * t**3)
        + gaps[i] * (tangents[i] * (t**3 - 2 * t**2 + t) + tangents[i + 1] * (t**3 - t**2))
    )
    return np.asarray(curve, dtype=np.float32)
