"""Two names for what a page shows, made at the first look: one for equal pages, one for pages that look alike (X-DIFF).

``fingerprint`` decides: equal ones mean that reading would find the same. So it holds the text by blocks with their
places, the stored bytes of every picture with its place, and the places of all drawings; nothing perceptual
(GR-CACHE). A printed page number counts as its distance to the page's own number, else a page that was moved by an
inserted one would never be the same. ``likeness`` only proposes: words without figures, and the pictures, so that a
page of which only prices changed is still recognised.
"""

import hashlib
import re
from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from catalogsku.core.box import Box
from processing.engine.reading.port import Glance, Imprint, PageSize

# Running lines stand in the outer eighths of a page; a printed number is at most this far from the page's own.
_MARGIN_RATIO = 0.12
_FRONT_MATTER_PAGES = 50
_OF_ALL = re.compile(r"(\d{1,4})(\s*(?:/|／|of|共)\s*)\d{1,4}", re.IGNORECASE)
_FOLIO = re.compile(r"^([\s\-–—|·/]*)(\d{1,4})(?=[\s\-–—|·/]|$)|(?<!\S)()(\d{1,4})(?=[\s\-–—|·/]*$)", re.MULTILINE)
_WORD = re.compile(r"\S+")
_LETTERS_LEAST = 12
# Tenths of a point: what a file places there again, it places so.
_STEPS = 10


class Prints(NamedTuple):
    """Empty where a page has too little to be told by, or where this look does not show all of it."""

    fingerprint: str = ""
    likeness: str = ""


def prints_of(number: int, size: PageSize, glance: Glance, imprint: Imprint | None, pages: int) -> Prints:
    """``imprint``: None where the reader cannot give it. ``pages``: of the document, which bounds printed numbers."""
    if imprint is None or not (imprint.blocks or imprint.pictures):
        return Prints()
    exact, alike = hashlib.sha256(), hashlib.sha256()
    exact.update(_packed([(0.0, 0.0, size.width_pt, size.height_pt)]))
    words: list[str] = []
    for text, box in imprint.blocks:
        normalised = _relative(text, number, pages) if _in_margin(box, size) else text
        # Where a number became longer by a digit, so did its block.
        place = box if normalised == text else (0.0, box[1], 0.0, box[3])
        exact.update(normalised.encode())
        exact.update(_packed([place]))
        words += _words(normalised)
    for digest, box in imprint.pictures:
        exact.update(digest)
        exact.update(_packed([box]))
    exact.update(_packed(glance.paths))
    for digest in sorted({digest for digest, _ in imprint.pictures}):
        alike.update(digest)
    alike.update(" ".join(words).encode())
    tells = imprint.pictures or sum(map(len, words)) >= _LETTERS_LEAST
    return Prints(exact.hexdigest()[:32], alike.hexdigest()[:32] if tells else "")


def _in_margin(box: Box, size: PageSize) -> bool:
    return box[3] <= _MARGIN_RATIO * size.height_pt or box[1] >= (1 - _MARGIN_RATIO) * size.height_pt


def _relative(text: str, number: int, pages: int) -> str:
    """Numbers at the ends of lines that may be the page's own, written as their distance to it."""

    def distance(match: re.Match[str]) -> str:
        lead, printed = (match[1], match[2]) if match[2] else (match[3], match[4])
        far = int(printed) > pages + _FRONT_MATTER_PAGES
        return match[0] if far else f"{lead}\0{int(printed) - number}"

    return _FOLIO.sub(distance, _OF_ALL.sub(r"\1", text))


def _words(text: str) -> Iterable[str]:
    """Those with a letter: prices, quantities and page numbers are what a new edition changes."""
    return (word for word in _WORD.findall(text) if any(sign.isalpha() for sign in word))


def _packed(boxes: Sequence[Box]) -> bytes:
    return array("q", [round(_STEPS * value) for box in boxes for value in box]).tobytes()
