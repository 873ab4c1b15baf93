"""Where a printed value was seen: in a line, or over lines that go on below or beside each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalogsku.core.box import Box
from tests.support.seeing_model.eyes import Line, around, folded, holds, middle

# A wrapped value goes on at most so many line heights further down, and beside at most so far away.
_BELOW, _BESIDE = 1.2, 3.0
# On the scale of 0 to 1000: what OCR measures and what was drawn differ by so much.
_MARGIN = 6.0
_MOST_PARTS = 8
# Signs that hold a number or a code together.
_JOINS = frozenset(".,-")


@dataclass(frozen=True)
class Place:
    """``box`` on 0 to 1000. ``parts``: number of each line and its signs from and to, by which it is known."""

    box: Box
    parts: tuple[tuple[int, int, int], ...]


class Page:
    """The lines that were seen of a page."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = list(lines)
        self.text = "\n".join(line.text for line in lines)

    def places(self, forms: Sequence[str], within: Box | None) -> list[tuple[str, Place]]:
        """Each form that is to be seen whole inside ``within`` with its places, the first form that has any."""
        for form in forms:
            found = [
                place for place in self._places(folded(form)) if within is None or holds(within, place.box, _MARGIN)
            ]
            if found:
                return [(form, place) for place in found]
        return []

    def _places(self, value: str) -> Iterator[Place]:
        if not value:
            return
        for n, line in enumerate(self._lines):
            at = line.text.find(value)
            while at >= 0:
                end = at + len(value)
                if _stands_alone(line, at, end):
                    yield Place(around([g.box for g in line.glyphs[at:end]]), ((n, at, end),))
                at = line.text.find(value, at + 1)
            if len(line.text) < len(value) and value.startswith(line.text):
                yield from self._over_lines(value, (n,))

    def _over_lines(self, value: str, taken: tuple[int, ...]) -> Iterator[Place]:
        """``taken``: lines that are whole parts of the value, in its order."""
        rest = value[sum(len(self._lines[n].text) for n in taken) :]
        for n in self._following(taken[-1]):
            line = self._lines[n]
            if n in taken or len(taken) >= _MOST_PARTS:
                continue
            if line.text == rest:
                numbers = (*taken, n)
                parts = tuple((m, 0, len(self._lines[m].text)) for m in numbers)
                yield Place(around([self._lines[m].box for m in numbers]), parts)
            elif rest.startswith(line.text):
                yield from self._over_lines(value, (*taken, n))

    def _following(self, n: int) -> Iterator[int]:
        x0, y0, x1, y1 = self._lines[n].box
        high = y1 - y0
        for m, other in enumerate(self._lines):
            left, top, right, _ = other.box
            beside = abs(middle(other.box)[1] - (y0 + y1) / 2) < high / 2 and 0 <= left - x1 <= _BESIDE * high
            below = left < x1 and right > x0 and y0 + high / 2 < top < y1 + _BELOW * high
            if m != n and (beside or below):
                yield m


def _stands_alone(line: Line, at: int, end: int) -> bool:
    """Whether the signs are no part of a longer word, number or code."""
    left = [g.sign for g in reversed(line.glyphs[max(0, at - 2) : at])]
    right = [g.sign for g in line.glyphs[end : end + 2]]
    gaps = {n for n, glyph in enumerate(line.glyphs) if glyph.begins}
    left = left[: _before_gap(range(at, at - 3, -1), gaps)]
    right = right[: _before_gap(range(end, end + 3), gaps)]
    return not _goes_on(line.text[at], left) and not _goes_on(line.text[end - 1], right)


def _before_gap(places: range, gaps: set[int]) -> int:
    """How many signs there are until white."""
    return next((n for n, at in enumerate(places) if at in gaps), len(places))


def _goes_on(sign: str, signs: Sequence[str]) -> bool:
    """``signs``: the next ones outwards, up to two."""
    if not _is_of_a_word(sign) or not signs:
        return False
    return _is_of_a_word(signs[0]) or (signs[0] in _JOINS and len(signs) > 1 and _is_of_a_word(signs[1]))


def _is_of_a_word(sign: str) -> bool:
    """Letters and digits; a sign of Chinese stands for itself."""
    return sign.isascii() and sign.isalnum()
