"""Pictures that stand as one: close in a row."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from catalogsku.core.box import gap, height
from processing.engine.page import Picture

# Between two parts of a row there is so many times the least gap in it, and more than that, points.
_WIDER, _WIDER_PT = 2.0, 8.0


class _Slack(NamedTuple):
    """Of their height: pictures of one product stand this close in a row, this much of it beside each other, and the
    edges of equally high ones differ by no more."""

    gap: float
    beside: float
    edge: float


# Of pictures seen on a scan only what is not white is known, often some less of each side.
_PLACED, _SEEN = _Slack(0.15, 0.7, 0.05), _Slack(0.25, 0.6, 0.25)


def _slack(*pictures: Picture) -> _Slack:
    return _SEEN if all(picture.drawn for picture in pictures) else _PLACED


def in_rows(pictures: Sequence[Picture]) -> list[tuple[Picture, ...]]:
    """Pictures that stand close beside each other, row by row; where some of a row are clearly closer than others,
    these parts of it."""
    rows: list[list[Picture]] = []
    for picture in sorted(pictures, key=lambda p: (p.box[0], p.box[1])):
        row = next((row for row in rows if _is_beside(row[-1], picture)), None)
        if row is None:
            rows.append([picture])
        else:
            row.append(picture)
    return [part for row in rows for part in _parted(row)]


def _parted(row: Sequence[Picture]) -> list[tuple[Picture, ...]]:
    gaps = [gap(a.box, b.box) for a, b in pairwise(row)]
    wide = [n for n, distance in enumerate(gaps, 1) if distance > max(_WIDER * min(gaps), _WIDER_PT)]
    return [tuple(row[start:end]) for start, end in pairwise((0, *wide, len(row)))]


def _is_beside(picture: Picture, other: Picture) -> bool:
    """About as high, or a lower one on the same foot, as a detail beside its product stands."""
    a, b, slack = picture.box, other.box, _slack(picture, other)
    high, low = max(height(a), height(b), 1.0), min(height(a), height(b))
    common, on_foot = min(a[3], b[3]) - max(a[1], b[1]), abs(a[3] - b[3]) <= slack.edge * high
    return common >= slack.beside * (low if on_foot else high) and gap(a, b) <= slack.gap * high


def in_shares(row: Sequence[Picture], parts: int) -> list[tuple[Picture, ...]]:
    """The row as so many equal parts; empty where it cannot be parted so."""
    size, rest = divmod(len(row), parts) if parts else (0, 1)
    return [] if rest else [tuple(row[start : start + size]) for start in range(0, len(row), size)]


def is_level(row: Sequence[Picture], along: int = 1) -> bool:
    """All begin and end at the same height; with ``along`` 0, pictures in a column at the same left and right."""
    edge = _slack(*row).edge * max(p.box[along + 2] - p.box[along] for p in row)
    starts, ends = [p.box[along] for p in row], [p.box[along + 2] for p in row]
    return max(starts) - min(starts) <= edge and max(ends) - min(ends) <= edge
