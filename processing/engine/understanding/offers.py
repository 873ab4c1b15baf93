"""Prices printed beside each other on one line: the one that holds now and the one that held before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalogsku.core.box import Box
from catalogsku.core.text import has_han, trim
from processing.engine.page import Line, Word
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.rules.dictionaries.labels import PRICE_BEFORE, PRICE_LISTED, PRICE_NOW
from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import amount, currency_of
from processing.engine.understanding.rules.shapes import is_on_request, price_spans

# Print so many times as large is larger; recognised heights vary by less.
LARGER = 1.15
FORMER = 2
# More amounts without words are prices by quantity.
_OLD_AND_NEW = 2
# What may follow an amount: "/件", "/ pc".
_PER = re.compile(r"\s*/\s*[^\W\d]{1,8}\.?(?![^\W\d])")
# Words before an amount, without figures or signs of a range: "Was", "原价：".
_LABEL = re.compile(r"[^\W\d][^\d:：~～/|,，;；-]{0,24}")
# "$714.000 or 6 payments of $154.700".
_OR = re.compile(r"\s*(?:o|ó|or|ou|oder|или)\s(?=.*[0-9])", re.IGNORECASE)
_AROUND = " :：()（）,，;；|"
_NOW, _BEFORE, _LISTED = (frozenset(map(squash, words)) for words in (PRICE_NOW, PRICE_BEFORE, PRICE_LISTED))
_FIGURES = re.compile(r"[0-9][0-9.,' ]*")


@dataclass(frozen=True)
class Offer:
    """One amount with its currency, the words before it, and its print: size in points."""

    label: str
    text: str
    box: Box
    size: float
    bold: bool

    @property
    def rank(self) -> int:
        """0 for words that mean the price of now, ``FORMER`` for those that mean another, 1 for all else."""
        word = squash(self.label).strip(".")
        return 0 if word in _NOW else FORMER if word in _BEFORE | _LISTED else 1

    @property
    def value(self) -> Decimal:
        match = _FIGURES.search(self.text)
        return Decimal((match and amount(match.group(0).strip(" .,"))) or 0)


def offers(line: Line) -> list[Offer]:
    """The amounts of a line that holds nothing else but words known to name prices before them.

    Empty for ranges, prices by quantity or by variant, and one price in two currencies.
    """
    text, priced, at = trim(line.text), [], 0
    for start, end in price_spans(text):
        label = text[at:start].strip(_AROUND)
        if label and not _names_price(label):
            return []
        per = _PER.match(text, end)
        at = per.end() if per else end
        priced.append(_offer(line, text, label, start, at))
    if text[at:].strip(_AROUND) or len({currency_of(offer.text) for offer in priced}) > 1:
        return []
    return priced if len(priced) <= _OLD_AND_NEW or any(offer.rank != 1 for offer in priced) else []


def held(priced: Sequence[Offer]) -> Offer:
    """The price to pay: what words call so, else what is larger or bolder, else the lower one."""
    least = min(offer.rank for offer in priced)
    ranked = [offer for offer in priced if offer.rank == least]
    largest = max(offer.size for offer in ranked)
    large = [offer for offer in ranked if offer.size * LARGER >= largest]
    return min(large, key=lambda offer: (not offer.bold, offer.value))


def to_pay(line: Line) -> tuple[str, Box]:
    """Text and place of the price to pay where several stand beside each other, or before the instalments that it may
    be paid in; else the whole line."""
    priced, text = offers(line), trim(line.text)
    spans = price_spans(text)
    if spans and spans[0][0] == 0 and _OR.match(text, spans[0][1]):
        return text[: spans[0][1]], part_box(line, text[: spans[0][1]])
    if len(priced) < _OLD_AND_NEW:
        return line.text, line.box
    price = held(priced)
    return price.text, price.box


def is_former(offer: Offer) -> bool:
    """Said to be a price that holds no longer."""
    return squash(offer.label).strip(".") in _BEFORE


def _names_price(label: str) -> bool:
    word = squash(label).strip(".")
    known = word in _NOW | _BEFORE | _LISTED or label_kind(label) == "price"
    return known and _LABEL.fullmatch(label) is not None


def lists_price(label: str, text: str) -> bool:
    """A word that means a price beside others, which alone is no label, stands before one: "List US$ 20.00"."""
    return squash(label).strip(".") in _NOW | _LISTED and (bool(price_spans(text)) or is_on_request(text))


def is_named(offer: Offer) -> bool:
    """Words for this kind of price stand before it, or a Chinese label of prices right at it."""
    word = squash(offer.label).strip(".")
    return word in _NOW | _BEFORE or (has_han(offer.label) and label_kind(offer.label) == "price")


def _offer(line: Line, text: str, label: str, start: int, end: int) -> Offer:
    printed = text[start:end].strip()
    words = _words_at(line.words, len("".join(text[:start].split())), len("".join(text[:end].split())))
    size = max((word.size for word in words), default=line.size)
    bold = any(word.bold for word in words)
    return Offer(label, printed, part_box(line, printed), size, bold)


def _words_at(words: Sequence[Word], start: int, end: int) -> list[Word]:
    """Words that hold some of the line's signs from ``start`` to ``end``, spaces not counted."""
    within, at = [], 0
    for word in words:
        after = at + len("".join(word.text.split()))
        if at < end and start < after:
            within.append(word)
        at = after
    return within
