"""JSON from outside is looked at before anything is made of it: how long, how deep, how many names and entries.

A few bytes become a hundred times as many in memory, once as what they say and again as what is said of them; so what
no honest request holds is refused by a look at the text alone, which ends where the first bound does.
"""

import re
from dataclasses import dataclass

from catalogsku.core.errors import ProductError


@dataclass(frozen=True)
class Bounds:
    """``names``: of one object; ``entries``: members of all lists and objects together; ``text_bytes``: of one text."""

    bytes: int
    depth: int
    names: int
    entries: int
    text_bytes: int


ORDINARY = Bounds(bytes=256 << 10, depth=12, names=500, entries=5_000, text_bytes=64 << 10)
WORK = Bounds(bytes=1_200_000, depth=32, names=5_000, entries=50_000, text_bytes=256 << 10)  # a draft, in its envelope

# A text runs to its end or to the end of all: each byte is looked at once, whatever is written.
_SIGN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)


class TooMuch(ProductError):
    """``params``: what goes beyond which bound. UTF-8 is meant: what is none is no JSON of ours anyway."""

    http_status = 413

    def __init__(self, what: str, limit: int) -> None:
        super().__init__("json_too_large", what=what, max=limit)


def check(text: bytes, bounds: Bounds) -> None:
    """Raises TooMuch. What is no JSON at all may pass: who reads it says so."""
    if len(text) > bounds.bytes:
        raise TooMuch("bytes", bounds.bytes)
    entries, counts = 0, [0]  # members of each list and object that is open
    for match in _SIGN.finditer(text):
        sign = match.group()
        if sign[:1] == b'"':
            if len(sign) - 2 > bounds.text_bytes:
                raise TooMuch("text_bytes", bounds.text_bytes)
        elif sign in b"[{":
            counts.append(1 if sign == b"{" else 1 - bounds.entries)  # a list has room until all entries are used up
            entries += 1
            if len(counts) > bounds.depth + 1:
                raise TooMuch("depth", bounds.depth)
        elif sign == b",":
            counts[-1] += 1
            entries += 1
            if counts[-1] > bounds.names:
                raise TooMuch("names", bounds.names)
        elif len(counts) > 1:
            counts.pop()
        if entries > bounds.entries:
            raise TooMuch("entries", bounds.entries)
