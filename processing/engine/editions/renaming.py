"""Products that may have got another code: one is gone, one is new, and they are alike in everything else.

Proposed only; a person says whether it is so. Where several would fit equally, none is proposed.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from processing.engine.editions.products import Product

# Share of the fields that say the same; a field of seven may have been reworded.
LEAST_SCORE = 0.88
LEAST_FIELDS = 2
# How alike the beginnings of both texts are, in per cent, and how many are looked at field by field then: two thousand
# beside two thousand take a second.
LOOK_FROM, LOOKED_AT, TEXT_CHARS = 70, 12, 200
# Above so many pairs only products of the same page are held beside each other.
PAIRS_MAX = 4_000_000
_LESS = {"model", "price", "currency"}  # a code is what differs, and prices may
_SAME_PRICE, _SAME_PICTURES, _SAME_PAGE = 0.04, 0.04, 0.02
_DIGITS = re.compile(r"\d+")


class Renaming(NamedTuple):
    """Keys of the product that is gone and of the one that is new; ``score``: 0 to 1, how alike they are."""

    earlier: str
    later: str
    score: float


def propose_renamings(gone: Sequence[Product], new: Sequence[Product]) -> list[Renaming]:
    """Each product once at most, the most alike first: those that are each other's best and only match."""
    groups = [(gone, new)]
    if len(gone) * len(new) > PAIRS_MAX:
        pages = {product.page for product in gone} & {product.page for product in new}
        groups = [([p for p in gone if p.page == page], [p for p in new if p.page == page]) for page in sorted(pages)]
    scored = [renaming for earlier, later in groups for renaming in _scored(earlier, later)]
    first, second = _best(scored, "earlier"), _best(scored, "later")
    mutual = [renaming for renaming in scored if first[renaming.earlier] == second[renaming.later] == renaming]
    return sorted(mutual, key=lambda renaming: (-renaming.score, renaming.later))


def _scored(gone: Sequence[Product], new: Sequence[Product]) -> list[Renaming]:
    texts = [_text(product) for product in new]
    renamings = []
    for before in gone:
        for _, _, place in process.extract(
            _text(before), texts, scorer=fuzz.ratio, limit=LOOKED_AT, score_cutoff=LOOK_FROM
        ):
            score = _likeness(before, new[place])
            if score is not None:
                renamings.append(Renaming(before.key, new[place].key, score))
    return renamings


def _best(scored: Sequence[Renaming], side: str) -> dict[str, Renaming | None]:
    """The best match of each; None where two are equally good."""
    best: dict[str, Renaming | None] = {}
    scores: dict[str, float] = {}
    for renaming in scored:
        key = getattr(renaming, side)
        if renaming.score > scores.get(key, 0.0):
            best[key], scores[key] = renaming, renaming.score
        elif renaming.score == scores[key]:
            best[key] = None
    return best


def _likeness(before: Product, after: Product) -> float | None:
    """None where too little is said of both, or it differs."""
    fields, other = _said(before), _said(after)
    keys = {*fields, *other}
    same_price = bool(before.price) and (before.price, before.currency) == (after.price, after.currency)
    same_pictures = bool(before.pictures) and before.pictures == after.pictures
    if len(keys) + same_price + same_pictures < LEAST_FIELDS or not keys:
        return None
    score = sum(_alike(fields.get(key, ""), other.get(key, "")) for key in keys) / len(keys)
    if score < LEAST_SCORE:
        return None
    more = _SAME_PRICE * same_price + _SAME_PICTURES * same_pictures + _SAME_PAGE * (before.page == after.page)
    return round(0.9 * score + more, 4)


def _alike(value: str, other: str) -> float:
    """Of two values; other numbers are another size, which no likeness of the rest makes up for."""
    if not value or not other or _DIGITS.findall(value) != _DIGITS.findall(other):
        return 0.0
    return fuzz.ratio(value, other) / 100


def _said(product: Product) -> dict[str, str]:
    """What is printed of it, without its code, which may stand in its name too."""
    code = product.model.casefold()
    said = {
        key: " ".join(str(value).casefold().replace(code, " ").split() if code else str(value).casefold().split())
        for key, value in product.attributes.items()
        if value and key not in _LESS
    }
    return {key: value for key, value in said.items() if value}


def _text(product: Product) -> str:
    return " | ".join(value for _, value in sorted(_said(product).items()))[:TEXT_CHARS]
