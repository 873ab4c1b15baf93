"""Rules and fills that later fills were painted over: design programs draw the rows of a table at their least height
and the cells, which are as high as their text, over them."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box
from processing.engine.reading.port import Drawings
from processing.engine.reading.seen import Seen

# Points: how far within a fill a rule lies under it and is not its border.
_WITHIN = 3.0
# Grey levels by which a drawn rule stands out in most of its stretch, from what is so far beside it, points. A clip may
# keep a fill from it.
_STANDS_OUT, _BESIDE, _MOSTLY = 6, 4.0, 0.7
# A fill under others is looked for at so many places across and along it.
_PLACES = 16
# Rules and fills, times fills, beyond this number are a drawing; so many that all overlap take a second.
_MOST = 500_000


def without_overdrawn(drawings: Drawings, seen: Seen) -> Drawings:
    """The drawings without the stretches of rules that lie under fills and do not show in the page, ``seen``, and
    without the fills that lie under others so."""
    rules = np.array(drawings.rules, dtype=np.float64).reshape(-1, 4)
    if seen.small is None or not any(drawings.over) or (len(rules) + len(drawings.fills)) * len(drawings.fills) > _MOST:
        return drawings
    hidden: dict[int, list[Box]] = {}
    for fill, before in zip(drawings.fills, drawings.over, strict=True):
        for n in _under(rules[:before], fill):
            stretch = _stretch(drawings.rules[n], fill)
            if not _shows(seen, stretch):
                hidden.setdefault(n, []).append(stretch)
    if not hidden:
        return drawings
    rules_shown = [part for n, rule in enumerate(drawings.rules) for part in _without(rule, hidden.get(n, ()))]
    fills, opaque = np.array(drawings.fills, dtype=np.float64), np.array(drawings.over) > 0
    shown = [n for n, fill in enumerate(drawings.fills) if not _is_covered(fill, fills[n + 1 :][opaque[n + 1 :]], seen)]
    return drawings._replace(
        rules=tuple(rules_shown),
        fills=tuple(drawings.fills[n] for n in shown),
        over=tuple(drawings.over[n] for n in shown),
    )


def _is_covered(fill: Box, later: NDArray[np.float64], seen: Seen) -> bool:
    """Whether later fills lie over all of it and over one of its edges, which does not show."""
    over = later[(later[:, :2] < fill[2:]).all(axis=1) & (later[:, 2:] > fill[:2]).all(axis=1)]
    x0, y0, x1, y1 = fill
    edges = ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))
    under = [
        _stretch(edge, (a, b, c, d))
        for a, b, c, d in over.tolist()
        for edge in edges
        if _under(np.array([edge]), (a, b, c, d))
    ]
    if not under or any(_shows(seen, stretch) for stretch in under):
        return False
    shares = (np.arange(_PLACES) + 0.5) / _PLACES
    across, along = x0 + shares * (x1 - x0), y0 + shares * (y1 - y0)
    inside = [np.outer((along > b) & (along < d), (across > a) & (across < c)) for a, b, c, d in over.tolist()]
    return bool(np.any(inside, axis=0).all())


def _under(rules: NDArray[np.float64], fill: Box) -> list[int]:
    """The places of those that run within the fill, in part at least."""
    x0, y0, x1, y1 = rules.T
    level = (x1 - x0 >= y1 - y0) & (y0 > fill[1] + _WITHIN) & (y1 < fill[3] - _WITHIN)
    level &= np.minimum(x1, fill[2]) - np.maximum(x0, fill[0]) > _WITHIN
    upright = (x1 - x0 < y1 - y0) & (x0 > fill[0] + _WITHIN) & (x1 < fill[2] - _WITHIN)
    upright &= np.minimum(y1, fill[3]) - np.maximum(y0, fill[1]) > _WITHIN
    return [int(n) for n in np.flatnonzero(level | upright)]


def _is_level(rule: Box) -> bool:
    return rule[2] - rule[0] >= rule[3] - rule[1]


def _stretch(rule: Box, fill: Box) -> Box:
    x0, y0, x1, y1 = rule
    if _is_level(rule):
        return max(x0, fill[0]), y0, min(x1, fill[2]), y1
    return x0, max(y0, fill[1]), x1, min(y1, fill[3])


def _shows(seen: Seen, rule: Box) -> bool:
    """Whether the page is darker or lighter along the rule than beside it, or on one side of it than on the other."""
    grey, px_per_pt = seen.close, seen.px_per_pt
    if grey is None:
        return True
    page = grey if _is_level(rule) else grey.T
    along = (rule[0], rule[2]) if _is_level(rule) else (rule[1], rule[3])
    middle = (rule[1] + rule[3]) / 2 if _is_level(rule) else (rule[0] + rule[2]) / 2
    at, far = round(middle * px_per_pt), max(2, round(_BESIDE * px_per_pt))
    start, end = (round(v * px_per_pt) for v in along)
    if at - far < 0 or at + far >= len(page) or end <= start:
        return True
    rows = page[at - far : at + far + 1, max(0, start) : end].astype(np.int16)
    before, own, after = rows[0], rows[far - 1 : far + 2], rows[-1]
    signs = (
        np.minimum(before, after) - own.min(axis=0),
        own.max(axis=0) - np.maximum(before, after),
        before - after,
        after - before,
    )
    return any(float((sign > _STANDS_OUT).mean()) >= _MOSTLY for sign in signs)


def _without(rule: Box, hidden: Sequence[Box]) -> Iterator[Box]:
    """The rule, or what the hidden stretches leave of it."""
    level = _is_level(rule)
    at, end = (rule[0], rule[2]) if level else (rule[1], rule[3])
    for part in sorted(hidden, key=lambda part: part[0] if level else part[1]):
        start, stop = (part[0], part[2]) if level else (part[1], part[3])
        if start > at:
            yield (at, rule[1], start, rule[3]) if level else (rule[0], at, rule[2], start)
        at = max(at, stop)
    if at < end or not hidden:
        yield (at, rule[1], end, rule[3]) if level else (rule[0], at, rule[2], end)
