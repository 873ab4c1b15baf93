"""Whether a value is of the type that its attribute asks for; the same question for what machines read and people type.

A doubt is no verdict: what a page really prints so is kept once a person has said that.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from processing.engine.understanding.rules.normalise import currency_of, has_letter_in_amount, is_valid_price

Kind = Literal["text", "number", "measure", "choice"]

# Of the base attributes those that are no text; a category's own say it of themselves.
KINDS: Mapping[str, Kind] = {"moq": "number"}
_FIGURE = re.compile(r"[0-9\uff10-\uff19〇一二三四五六七八九十百千万两半]")


class Doubt(msgspec.Struct, frozen=True):
    """``code``: price_unclear, figures_mixed, number_missing or currency_unknown."""

    code: str
    value: str


def doubt_of(key: str, text: str, kind: Kind = "text") -> Doubt | None:
    """What makes the value of this attribute doubtful; None where nothing does. ``kind``: as the category's schema has
    it."""
    kind = KINDS.get(key, kind)
    if key == "price" or kind in ("number", "measure"):
        if has_letter_in_amount(text, at_its_end=key == "price"):
            return Doubt("figures_mixed", text)
        if key == "price":
            return None if is_valid_price(text) else Doubt("price_unclear", text)
        return None if _FIGURE.search(text) else Doubt("number_missing", text)
    if key == "currency" and currency_of(text) is None:
        return Doubt("currency_unknown", text)
    return None


def kinds_of(attributes: Iterable[Mapping[str, object]]) -> dict[str, Kind]:
    """By key, from a schema's entries as they are stored."""
    known: dict[object, Kind] = {"number": "number", "measure": "measure"}
    return {str(entry["key"]): known.get(entry.get("type"), "text") for entry in attributes}
