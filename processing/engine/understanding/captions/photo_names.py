"""Large names at photos, each over a text of its own: furniture, devices, things that no code or price tells of.

A person always looks at such a page, for sections of a brochure are printed alike.
"""

import re
from collections.abc import Sequence
from statistics import median

from catalogsku.core.box import Box, area, centre, gap, height, union, width
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import CustomValue, Value
from processing.engine.understanding.captions.captioned import stands
from processing.engine.understanding.captions.text import take_fields
from processing.engine.understanding.cards.extractor import is_name
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.fields import Field, line_fields
from processing.engine.understanding.offers import to_pay
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import (
    is_price,
    is_sentence,
    is_size,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.view import PageView

# Of the page: the least photo that may be a product's; so many of them named in print so much larger than the usual
# one, no further off, points.
_PHOTO, _LEAST, _LARGE, _BESIDE_PT = 0.02, 2, 1.25, 40.0
# How far sizes of one print vary; of a line's height, how close the lines of one name stand, and the hole that ends a
# text; points by which they begin apart.
_ALIKE, _CLOSE, _HOLE, _ALIGNED_PT = 0.15, 0.3, 2.5, 5.0
# Share of the products that say a figure, as of a size or a model: what a company says of itself hardly does.
_FIGURES = 0.6
_FOUND = 0.68
_IDENTITY = ("model", "product_name")
_DASH = re.compile(r"([^\d:–—]{2,32}?)\s+[–—-]\s+(.{2,60})")

Named = tuple[tuple[Line, ...], Box]


def names_photos(view: PageView) -> bool:
    """Names in one large print, and a photo for each of them."""
    return bool(_named(view))


def extract_photo_names(view: PageView) -> Extraction:
    """One product a name with its photo, where each has a text of its own; nothing otherwise."""
    if "photo_names" not in view.kept:
        drafts = tuple(_drafts(view))
        used = tuple(draft.box for draft in drafts)
        view.kept["photo_names"] = Extraction(drafts, used=used, extractor="photo_names") if drafts else Extraction()
    return view.kept["photo_names"]


def stand_beside(view: PageView) -> bool:
    """The texts stand beside their photos and not under them."""
    named = _named(view)
    sides = [stands(photo, lines[0].box, side) for lines, photo in named for side in ("left", "right")]
    return 2 * sum(sides) > len(named)


def _named(view: PageView) -> list[Named]:
    if "named_photos" not in view.seen:
        view.seen["named_photos"] = _find(view)
    found: list[Named] = view.seen["named_photos"]
    return found


def _find(view: PageView) -> list[Named]:
    """The lines of each name, and its photo."""
    photos = [p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area]
    if len(photos) < _LEAST or not view.lines or any(is_works_heading(line.text) for line in view.page.lines):
        return []
    usual = median(line.size for line in view.lines)
    large = [line for line in view.lines if line.size >= _LARGE * usual and is_name(line.text)]
    alike = [[o for o in large if abs(o.size - line.size) <= _ALIKE * line.size] for line in large]
    names = _whole_names(max(alike, key=len, default=[]))
    boxes = [union(line.box for line in lines) for lines in names]
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    near = {(n, m): far - gap(name, photo) for n, name in enumerate(boxes) for m, photo in enumerate(photos)
            if gap(name, photo) <= _reach(view, name, photo)}  # fmt: skip
    pairs = best_assignment(near)
    if not _LEAST <= len(names) <= len(photos) or len(pairs) < len(names):
        return []
    return [(names[n], photos[m]) for n, m in pairs]


def _reach(view: PageView, name: Box, photo: Box) -> float:
    """Points between a name and its photo at most: beside it as many as the photo is wide."""
    beside = any(stands(photo, name, side) for side in ("left", "right"))
    return max(_BESIDE_PT * view.scale, width(photo) if beside else 0.0)


def _whole_names(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """Lines close under each other that begin, end or are centred alike are one name."""
    names: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        own = next((name for name in names if _goes_on(name[-1], line)), None)
        if own is None:
            names.append([line])
        else:
            own.append(line)
    return [tuple(name) for name in names]


def _goes_on(above: Line, line: Line) -> bool:
    a, b = above.box, line.box
    aligned = min(abs(a[0] - b[0]), abs(a[2] - b[2]), abs(centre(a)[0] - centre(b)[0])) <= _ALIGNED_PT
    return aligned and b[1] - a[3] <= _CLOSE * height(a) and centre(b)[1] > a[3] - _CLOSE * height(a)


def _drafts(view: PageView) -> list[Draft]:
    named = _named(view)
    names = [trim(" ".join(line.text for line in lines)) for lines, _ in named]
    if any(names_no_thing(name) or is_sentence(name) for name in names) or len(set(map(squash, names))) < len(names):
        return []
    heads = [union(line.box for line in lines) for lines, _ in named]
    taken = {line.box for lines, _ in named for line in lines}
    texts = [_text_under(view, head, max(line.size for line in lines), heads, taken)
             for head, (lines, _) in zip(heads, named, strict=True)]  # fmt: skip
    told = [name + "".join(line.text for line in text) for name, text in zip(names, texts, strict=True)]
    figures = sum(any(map(str.isdigit, said)) for said in told)
    if not all(texts) or figures < _FIGURES * len(named):
        return []
    return [_draft(view, name, head, text, photo)
            for name, head, text, (_, photo) in zip(names, heads, texts, named, strict=True)]  # fmt: skip


def _text_under(view: PageView, head: Box, size: float, heads: Sequence[Box], taken: set[Box]) -> list[Line]:
    """Lines in smaller print under the name, down to the next name below it or to a hole."""
    below = [other[1] for other in heads if other[1] >= head[3] and other[0] < head[2] and head[0] < other[2]]
    end = min(below, default=view.page.height_pt)
    smaller = [line for line in view.lines if line.box not in taken and line.size < size]
    under = [line for line in smaller if head[3] - _CLOSE * height(head) <= centre(line.box)[1] < end
             and line.box[0] < head[2] and head[0] < line.box[2]]  # fmt: skip
    text: list[Line] = []
    foot = head[3]
    for line in sorted(under, key=lambda line: line.box[1]):
        if line.box[1] - foot > _HOLE * height(line.box):
            break
        text.append(line)
        foot = max(foot, line.box[3])
    return text


def _draft(view: PageView, name: str, head: Box, text: Sequence[Line], photo: Box) -> Draft:
    number = view.page.number
    attributes: dict[str, Value] = {"product_name": text_value(name, head, number, "title", _FOUND)}
    custom: list[CustomValue] = []
    for line in text:
        fields = [field for field in line_fields(line, number) or _dashed(line, number) if field.value]
        custom += take_fields([field for field in fields if field.kind not in _IDENTITY], attributes, {})
        plain = not fields and not is_sentence(line.text)
        if plain and is_price(line.text) and "price" not in attributes:
            attributes["price"] = text_value(*to_pay(line), number, "caption", _FOUND)
        elif plain and is_size(line.text) and "size" not in attributes:
            attributes["size"] = text_value(line.text, line.box, number, "caption", _FOUND)
    add_currency(attributes)
    on_request = take_on_request(attributes)
    box = union([head, *(line.box for line in text)])
    return Draft(
        box=union([box, photo]), anchor=box, attributes=attributes, custom=tuple(custom), confidence=_FOUND,
        picture=photo, on_request=on_request,
    )  # fmt: skip


def _dashed(line: Line, page_number: int) -> list[Field]:
    """An amount behind a dash between spaces and words without a figure: "Load – from 25 kg"."""
    found = _DASH.fullmatch(trim(line.text))
    if found is None or not any(map(str.isdigit, found.group(2))):
        return []
    label, text = found.groups()
    value = text_value(text, part_box(line, text), page_number, "label", _FOUND)
    return [Field(label, label_kind(label), line.box, value, line.size)]
