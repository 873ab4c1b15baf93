"""Titles in large print, each over known labels with their values beside them, without colons and rules of a table, and
with a photo level with it: clothes and gifts, of which no code or price tells. A person always looks at such a page."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, intersect, overlap_ratio, union, width
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.captions.photo_names import whole_names
from processing.engine.understanding.cards.sheets import TITLE
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.labelled_lines import Field, line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_works_heading, names_no_thing
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import has_value, is_price
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

_SPECIFIED = ("size", "material", "color", "weight", "packing")
# Titles, the share that has one label in common, and how unlike their sizes may be.
_LEAST, _MOSTLY, _ALIKE = 2, 0.6, 1.4
# Print of a label against its value's; of its size, how far behind its begin the value's is; points by which columns
# vary; signs of a label.
_PRINT, _BEHIND, _ALIGNED_PT, _LONGEST = 0.15, 12.0, 3.0, 24
# Of the page: the least photo, how far a label stands under its title and beside it.
_PHOTO, _UNDER, _ASIDE = 0.01, 0.2, 0.3
# Of a long side, the least of the short one; share of a picture in another that is a part of it.
_ROUND, _WITHIN, _GAPS = 0.4, 0.9, 0.25
_FOUND = 0.68

Pair = tuple[Line, Line]


@way("titled_pairs")
def extract_titled_pairs(view: PageView) -> list[Draft]:
    """One product a title with labels and a photo; nothing where some have none."""
    fields = _fields(view)
    if len(fields) < _LEAST or any(is_price(line.text) or is_works_heading(line.text) for line in view.lines):
        return []
    size = max(field.size for field in fields)
    large = [line for line in view.lines if line.size >= TITLE * size and is_name(line.text)]
    names = whole_names(large)
    groups = [(names[n], own) for n, own in sorted(_by_title(view, names, fields).items())]
    if len(groups) < _LEAST or any(names_no_thing(_text(name)) for name, _ in groups) or not _are_alike(groups):
        return []
    boxes = [union([*(line.box for line in name), *(f.box for f in own)]) for name, own in groups]
    shown = _shown(view, boxes, [line.box for line in large])
    return [_draft(view, *group, box, shown[n]) for n, (group, box) in enumerate(zip(groups, boxes, strict=True))
            ] if len(shown) == len(groups) else []  # fmt: skip


def _fields(view: PageView) -> list[Field]:
    """Known labels with the value beside them, and unknown ones in their columns."""
    pairs = [pair for row in baselines(view.lines) for pair in pairwise(row) if _may_pair(*pair)]
    known = [pair for pair in pairs if label_kind(pair[0].text) in _SPECIFIED]
    others = [pair for pair in pairs if pair not in known and any(_stand_alike(pair, one) for one in known)]
    number = view.page.number
    size = known[0][0].size if known else 0.0
    alike = [line for line in view.lines if abs(line.size - size) <= _PRINT * size]
    alone = [(line, field) for line in alike for field in line_fields(line, number) if field.kind in _SPECIFIED]
    return [_field(*pair, number) for pair in (*known, *others)] + [_in_line(*one, number) for one in alone]


def _in_line(line: Line, field: Field, page_number: int) -> Field:
    """A label in one line with its value: without a colon that is all of the line."""
    text = trim(line.text[len(field.label) :])
    if field.value is None or not trim(line.text).startswith(field.label) or text[:1] in ":：":
        return field
    value = text_value(text, part_box(line, text), page_number, "label", _FOUND)
    return Field(field.label, field.kind, field.box, value, field.size)


def _may_pair(label: Line, value: Line) -> bool:
    """What may be a label, and beside it in about its print a text."""
    text, kind = trim(label.text), label_kind(label.text)
    named = len(text) <= _LONGEST and any(map(str.isalpha, text)) and not any(map(str.isdigit, text))
    near = value.box[0] > label.box[2] and value.box[0] - label.box[0] <= _BEHIND * label.size
    alike = abs(label.size - value.size) <= _PRINT * label.size
    told = label_kind(value.text) is None and has_value(kind, value.text)
    return named and near and alike and told and text[-1] not in ":：" and kind != FOREIGN


def _stand_alike(pair: Pair, known: Pair) -> bool:
    """In the columns of the known pair, or as far apart on its line; both labels written small or large."""
    label, value = pair[0].box[0] - known[0].box[0], pair[1].box[0] - known[1].box[0]
    level = abs(centre(pair[0].box)[1] - centre(known[0].box)[1]) <= _ALIGNED_PT
    return abs(label - value) <= _ALIGNED_PT and (abs(label) <= _ALIGNED_PT or level) and (
        pair[0].text.isupper() == known[0].text.isupper()
    )  # fmt: skip


def _field(label: Line, value: Line, page_number: int) -> Field:
    found = text_value(trim(value.text), value.box, page_number, "label", _FOUND)
    return Field(trim(label.text), label_kind(label.text), union([label.box, value.box]), found, label.size)


def _by_title(view: PageView, names: Sequence[Sequence[Line]], fields: Sequence[Field]) -> dict[int, list[Field]]:
    """Each field with the nearest title over it, whose middle may be beside it."""
    own: dict[int, list[Field]] = {}
    boxes = [union(line.box for line in name) for name in names]
    for field in fields:
        near = [(field.box[1] - box[3] + gap(box, field.box), n) for n, box in enumerate(boxes)
                if -_ALIGNED_PT <= field.box[1] - box[3] <= _UNDER * view.page.height_pt
                and max(box[0] - field.box[2], field.box[0] - box[2]) <= _ASIDE * view.page.width_pt]  # fmt: skip
        if near:
            own.setdefault(min(near)[1], []).append(field)
    return {n: found for n, found in own.items() if any(field.kind in _SPECIFIED for field in found)}


def _are_alike(groups: Sequence[tuple[Sequence[Line], list[Field]]]) -> bool:
    """Titles in about one print and each for itself, most with one label in common, none with one twice."""
    sizes = [max(line.size for line in name) for name, _ in groups]
    labels = [[squash(field.label) for field in own] for _, own in groups]
    times = Counter(label for own in labels for label in set(own))
    once = all(len(set(own)) == len(own) for own in labels)
    apart = len({squash(_text(name)) for name, _ in groups}) == len(groups)
    return once and apart and max(sizes) <= _ALIKE * min(sizes) and max(times.values()) >= _MOSTLY * len(groups)


def _text(name: Sequence[Line]) -> str:
    return trim(" ".join(trim(line.text) for line in name))


def _shown(view: PageView, boxes: Sequence[Box], titles: Sequence[Box]) -> dict[int, Box]:
    """The photo level with each text and beside it, all as near as they can be together."""
    photos = [p.box for p in view.page.pictures if area(p.box) >= _PHOTO * view.page_area and not view.is_repeated(p)]
    photos = [box for box in photos if min(width(box), height(box)) >= _ROUND * max(width(box), height(box))
              and not any(intersect(box, title) for title in titles)]  # fmt: skip
    photos = [box for box in photos if sum(contains_point(box, *centre(line.box)) for line in view.lines) < _LEAST]
    photos = [box for n, box in enumerate(photos) if not _is_part(n, photos)]
    far = 4.0 * (view.page.width_pt + view.page.height_pt)
    near = {(n, m): far - abs(centre(box)[1] - centre(photo)[1]) - _GAPS * gap(box, photo)
            for n, box in enumerate(boxes) for m, photo in enumerate(photos)
            if box[1] < centre(photo)[1] < box[3] or photo[1] < centre(box)[1] < photo[3]}  # fmt: skip
    return {n: photos[m] for n, m in best_assignment(near)}


def _is_part(n: int, boxes: Sequence[Box]) -> bool:
    """It lies in a larger one; of two of one size, the later holds the other."""
    own = boxes[n]
    return any(
        m != n and overlap_ratio(own, other) >= _WITHIN and (area(other), m) > (area(own), n)
        for m, other in enumerate(boxes)
    )


def _draft(view: PageView, name: Sequence[Line], fields: Sequence[Field], box: Box, photo: Box) -> Draft:
    text, head, number = _text(name), union(line.box for line in name), view.page.number
    where = part_box(name[0], text) if len(name) == 1 else head
    attributes: dict[str, Value] = {"product_name": text_value(text, where, number, "title", _FOUND)}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for field in sorted(fields, key=lambda one: (one.box[1], one.box[0])):
        if field.value is None:
            continue
        if field.kind in _SPECIFIED and field.kind not in attributes:
            attributes[field.kind], contexts[field.kind] = field.value, field.label
        elif field.kind not in BASE_KEYS:
            custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
    return Draft(box=union([box, photo]), anchor=box, attributes=attributes, custom=tuple(custom), contexts=contexts,
                 confidence=_FOUND, picture=photo)  # fmt: skip
