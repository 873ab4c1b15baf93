"""The numbers by which guests order from a menu: before the name, or in a column of their own at its left."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from catalogsku.core.box import Box, centre
from catalogsku.core.text import trim
from processing.engine.page import Line, Word

# Points by which the left edge of names may differ.
ALIGNED_PT = 8.0
# "11S", "M4", "107.".
_ITEM = re.compile(r"[A-Z]{0,2}\d{1,4}[A-Z]{0,3}[.、)]?")
_BEFORE_NAME = re.compile(r"(\d{1,3})[.、)](?=\D)")
# In em: how far before a name a number without a point stands.
_APART = 0.7
# Share of rows that have one.
_MOSTLY = 0.8


class Number(NamedTuple):
    text: str
    place: Box


class Row(NamedTuple):
    """A name and the first price behind it; ``more``: further amounts that are none in brackets."""

    name: str
    place: Box
    price: str
    price_place: Box
    more: bool
    number: Number | None = None


def split_number(words: Sequence[Word]) -> tuple[Number | None, list[Word]]:
    """The number that begins a row's words, and the name's words behind it."""
    if not words:
        return None, []
    first, rest = words[0], list(words[1:])
    if found := _BEFORE_NAME.match(first.text):
        named = msgspec.structs.replace(first, text=first.text[found.end() :])
        return Number(found.group(1), first.box), [named, *rest]
    apart = bool(rest) and rest[0].box[0] - first.box[2] >= _APART * first.size
    if rest and _ITEM.fullmatch(first.text) and (apart or not first.text[-1].isalnum()):
        return Number(_bare(first.text), first.box), rest
    return None, [first, *rest]


def with_numbers(rows: Sequence[Row], lines: Sequence[Line]) -> list[Row]:
    """The rows with their numbers where nearly all have one of their own, and these do not just count the rows."""
    free = [line for line in lines if _ITEM.fullmatch(trim(line.text))]
    found = [row if row.number else row._replace(number=_beside(row, rows, free)) for row in rows]
    numbers = [row.number.text for row in found if row.number]
    counted = {str(n) for n in range(1, len(rows) + 1)} >= set(numbers)
    if counted or len(numbers) < _MOSTLY * len(rows) or len(set(numbers)) < len(numbers):
        return [row._replace(number=None) for row in rows]
    return found


def _beside(row: Row, rows: Sequence[Row], free: Sequence[Line]) -> Number | None:
    """The only number at the name's left from the price of the row above to the own one."""
    x, top, bottom = row.place[0], row.price_place[1], row.price_place[3]
    column = [other.price_place[3] for other in rows if abs(other.place[0] - x) <= ALIGNED_PT]
    over = max((y for y in column if y <= top), default=0.0)
    own = [line for line in free if line.box[2] <= x and over <= centre(line.box)[1] <= bottom]
    return Number(_bare(own[0].text), own[0].box) if len(own) == 1 else None


def _bare(text: str) -> str:
    return trim(text).rstrip(".、)")
