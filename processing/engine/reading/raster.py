"""What a vector drawing would have told, from pixels: how far a page lies askew, the rules on it, where its ink is."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box

# Degrees: the most that a sheet lies askew in a feeder, and the steps in which that is looked for, coarse then fine.
_MOST_TILT = 3.0
_STEPS = (0.25, 0.05)
# Edges are sampled to about this many points; fewer than the least tell nothing.
_EDGE_POINTS = 40_000
_LEAST_POINTS = 400
# Grey levels: an edge of print; a rule stands out from both its sides by less, once noise is averaged along it.
_EDGE = 48
_RULE = 14
# Grey levels between a shaded part and its ground; next to the edge either changes by less than that share of them.
_SHADE = 9
_FLAT = 0.4
# In points: how thick a rule may be, the noise average along it, gaps closed in it, and its least length.
_THICK = 2.4
_SMOOTH = 3.6
_GAP = 3.0
_LEAST_RULE = 14.0
_LEAST_SHADE = 24.0
# A row of pixels with so much ink is a rule under or beside the print.
_RULE_FILLS = 0.95
# A stroke of a letter: as thick at most, points, with such a step of grey on both sides. A row of print has so many on
# a point of its length, a picture that carries print so many such rows, and it is not smaller than that.
_STROKE_PT, _STROKE = 1.5, 32
_STROKES_A_PT = 0.04
_PRINT_ROWS = 0.04
_LEAST_PRINT = 40.0
# A figure's wires and outlines are strokes too, but a row of letters crosses twice as many: most such rows of a table
# do, 61 to 97 %, of a circuit or timing diagram at most 57 %. Tables with tall cells have fewer, but photos, shades or
# headings: 3 % of their squares so wide, points, hold no paper, within grey levels, of bare figures at most 1 %.
_DENSE_ROWS = 0.6
_FILLED = 0.02
_SQUARE_PT, _PAPER = 4.0, 16
# A stroke with that share of it inside a line of text belongs to the text.
_INSIDE = 0.6

Grey = NDArray[np.uint8]


def straightened(image: Image.Image) -> Image.Image:
    """The image turned about its middle by its tilt, on white; itself where it stands straight."""
    angle = tilt(np.asarray(image.convert("L")))
    return image.rotate(angle, Image.Resampling.BILINEAR, fillcolor="white") if angle else image


class Lines(NamedTuple):
    """Straight level and upright lines, points: thin strokes, dark or light, and the edges of shaded parts."""

    strokes: list[Box]
    edges: list[Box]


def lines_of(image: Image.Image, px_per_pt: float, words: Sequence[Box]) -> Lines:
    """The lines of a page drawn at that scale, without those that its ``words`` are written with."""
    grey = np.asarray(image.convert("L"))
    level, upright = _lines(grey, px_per_pt), _lines(grey.T, px_per_pt)
    strokes, edges = (
        [*flat, *((y0, x0, y1, x1) for x0, y0, x1, y1 in tall)] for flat, tall in zip(level, upright, strict=True)
    )
    return Lines(_outside_text(strokes, px_per_pt, words), _outside_text(edges, px_per_pt, words))


def tilt(grey: Grey) -> float:
    """By how many degrees the page must be turned counter-clockwise to stand straight, 0 where nothing tells.

    The angle at which the level edges of print fall into the fewest rows and the upright ones into the fewest columns.
    """
    step = max(1, round(min(grey.shape) / 1000))
    small = grey[::step, ::step].astype(np.int16)
    sheets = []
    for plane in (small, small.T):
        y, x = np.nonzero(np.abs(np.diff(plane, axis=0)) > _EDGE)
        thin = max(1, len(y) // _EDGE_POINTS)
        sheets.append((y[::thin], x[::thin]))
    if sum(len(y) for y, _ in sheets) < _LEAST_POINTS:
        return 0.0

    def order(degrees: float) -> float:
        slope = np.tan(np.radians(degrees))
        found = 0.0
        for (y, x), lean in zip(sheets, (-slope, slope), strict=True):
            rows = np.bincount(np.round(y + lean * x - min(0.0, lean * x.max(initial=0))).astype(np.int64))
            found += float((rows.astype(np.float64) ** 2).sum())
        return found

    best, reach = 0.0, _MOST_TILT
    for fine in _STEPS:
        tried = best + np.arange(-reach, reach + fine / 2, fine)
        best = float(max(tried, key=order))
        reach = fine
    return best if order(best) > 1.02 * order(0.0) else 0.0


def carries_print(grey: Grey, px_per_pt: float) -> bool:
    """Whether a picture looks like text or a table: many of its rows cross many thin dark strokes, and it is no figure
    drawn in bare lines. Product photos have almost none such rows, tables and infographics 4 to 46 % (measured on 50
    pictures)."""
    if min(grey.shape) < _LEAST_PRINT * px_per_pt:
        return False
    strokes = _strokes(grey, px_per_pt)
    rows = strokes[strokes > _STROKES_A_PT]
    if len(rows) < _PRINT_ROWS * len(strokes):
        return False
    dense = float((rows > 2 * _STROKES_A_PT).mean())
    return dense >= _DENSE_ROWS or _filled_ratio(grey, px_per_pt) >= _FILLED


def _strokes(grey: Grey, px_per_pt: float) -> NDArray[np.float64]:
    """How many thin dark strokes each row crosses, on a point of its length."""
    steps = np.diff(grey.astype(np.int16), axis=1)
    falls, rises = steps < -_STROKE, steps > _STROKE
    thin = np.zeros_like(rises)
    for width in range(1, max(2, round(_STROKE_PT * px_per_pt)) + 1):
        thin[:, :-width] |= falls[:, :-width] & rises[:, width:]
    crossed: NDArray[np.float64] = thin.sum(axis=1) / (grey.shape[1] / px_per_pt)
    return crossed


def _filled_ratio(grey: Grey, px_per_pt: float) -> float:
    """The share of squares that are wholly photo, shade or other than paper."""
    side = max(2, round(_SQUARE_PT * px_per_pt))
    high, wide = grey.shape[0] // side, grey.shape[1] // side
    squares = grey[: high * side, : wide * side].reshape(high, side, wide, side)
    paper = float(np.median(grey))
    filled = (squares.max(axis=(1, 3)) < paper - _PAPER) | (squares.min(axis=(1, 3)) > paper + _PAPER)
    return float(filled.mean())


def _lines(grey: Grey, px_per_pt: float) -> Lines:
    """The level ones, in pixels."""
    thick = max(2, round(_THICK * px_per_pt))
    smooth = _along(np.pad(grey, ((2 * thick, 2 * thick), (0, 0)), mode="edge"), max(1, round(_SMOOTH * px_per_pt)))
    far, above, middle, below, beyond = (smooth[k * thick : k * thick + grey.shape[0]] for k in range(5))
    dark = np.minimum(above, below) - middle > _RULE
    # White between shaded cells has shade beyond its edges too; the ground between a rule and print has not.
    light = middle - np.maximum.reduce((far, above, below, beyond)) > _RULE
    step = np.abs(above - below)
    near = max(1, thick // 3)
    steep = np.abs(smooth[2 * thick - near :][: len(grey)] - smooth[2 * thick + near :][: len(grey)])
    flat = np.maximum(np.abs(far - above), np.abs(below - beyond)) < _FLAT * step
    shade = (step > _SHADE) & flat & (steep > (1.0 - _FLAT) * step)
    strokes = [bar for mask in (dark, light) for bar in _bars(mask, px_per_pt, _LEAST_RULE * px_per_pt)]
    return Lines(strokes, _bars(shade, px_per_pt, _LEAST_SHADE * px_per_pt))


def _along(grey: Grey, reach: int) -> NDArray[np.int16]:
    """The mean of ``reach`` neighbours in each row; as wide as the page."""
    padded = np.pad(grey, ((0, 0), (reach // 2 + 1, reach - reach // 2 - 1)), mode="edge")
    sums = np.cumsum(padded, axis=1, dtype=np.int32)
    return ((sums[:, reach:] - sums[:, :-reach]) // reach).astype(np.int16)


def _bars(mask: NDArray[np.bool_], px_per_pt: float, least: float) -> list[Box]:
    """Long runs of a mask's rows, those of neighbouring rows made one."""
    gap, thick = round(_GAP * px_per_pt), _THICK * px_per_pt
    open_bars: list[list[float]] = []
    done: list[list[float]] = []
    for y in np.flatnonzero(mask.sum(axis=1) >= 0.6 * least):
        runs = [run for run in _row_runs(mask[y], gap) if run[1] - run[0] >= least]
        kept: list[list[float]] = []
        for bar in open_bars:
            (kept if y - bar[3] <= 1.0 else done).append(bar)
        open_bars = kept
        for start, end in runs:
            for bar in open_bars:
                if start < bar[2] and bar[0] < end:
                    bar[0], bar[2], bar[3] = min(bar[0], start), max(bar[2], end), float(y + 1)
                    break
            else:
                open_bars.append([start, float(y), end, float(y + 1)])
    return [(b[0], b[1], b[2], b[3]) for b in done + open_bars if b[3] - b[1] <= 2 * thick]


def _row_runs(row: NDArray[np.bool_], gap: int) -> list[tuple[float, float]]:
    """Begin and end of each stretch, over gaps up to ``gap``."""
    at = np.flatnonzero(row)
    if not len(at):
        return []
    cuts = np.flatnonzero(np.diff(at) > gap + 1)
    starts = np.concatenate((at[:1], at[cuts + 1]))
    ends = np.concatenate((at[cuts], at[-1:])) + 1
    return [(float(a), float(b)) for a, b in zip(starts, ends, strict=True)]


def ink(grey: Grey, box: Box) -> Box:
    """The part of the box that print takes, in whole pixels, rules across it left out; the box itself where it is all
    one grey."""
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    part = grey[y0 : max(y0, round(box[3])), x0 : max(x0, round(box[2]))]
    if part.size == 0:
        return box
    ground = float(np.median(part))
    away = np.abs(part.astype(np.int16) - round(ground))
    if (most := int(away.max())) < _EDGE:
        return box
    inked = away > 0.45 * most
    level, upright = inked.mean(axis=1) >= _RULE_FILLS, inked.mean(axis=0) >= _RULE_FILLS
    inked[level], inked[:, upright] = False, False
    rows, cols = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(rows):
        return box
    return float(x0 + cols[0]), float(y0 + rows[0]), float(x0 + cols[-1] + 1), float(y0 + rows[-1] + 1)


def white_between(grey: Grey, box: Box, start: float, end: float) -> float:
    """The widest stretch without ink between two places along a line of print in that box, pixels."""
    x0, y0 = max(0, round(start)), max(0, round(box[1]))
    part = grey[y0 : max(y0, round(box[3])), x0 : max(x0, round(end))].astype(np.int16)
    if part.size == 0 or int(part.max()) - int(part.min()) < _EDGE:
        return 0.0
    dark = part < part.max() - 0.45 * (int(part.max()) - int(part.min()))
    inked = np.flatnonzero(np.concatenate(([True], dark.any(axis=0), [True])))
    return float(np.diff(inked).max() - 1)


def _outside_text(lines: Sequence[Box], px_per_pt: float, words: Sequence[Box]) -> list[Box]:
    """The lines, in points, of which no word holds most."""
    written = np.array(words, dtype=np.float64).reshape(-1, 4)
    kept: list[Box] = []
    for x0, y0, x1, y1 in lines:
        line = np.array((x0, y0, x1, y1)) / px_per_pt
        common = np.minimum(line[2:], written[:, 2:]) - np.maximum(line[:2], written[:, :2])
        along = int(x1 - x0 < y1 - y0)
        inside = (common > 0).all(axis=1) & (common[:, along] >= _INSIDE * (line[along + 2] - line[along]))
        if not inside.any():
            kept.append((float(line[0]), float(line[1]), float(line[2]), float(line[3])))
    return kept
