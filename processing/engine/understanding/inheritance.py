"""Brand, series and material that are printed once for many products: in a heading, a running header, the cover
(TA-BR13).

Only words that say so count ("Brand: X", "X 系列", "材质：304不锈钢"): a name or a logo on every page may be
the distributor's. What a product's own row or card says is never replaced.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap, height
from catalogsku.core.text import fold, squash, trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.cards import is_name
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.fields import line_fields
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.shapes import is_measure, is_price, is_sentence, is_series, is_size
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.view import PageView

KEYS = ("brand", "series", "material")
_LARGER = 1.1
# What each product has its own of; points by which the lines of a card begin apart.
_OWN_KEYS = frozenset(("model", "size", "price", "weight"))
_ALIGNED_PT = 5.0


@dataclass(frozen=True)
class Heading:
    """What a heading says of the products below it; ``right``: how far across the page it holds; ``source``: whether
    it is the page's only one of its kind and above all products, or a section's."""

    key: str
    value: Value
    box: Box
    right: float
    source: str


def heading_value(line: Line, page_number: int, method: str = "section") -> tuple[str, Value] | None:
    """``brand``, ``series`` or ``material`` with its printed value, where the line is a heading that names one."""
    plain = trim(line.text)
    for field in line_fields(line, page_number):
        if field.kind in KEYS and field.value is not None and _names(field.kind, field.value.text):
            evidence = msgspec.structs.replace(field.value.evidence, method=method)
            return field.kind, msgspec.structs.replace(field.value, evidence=evidence)
    if not is_series(plain):
        return None
    return "series", text_value(plain, line.box, page_number, method, 0.95)


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
    found, section = dict(draft.attributes), _section(draft)
    for key in KEYS:
        if key in found:
            continue
        if section is not None and section[0] == key:
            found[key] = msgspec.structs.replace(section[1], source="section_inherited")
        elif heading := _nearest(draft.anchor, [h for h in headings if h.key == key]):
            found[key] = msgspec.structs.replace(heading.value, source=heading.source)
        elif key in common:
            found[key] = msgspec.structs.replace(common[key], source="document_inherited")
    return msgspec.structs.replace(draft, attributes=found) if len(found) > len(draft.attributes) else draft


def _section(draft: Draft) -> tuple[str, Value] | None:
    """What the section row above the product's own row in its table says."""
    if draft.section is None:
        return None
    place = draft.section.evidence
    return heading_value(Line(draft.section.text, place.bbox, ()), place.page_number)


def _nearest(anchor: Box, headings: Sequence[Heading]) -> Heading | None:
    above = [h for h in headings if h.box[3] <= anchor[1] + 1 and h.box[0] <= anchor[2] and h.right > anchor[0]]
    return max(above, key=lambda h: h.box[3], default=None)


def _headings(view: PageView, drafts: Sequence[Draft]) -> list[Heading]:
    """Headings between the products; a line inside a product's box is that product's own."""
    own = [draft.box for draft in drafts]
    sizes = sorted(line.size for line in view.page.lines)
    body = sizes[len(sizes) // 2] if sizes else 0.0
    found = []
    for line in view.lines:
        named = heading_value(line, view.page.number) if len(line.text) <= 60 else None
        if named is None or any(contains_point(box, *centre(line.box)) for box in own):
            continue
        if not (line.bold or line.size >= _LARGER * body or ":" in line.text or "：" in line.text):
            continue
        if _is_in_card(line, view):
            continue
        found.append((named, line.box))
    top = min(draft.anchor[1] for draft in drafts)
    keys = [key for (key, _), _ in found]
    sources = ["page_inherited" if keys.count(key) == 1 and box[3] <= top + 1 else "section_inherited"
               for (key, _), box in found]  # fmt: skip
    return [
        Heading(key, value, _wide(box, found), _right(box, found, view), source)
        for ((key, value), box), source in zip(found, sources, strict=True)
    ]


def _is_in_card(line: Line, view: PageView) -> bool:
    """Right over or under another label: what is left of a product of which nothing else was taken."""
    return any(
        abs(other.box[0] - line.box[0]) <= _ALIGNED_PT
        and gap(other.box, line.box) <= height(line.box)
        and any(field.kind in _OWN_KEYS for field in line_fields(other, view.page.number))
        for other in view.lines
        if other is not line
    )


def _wide(box: Box, found: Sequence[tuple[tuple[str, Value], Box]]) -> Box:
    """The first heading of a baseline holds from the page's left edge on."""
    first = not any(_beside(box, other) and other[0] < box[0] for _, other in found)
    return (0.0, *box[1:]) if first else box


def _right(box: Box, found: Sequence[tuple[tuple[str, Value], Box]], view: PageView) -> float:
    """A heading holds as far to the right as the next one beside it."""
    return min(
        (other[0] for _, other in found if _beside(box, other) and other[0] > box[0]), default=view.page.width_pt
    )


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
    found: dict[str, list[Value]] = {}
    high = view.page.height_pt
    for whole in [line for line in view.page.lines if in_margin(line.box, high)] if view.facts.running_lines else ():
        for line in pieces(whole):
            if view.is_running(line) and (named := heading_value(line, view.page.number, "header")):
                found.setdefault(named[0], []).append(named[1])
    return {key: values[0] for key, values in found.items() if len({squash(v.text) for v in values}) == 1}
