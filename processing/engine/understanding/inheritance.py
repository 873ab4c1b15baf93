"""Brand, series and material that are printed once for many products: in a heading, a running header, the cover
(TA-BR13).

Only words that say so count ("Brand: X", "X 系列", "材质：304不锈钢"): a name or a logo on every page may be
the distributor's. What a product's own row or card says is never replaced.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap, height, holds_centre, union
from catalogsku.core.text import fold, squash, trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.shapes import is_measure, is_price, is_size
from processing.engine.understanding.rules.wording import is_sentence, is_series
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.tables.blocks import is_under, photo_beside
from processing.engine.understanding.view import PageView

KEYS = ("brand", "series", "material")
_LARGER = 1.1
# A longer line is text.
_LONGEST = 60
# Of all that a catalogue shows: "2026 Collection".
_YEAR = re.compile(r"(19|20)\d{2}(?!\d)\s*(系列|(series|collection|range)$)", re.IGNORECASE)
# What each product has its own of; points by which the lines of a card begin apart.
_OWN_KEYS = frozenset(("model", "size", "price", "weight"))
_ALIGNED_PT = 5.0


@dataclass(frozen=True)
class Heading:
    """What a heading says of the products below it; ``right``: how far across the page it holds; ``source``: whether
    it is the page's only one of its kind and above all products, or a section's.

    ``value`` None: it names nothing that is known and only ends the reach of the one above it.
    ``table``: the table beside which it stands; it says nothing of other products.
    """

    key: str
    value: Value | None
    box: Box
    right: float
    source: str
    table: str = ""


def heading_value(line: Line, page_number: int, method: str = "section") -> tuple[str, Value] | None:
    """``brand``, ``series`` or ``material`` with its printed value, where the line is a heading that names one."""
    plain = trim(line.text)
    for key, value in _labelled(line, page_number):
        if _names(key, value.text):
            evidence = msgspec.structs.replace(value.evidence, method=method)
            return key, msgspec.structs.replace(value, evidence=evidence)
    if not is_series(plain) or _YEAR.match(plain):
        return None
    return "series", text_value(plain, line.box, page_number, method, 0.95)


def _labelled(line: Line, page_number: int) -> list[tuple[str, Value]]:
    fields = line_fields(line, page_number)
    return [(field.kind, field.value) for field in fields if field.kind in KEYS and field.value is not None]


def _names(key: str, text: str) -> bool:
    if key == "material":
        return fold(text).endswith(MATERIALS) and not is_sentence(text)
    return is_name(text) and not (is_measure(text) or is_size(text) or is_price(text))


def with_inherited(view: PageView, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """The drafts with what the nearest heading above them says, else with what the document says of all."""
    if not drafts or all(key in draft.attributes for draft in drafts for key in KEYS):
        return drafts
    headings = _headings(view, drafts)
    common = _of_the_document(view, drafts)
    return tuple(_completed(draft, headings, common) for draft in drafts)


def _completed(draft: Draft, headings: Sequence[Heading], common: dict[str, Value]) -> Draft:
    attributes, section = dict(draft.attributes), _section(draft)
    for key in KEYS:
        if key in attributes:
            continue
        if section is not None and section[0] == key:
            attributes[key] = msgspec.structs.replace(section[1], source="section_inherited")
            continue
        heading = _nearest(draft, [h for h in headings if h.key == key])
        if heading is not None and heading.value is not None:
            attributes[key] = msgspec.structs.replace(heading.value, source=heading.source)
        elif heading is None and key in common:
            attributes[key] = msgspec.structs.replace(common[key], source="document_inherited")
    return msgspec.structs.replace(draft, attributes=attributes) if len(attributes) > len(draft.attributes) else draft


def _section(draft: Draft) -> tuple[str, Value] | None:
    """What the section row above the product's own row in its table says."""
    if draft.section is None:
        return None
    place = draft.section.evidence
    return heading_value(Line(draft.section.text, place.bbox, ()), place.page_number)


def _nearest(draft: Draft, headings: Sequence[Heading]) -> Heading | None:
    """The heading beside the product's table, else the last one above the product that is no other table's."""
    anchor = draft.anchor
    beside = [h for h in headings if h.table and h.table == draft.table]
    above = [h for h in headings if not h.table and h.box[3] <= anchor[1] + 1]
    reaching = [h for h in above if h.box[0] <= anchor[2] and h.right > anchor[0]]
    return max(beside or reaching, key=lambda h: h.box[3], default=None)


def _headings(view: PageView, drafts: Sequence[Draft]) -> list[Heading]:
    """Headings between the products; a line inside a product's box is that product's own."""
    own = [draft.box for draft in drafts]
    sizes = sorted(line.size for line in view.page.lines)
    body = sizes[len(sizes) // 2] if sizes else 0.0
    printed: list[tuple[str, Value | None, Box]] = []
    for line in view.lines:
        named = _said(line, view.page.number) if len(line.text) <= _LONGEST else None
        if named is None or holds_centre(own, line.box):
            continue
        if not (line.bold or line.size >= _LARGER * body or ":" in line.text or "：" in line.text):
            continue
        if not _is_in_card(line, view):
            printed.append((*named, line.box))
    return _placed(view, drafts, printed)


def _said(line: Line, page_number: int) -> tuple[str, Value | None] | None:
    """As ``heading_value``; ``material`` without a value where what is printed behind its label is none we know."""
    named = heading_value(line, page_number)
    unknown = named is None and any(key == "material" for key, _ in _labelled(line, page_number))
    return ("material", None) if unknown else named


def _placed(view: PageView, drafts: Sequence[Draft], printed: Sequence[tuple[str, Value | None, Box]]) -> list[Heading]:
    """The headings with how far each holds: for the table beside it, else across the page up to the next one."""
    top = min(draft.anchor[1] for draft in drafts)
    beside = [_table_beside(box, view, drafts) for *_, box in printed]
    keys = [key for key, value, _ in printed if value is not None]
    headings = []
    for (key, value, box), table in zip(printed, beside, strict=True):
        alone = keys.count(key) == 1 and box[3] <= top + 1 and not table
        source = "page_inherited" if alone else "section_inherited"
        boxes = [other for *_, other in printed]
        headings.append(Heading(key, value, _wide(box, boxes), _right(box, boxes, view), source, table))
    return headings


def _table_beside(line: Box, view: PageView, drafts: Sequence[Draft]) -> str:
    """The table in whose block the line stands: with it beside a photo, under that photo, or at the table's height
    where no product stands below the line."""
    tables = {reading.grid.table.id: reading.grid.table.box for reading in view.tables}
    photos = [picture.box for picture in view.pictures]
    boxes = [other.box for other in view.lines]
    for name, table in tables.items():
        photo = photo_beside(table, photos)
        if photo and (contains_point(union((table, photo)), *centre(line)) or is_under(line, photo, boxes)):
            return name
    if any(draft.anchor[1] >= line[3] - 1 and _shares(draft.anchor, line) for draft in drafts):
        return ""
    level = [name for name, table in tables.items() if table[1] <= centre(line)[1] <= table[3]]
    return level[0] if len(level) == 1 else ""


def _shares(a: Box, b: Box) -> bool:
    """Both stand over the same part of the page's width."""
    return a[0] < b[2] and b[0] < a[2]


def _is_in_card(line: Line, view: PageView) -> bool:
    """Right over or under another label: what is left of a product of which nothing else was taken."""
    return any(
        abs(other.box[0] - line.box[0]) <= _ALIGNED_PT
        and gap(other.box, line.box) <= height(line.box)
        and any(field.kind in _OWN_KEYS for field in line_fields(other, view.page.number))
        for other in view.lines
        if other is not line
    )


def _wide(box: Box, boxes: Sequence[Box]) -> Box:
    """The first heading of a baseline holds from the page's left edge on."""
    first = not any(_beside(box, other) and other[0] < box[0] for other in boxes)
    return (0.0, *box[1:]) if first else box


def _right(box: Box, boxes: Sequence[Box], view: PageView) -> float:
    """A heading holds as far to the right as the next one beside it."""
    return min((other[0] for other in boxes if _beside(box, other) and other[0] > box[0]), default=view.page.width_pt)


def _beside(a: Box, b: Box) -> bool:
    return a is not b and min(a[3], b[3]) - max(a[1], b[1]) > 0


def _of_the_document(view: PageView, drafts: Sequence[Draft]) -> dict[str, Value]:
    """Values of the running header and the cover; no brand where the page's own products print several or another."""
    common = dict(view.facts.inherited) | _in_running_lines(view)
    printed = {squash(draft.attributes["brand"].text) for draft in drafts if "brand" in draft.attributes}
    if "brand" in common and printed - {squash(common["brand"].text)}:
        del common["brand"]
    return {key: value for key, value in common.items() if key in KEYS}


def _in_running_lines(view: PageView) -> dict[str, Value]:
    by_key: dict[str, list[Value]] = {}
    high = view.page.height_pt
    for whole in [line for line in view.page.lines if in_margin(line.box, high)] if view.facts.running_lines else ():
        for line in pieces(whole):
            if view.is_running(line) and (named := heading_value(line, view.page.number, "header")):
                by_key.setdefault(named[0], []).append(named[1])
    return {key: values[0] for key, values in by_key.items() if len({squash(v.text) for v in values}) == 1}
