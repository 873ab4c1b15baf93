"""Photos of one size, each with a name and a text of its own on one side: wares of which no code, price or label tells.

A person always looks at such a page, for what a company does, or who works there, is printed alike.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from catalogsku.core.box import Box, area, centre, contains_point, height, union, width
from catalogsku.core.text import fold, squash, trim
from processing.engine.page import Line
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import (
    is_document,
    is_sample_heading,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

# Photos that make a page of such, of the page the least of one, and how far those of one size vary.
_LEAST, _PHOTO, _ALIKE = 3, 0.015, 0.15
# How far under its photo a text begins, of the photo's height; of their widths, how far beside it. Signs of a name at
# most, of a text at least.
_UNDER, _BESIDE, _LONGEST, _SHORTEST = 0.5, 1.5, 48, 25
# Signs of the text on a card, which holds together what belongs together.
_ON_A_CARD = 20
# A name is so much larger than its text, or so much further from it, in line steps, than that's lines from each other.
_LARGER, _APART = 1.15, 1.2
# Of its height, the hole that ends a text; points by which its lines begin, end or have their middles apart.
_HOLE, _ALIGNED_PT = 3.0, 5.0
# What a company says of itself and its people rather than of a thing.
_OF_ITSELF = re.compile(r"\b(?:we|our|us|he|she|his|her)\b|我们|我司|本公司", re.IGNORECASE)
# Words of a family's name have so many letters, or two Chinese ones.
_WORD = re.compile(r"[^\W\d_]{3,}")
_NO_FAMILY = frozenset(("and", "the", "for", "with", "our", "your", "new", "from", "de", "der", "die", "und", "para"))
# Ends a sentence, however short.
_STOPS = (".", "。", "！", "!")
_FOUND = 0.68


@dataclass(frozen=True)
class Told:
    """A photo's name and the text under that."""

    name: Line
    text: tuple[Line, ...]
    photo: Box


def tells_of_photos(view: PageView) -> bool:
    """Each photo of one size has a name and a text."""
    return bool(_told(view))


@way("told_photos")
def extract_told_photos(view: PageView) -> list[Draft]:
    """One product a photo, where all names have a word in common, as those of one kind of thing have, or no text tells
    of a company or a person; nothing otherwise."""
    told = _told(view)
    of_things = not any(_OF_ITSELF.search(line.text) for one in told for line in one.text)
    return [_draft(view, one) for one in told] if of_things or _are_family([one.name.text for one in told]) else []


def _told(view: PageView) -> list[Told]:
    if "told_photos" not in view.seen:
        view.seen["told_photos"] = _find(view)
    found: list[Told] = view.seen["told_photos"]
    return found


def _find(view: PageView) -> list[Told]:
    if any(is_works_heading(line.text) for line in view.page.lines):
        return []
    if found := _on_cards(view):
        return found
    photos = _of_one_size([p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area])
    for side in (_lines_beside, _lines_under) if len(photos) >= _LEAST else ():
        found = [one for photo in photos if (one := _read(side(view, photo, photos), photo))]
        if _all_named(found, len(photos)):
            return found
    return []


def _on_cards(view: PageView) -> list[Told]:
    """On cards of one size, whatever the size of the one photo on each, the texts under it."""
    cards = _of_one_size(view.cards)
    shown = [[p.box for p in view.pictures if contains_point(card, *centre(p.box))] for card in cards]
    if len(cards) < _LEAST or any(len(photos) != 1 for photos in shown):
        return []
    photos = [photo for one in shown for photo in one]
    told = [_read(_lines_on(view, card, photo), photo, _ON_A_CARD) for card, photo in zip(cards, photos, strict=True)]
    found = [one for one in told if one is not None]
    return found if _all_named(found, len(cards)) else []


def _all_named(found: Sequence[Told], photos: int) -> bool:
    names = {squash(one.name.text) for one in found}
    return len(found) == photos == len(names) and not any(names_no_thing(one.name.text) for one in found)


def _lines_on(view: PageView, card: Box, photo: Box) -> list[Line]:
    return [line for line in view.lines if contains_point(card, *centre(line.box)) and line.box[1] >= photo[3]]


def _of_one_size(photos: Sequence[Box]) -> list[Box]:
    """The most of one size."""
    alike = [[o for o in photos if abs(width(o) - width(box)) <= _ALIKE * width(box)
              and abs(height(o) - height(box)) <= _ALIKE * height(box)] for box in photos]  # fmt: skip
    return max(alike, key=len, default=[])


def _lines_beside(view: PageView, photo: Box, photos: Sequence[Box]) -> list[Line]:
    """What is level with the photo, right of it and left of the next one."""
    right = [o[0] for o in photos if o[0] > photo[2] and o[1] < photo[3] and photo[1] < o[3]]
    end = min(right, default=view.page.width_pt)
    near = [line for line in view.lines if photo[1] - height(line.box) <= line.box[1] and line.box[3] <= photo[3]
            + height(line.box) and photo[2] <= line.box[0] < end]  # fmt: skip
    return near if near and min(line.box[0] for line in near) - photo[2] <= _BESIDE * width(photo) else []


def _lines_under(view: PageView, photo: Box, photos: Sequence[Box]) -> list[Line]:
    """What stands under the photo and over the next one, within half of what parts it from those beside."""
    below = [o[1] for o in photos if o[1] >= photo[3] and o[0] < photo[2] and photo[0] < o[2]]
    end = min(below, default=photo[3] + 2 * height(photo))
    beside = [(o[2] + photo[0]) / 2 for o in photos if o[2] <= photo[0]]
    after = [(photo[2] + o[0]) / 2 for o in photos if o[0] >= photo[2]]
    x0, x1 = max(beside, default=0.0), min(after, default=view.page.width_pt)
    near = [line for line in view.lines if photo[3] <= centre(line.box)[1] < end and x0 <= centre(line.box)[0] < x1]
    return near if near and min(line.box[1] for line in near) - photo[3] <= _UNDER * height(photo) else []


def _read(lines: Sequence[Line], photo: Box, shortest: int = _SHORTEST) -> Told | None:
    """A name and a text under it that is one, of so many signs at least."""
    ordered = sorted(lines, key=lambda line: (line.box[1], line.box[0]))
    if len(ordered) < 2 or not _may_name(ordered[0]):
        return None
    name, text = ordered[0], _text(ordered[0], ordered[1:])
    said = " ".join(trim(line.text) for line in text)
    if len(squash(said)) < shortest or any(is_price(line.text) for line in text):
        return None
    return Told(name, text, photo) if _heads(name, text) else None


def _may_name(line: Line) -> bool:
    text = _without_colon(line.text)
    others = (is_code, is_price, is_document, is_sample_heading)
    return len(text) <= _LONGEST and is_name(text) and not any(test(text) for test in others)


def _text(name: Line, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines under each other that begin, end or have their middles where the name's are, down to a hole."""
    text: list[Line] = []
    for line in lines:
        a, b = name.box, line.box
        if min(abs(a[0] - b[0]), abs(a[2] - b[2]), abs(centre(a)[0] - centre(b)[0])) > _ALIGNED_PT:
            continue
        last = text[-1] if text else name
        if b[1] - last.box[3] > _HOLE * height(last.box):
            break
        text.append(line)
    return tuple(text)


def _heads(name: Line, text: Sequence[Line]) -> bool:
    """In larger or bolder print, with a colon, or further from the text than that's lines are from each other."""
    size = max(line.size for line in text)
    steps = [b.box[1] - a.box[1] for a, b in zip(text, text[1:], strict=False)]
    apart = text[0].box[1] - name.box[1] >= _APART * max(steps) if steps else False
    bolder = name.bold and not any(line.bold for line in text)
    marked = name.size >= _LARGER * size or bolder or _without_colon(name.text) != trim(name.text)
    whole = " ".join(trim(line.text) for line in text)
    said = is_sentence(whole) or whole.endswith(_STOPS)
    return said and (marked or apart) and size <= name.size


def _without_colon(text: str) -> str:
    return trim(text).rstrip(":： ")


def _are_family(names: Sequence[str]) -> bool:
    words = [_words(name) for name in names]
    return bool(words and frozenset.intersection(*words))


def _words(name: str) -> frozenset[str]:
    """Words that may name a kind of thing, the plural as the singular."""
    return frozenset(word.rstrip("s") for word in _WORD.findall(fold(name)) if word not in _NO_FAMILY)


def _draft(view: PageView, told: Told) -> Draft:
    name = _without_colon(told.name.text)
    value = text_value(name, part_box(told.name, name), view.page.number, "caption", _FOUND)
    box = union([told.name.box, *(line.box for line in told.text)])
    return Draft(box=union([box, told.photo]), anchor=box, attributes={"product_name": value}, confidence=_FOUND,
                 picture=told.photo)  # fmt: skip
