"""Folding of running text that numbers stand in: what may be written in several ways becomes one, no number another.

Forgiven: case, width, ligatures, spaces between letters, hyphens between letters (also where a line ends), shapes of
quotation marks, the grouping of thousands, and a raised point for a decimal point. A dash becomes what it says: the
sign of a number, the middle of a range, or the joint of a code; where print does not tell a sign from a dash, UNSURE.
Raised figures, fractions and figures in circles stay what they are: 10⁹ is not 109, nor 5½ 51⁄2.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from catalogsku.core.text import DASHES

MINUS, RANGE, UNSURE, JOINT = "\u2212", "\u2013", "\u2012", "-"

# Left out of the text: with the space behind it, where a hyphen joins two halves of a word, or alone.
_JOINED, _DROPPED = "\x00", "\x01"

_SHAPES = {code: "-" for code in DASHES if chr(code) != MINUS} | {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u2032\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\x00\x01\u00ad\u200b\u200c\u200d\u2060\ufeff"), None),
}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

_LETTER = r"[^\W\d_]"
_DASH = f"[{JOINT}{MINUS}]"
_STEPS = (
    # The raised point of British journals.
    (re.compile(r"(?<=\d)[·∙⋅‧](?=\d)"), "."),
    (re.compile(rf"(?<={_LETTER})[⁰¹²³⁴-⁹]"), lambda found: found[0].translate(_RAISED)),
    (
        re.compile(r"(?<![\d.,'])\d{1,3}(?:[,']\d{3})+(?![,']?\d)"),
        lambda found: re.sub("[,']", _DROPPED, found[0]),
    ),
    (re.compile(rf"(?<={_LETTER}){_DASH}(?= ?{_LETTER})"), _JOINED),
    (re.compile(rf"(?<={_LETTER} ){_DASH}(?= {_LETTER})|(?<![^ ])\|(?![^ ])"), _DROPPED),
    (re.compile(rf"(?<=[\d%°]){_DASH}(?= ?{_DASH}?[.]?\d)"), RANGE),
    # "3.4 - 0.3": a range, or two cells of a table of which one is below zero.
    (re.compile(rf"(?<=[\d%°] ){_DASH}(?= [.]?\d)"), UNSURE),
    (re.compile(rf"(?<![\w%°)\]]){_DASH}(?=[.]?\d)"), MINUS),
    # Set off from its number, as some journals do: surely a sign where no words could be parted by it.
    (re.compile(rf"(?<=[(\[<>=≤≥:,;±])( ?){_DASH}(?= [.]?\d)"), lambda found: found[1] + MINUS),
    # Alone: a sign, a pause, or a cell in which nothing stands.
    (re.compile(rf"(?<![^ ]){JOINT}(?![^ ])"), UNSURE),
)


def fold_words(words: Sequence[str]) -> list[tuple[str, bool]]:
    """Each printed word folded, perhaps to nothing, and whether it begins apart from the one before it."""
    plain = [_plain(word) for word in words]
    text = " ".join(plain)
    for pattern, instead in _STEPS:
        text = pattern.sub(instead, text)
    folded, at, apart = [], 0, True
    for word in plain:
        part = text[at : at + len(word)]
        at += len(word) + 1
        kept = part.replace(_JOINED, "").replace(_DROPPED, "")
        folded.append((kept, apart))
        if part:
            # A word that is nothing any more leaves it to the next one to begin apart.
            apart = (bool(kept) or apart) and not part.endswith((_JOINED, MINUS))
    return folded


def fold_text(text: str) -> list[str]:
    """The folded words of a text; bars between cells of a table that is written out are spaces."""
    return joined(fold_words(text.replace("|", " ").split()))


def same_text(one: str, other: str) -> bool:
    """Whether both say the same once folded: "1,092" is 1092, "12.50" is not 12.5."""
    return one == other or fold_text(one) == fold_text(other)


def joined(folded: Sequence[tuple[str, bool]]) -> list[str]:
    """Folded words with those put together that do not begin apart; none is empty."""
    words: list[str] = []
    for word, apart in folded:
        if word and (apart or not words):
            words.append(word)
        elif word:
            words[-1] += word
    return words


@lru_cache(16384)
def _plain(word: str) -> str:
    """One sign for each; never with a space in it."""
    if not word.isascii():
        word = word.translate(_SHAPES)
        word = "".join(c if unicodedata.category(c) == "No" else unicodedata.normalize("NFKC", c) for c in word)
        word = unicodedata.normalize("NFC", word).replace(" ", "")
    return word.translate(_SHAPES).casefold()
