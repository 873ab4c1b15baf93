"""Whether a value is proved by its quote: the quote must be printed in the document, and hold the value (LX-QUOTE).

Green is proved. Yellow must be looked at. Red is locked until a person has decided (LX-UNLOCK).
"""

import re
from dataclasses import dataclass
from typing import Literal

from processing.engine.kinds.amounts import is_equal, stands_clear
from processing.engine.kinds.folding import fold_text
from processing.engine.kinds.printed import Hit, Place, PrintedText
from processing.engine.understanding.quotes import EXACT_FROM_LETTERS, NEAR_SLIPS, Folded, slips

Grade = Literal["green", "yellow", "red"]
Reason = Literal[
    # green
    "proved",
    # yellow
    "several_places",
    "quote_approximate",
    "value_approximate",
    "value_written_otherwise",
    "quote_bare",
    # red
    "no_value",
    "no_quote",
    "quote_not_found",
    "value_not_in_quote",
]

# A quote must have a word, of three letters or two of Han: of 804 true numbers of trials 96 % stand on their pages, but
# so do 35 % of invented ones, so that a number proves nothing without what it is the number of.
_WORD = re.compile(r"[^\W\d_]{3}|[\u3400-\u9fff]{2}")

# What models put around a quote, or leave off it; a value of words may end with its sentence, too.
_AROUND = " \t\r\n\"'“”‘’«»…"
_BEHIND = _AROUND + ".,;:"


@dataclass(frozen=True)
class Proof:
    """``places``: where the quote stands, that on the page of the hint first; none where it was not found."""

    grade: Grade
    reason: Reason
    places: tuple[Place, ...] = ()


def prove(printed: PrintedText, value: str | None, quote: str, page: int | None = None) -> Proof:
    """How far ``quote`` proves ``value``; of None, which print does not say, the quote alone is looked for. ``page``,
    counted from 1, only orders the places: it is said by whoever said the quote."""
    words = fold_text(quote.strip(_AROUND).rstrip(_BEHIND))
    wanted = words if value is None else fold_text(value.rstrip(_BEHIND) if _WORD.search(value) else value)
    said = Folded(words)
    if value is not None and not any(sign.isalnum() for word in wanted for sign in word):
        return Proof("red", "no_value")
    if not any(map(str.isalnum, said.signs)):
        return Proof("red", "no_quote")
    hits = printed.find(said)
    if not hits:
        return _approximate(printed, Folded(wanted), said)
    if holding := [hit for hit in hits if _holds(hit, Folded(wanted))]:
        places = _places(holding, page)
        if not any(map(_WORD.search, words)):
            return Proof("yellow", "quote_bare", places)
        return Proof("green", "proved", places) if len(hits) == 1 else Proof("yellow", "several_places", places)
    places = _places(hits, page)
    if any(is_equal(wanted, hit.folded) for hit in hits):
        return Proof("yellow", "value_written_otherwise", places)
    if _is_alike(Folded(wanted), said):
        return Proof("yellow", "value_approximate", places)
    return Proof("red", "value_not_in_quote", places)


def _approximate(printed: PrintedText, wanted: Folded, said: Folded) -> Proof:
    """Of a quote that is not printed sign by sign, and may be a slip away from what is."""
    hit = printed.find_alike(said) if _may_differ(said) else None
    if hit is None or not _is_alike(said, Folded(hit.folded)):
        return Proof("red", "quote_not_found")
    holds = said.holds(wanted) or _is_alike(wanted, said)
    return Proof(*(("yellow", "quote_approximate") if holds else ("red", "value_not_in_quote")), (hit.place,))


def _holds(hit: Hit, wanted: Folded) -> bool:
    length = len(wanted.signs)
    return any(
        stands_clear(hit.text, at, at + length)
        for piece in hit.pieces
        for at in hit.text.found(wanted, piece.start, piece.end)
    )


def _is_alike(wanted: Folded, text: Folded) -> bool:
    """Text without digits that is long enough for a few of its letters to be others."""
    if not _may_differ(wanted):
        return False
    return slips(wanted.signs, text.signs) <= NEAR_SLIPS * _letters(wanted)


def _may_differ(text: Folded) -> bool:
    return not text.has_digits and _letters(text) >= EXACT_FROM_LETTERS


def _letters(text: Folded) -> int:
    return sum(map(str.isalpha, text.signs))


def _places(hits: list[Hit], page: int | None) -> tuple[Place, ...]:
    places = [hit.place for hit in hits]
    return tuple(sorted(places, key=lambda place: page not in [spot.page for spot in place]))
