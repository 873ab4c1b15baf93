"""Cards under each other whose heads print a name and, on the same level, its code: "LONG SOCK   Code: HTO", or in a
large print and with a photo for each of them "HX-8021   Basin mixer".

What else a card says is in texts and signs that no rule reads, so that a person always looks at such a page.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, area, centre, height, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.cards.extractor import is_short_code
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.fields import find_fields
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code
from processing.engine.understanding.view import PageView

_LEAST_CARDS = 2
# Of a line's height: how unlike the middles of name and code may be; points by which the names' left edges may differ.
_LEVEL, _ALIGNED_PT = 0.5, 8.0
_FOUND = 0.7
# Of the usual print, large one, and how unlike sizes of one kind are; of the page, a photo.
_LARGE, _ALIKE, _PHOTO = 1.2, 1.3, 0.02


@way("coded_heads")
def extract_coded_heads(view: PageView) -> tuple[Draft, ...]:
    """A product for each code, where every one has a name beside it and each name another."""
    fields = sorted((field for field in find_fields(view) if _is_coded(field)), key=lambda field: field.box[1])
    heads = [(name, field) for field in fields if (name := _name_beside(field.box, view.lines))]
    if not fields:
        fields = _in_large_print(view)
        heads = [(name, field) for field in fields if (name := _name_behind(field, view.lines))]
    if len(fields) < _LEAST_CARDS or len(heads) < len(fields):
        return ()
    different = len({squash(name.text) for name, _ in heads}) == len(heads)
    lefts = [name.box[0] for name, _ in heads]
    if not different or max(lefts) - min(lefts) > _ALIGNED_PT:
        return ()
    tops = [min(name.box[1], field.box[1]) for name, field in heads]
    ends = [*tops[1:], view.page.height_pt]
    return tuple(_draft(name, field, end, view) for (name, field), end in zip(heads, ends, strict=True))


def _in_large_print(view: PageView) -> list[Field]:
    """Codes in one large print under each other, each with a photo on the level of its card."""
    if not view.lines or len(view.pictures) < _LEAST_CARDS:
        return []
    usual = median(line.size for line in view.lines)
    codes = [line for line in view.lines if line.size >= _LARGE * usual and is_lettered_code(line.text)]
    codes.sort(key=lambda line: line.box[1])
    sizes, lefts = [line.size for line in codes], [line.box[0] for line in codes]
    if len(codes) < _LEAST_CARDS or max(sizes) > _ALIKE * min(sizes) or max(lefts) - min(lefts) > _ALIGNED_PT:
        return []
    photos = [p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area]
    bands = pairwise([*(line.box[1] for line in codes), view.page.height_pt])
    if not all(any(top <= centre(box)[1] < foot for box in photos) for top, foot in bands):
        return []
    number = view.page.number
    return [Field("", "model", c.box, text_value(trim(c.text), c.box, number, "title", _FOUND), c.size) for c in codes]


def _name_behind(code: Field, lines: Sequence[Line]) -> Line | None:
    """The nearest text right of the code on its level, in print nearly as large."""
    level = [line for line in lines if line.box[0] >= code.box[2] and _is_level(line.box, code.box)]
    name = min(level, key=lambda line: line.box[0], default=None)
    large = name is not None and name.size * _ALIKE >= code.size
    return name if name is not None and large and is_name(name.text) and not is_code(name.text) else None


def _is_coded(field: Field) -> bool:
    """A code under a label of codes that is printed with it."""
    known = field.label != "" and field.kind in ("model", CODE_OR_NUMBER) and field.value is not None
    return known and field.value is not None and (is_code(field.value.text) or is_short_code(field.value.text))


def _name_beside(code: Box, lines: Sequence[Line]) -> Line | None:
    """The nearest text left of the code on its level."""
    level = [line for line in lines if line.box[2] <= code[0] and _is_level(line.box, code)]
    name = max(level, key=lambda line: line.box[2], default=None)
    return name if name is not None and is_name(name.text) and not is_code(name.text) else None


def _is_level(a: Box, b: Box) -> bool:
    return abs(centre(a)[1] - centre(b)[1]) <= _LEVEL * max(height(a), height(b))


def _draft(name: Line, field: Field, end: float, view: PageView) -> Draft:
    """``end``: where the next card begins; all that stands before it at the card's left or further in is the card's."""
    head = union([name.box, field.box])
    below = [line.box for line in view.lines if head[1] <= centre(line.box)[1] < end]
    own = [box for box in below if box[0] >= head[0] - _ALIGNED_PT]
    attributes = {"product_name": text_value(name.text, name.box, view.page.number, "title", _FOUND)}
    if field.value is not None:
        attributes["model"] = field.value
    box = union([head, *own])
    return Draft(box, box, attributes, contexts={"model": field.label}, confidence=_FOUND)
