"""The rules and the edges of shades that are drawn on a page, from its pixels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box
from processing.engine.reading.raster import Grey, Mask

# Grey levels by which a rule stands out from both its sides, once noise is averaged along it.
_RULE = 14
# Grey levels between a shaded part and its ground, and between what is next to its edge, print or not. Next to the
# edge either ground changes by less than that share of them.
_SHADE, _NEAR_SHADE = 9, 6
_FLAT = 0.4
# Grey levels between a ground and what is printed on it: noise is less.
_PRINTED = 12
# In points: how thick a rule may be, the noise average along it, its least length, that of a shade's edge, and the
# stretch of a level and of an upright line whose ground is looked for, with the ranks of its pixels that tell it.
_THICK = 2.4
_SMOOTH = 3.6
_LEAST_RULE = 14.0
_LEAST_SHADE = 16.0
_GROUND, _GROUND_DOWN, _GROUND_RANKS = 18.0, 12.0, (0.2, 0.5, 0.8)
# One of so many pixels tells it as well.
_SAMPLED = 2
# In points: gaps that are closed in a rule, and in a shade's edge. Where a rule's pixels stay as dark, so much print
# may touch it, of which so much must be as dark.
_GAP, _SHADE_GAP = 3.0, 6.0
_PRINT_GAP, _FILLED_GAP = 30.0, 0.9
# A line with that share of it inside words is part of the text: in one of them, or in several of a line. There the
# space up to the next word counts, of a word's height so much, and the outermost part above and below does not, which a
# rule between close lines may touch. A word's core begins so far from its ends, of its height.
_INSIDE = 0.6
_TEXT_RIM = 0.12
_WORD_GAP = 0.6
_CORE = 0.15
# Letters under each other give upright lines too, with gaps between the lines of text: strokes up to so many words
# high, and edges of any length, for a shade's edge crosses hardly any words.
_UPRIGHT_INSIDE, _STACKED = 0.4, 5.0
_EDGE_INSIDE = 0.3
# Points: how near a part of a rule that is askew lies to it, which is so many times longer.
_ASKEW, _LONGER = 1.0, 1.1
# Points: how near a line ends to one that it joins, and the least length of that.
_TOUCH, _JOINED = 2.5, 40.0


class Lines(NamedTuple):
    """Straight level and upright lines, points: thin strokes, dark or light, and the edges of shaded parts."""

    strokes: list[Box]
    edges: list[Box]


def lines_of(image: Image.Image, px_per_pt: float, words: Sequence[Box]) -> Lines:
    """The lines of a page drawn at that scale, without those that its ``words`` are written with."""
    grey = np.asarray(image.convert("L"))
    level, upright = _lines(grey, px_per_pt, _GROUND), _lines(np.ascontiguousarray(grey.T), px_per_pt, _GROUND_DOWN)
    strokes, edges = (
        [*flat, *((y0, x0, y1, x1) for x0, y0, x1, y1 in tall)] for flat, tall in zip(level, upright, strict=True)
    )
    return Lines(
        _outside_text(strokes, px_per_pt, words, _UPRIGHT_INSIDE, _STACKED),
        _outside_text(edges, px_per_pt, words, _EDGE_INSIDE, np.inf),
    )


def _lines(grey: Grey, px_per_pt: float, stretch: float) -> Lines:
    """The level ones, in pixels."""
    thick = max(2, round(_THICK * px_per_pt))
    far, above, middle, below, beyond = _around(_along(grey, max(1, round(_SMOOTH * px_per_pt))), thick)
    brighter = np.maximum(above, below)
    dark, touched = np.minimum(above, below) - middle > _RULE, brighter - middle > _RULE
    # Between photos that stand close to it, only a slit of paper is left on either side.
    _, over_it, own_it, under_it, _ = _around(middle, max(1, thick // 2))
    dark |= np.minimum(over_it, under_it) - own_it > _RULE
    ground = _ground(grey, px_per_pt, stretch)
    _, over, own, under, _ = _around(ground.levels, thick)
    # White between shaded cells has shade beyond its edges too; the ground between a rule and print has not.
    white = middle - np.maximum(np.maximum(far, beyond), brighter) > _RULE
    white &= ground.spread(own - np.maximum(over, under) > _RULE)
    # The ground is one of long stretches, and goes on beyond the ends of a shade.
    shade = ground.spread(_steps(ground.levels, thick)) & (np.abs(above - below) > _NEAR_SHADE)
    least, gap = _LEAST_RULE * px_per_pt, _GAP * px_per_pt
    strokes = _bars(dark, touched, px_per_pt, least, gap) + _bars(white, white, px_per_pt, least, gap)
    strokes = _without_parts(strokes, _ASKEW * px_per_pt)
    edges = _bars(shade, shade, px_per_pt, _LEAST_SHADE * px_per_pt, _SHADE_GAP * px_per_pt)
    return Lines(strokes, edges)


def _without_parts(bars: Sequence[Box], near: float) -> list[Box]:
    """The level bars without those that lie along a longer one: parts of a rule that runs a little askew."""
    return [bar for bar in bars if not any(_lies_along(bar, other, near) for other in bars)]


def _lies_along(bar: Box, other: Box, near: float) -> bool:
    longer = other[2] - other[0] >= _LONGER * (bar[2] - bar[0])
    within = other[0] - near <= bar[0] and bar[2] <= other[2] + near
    return longer and within and bar[1] <= other[3] + near and other[1] <= bar[3] + near


def _around(levels: NDArray[np.int16], step: int) -> tuple[NDArray[np.int16], ...]:
    """Each pixel's neighbours two steps and one above it, itself, and those below it; the edges go on."""
    padded = np.pad(levels, ((2 * step, 2 * step), (0, 0)), mode="edge")
    return tuple(padded[k * step : k * step + len(levels)] for k in range(5))


def _along(grey: Grey, reach: int) -> NDArray[np.int16]:
    """The mean of ``reach`` neighbours in each row; as wide as the page."""
    padded = np.pad(grey, ((0, 0), (reach // 2 + 1, reach - reach // 2 - 1)), mode="edge")
    sums = np.cumsum(padded, axis=1, dtype=np.uint16)  # may go round: what counts is how far two are apart
    return ((sums[:, reach:] - sums[:, :-reach]) // reach).astype(np.int16)


class _Ground(NamedTuple):
    """The grey that print lies on, of stretches of each row; ``wide``: of how many pixels each is the nearest."""

    levels: NDArray[np.int16]
    wide: NDArray[np.int64]

    def spread(self, mask: Mask) -> Mask:
        """What holds for stretches, by pixel."""
        return np.repeat(mask, self.wide, axis=1)


def _ground(grey: Grey, px_per_pt: float, stretch: float) -> _Ground:
    """Of stretches that long, points, each half over the one before: their lightest level, or the darkest where half of
    a stretch is as dark."""
    half = max(1, round(stretch / 2 * px_per_pt))
    count = grey.shape[1] // half
    if count < 2:
        return _Ground(np.full((len(grey), 1), np.median(grey), np.int16), np.array(grey.shape[1:]))
    halves = grey[:, : count * half].reshape(len(grey), count, half)[:, :, ::_SAMPLED]
    pixels = np.ascontiguousarray(halves.transpose(2, 0, 1))
    stretches = _sorted(np.concatenate((pixels[:, :, :-1], pixels[:, :, 1:])))
    dark, middle, light = (stretches[int(r * len(stretches))].astype(np.int16) for r in _GROUND_RANKS)
    levels = np.where(light - dark < _PRINTED, middle, np.where(middle - dark < _PRINTED, dark, light))
    nearest = np.clip((np.arange(grey.shape[1]) - half // 2) // half, 0, count - 2)
    return _Ground(levels, np.bincount(nearest))


def _sorted(planes: Grey) -> Grey:
    """Ascending along the first axis, in place: exchanges of neighbours, whole planes at once, take a tenth of the time
    of so many short sorts."""
    for turn in range(len(planes)):
        low, high = planes[turn % 2 : -1 : 2], planes[1 + turn % 2 :: 2]
        lower = np.minimum(low, high)
        np.maximum(low, high, out=high)
        low[...] = lower
    return planes


def _steps(ground: NDArray[np.int16], thick: int) -> Mask:
    """Where the ground changes at once from one level to another."""
    far, above, _, below, beyond = _around(ground, thick)
    _, before, _, after, _ = _around(ground, max(1, thick // 3))
    step = np.abs(above - below)
    flat = np.maximum(np.abs(far - above), np.abs(below - beyond)) < _FLAT * step
    steps: Mask = (step > _SHADE) & flat & (np.abs(before - after) > (1.0 - _FLAT) * step)
    return steps


def _bars(mask: Mask, between: Mask, px_per_pt: float, least: float, gap: float) -> list[Box]:
    """Long runs of a mask's rows, those of neighbouring rows made one; over short gaps, and longer ones that the other
    mask fills."""
    thick = _THICK * px_per_pt
    open_bars: list[list[float]] = []
    done: list[list[float]] = []
    for y, start, end in _runs(mask, between, gap, _PRINT_GAP * px_per_pt, least):
        done += [bar for bar in open_bars if y - bar[3] > 1.0]
        open_bars = [bar for bar in open_bars if y - bar[3] <= 1.0]
        for bar in open_bars:
            if start < bar[2] and bar[0] < end:
                bar[0], bar[2], bar[3] = min(bar[0], start), max(bar[2], end), y + 1
                break
        else:
            open_bars.append([start, y, end, y + 1])
    return [(b[0], b[1], b[2], b[3]) for b in done + open_bars if b[3] - b[1] <= 2 * thick]


def _runs(mask: Mask, between: Mask, gap: float, most: float, least: float) -> list[tuple[float, float, float]]:
    """Row, begin and end of each stretch that is so long, over gaps up to ``gap``, and up to ``most`` where ``between``
    fills them."""
    rows = np.flatnonzero(np.count_nonzero(mask, axis=1) >= 0.6 * least)
    if not len(rows):
        return []
    wide = mask.shape[1]
    at = np.flatnonzero(mask[rows])
    row = at // wide
    far = np.flatnonzero((np.diff(at) - 1 > gap) | (row[1:] != row[:-1]))
    dark = np.concatenate(([0], np.cumsum(between[rows], dtype=np.int32)))
    ends, starts = at[far] + 1, at[far + 1]
    filled = (dark[starts] - dark[ends] >= _FILLED_GAP * (starts - ends)) & (starts - ends <= most)
    cuts = far[~filled | (row[far] != row[far + 1])]
    begins, stops = at[np.append(0, cuts + 1)], at[np.append(cuts, -1)] + 1
    long = stops - begins >= least
    y, first = np.divmod(begins[long], wide)
    last = first + (stops - begins)[long]
    return list(zip(*(v.astype(float).tolist() for v in (rows[y], first, last)), strict=True))


def _outside_text(
    lines: Sequence[Box], px_per_pt: float, words: Sequence[Box], share: float, stacked: float
) -> list[Box]:
    """The lines, in points, that are not strokes of print: words hold most of them, one or a few beside each other, or
    ``share`` of an upright one over lines of text up to so many words' heights. An upright line from one level line to
    another that runs along a word's end is a rule all the same: the box of a sign between rules may hold them."""
    written = np.array(words, dtype=np.float64).reshape(-1, 4)
    inner = written.copy()
    high = written[:, 3] - written[:, 1]
    inner += np.outer(high, (-_WORD_GAP / 2, _TEXT_RIM, _WORD_GAP / 2, -_TEXT_RIM))
    core = written + np.outer(high, (_CORE, 0.0, -_CORE, 0.0))
    usual = float(np.median(high)) if len(high) else 0.0
    placed = np.array(lines, dtype=np.float64).reshape(-1, 4) / px_per_pt
    levels = placed[placed[:, 2] - placed[:, 0] >= _JOINED]
    outside: list[Box] = []
    for line in placed:
        along = int(line[2] - line[0] < line[3] - line[1])
        long = line[along + 2] - line[along]
        alone = _shared(line, written, along).max(initial=0.0)
        among = _shared(line, inner, along).sum() if not along or long <= stacked * usual else 0.0
        free = alone < _INSIDE * long and among < (share if along else _INSIDE) * long
        if free or (along and _joins_two(line, levels) and not _shared(line, core, along).any()):
            outside.append((float(line[0]), float(line[1]), float(line[2]), float(line[3])))
    return outside


def _joins_two(line: NDArray[np.float64], levels: NDArray[np.float64]) -> bool:
    """Whether level lines run over both its ends."""
    across = (levels[:, 0] <= line[0] + _TOUCH) & (levels[:, 2] >= line[2] - _TOUCH)
    return all((across & (np.abs(levels[:, 1] - end) <= _TOUCH)).any() for end in (line[1], line[3]))


def _shared(line: NDArray[np.float64], written: NDArray[np.float64], along: int) -> NDArray[np.float64]:
    """How much of the line's length each word holds."""
    common = np.minimum(line[2:], written[:, 2:]) - np.maximum(line[:2], written[:, :2])
    return np.where((common > 0).all(axis=1), common[:, along], 0.0)
