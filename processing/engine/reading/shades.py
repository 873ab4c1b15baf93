"""Filled boxes -> the rules that a table's grid takes from them: shaded tables often have no lines."""

from bisect import bisect_left
from collections.abc import Sequence

from catalogsku.core.box import Box, area
from processing.engine.reading.port import Drawings

# Points: edges this near to one another are one.
_SNAP = 2.5
# Points: the widest margin between a cell's edge and its paragraphs.
_MARGIN = 12.0
# Filled boxes beyond this number are a drawing; of the page, one that is larger is its ground.
_MOST_FILLS, _GROUND = 1500, 0.5


def shaded_rules(drawings: Drawings, page_area: float) -> list[Box]:
    """The edges of filled boxes that lie side by side."""
    fills = [box for box in dict.fromkeys(drawings.fills) if area(box) < _GROUND * page_area]
    if len(fills) > _MOST_FILLS:
        return []
    rules: list[Box] = []
    for x0, y0, x1, y1 in _without_paragraphs(fills, drawings.rules):
        rules += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return rules


def _without_paragraphs(fills: Sequence[Box], rules: Sequence[Box]) -> list[Box]:
    """Without the shade behind each paragraph of a shaded cell, as word processors draw it over the cell's own: set off
    from both its sides alike by the cell's margins. The cell stands between drawn rules, as a panel around shaded rows
    does not."""
    by_top = sorted(fills, key=lambda fill: fill[1])
    inside = {fill: own for fill in fills if (own := _set_off(fill, by_top))}
    if not inside:
        return list(fills)
    level = _Rules([rule for rule in rules if rule[2] - rule[0] > rule[3] - rule[1]], 1)
    upright = _Rules([rule for rule in rules if rule[2] - rule[0] <= rule[3] - rule[1]], 0)
    cells = [fill for fill in inside if level.along(fill) and upright.along(fill)]
    gone = {paragraph for cell in cells for paragraph in inside[cell]}
    return [fill for fill in fills if fill not in gone]


def _set_off(cell: Box, by_top: Sequence[Box]) -> list[Box]:
    """The fills in the cell that leave equal margins at its left and its right."""
    insets = []
    for n in range(bisect_left(by_top, cell[1] - _SNAP, key=lambda fill: fill[1]), len(by_top)):
        x0, y0, x1, y1 = by_top[n]
        if y0 > cell[3]:
            break
        left, right = x0 - cell[0], cell[2] - x1
        if _SNAP < left <= _MARGIN and abs(left - right) <= 1.0 and y1 <= cell[3] + _SNAP:
            insets.append(by_top[n])
    return insets


class _Rules:
    """Rules of one direction by their place; ``axis`` 1 for level ones."""

    def __init__(self, rules: Sequence[Box], axis: int) -> None:
        self._axis = axis
        self._rules = sorted(rules, key=self._at)

    def _at(self, rule: Box) -> float:
        return (rule[self._axis] + rule[self._axis + 2]) / 2

    def along(self, box: Box) -> bool:
        """One of them runs along a side of the box."""
        return any(self._runs(box, box[side]) for side in (self._axis, self._axis + 2))

    def _runs(self, box: Box, at: float) -> bool:
        start, end = box[1 - self._axis], box[3 - self._axis]
        for n in range(bisect_left(self._rules, at - _SNAP, key=self._at), len(self._rules)):
            rule = self._rules[n]
            if self._at(rule) > at + _SNAP:
                return False
            if rule[1 - self._axis] < end and start < rule[3 - self._axis]:
                return True
        return False
