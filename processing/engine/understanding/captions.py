"""Photo pages: a grid of pictures, each with its caption under, above or beside it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from catalogsku.core.box import Box, centre, contains_point, gap, height, intersect, union, width
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, Picture
from processing.engine.result import CustomValue, Value
from processing.engine.understanding.cards import is_name
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.fields import Field, is_extent, line_fields, paired_fields
from processing.engine.understanding.lines import part_line
from processing.engine.understanding.rules.dictionaries.measures import COLOURS, MATERIALS
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT, SIZE_OR_TEXT, label_kind
from processing.engine.understanding.rules.shapes import (
    all_in,
    has_value,
    is_category_heading,
    is_code,
    is_document,
    is_figure_caption,
    is_no_value,
    is_on_request,
    is_price,
    is_sample_heading,
    is_sentence,
    is_works_heading,
    prices_in,
)
from processing.engine.understanding.strips import in_rows, is_level
from processing.engine.understanding.tables.families import heads_rows
from processing.engine.understanding.view import PageView

SIDES = ("below", "right", "above", "left")
_MAX_LINES = 8
# A line in so much larger print than the caption's smallest heads a section, unless it is the price.
_HEADING = 1.5
# Signs outside the captions of a grid of names that are hardly any.
_FEW_SIGNS = 60
# Captions that make a grid.
_GRID = 4
# Share of the captions of which a second part makes whole ones.
_MOSTLY = 0.8
_WIDE_SPACE = re.compile(r"\u3000+|\s{2,}")


@dataclass(frozen=True)
class Captioned:
    """A picture and the lines that stand on one side of it."""

    picture: Picture
    lines: tuple[Line, ...]

    @property
    def text_box(self) -> Box:
        return union(line.box for line in self.lines)


def captioned_pictures(view: PageView) -> list[Captioned]:
    """Pictures with captions on the side where most of the page's pictures have theirs; a code or a price that most of
    them have on another side, or printed on them, belongs to the caption."""
    if "captioned" not in view.seen:
        view.seen["captioned"] = _captioned(view)
    found: list[Captioned] = view.seen["captioned"]
    return found


def _captioned(view: PageView) -> list[Captioned]:
    sides = [_on_side(view, side) for side in SIDES]
    found = max(sides, key=len)
    found = next((whole for other in [*sides, _printed_on(view)] if (whole := _in_two_parts(found, other))), found)
    return _by_rows(view, found)


def _by_rows(view: PageView, found: list[Captioned]) -> list[Captioned]:
    """One caption for pictures close in a row of which only one is named: they show one product, and what stands at the
    others, its price mostly, goes on with its caption."""
    whole = list(found)
    for row in in_rows(view.pictures):
        parts = [one for one in found if one.picture in row]
        named = [one for one in parts if any(is_name(line.text) or "model" in _identifies(line) for line in one.lines)]
        if len(parts) > len(named) == 1 and is_level(row):
            lines = sorted((line for one in parts for line in one.lines), key=lambda line: (line.box[1], line.box[0]))
            whole = [Captioned(one.picture, tuple(lines)) if one is named[0] else one for one in whole
                     if one is named[0] or one not in parts]  # fmt: skip
    return whole


def _printed_on(view: PageView) -> list[Captioned]:
    """Pictures that carry tags: lines that are nothing but a code or a price."""
    tags = [(line, centre(line.box)) for line in view.lines if _is_tag(line)]
    on = [(p, tuple(line for line, place in tags if contains_point(p.box, *place))) for p in view.pictures]
    return [Captioned(picture, lines) for picture, lines in on if lines]


def _in_two_parts(found: list[Captioned], other: list[Captioned]) -> list[Captioned]:
    """The captions, each with what ``other`` adds to it; empty where it adds to few of them."""
    taken = {line.box for one in found for line in one.lines}
    parts = {one.picture.id: one.lines for one in other if taken.isdisjoint(line.box for line in one.lines)}
    whole = [_joined(one, parts.get(one.picture.id, ())) for one in found]
    joined = sum(len(a.lines) > len(b.lines) for a, b in zip(whole, found, strict=True))
    return whole if joined >= max(2, _MOSTLY * len(found)) else []


def _joined(one: Captioned, lines: tuple[Line, ...]) -> Captioned:
    """One caption of both parts, where one of them is nothing but tags and the other says nothing of that kind."""
    said = [[kind for line in part for kind in _identifies(line)] for part in (one.lines, lines)]
    tagged = all(map(_is_tag, one.lines)) != all(map(_is_tag, lines))
    if not lines or not tagged or set(said[0]) & set(said[1]):
        return one
    return Captioned(one.picture, tuple(sorted((*one.lines, *lines), key=lambda line: (line.box[1], line.box[0]))))


def _is_tag(line: Line) -> bool:
    text = trim(line.text)
    return (is_code(text) and any(char.isalpha() for char in text)) or (is_price(text) and not line_fields(line, 0))


def _identifies(line: Line) -> set[str]:
    """``model`` and ``price``, where the line gives them."""
    labelled = {field.kind for field in line_fields(line, 0)}
    coded = is_code(line.text) or is_code(trim(line.text).split(" ", 1)[0])
    given = {"model": coded or "model" in labelled, "price": is_price(line.text) or "price" in labelled}
    return {kind for kind, holds in given.items() if holds}


def extract_captions(view: PageView) -> Extraction:
    """One product a captioned picture, where the page is such a grid; nothing otherwise."""
    if "captions" not in view.kept:
        view.kept["captions"] = _captions(view)
    return view.kept["captions"]


def _captions(view: PageView) -> Extraction:
    found = captioned_pictures(view)
    drafts = [draft for one in found if (draft := _draft(view, one))]
    drafts = [draft for draft in drafts if not heads_rows(view, draft)]
    coded = [draft for draft in drafts if _is_proven(draft)]
    enough = len(coded) * 2 >= len(drafts) and _enough(coded)
    if not drafts or not (enough or _is_name_grid(view, found, drafts)):
        return Extraction(extractor="caption")
    if len(coded) * 2 >= len(drafts):
        drafts = coded
    return Extraction(tuple(drafts), (), (), tuple(draft.box for draft in drafts), (), "caption")


def _is_proven(draft: Draft) -> bool:
    """More than a bare code or name: those also stand under samples, drawings and people."""
    found = draft.attributes
    return "price" in found or ("model" in found and bool({"product_name", "size", "material"} & set(found)))


def _enough(coded: list[Draft]) -> bool:
    """Two captions with a code and a name, or a price, make a page of products; one alone must print code and price."""
    return len(coded) >= 2 or any("model" in d.attributes and "price" in d.attributes for d in coded)


def _other_text(view: PageView, found: list[Captioned]) -> int:
    """Signs printed outside the captions."""
    own = sum(len(line.text) for one in found for line in one.lines)
    return sum(len(line.text) for line in view.lines) - own


def _is_name_grid(view: PageView, found: list[Captioned], drafts: list[Draft]) -> bool:
    """Names or codes alone are products only in a regular grid: captions in one print, hardly any other text.

    Words beside a picture are more often remarks on a drawing, so such captions stand under or over theirs.
    """
    stacked = all(
        _stands(one.picture.box, one.text_box, "below") or _stands(one.picture.box, one.text_box, "above")
        for one in found
    )
    if len(drafts) < _GRID or len(drafts) * 10 < len(found) * 8 or not stacked:
        return False
    if shows_documents(view, found) or shows_samples(view, found) or _shows_works(view, found):
        return False
    sizes = [line.size for one in found for line in one.lines]
    if max(sizes) > 1.35 * min(sizes) or any(is_category_heading(line.text) for line in view.lines):
        return False
    own = sum(len(line.text) for one in found for line in one.lines)
    return _other_text(view, found) <= max(1.5 * own, _FEW_SIGNS) and _in_grid([one.text_box for one in found])


def shows_documents(view: PageView, found: list[Captioned]) -> bool:
    """Certificates, patents and reports: by the page's heading or by what most of the captions say."""
    captions = [line for one in found for line in one.lines]
    if not captions:
        return False
    largest = max(line.size for line in captions)
    headed = any(line.size > _HEADING * largest and is_document(line.text) for line in view.lines)
    return headed or sum(1 for line in captions if is_document(line.text)) * 2 >= len(found)


def shows_samples(view: PageView, found: list[Captioned]) -> bool:
    """Colours and materials to choose from: by what most captions name, or by a heading above the pictures."""
    return names_samples(found) or any(is_sample_heading(line.text) for line in _above(view, found))


def _shows_works(view: PageView, found: list[Captioned]) -> bool:
    """The company's machines, rooms and people: by a heading above the pictures."""
    return any(is_works_heading(line.text) for line in _above(view, found))


def _above(view: PageView, found: list[Captioned]) -> list[Line]:
    top = min((one.picture.box[1] for one in found), default=0.0)
    return [line for line in view.page.lines if line.box[3] <= top]


def names_samples(found: list[Captioned]) -> bool:
    """Most captions name a colour or a material, or the same names without codes stand under picture after picture."""
    captions = [line.text for one in found for line in one.lines]
    names = [squash(one.lines[0].text) for one in found]
    if len(names) >= _GRID and len(set(names)) * 2 <= len(names):
        return not any(_identifies(line) for one in found for line in one.lines)
    return sum(1 for text in captions if all_in(text, COLOURS) or all_in(text, MATERIALS)) * 2 > len(captions)


def _in_grid(boxes: list[Box]) -> bool:
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


def _on_side(view: PageView, side: str) -> list[Captioned]:
    lines: dict[str, list[Line]] = {}
    for line in (piece for whole in view.lines for piece in _by_columns(view, whole, side)):
        if len(line.text) > 90 or is_figure_caption(line.text):
            continue
        picture = _nearest(view, line, side)
        if picture is not None:
            lines.setdefault(picture.id, []).append(line)
    found = []
    for picture in view.pictures:
        near = _together(picture, lines.get(picture.id, []), side)
        if near and len(near) <= _MAX_LINES:
            found.append(Captioned(picture, tuple(near)))
    return found


def _by_columns(view: PageView, line: Line, side: str) -> list[Line]:
    """The line, cut where one word stands over or under one picture and the next word wholly over or under another:
    captions of neighbouring pictures may come closer to each other than their own parts."""
    if side not in ("above", "below") or len(line.words) < 2:
        return [line]
    near = [p.box for p in view.pictures if _hole(p.box, line.box) <= height(p.box)]
    groups = [[line.words[0]]]
    for word in line.words[1:]:
        last = groups[-1][-1].box
        parted = any(last[2] <= a[2] + 1 and last[0] >= a[0] - 1 and b[0] > a[2] and word.box[0] >= b[0] - 1
                     for a in near for b in near)  # fmt: skip
        if parted:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [part_line(line, tuple(group)) for group in groups] if len(groups) > 1 else [line]


def _nearest(view: PageView, line: Line, side: str) -> Picture | None:
    """The picture beside which this line stands on ``side``, within a caption's reach."""
    reach = (60.0 if side in ("below", "above") else 40.0) * view.scale + 4 * max(line.size, height(line.box))
    printed_on = [n for n, p in enumerate(view.pictures) if contains_point(p.box, *centre(line.box))]
    options = [(gap(p.box, line.box), n) for n, p in enumerate(view.pictures)
               if n in (printed_on or [n]) and _stands(p.box, line.box, side)]  # fmt: skip
    options = [option for option in options if option[0] <= reach]
    return view.pictures[min(options)[1]] if options else None


def _stands(picture: Box, line: Box, side: str) -> bool:
    x, y = centre(line)
    slack = 0.15 * height(picture)
    if side in ("below", "above"):
        over = min(picture[2], line[2]) - max(picture[0], line[0])
        aligned = over >= 0.5 * min(width(line), width(picture)) and width(line) <= 2.5 * width(picture)
        return aligned and (line[1] >= picture[3] - slack if side == "below" else line[3] <= picture[1] + slack)
    inside = picture[1] - slack <= y <= picture[3] + slack
    return inside and (line[0] >= picture[2] - 4 if side == "right" else x < picture[0] and line[2] <= picture[0] + 4)


def _together(picture: Picture, lines: list[Line], side: str) -> list[Line]:
    """The lines next to the picture up to the first larger hole between them."""
    ordered = sorted(lines, key=lambda line: -line.box[3] if side == "above" else line.box[1])
    kept: list[Line] = []
    for line in ordered:
        if kept and _hole(kept[-1].box, line.box) > 1.6 * max(line.size, height(line.box)):
            break
        if kept and line.size > _HEADING * min(one.size for one in kept) > 0 and not is_price(line.text):
            break
        kept.append(line)
    kept.sort(key=lambda line: (line.box[1], line.box[0]))
    return [] if any(intersect(line.box, picture.box) and side in ("left", "right") for line in kept) else kept


def _hole(a: Box, b: Box) -> float:
    """Empty height between two lines."""
    return max(a[1] - b[3], b[1] - a[3], 0.0)


def _draft(view: PageView, one: Captioned) -> Draft | None:
    paired = [field for field in _paired(view) if contains_point(one.text_box, *centre(field.box))]
    plain = tuple(line for line in one.lines if not any(contains_point(f.box, *centre(line.box)) for f in paired))
    attributes, contexts, custom = read_caption(plain, view.page.number)
    for field in paired:
        if field.kind and field.value and field.kind not in attributes:
            attributes[field.kind], contexts[field.kind] = field.value, field.label
    on_request = take_on_request(attributes)
    texts = [line.text for line in one.lines if not line_fields(line, view.page.number)]
    if "price" not in attributes and any(map(is_sentence, texts)):
        return None
    if not {"model", "product_name"} & set(attributes) and "price" not in attributes:
        return None
    add_currency(attributes)
    strong = "model" in attributes or "price" in attributes
    return Draft(
        box=union([one.picture.box, one.text_box]), anchor=one.text_box, attributes=attributes, custom=custom,
        contexts=contexts, confidence=0.86 if strong else 0.76,
        picture=one.picture.box, on_request=on_request,
    )  # fmt: skip


def _paired(view: PageView) -> list[Field]:
    """Labels with values in a line of their own, beside or under them."""
    if "paired" not in view.seen:
        view.seen["paired"] = paired_fields(view)
    found: list[Field] = view.seen["paired"]
    return found


def read_caption(
    lines: tuple[Line, ...], page_number: int
) -> tuple[dict[str, Value], dict[str, str], tuple[CustomValue, ...]]:
    """Attributes of a caption: labelled fields, then what price, code, size and name look like."""
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for line in (part for whole in lines for part in _parts(whole)):
        fields = line_fields(line, page_number)
        for field in fields:
            if field.value is None:
                continue
            if field.kind in _CAPTION_KEYS and field.kind not in attributes:
                attributes[field.kind] = field.value
                contexts[field.kind] = field.label
            else:
                custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
        if not fields:
            _read_plain(line, attributes, page_number)
    for kind, key, fits in _GENERAL:
        named = next((c for c in custom if label_kind(c.name) == kind and fits(c.value)), None)
        if named is not None and key not in attributes:
            attributes[key], contexts[key] = Value(named.value, named.evidence), named.name
            custom.remove(named)
    return attributes, contexts, tuple(custom)


# Labels that say little, and what they stand for where the value looks so and nothing else does.
_GENERAL: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    (CODE_OR_NUMBER, "model", is_code),
    (NAME_OR_TEXT, "product_name", is_name),
    (SIZE_OR_TEXT, "size", lambda text: True),
)
_CAPTION_KEYS = frozenset(
    (
        "model",
        "product_name",
        "brand",
        "series",
        "size",
        "material",
        "color",
        "price",
        "unit",
        "moq",
        "weight",
        "packing",
    )
)


def _parts(line: Line) -> list[Line]:
    """What wide spaces part is of its own: "YL-107　22厘米"."""
    parts = [part for part in _WIDE_SPACE.split(line.text) if part.strip()]
    if len(parts) < 2:
        return [line]
    return [Line(part, part_box(line, part), (), line.size, line.bold) for part in parts]


def _read_plain(line: Line, attributes: dict[str, Value], page_number: int) -> None:
    text = trim(line.text)
    head, _, rest = text.partition(" ")
    lettered = is_code(head) and any(c.isalpha() for c in head)
    plain = prices_in(rest) == 1 or is_no_value(rest) or is_on_request(rest) or is_extent(rest)
    if lettered and "model" not in attributes and plain:
        attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
        key = "size" if is_extent(rest) else "price"
        if has_value(key, rest) and key not in attributes:
            attributes[key] = text_value(rest, part_box(line, rest), page_number, "caption", 0.95)
        return
    for key, test in (("price", is_price), ("price", is_on_request), ("model", is_code), ("size", is_extent)):
        if test(text) and key not in attributes and (key == "model" or not is_sentence(text)):
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.95)
            return
    for key, words in (("material", MATERIALS), ("color", COLOURS)):
        if key not in attributes and "product_name" in attributes and all_in(text, words):
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.9)
            return
    if "model" not in attributes and lettered and is_name(rest):
        attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
        if "product_name" not in attributes:
            attributes["product_name"] = text_value(rest, part_box(line, rest), page_number, "caption", 0.95)
    elif "product_name" not in attributes and is_name(text):
        attributes["product_name"] = text_value(text, line.box, page_number, "caption", 0.9)
    elif "description" not in attributes and squash(text):
        attributes["description"] = text_value(text, line.box, page_number, "caption", 0.8)
