"""Whether a value stands on a page as it is given: the gate that every value passes, whoever found it (LX-QUOTE).

Case, width, spaces, kinds of dash and the grouping of thousands are forgiven; digits, decimal marks, signs, units and
codes are not, and a value is no part of a longer number or code (LX-EXACT).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from catalogsku.core.text import fold

# Of the letters that may differ in text without digits: in long text a slip of reading, in any a reason to look.
EXACT_SLIPS = 0.05
EXACT_FROM_LETTERS = 20
NEAR_SLIPS = 0.20

_GROUPING = re.compile(r"(?<=\d)[,，'](?=\d{3}(?!\d))")
_DECIMAL_MARKS = ".,"
_JOINTS = "-_."
# At the edge of a value and with digits on both sides they are a cut: ".4" of "3.4", "/3" of "2/3", "-50" of "10-50".
_BETWEEN_DIGITS = ".,-_/"

Kind = Literal["exact", "approximate", "not_found"]


@dataclass(frozen=True)
class Match:
    """``score``: 1.0 for exact, else the share of letters that agree, 0.0 where the value was not found."""

    kind: Kind
    score: float


NOT_FOUND = Match("not_found", 0.0)


class Printed:
    """Texts of one page, folded once, to look many values up in."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = [_folded(text) for text in texts if text.strip()]

    def match(self, value: str) -> Match:
        """How well ``value`` is proved by the texts; an empty value by none."""
        wanted = _folded(value)
        if not wanted.signs:
            return NOT_FOUND
        if self.holds(value):
            return Match("exact", 1.0)
        if wanted.has_digits:
            return NOT_FOUND
        fewest = min((slips(wanted.signs, text.signs) for text in self._texts), default=len(wanted.signs))
        letters = sum(map(str.isalpha, wanted.signs))
        if letters >= EXACT_FROM_LETTERS and fewest <= EXACT_SLIPS * letters:
            return Match("exact", _share(fewest, wanted.signs))
        return Match("approximate", _share(fewest, wanted.signs)) if fewest <= NEAR_SLIPS * letters else NOT_FOUND

    def holds(self, value: str) -> bool:
        """Whether a text has ``value`` sign by sign; an empty value is in none."""
        wanted = _folded(value)
        return bool(wanted.signs) and any(text.holds(wanted) for text in self._texts)


def _folded(text: str) -> "Folded":
    return Folded(_GROUPING.sub("", fold(text)).split())


class Folded:
    """Words that are folded already. ``signs``: all of them without spaces; ``starts``: indices of the signs before
    which a space stood."""

    def __init__(self, words: Sequence[str]) -> None:
        self.signs = "".join(words)
        self.starts = set(accumulate(map(len, words), initial=0))
        self.has_digits = any(map(str.isdigit, self.signs))
        self.has_letters = any(map(str.isalpha, self.signs))

    def holds(self, wanted: "Folded") -> bool:
        """The wanted signs stand here in one piece that is cut out of no longer number or code."""
        return any(True for _ in self.found(wanted))

    def found(self, wanted: "Folded", start: int = 0, stop: int | None = None) -> Iterator[int]:
        """Where between two indices the wanted signs stand so."""
        at = self.signs.find(wanted.signs, start, stop)
        while at >= 0:
            end = at + len(wanted.signs)
            if self._spaced_alike(at, wanted) and not self._goes_before(at, wanted) and not self._goes_on(end, wanted):
                yield at
            at = self.signs.find(wanted.signs, at + 1, stop)

    def _spaced_alike(self, at: int, wanted: "Folded") -> bool:
        """Spaces may be anywhere but between digits: "12 5" is not "125"."""
        return all(
            (at + n in self.starts) == (n in wanted.starts)
            for n in range(1, len(wanted.signs))
            if wanted.signs[n - 1].isdigit() and wanted.signs[n].isdigit()
        )

    def _goes_before(self, at: int, wanted: "Folded") -> bool:
        """What stands before belongs to the same number or code."""
        if at in self.starts:
            return False
        first, before = self.signs[at], self.signs[at - 1]
        joined = self.signs[at - 2] if at - 1 not in self.starts and _in_codes(self.signs[at - 2]) else ""
        if _in_codes(first) and _in_codes(before):
            return wanted.has_digits or before.isalpha()
        if first.isdigit() and before in _DECIMAL_MARKS:
            return at - 1 in self.starts or self.signs[at - 2].isdigit()
        if first in _BETWEEN_DIGITS and before.isdigit():
            return wanted.signs[1:2].isdigit()
        if first.isdigit() and before == "-" and not joined.isdigit():
            return True  # the sign of a number, or the joint of a code; between two digits it is a dash
        return wanted.has_digits and wanted.has_letters and before in _JOINTS and bool(joined)

    def _goes_on(self, end: int, wanted: "Folded") -> bool:
        """What stands behind belongs to the same number or code; letters behind a bare number are its unit."""
        if end in self.starts:
            return False
        last, after = self.signs[end - 1], self.signs[end]
        joins = end + 1 not in self.starts and _in_codes(self.signs[end + 1])
        if _in_codes(last) and _in_codes(after):
            return last.isdigit() == after.isdigit() or (wanted.has_digits and wanted.has_letters)
        if last.isdigit() and after in _DECIMAL_MARKS:
            return joins and self.signs[end + 1].isdigit()
        if last in _BETWEEN_DIGITS and after.isdigit():
            return wanted.signs[-2:-1].isdigit()
        return wanted.has_digits and wanted.has_letters and after in _JOINTS and joins and _in_codes(last)


def _in_codes(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


def _share(slips: int, signs: str) -> float:
    return round(1.0 - slips / len(signs), 4)


def slips(wanted: str, text: str) -> int:
    """Fewest edits that turn ``wanted`` into a piece of ``text`` (Sellers 1980)."""
    column = list(range(len(wanted) + 1))
    best = column[-1]
    for sign in text:
        above, column[0] = column[0], 0
        for n, other in enumerate(wanted, 1):
            above, column[n] = column[n], min(above + (sign != other), column[n] + 1, column[n - 1] + 1)
        best = min(best, column[-1])
    return best
