"""Long level rules of one table, whose rows stand between them."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from catalogsku.core.box import Box
from processing.engine.reading.grids import Rule, joined_rules
from processing.engine.reading.port import Drawings

# Rules belong to one table if they begin and end within this many points; a table has more than so many.
_SAME_ENDS, LEAST_BANDS = 6.0, 3
# Of the usual step between a table's rules: after a larger one another thing begins, and where rules are whole and
# those under them drawn in pieces.
_BREAK, _FAR_UNDER = 6.0, 2.0
# Of a row's height: an upright rule between columns runs through so much of it.
_THROUGH = 0.6
# So many rows of a table whose other rows have no rules between the columns may have some.
_MOST_CROSSED = 1
# Of a table's width: a rule that runs along so much of it from one end parts lines of a row; points from the next rule.
_MUCH, _NEAR = 0.4, 8.0
# Points: what is so near is on one rule. Of the rules: where so many have a joint, two columns meet.
_SAME_RULE, _MOST_JOINTS = 2.5, 0.8


class Band(NamedTuple):
    """Level rules of one table downwards, their left and right end, and where their pieces meet. ``inner``: shorter
    ones between lines of a row whose first or last cells are merged."""

    ys: list[float]
    x0: float
    x1: float
    joints: list[float]
    inner: list[Rule]


def bands(drawings: Drawings, width_pt: float) -> list[Band]:
    """Groups of long level rules with common ends, none of which holds another one; a rule may be drawn piece by piece,
    one for each cell. Upright rules cross one row at most: the head, whose labels have light lines between them."""
    pieces = [Rule((b[1] + b[3]) / 2, b[0], b[2]) for b in drawings.rules if b[3] - b[1] < 3.0 and b[2] - b[0] > 3.0]
    upright = [b for b in drawings.rules if b[2] - b[0] < 3.0 and b[3] - b[1] >= 8.0]
    all_bands = []
    for group in _groups(pieces, drawings.fills, 0.4 * width_pt):
        ys: list[float] = []
        for rule in group:
            if not ys or rule.at - ys[-1] > 4.0:
                ys.append(rule.at)
        x0, x1 = min(r.start for r in group), max(r.end for r in group)
        inside = [b for b in upright if x0 + 5 < b[0] < x1 - 5]
        for own in (own for run in _runs(ys) for own in _of_one_table(run, pieces, x0, x1)):
            crossed = sum(any(_crosses(b, band) for b in inside) for band in pairwise(own))
            if len(own) > LEAST_BANDS and crossed <= _MOST_CROSSED:
                all_bands.append(Band(own, x0, x1, _joints(pieces, own, x0, x1), _inner(pieces, own, x0, x1)))
    all_bands = [band for band in all_bands if not any(_holds(band, other) for other in all_bands)]
    return [band for band in all_bands if not any(_is_inside(band, other) for other in all_bands)]


def _inner(pieces: Sequence[Rule], ys: Sequence[float], x0: float, x1: float) -> list[Rule]:
    """The rules between those of the table that run along much of them and share an end with them."""
    inside = [r for r in joined_rules(list(pieces)) if ys[0] < r.at < ys[-1] and x0 <= r.start and r.end <= x1]
    inside = [r for r in inside if min(abs(r.at - y) for y in ys) > _NEAR]
    return [r for r in inside if r.end - r.start >= _MUCH * (x1 - x0) and _shares_end(r, x0, x1)]


def _shares_end(rule: Rule, x0: float, x1: float) -> bool:
    return (abs(rule.start - x0) <= _SAME_ENDS) != (abs(rule.end - x1) <= _SAME_ENDS)


def _is_inside(band: Band, other: Band) -> bool:
    """The band's rules are inner ones of the other."""
    return band is not other and {r.at for r in other.inner}.issuperset(band.ys)


def _holds(band: Band, other: Band) -> bool:
    """The rules of the other all lie between two that follow each other: these part the page, and hold whole tables."""
    inside = band.x0 - _SAME_ENDS <= other.x0 and other.x1 <= band.x1 + _SAME_ENDS
    return inside and any(top < other.ys[0] and other.ys[-1] < foot for top, foot in pairwise(band.ys))


def _groups(pieces: Sequence[Rule], fills: Sequence[Box], least: float) -> list[list[Rule]]:
    """Rules at least so long with common ends, downwards; with them the edges of shades that are as long."""
    groups: list[list[Rule]] = []
    for rule in [rule for rule in joined_rules(list(pieces)) if rule.end - rule.start >= least]:
        for group in groups:
            if any(_end_alike(rule, other) for other in group):
                group.append(rule)
                break
        else:
            groups.append([rule])
    groups = [group for group in groups if len(group) >= LEAST_BANDS]
    shades = [Rule(at, b[0], b[2]) for b in fills if groups and b[2] - b[0] > 3.0 for at in (b[1], b[3])]
    edges = joined_rules(shades)
    return [sorted([*group, *(edge for edge in edges if _end_alike(edge, group[0]))]) for group in groups]


def _joints(pieces: Sequence[Rule], ys: Sequence[float], x0: float, x1: float) -> list[float]:
    """Where in most of the rules one piece ends and the next begins: between the same columns."""
    starts = [(p.start, y) for p in pieces if x0 + 5 < p.start < x1 - 5 for y in ys if abs(p.at - y) <= _SAME_RULE]
    ends = {round(p.end) for p in pieces}
    places: dict[int, set[float]] = {}
    for x, y in starts:
        if ends & {round(x) - 1, round(x), round(x) + 1}:
            near = next((at for at in places if abs(at - x) <= _SAME_RULE), round(x))
            places.setdefault(near, set()).add(y)
    return sorted(float(x) for x, rules in places.items() if len(rules) >= _MOST_JOINTS * len(ys))


def _runs(ys: Sequence[float]) -> list[list[float]]:
    """The rules, parted where the next one is much further off than they mostly are: the page's foot has one too."""
    usual = median([b - a for a, b in pairwise(ys)] or [0.0])
    runs = [[ys[0]]]
    for above, at in pairwise(ys):
        if at - above > _BREAK * usual:
            runs.append([])
        runs[-1].append(at)
    return runs


def _of_one_table(ys: Sequence[float], pieces: Sequence[Rule], x0: float, x1: float) -> list[list[float]]:
    """The rules, parted where the pieces that they are drawn of begin at other places, or where those in pieces and
    whole ones are far apart: those of another table. A scan's rules are broken each in its own way, and are whole."""
    drawn = [{round(p.start) for p in pieces if x0 + 5 < p.start < x1 - 5 and abs(p.at - y) <= _SAME_RULE} for y in ys]
    starts = [own if sum(_begin_alike(own, other) for other in drawn) >= LEAST_BANDS else set() for own in drawn]
    usual = median([b - a for a, b in pairwise(ys)] or [0.0])
    runs = [[ys[0]]]
    for (above, own), (over, y) in zip(pairwise(starts), pairwise(ys), strict=True):
        others = (own or above) and not any(abs(a - b) <= 1 for a in above for b in own)
        apart = others and ((own and above) or y - over > _FAR_UNDER * usual)
        runs[-1:] = [runs[-1], [y]] if apart else [[*runs[-1], y]]
    return runs


def _begin_alike(a: set[int], b: set[int]) -> bool:
    return a == b or (len(a) == len(b) and all(b & {x - 1, x, x + 1} for x in a))


def _crosses(rule: Box, band: tuple[float, float]) -> bool:
    """It goes through most of a row; a shorter one is a line of a picture there."""
    return min(rule[3], band[1]) - max(rule[1], band[0]) >= _THROUGH * (band[1] - band[0])


def _end_alike(rule: Rule, other: Rule) -> bool:
    return abs(other.start - rule.start) <= _SAME_ENDS and abs(other.end - rule.end) <= _SAME_ENDS
