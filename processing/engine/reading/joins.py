"""Photos in a page that is one picture itself and that touch without paper between them: cut where straight edges from
side to side part them as photos are placed, in rows of one size or a large one with a strip of small ones."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, height, width
from processing.engine.reading.raster import Grey, Mask

# Points: the stretches along an edge that are looked at one by one, how far beside it the levels are compared, how far
# it may stray, and up to where nothing steeper is. Grey levels: the least step (the mean over a stretch has a noise of
# one or two), and of the steepest one near it at least so much.
_STRETCH, _BESIDE, _STRAY, _AROUND = 6.0, 1.0, 0.8, 5.0
_STEP, _STEEPEST = 4.0, 0.85
# Points: the least side of a photo of a strip, of the strip and of other photos; how far an edge may be from where it
# is due, and one photo's sides from those of another of its size. Times as long as wide, or as wide as long, at most;
# photos in one row or strip at most.
_SMALL_SIDE, _STRIP_SIDE, _ROW_SIDE, _DUE, _ALIKE = 30.0, 40.0, 60.0, 2.0, 4.0
_LONGEST, _MOST = 2.5, 8
# Of an edge's stretches: each shows it, and the edges of a row do in their mean. One edge across a picture, as where a
# wall meets a floor, is common; two at the thirds are not, nor is one in the middle of two photos with strips.
_SEEN, _SEEN_MEAN, _CLEAR, _MIDDLE = 0.6, 0.8, 0.85, 0.95
# The edge between a large photo and its strip; the mean of those in the strip, of a single one, and of those at the
# same place as in another photo of the size; and the most that they go on beside the strip: those of tiles or doors do.
_BASE, _IN_STRIP, _ONE, _AS_THERE, _GOES_ON = 0.8, 0.85, 0.9, 0.65, 0.6
# Of the longer side: the most that a strip takes. Other clear edges than those that part the photos: stripes and
# shelves have many.
_THIN, _OTHERS = 0.45, 1
# Times as long as wide: what two photos of a strip are at most. A floor in two halves is lower.
_LONGEST_OF_TWO = 1.9
# Grey levels: what each photo shows is more uneven than a wall.
_SHOWN = 12.0
# Photos of one size of which one alone seems to have a strip: what parts it is in the picture.
_AMONG = 3


class _Cut(NamedTuple):
    """Places of edges, pixels, the mean share of their stretches that show them, and how many other clear ones run
    along them; whether they are upright."""

    places: list[int]
    share: float
    others: int
    upright: bool = False

    def of(self, box: Box, px_per_pt: float) -> list[Box]:
        """The parts of the box, points."""
        x0, y0, x1, y1 = box
        start, end = (x0, x1) if self.upright else (y0, y1)
        edges = pairwise([start, *(start + place / px_per_pt for place in self.places), end])
        return [(a, y0, b, y1) if self.upright else (x0, a, x1, b) for a, b in edges]


class _Strip(NamedTuple):
    """The edge where a strip of photos of one size begins or ends, the edges in it, and whether it comes first."""

    base: _Cut
    cells: _Cut
    first: bool


def joined(grey: Grey, px_per_pt: float, photos: Sequence[Box]) -> list[Box]:
    """The photos in an image of that scale, points, those that are made of several cut; one of the size of another is
    where that is."""
    rows = [part for photo in photos for part in _rows(grey, px_per_pt, photo)]
    strips = [_strip(grey, px_per_pt, photo) for photo in rows]
    known = [(photo, strip) for photo, strip in zip(rows, strips, strict=True) if strip]
    for n, (photo, own) in enumerate(zip(rows, strips, strict=True)):
        like = next((strip for other, strip in known if own is None and _alike(photo, other)), None)
        strips[n] = _strip(grey, px_per_pt, photo, like) if like else own
    own_strips = [None if _is_alone(photo, rows, strips) else strip for photo, strip in zip(rows, strips, strict=True)]
    return [
        part for photo, strip in zip(rows, own_strips, strict=True) for part in _parted(grey, px_per_pt, photo, strip)
    ]


def _is_alone(photo: Box, photos: Sequence[Box], strips: Sequence[_Strip | None]) -> bool:
    """Whether at most one of several photos of its size has a strip."""
    alike = [strip for other, strip in zip(photos, strips, strict=True) if _alike(photo, other)]
    return len(alike) >= _AMONG and sum(strip is not None for strip in alike) < 2


def _alike(photo: Box, other: Box) -> bool:
    return abs(width(photo) - width(other)) <= _ALIKE and abs(height(photo) - height(other)) <= _ALIKE


def _pixels(grey: Grey, px_per_pt: float, photo: Box) -> Grey:
    x0, y0, x1, y1 = (max(0, round(edge * px_per_pt)) for edge in photo)
    return grey[y0:y1, x0:x1]


def _rows(grey: Grey, px_per_pt: float, photo: Box) -> list[Box]:
    """Three photos of one size and more in a row or column, or two with strips; else the one."""
    pixels = _pixels(grey, px_per_pt, photo)
    for upright in (False, True):
        cut = _equal(pixels.T if upright else pixels, px_per_pt, 3, _ROW_SIDE, _SEEN_MEAN)
        if cut and cut.others <= _OTHERS:
            return cut._replace(upright=upright).of(photo, px_per_pt)
    if middle := _equal(pixels.T, px_per_pt, 2, _ROW_SIDE, _MIDDLE, most=2):
        halves = middle._replace(upright=True).of(photo, px_per_pt)
        if any(_strip(grey, px_per_pt, half) for half in halves):
            return halves
    return [photo]


def _parted(grey: Grey, px_per_pt: float, photo: Box, strip: _Strip | None) -> list[Box]:
    """The photo without its strip, which may have another one, and those of the strip."""
    if strip is None:
        return [photo]
    large, small = strip.base.of(photo, px_per_pt)[:: -1 if strip.first else 1]
    return [*_parted(grey, px_per_pt, large, _strip(grey, px_per_pt, large)), *strip.cells.of(small, px_per_pt)]


def _strip(grey: Grey, px_per_pt: float, photo: Box, like: _Strip | None = None) -> _Strip | None:
    """The clearest strip at one of its sides; only ``like`` that one and with less clear edges."""
    pixels = _pixels(grey, px_per_pt, photo)
    candidates = [strip for upright in (False, True) for strip in _strips(pixels, px_per_pt, like, upright=upright)]
    return max(candidates, key=lambda strip: strip.cells.share, default=None)


def _strips(pixels: Grey, px_per_pt: float, like: _Strip | None, *, upright: bool) -> Iterator[_Strip]:
    if like and like.base.upright != upright:
        return
    turned = pixels.T if upright else pixels
    shares, apart = _shares(turned, px_per_pt), round(_AROUND * px_per_pt)
    if like:
        place = like.base.places[0]
        shares[: max(0, place - apart)] = shares[place + apart :] = 0.0
    while (share := float(shares.max(initial=0.0))) >= (_SEEN if like else _BASE):
        at = _clearest(shares, int(shares.argmax()), apart)
        shares[max(0, at - apart) : at + apart] = 0.0
        for first, strip, rest in ((True, turned[:at], turned[at:]), (False, turned[at:], turned[:at])):
            if _STRIP_SIDE * px_per_pt <= len(strip) <= _THIN * len(turned):
                cut = _equal(strip.T, px_per_pt, 2, _SMALL_SIDE, _AS_THERE if like else _IN_STRIP)
                low = strip.shape[1] > 2 * _LONGEST_OF_TWO * len(strip)
                clear = cut and (like or len(cut.places) > 1 or (cut.share >= _ONE and not low))
                if cut and clear and not _go_on(cut, rest.T, px_per_pt):
                    yield _Strip(_Cut([at], share, 0, upright), cut._replace(upright=not upright), first)


def _go_on(cut: _Cut, beside: Grey, px_per_pt: float) -> bool:
    shares, reach = _shares(beside, px_per_pt), round(_BESIDE * px_per_pt)
    return bool(np.mean([shares[max(0, at - reach) : at + reach + 1].max() for at in cut.places]) > _GOES_ON)


def _equal(
    pixels: Grey, px_per_pt: float, least: int, side: float, least_mean: float, most: int = _MOST
) -> _Cut | None:
    """Cut into the most photos of one size whose edges are all clear, else into those whose edges are the clearest."""
    shares, cuts = _shares(pixels, px_per_pt), []
    for number in range(most, least - 1, -1):
        size = len(pixels) / number
        if size < side * px_per_pt or not 1 / _LONGEST <= size / pixels.shape[1] <= _LONGEST:
            continue
        reach = round(_DUE * px_per_pt)
        places = [_clearest(shares, round(len(pixels) * n / number) - reach, 2 * reach + 1) for n in range(1, number)]
        seen = shares[places]
        if min(seen) < _SEEN or seen.mean() < least_mean or any(p.std() < _SHOWN for p in np.split(pixels, places)):
            continue
        cuts.append(_Cut(places, float(seen.mean()), _others(shares, places, px_per_pt)))
        if min(seen) >= _CLEAR:
            return cuts[-1]
    return max(cuts, key=lambda cut: cut.share, default=None)


def _clearest(shares: NDArray[np.float64], start: int, number: int) -> int:
    """The middle of the rows with the clearest edge, of so many from the first one on."""
    there = shares[start : start + number]
    return start + int(np.median(np.flatnonzero(there == there.max())))


def _others(shares: NDArray[np.float64], places: list[int], px_per_pt: float) -> int:
    """How many other clear edges there are."""
    clear, apart = shares >= _CLEAR, round(_AROUND * px_per_pt)
    for place in (0, *places, len(shares)):
        clear[max(0, place - apart) : place + apart] = False
    return int((np.diff(np.concatenate(([False], clear)).astype(np.int8)) == 1).sum())


def _shares(pixels: Grey, px_per_pt: float) -> NDArray[np.float64]:
    """Of each row, in how many of its stretches there is a level edge: a step of grey as steep as any near it."""
    import cv2  # comes with the engine, and is loaded where that is

    wide = round(_STRETCH * px_per_pt)
    number = pixels.shape[1] // wide
    means = pixels[:, : number * wide].reshape(len(pixels), number, -1).mean(axis=2, dtype=np.float32).T
    beside = round(_BESIDE * px_per_pt)
    padded = np.pad(means, ((0, 0), (beside, beside)), mode="edge")
    step = np.abs(padded[:, 2 * beside :] - padded[:, : -2 * beside])
    near, around = (
        cv2.dilate(step, np.ones((1, 2 * round(reach * px_per_pt) + 1), np.uint8)) for reach in (_STRAY, _AROUND)
    )
    edge: Mask = (near >= _STEP) & (near >= _STEEPEST * around)
    return np.asarray(edge.mean(axis=0), np.float64)
