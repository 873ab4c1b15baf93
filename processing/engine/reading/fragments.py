"""Pictures cut into strips or tiles by the producing program -> the regions they really are (TA-BR16)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box, area, height, union, width
from processing.engine.reading.port import PlacedPicture
from processing.engine.reading.seen import Seen

# Points between pieces of one picture.
_SEAM = 1.5
# Share of the shorter edge that two pieces have in common.
_SHARED = 0.9
# A strip is this much longer than thick; this many pieces around blank seams are one picture as well.
_STRIP = 4.0
# Points by which the outer edges of strips of one cut may differ.
_FLUSH = 0.5
# So thin that it is no picture of its own, whatever the seam looks like (print crosses it).
_THIN_STRIP = 12.0
_MANY = 6
# A piece cut exactly as so many that are one picture belongs to it, though an edge in the picture lies on the seam.
_SERIES = 3
# Share of a seam beside a wide object where the ground of its picture goes on.
_GROUND = 0.2
_SMOOTH, _BREAK, _BLANK, _PARTLY = 1, -1, 0, -2


def merge_fragments(placed: Sequence[PlacedPicture], seen: Seen) -> tuple[list[PlacedPicture], list[Box]]:
    """Whole pictures, and the boxes of those that lie in pieces. ``seen``: the page; two photos side by side differ at
    their seam, pieces of one do not."""
    groups = _groups(placed, seen)
    whole, regions = [], []
    for group in groups:
        boxes = [placed[i].box for i in group]
        around = union(boxes)
        if len(group) > 1 and sum(area(b) for b in boxes) >= 0.85 * area(around):
            regions.append(around)
        else:
            whole += [placed[i] for i in group]
    return whole, regions


def _groups(placed: Sequence[PlacedPicture], seen: Seen) -> list[list[int]]:
    parent = list(range(len(placed)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    blank, unsure, series = [], [], []
    for i, j, seam in _neighbours([p.box for p in placed]):
        kind = _seam_kind(seen.close, seam, seen.px_per_pt)
        strips = _STRIP if kind == _BLANK else _THIN_STRIP
        if kind == _SMOOTH or _are_strips(placed[i].box, placed[j].box, seam, strips):
            parent[root(i)] = root(j)
        elif kind == _BLANK:
            blank.append((i, j))
        equal = _are_strips(placed[i].box, placed[j].box, seam, _STRIP) and _are_alike(placed[i], placed[j])
        if equal or (kind in (_BLANK, _PARTLY) and _cut_alike(placed[i], placed[j])):
            unsure.append((i, j))
        elif _cut_alike(placed[i], placed[j]) and _are_alike(placed[i], placed[j]):
            series.append((i, j))
    sizes: dict[int, int] = {}
    for i in range(len(placed)):
        sizes[root(i)] = sizes.get(root(i), 0) + 1
    for i, j in blank:
        if sizes.get(root(i), 1) + sizes.get(root(j), 1) >= _MANY and _same_grain(placed[i], placed[j]):
            parent[root(i)] = root(j)
    in_pieces = {i for i in range(len(placed)) if sizes.get(root(i), 1) > 1}
    # Again and again: behind a strip that joins may lie the next one.
    while joining := [(i, j) for i, j in unsure if {i, j} & in_pieces and root(i) != root(j)]:
        for i, j in joining:
            parent[root(i)] = root(j)
            in_pieces |= {i, j}
    sizes = Counter(map(root, range(len(placed))))
    for i, j in series:
        if max(sizes[root(i)], sizes[root(j)]) >= _SERIES:
            parent[root(i)] = root(j)
    groups: dict[int, list[int]] = {}
    for i in range(len(placed)):
        groups.setdefault(root(i), []).append(i)
    return list(groups.values())


def _neighbours(boxes: Sequence[Box]) -> list[tuple[int, int, Box]]:
    """Pairs that abut along most of an edge, with the seam between them."""
    pairs = []
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][1])
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            a, b = boxes[i], boxes[j]
            if b[1] > a[3] + _SEAM:
                break
            if seam := _seam(a, b):
                pairs.append((i, j, seam))
    return pairs


def _seam(a: Box, b: Box) -> Box | None:
    for axis in (0, 1):
        other = 1 - axis
        low, high = (a, b) if a[axis] <= b[axis] else (b, a)
        if abs(high[axis] - low[axis + 2]) > _SEAM:
            continue
        start, end = max(a[other], b[other]), min(a[other + 2], b[other + 2])
        shorter = min(a[other + 2] - a[other], b[other + 2] - b[other])
        if shorter > 0 and end - start >= _SHARED * shorter:
            at = (high[axis] + low[axis + 2]) / 2
            return (at, start, at, end) if axis == 0 else (start, at, end, at)
    return None


def _seam_kind(page: NDArray[np.uint8] | None, seam: Box, px_per_pt: float) -> int:
    """Whether the page runs on across the seam, breaks there, breaks for a part (an edge in the picture may lie on the
    seam), or is blank and tells nothing."""
    if page is None:
        return _BLANK
    upright = seam[2] - seam[0] < seam[3] - seam[1]
    grey = page.T if upright else page
    at, start, end = (seam[0], seam[1], seam[3]) if upright else (seam[1], seam[0], seam[2])
    row = round(at * px_per_pt)
    band = grey[max(0, row - 4) : row + 4, max(0, round(start * px_per_pt)) : max(0, round(end * px_per_pt))]
    if band.shape[0] < 8 or band.shape[1] < 4:
        return _BLANK
    lines = band.astype(np.int16)
    if float(np.std(lines, axis=1).max()) < 6.0:
        return _BLANK
    steps = np.abs(np.diff(lines, axis=0))
    mean = steps.mean(axis=1)
    limit = 2.0 * float(np.concatenate((mean[:2], mean[5:])).max()) + 3.0
    if float(mean[2:5].max()) <= limit:
        return _SMOOTH
    return _PARTLY if float(np.quantile(steps[2:5], _GROUND, axis=1).max()) <= limit else _BREAK


def _are_strips(a: Box, b: Box, seam: Box, times: float) -> bool:
    """Both that many times longer along the seam than thick, and as long as each other."""
    along = max(width(seam), height(seam))
    upright = seam[2] - seam[0] < seam[3] - seam[1]
    thick = [width(x) if upright else height(x) for x in (a, b)]
    longs = [height(x) if upright else width(x) for x in (a, b)]
    return min(longs) >= 0.95 * max(longs) and max(thick) * times <= along


def _are_alike(a: PlacedPicture, b: PlacedPicture) -> bool:
    """As many pixels, to one: a picture is cut into equal strips."""
    return abs(a.width_px - b.width_px) <= 1 and abs(a.height_px - b.height_px) <= 1


def _cut_alike(a: PlacedPicture, b: PlacedPicture) -> bool:
    """Strips of one cut: the same two edges on the page, and as many pixels between them."""
    flush = [abs(first - second) <= _FLUSH for first, second in zip(a.box, b.box, strict=True)]
    if flush[0] and flush[2]:
        return a.width_px == b.width_px
    return flush[1] and flush[3] and a.height_px == b.height_px


def _same_grain(a: PlacedPicture, b: PlacedPicture) -> bool:
    """About the same number of pixels per point."""
    first, second = a.width_px / max(width(a.box), 0.1), b.width_px / max(width(b.box), 0.1)
    return 0.8 <= first / max(second, 1e-6) <= 1.25
