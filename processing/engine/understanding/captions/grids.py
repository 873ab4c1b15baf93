"""What a grid of captioned pictures shows: products with bare names, or certificates, samples, the company's works."""

import re
from statistics import median

from catalogsku.core.box import Box, centre, contains_point, height, width
from catalogsku.core.text import squash
from processing.engine.page import Line
from processing.engine.understanding.captions.names import identifies
from processing.engine.understanding.captions.sides import Captioned, stands
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.finishes import all_in, names_colour
from processing.engine.understanding.rules.headings import (
    is_category_heading,
    is_document,
    is_sample_heading,
    is_works_heading,
)
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.view import PageView

# The page's heading is so much larger than its captions.
_HEADING = 1.5
# Signs outside the captions of a grid of names that are hardly any; of those in them, so many, and beside cards.
_FEW_SIGNS, _BESIDE, _BESIDE_CARDS = 60, 1.5, 3.0
# Captions that make a grid; the number of the first of a page's steps.
_GRID, _FIRST = 4, re.compile(r"1\.\s")
# Captions by which repeated names are those of samples; a few products may come in two forms each.
_REPEATED = 6
# How unlike the sizes of one print may be, and where they were recognised.
_ONE_PRINT, _RECOGNISED_PRINT = 1.35, 1.6


def is_name_grid(view: PageView, captions: list[Captioned], drafts: list[Draft]) -> bool:
    """Names or codes alone are products only in a regular grid: captions in one print, hardly any other text, or not
    much more where each has a card of its own. What stands under the name may be smaller where every caption has it.

    Words beside a picture are more often remarks on a drawing, so such captions stand under or over theirs; what is
    counted from one on the page are steps or uses as well.
    """
    carded = _on_cards(view, captions)
    stacked = carded or all(
        stands(caption.picture.box, caption.text_box, "below") or stands(caption.picture.box, caption.text_box, "above")
        for caption in captions
    )
    if len(drafts) < _GRID or len(drafts) * 10 < len(captions) * 8 or not stacked:
        return False
    if shows_no_products(view, captions) or any(
        _FIRST.match(line.text) for caption in captions for line in caption.lines
    ):
        return False
    alike = len({len(caption.lines) for caption in captions}) == 1
    sizes = [line.size for caption in captions for line in caption.lines[: 1 if alike else None]]
    unlike = _RECOGNISED_PRINT if view.page.ocr else _ONE_PRINT
    if max(sizes) > unlike * min(sizes) or any(is_category_heading(line.text) for line in view.lines):
        return False
    own = sum(len(line.text) for caption in captions for line in caption.lines)
    most = max((_BESIDE_CARDS if carded else _BESIDE) * own, _FEW_SIGNS)
    return other_text(view, captions) <= most and is_grid([caption.text_box for caption in captions])


def _on_cards(view: PageView, captions: list[Captioned]) -> bool:
    """Each caption stands under the pictures of a card of its own."""
    cards = [
        next((box for box in view.cards if contains_point(box, *centre(caption.text_box))), None)
        for caption in captions
    ]
    shown = [[p.box for p in view.pictures if card and contains_point(card, *centre(p.box))] for card in cards]
    under = all(box[3] <= caption.text_box[1] for caption, boxes in zip(captions, shown, strict=True) for box in boxes)
    return all(shown) and under and len(set(cards)) == len(captions)


def shows_no_products(view: PageView, captions: list[Captioned]) -> bool:
    return shows_documents(view, captions) or shows_samples(view, captions) or _shows_works(view, captions)


def other_text(view: PageView, captions: list[Captioned]) -> int:
    """Signs printed outside the captions, and not on what a picture shows."""
    own = [line for caption in captions for line in caption.lines]
    return sum(_signs_beside(view, line) for line in view.lines) - sum(_signs_beside(view, line) for line in own)


def _signs_beside(view: PageView, line: Line) -> int:
    return 0 if any(contains_point(p.box, *centre(line.box)) for p in view.pictures) else len(line.text)


def shows_documents(view: PageView, captions: list[Captioned]) -> bool:
    """Certificates, patents and reports: by the page's heading or by what most of the captions say."""
    lines = [line for caption in captions for line in caption.lines]
    if not lines:
        return False
    largest = max(line.size for line in lines)
    headed = any(line.size > _HEADING * largest and is_document(line.text) for line in view.lines)
    return headed or sum(1 for line in lines if is_document(line.text)) * 2 >= len(captions)


def shows_samples(view: PageView, captions: list[Captioned]) -> bool:
    """Colours and materials to choose from: by what most captions name, or by a heading above the pictures."""
    return names_samples(captions) or any(is_sample_heading(line.text) for line in _above(view, captions))


def _shows_works(view: PageView, captions: list[Captioned]) -> bool:
    """The company's machines, rooms and people: by a heading above the pictures."""
    return any(is_works_heading(line.text) for line in _above(view, captions))


def _above(view: PageView, captions: list[Captioned]) -> list[Line]:
    top = min((caption.picture.box[1] for caption in captions), default=0.0)
    return [line for line in view.page.lines if line.box[3] <= top]


def names_samples(captions: list[Captioned]) -> bool:
    """Most captions name a colour or a material, or the same names without codes stand under picture after picture."""
    texts = [line.text for caption in captions for line in caption.lines]
    names = [squash(caption.lines[0].text) for caption in captions]
    if len(names) >= _REPEATED and len(set(names)) * 2 <= len(names):
        return not any(identifies(line) for caption in captions for line in caption.lines)
    return sum(1 for text in texts if _is_coded_colour(text) or all_in(text, MATERIALS)) * 2 > len(texts)


def _is_coded_colour(text: str) -> bool:
    """A colour, mostly behind its code: "A01 橙色 Orange"."""
    code, _, name = text.partition(" ")
    return names_colour(text) or (is_code(code) and names_colour(name))


def is_grid(boxes: list[Box]) -> bool:
    """Captions stand in at least two columns, evenly, and on few common lines."""
    rows = _clusters([centre(box)[1] for box in boxes], 1.5 * median(height(box) for box in boxes))
    columns = _clusters([centre(box)[0] for box in boxes], median(width(box) for box in boxes))
    shared = sum(1 for row in rows if len(row) >= 2)
    return len(columns) >= 2 and shared * 3 >= len(rows) * 2 and len(rows) * len(columns) <= 2 * len(boxes)


def _clusters(values: list[float], reach: float) -> list[list[float]]:
    """Values in groups that lie within ``reach`` of the group's first."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][0] <= reach:
            groups[-1].append(value)
        else:
            groups.append([value])
    return groups
