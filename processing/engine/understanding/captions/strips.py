"""Pictures that stand as one: close in a row, or tiled into one block."""

from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, area, gap, height, union, width
from processing.engine.page import Picture

# Of their height: pictures of one product stand this close in a row, this much of it beside each other; the edges of
# equally high ones differ by no more, and where they were seen on a scan.
_GAP, _BESIDE, _EDGE, _SEEN_EDGE = 0.15, 0.7, 0.05, 0.25
# Between two parts of a row there is so many times the least gap in it, and more than that, points.
_WIDER, _WIDER_PT = 2.0, 8.0
# Share of a block that its pictures fill.
_FILLED = 0.85


def in_rows(pictures: Sequence[Picture]) -> list[tuple[Picture, ...]]:
    """Pictures that stand close beside each other, row by row; where some of a row are clearly closer than others,
    these parts of it."""
    rows: list[list[Picture]] = []
    for picture in sorted(pictures, key=lambda p: (p.box[0], p.box[1])):
        row = next((row for row in rows if _is_beside(row[-1].box, picture.box)), None)
        if row is None:
            rows.append([picture])
        else:
            row.append(picture)
    return [part for row in rows for part in _parted(row)]


def _parted(row: Sequence[Picture]) -> list[tuple[Picture, ...]]:
    gaps = [gap(a.box, b.box) for a, b in pairwise(row)]
    wide = [n for n, one in enumerate(gaps, 1) if one > max(_WIDER * min(gaps), _WIDER_PT)]
    return [tuple(row[start:end]) for start, end in pairwise((0, *wide, len(row)))]


def _is_beside(a: Box, b: Box) -> bool:
    """About as high, or a lower one on the same foot, as a detail beside its product stands."""
    high, low = max(height(a), height(b), 1.0), min(height(a), height(b))
    common, on_foot = min(a[3], b[3]) - max(a[1], b[1]), abs(a[3] - b[3]) <= _EDGE * high
    return common >= _BESIDE * (low if on_foot else high) and gap(a, b) <= _GAP * high


def is_level(row: Sequence[Picture]) -> bool:
    """All begin and end at the same height; white parts of photos on white paper are not seen there."""
    share = _SEEN_EDGE if all(picture.drawn for picture in row) else _EDGE
    edge = share * max(height(picture.box) for picture in row)
    tops, feet = [picture.box[1] for picture in row], [picture.box[3] for picture in row]
    return max(tops) - min(tops) <= edge and max(feet) - min(feet) <= edge


def is_block(pictures: Sequence[Picture]) -> bool:
    """Several that fill the rectangle around them but for narrow seams."""
    short = min(min(width(p.box), height(p.box)) for p in pictures)
    near = all(any(p is not q and gap(p.box, q.box) <= _GAP * short for q in pictures) for p in pictures)
    return near and sum(area(p.box) for p in pictures) >= _FILLED * area(union(p.box for p in pictures))
