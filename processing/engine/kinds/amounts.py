"""Numbers as studies print them: whether one stands clear of all that makes it another, and which ones are equal.

Where a number may begin and end is ``understanding.quotes``' to say; what is said here is said of places it has found.
"""

import re
import unicodedata
from decimal import Decimal

from processing.engine.kinds.folding import JOINT, MINUS, UNSURE
from processing.engine.understanding.quotes import Folded

_COMPARED = "<>≤≥≦≧~≈≅∼"
# Signs of calculation are what fonts without a true mapping are misread in most: there such signs stand instead.
_UNREAD = "¡¿"
# Units of one letter: day, gram, hour, litre, week, year. Another one behind a number marks it, or names a part.
_UNITS = "dghlwy"
_PERCENT_BEHIND = re.compile(r"(?:[–-][\d.]+)?[%‰]")
_AMOUNT = re.compile(rf"(?<![\w.])(?P<sign>[+{MINUS}{UNSURE}{JOINT}] ?)?(?P<digits>\d+(?:[.,]\d+)?|\.\d+)")
_SIGNS = {MINUS: -1, UNSURE: 0, JOINT: 0}
_LETTERS = re.compile(r"[^\W\d_]+")

# Sign (1, -1, or 0 where print does not tell) and what it stands before.
Amount = tuple[int, Decimal]


def is_cut(text: Folded, at: int) -> bool:
    """The sign of the number that begins at ``at`` stands before it, and so is left out."""
    return at > 0 and _in_number(text.signs[at]) and text.signs[at - 1] in (MINUS, UNSURE)


def stands_clear(text: Folded, at: int, end: int) -> bool:
    """What stands there from ``at`` to ``end`` is the whole of what is said: no number that is only a bound ("<0.05"),
    a share ("95%"), a power ("10⁹"), a reference ("[12]"), that has lost its sign, carries a mark ("12a"), or stands
    behind a sign that was not read."""
    before, behind = text.signs[at - 1 : at], text.signs[end : end + 1]
    if _in_number(text.signs[at]) and before:
        if before in _COMPARED or before in (MINUS, UNSURE) or (before in ".,-" and at not in text.starts):
            return False
        if before in _UNREAD or unicodedata.category(before) in ("So", "No", "Co", "Cn"):
            return False
        if before == "[" and behind == "]":
            return False
    if not text.signs[end - 1].isdigit() or not behind:
        return True
    if _PERCENT_BEHIND.match(text.signs, end) or unicodedata.category(behind) == "No":
        return False
    return not _is_mark(text, end)


def _is_mark(text: Folded, at: int) -> bool:
    """One letter alone at the end of a number."""
    letter = text.signs[at]
    if at in text.starts or not letter.isalpha() or not letter.isascii() or letter in _UNITS:
        return False
    return at + 1 in text.starts or not text.signs[at + 1].isalnum()


def is_equal(value: list[str], text: list[str]) -> bool:
    """The folded ``text`` has the amounts of ``value`` one after another, and all words of it, in whatever form."""
    wanted, printed = amounts(" ".join(value)), amounts(" ".join(text))
    words = set(_LETTERS.findall(" ".join(text)))
    if not wanted or not all(word in words for word in _LETTERS.findall(" ".join(value))):
        return False
    runs = (printed[n : n + len(wanted)] for n in range(len(printed) - len(wanted) + 1))
    return any(all(map(_same, wanted, run)) for run in runs)


def amounts(folded: str) -> list[Amount]:
    """Numbers that are no part of a code; a decimal comma counts as a point."""
    found = []
    for match in _AMOUNT.finditer(folded):
        sign = (match["sign"] or "").strip()
        found.append((_SIGNS.get(sign, 1), Decimal(match["digits"].replace(",", "."))))
    return found


def _same(one: Amount, other: Amount) -> bool:
    return one[1] == other[1] and (one[0] == other[0] or 0 in (one[0], other[0]))


def _in_number(sign: str) -> bool:
    return sign.isdigit() or sign == "."
