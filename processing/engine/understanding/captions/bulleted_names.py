"""Names behind bullets, scattered over a page with a photo for each: wares without codes or prices.

A person always looks at such a page, for a brochure lists what a company does alike.
"""

import re
from collections.abc import Sequence
from math import dist

from catalogsku.core.box import Box, area, centre, gap, height, union
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.names import same_print
from processing.engine.understanding.captions.text import read_caption
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.likely_names import bare_name, is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_works_heading
from processing.engine.understanding.rules.shapes import is_code, is_measure
from processing.engine.understanding.view import PageView

_BULLET = re.compile(r"^[-–—•·*▪■●○►➢_]\s*(?=[^\W\d])")
# An amount in brackets behind or under a name, also one that is not closed: how it is packed, mostly.
_BRACKETS = re.compile(r"\s*[(（][^()（）]*\d[^()（）]*(?:[)）]\s*\.?|$)")
# A code that stands so: "(LB 2)".
_IN_BRACKETS = re.compile(r"[(（]\s*([^\W\d][^()（）]*?)\s*[)）]")
# Photos at least, and signs for each at most: what more a page tells is no list of wares.
_LEAST, _WORDS_EACH = 3, 80
# Of the page: the least photo; how far a name stands from its own, points; beside the gap between both, so much of what
# their middles are apart counts.
_PHOTO, _NEAR_PT, _MIDDLES = 0.008, 40.0, 0.1
# Of a line's height, the hole between two of one text; points by which they begin apart, and further in.
_HOLE, _ALIGNED_PT, _INDENT_PT = 1.2, 3.0, 30.0
_NAMING = ("product_name", "description")
_FOUND = 0.68


@way("bulleted")
def extract_bulleted(view: PageView) -> list[Draft]:
    """One product a bulleted name with its photo, where each name has one and each photo a name; nothing otherwise."""
    heads = [line for line in view.lines if _BULLET.match(trim(line.text))]
    photos = [p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area]
    if not _LEAST <= len(heads) == len(photos) or view.chars > _WORDS_EACH * len(photos):
        return []
    if any(is_works_heading(line.text) for line in view.page.lines):
        return []
    texts = [_text(view, head, heads) for head in heads]
    names = [_name(text) for text in texts]
    told = [_BRACKETS.sub("", " ".join(trim(line.text) for line in name)) for name in names]
    told = [trim(_BULLET.sub("", name)) for name in told]
    codes = [_code(name, view.page.number) for name in names]
    coded = {squash(name + (code.text if code else "")) for name, code in zip(told, codes, strict=True)}
    if not all(is_name(bare_name(head.text)) for head in heads) or len(coded) < len(told):
        return []
    shown = _shown(view, heads, photos)
    return [_draft(view, name, text, own, shown[n], code)
            for n, (name, text, own, code) in enumerate(zip(told, texts, names, codes, strict=True))
            if n in shown]  # fmt: skip


def _code(name: Sequence[Line], page_number: int) -> Value | None:
    """The code in brackets behind a name."""
    found = [(line, code) for line in name for code in _IN_BRACKETS.findall(line.text)
             if is_code(code) and not is_measure(code)]  # fmt: skip
    return text_value(found[0][1], part_box(*found[0]), page_number, "caption", _FOUND) if found else None


def _text(view: PageView, head: Line, heads: Sequence[Line]) -> list[Line]:
    """The name's line and what stands under it, beginning there or a little further in, up to the next name."""
    text = [head]
    for line in sorted(view.lines, key=lambda line: line.box[1]):
        last = text[-1].box
        under = 0.0 <= line.box[1] - last[3] + _ALIGNED_PT <= _HOLE * height(last)
        if under and -_ALIGNED_PT <= line.box[0] - head.box[0] <= _INDENT_PT:
            if line in heads:
                break
            text.append(line)
    return text


def _name(text: Sequence[Line]) -> list[Line]:
    """The first line and those that it goes on in: an open bracket, or words written small in the same print."""
    name = [text[0]]
    for line in text[1:]:
        told = " ".join(one.text for one in name)
        is_open = told.count("(") > told.count(")")
        goes_on = line.text[:1].islower() and "(" not in told and same_print(name[0], line)
        if not is_open and not (goes_on and abs(line.box[0] - text[0].box[0]) <= _ALIGNED_PT):
            break
        name.append(line)
    return name


def _shown(view: PageView, heads: Sequence[Line], photos: Sequence[Box]) -> dict[int, Box]:
    """The photo of each name, all as near as they can be together; nothing where some have none."""
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    near = {(n, m): far - gap(head.box, photo) - _MIDDLES * dist(centre(head.box), centre(photo))
            for n, head in enumerate(heads) for m, photo in enumerate(photos)
            if gap(head.box, photo) <= _NEAR_PT * view.scale}  # fmt: skip
    pairs = best_assignment(near)
    return {n: photos[m] for n, m in pairs} if len(pairs) == len(heads) else {}


def _draft(
    view: PageView, name: str, text: Sequence[Line], own: Sequence[Line], photo: Box, code: Value | None
) -> Draft:
    number, head = view.page.number, union(line.box for line in own)
    title = Line(name, head, (), own[0].size, own[0].bold)
    rest = (line for line in text if line not in own and not _BRACKETS.fullmatch(trim(line.text)))
    said, contexts, custom = read_caption((title, *rest), number)
    attributes = {"product_name": text_value(name, head, number, "caption", _FOUND)}
    attributes |= {key: value for key, value in said.items() if key not in _NAMING}
    attributes |= {"model": code} if code else {}
    on_request = take_on_request(attributes)
    add_currency(attributes)
    box = union(line.box for line in text)
    return Draft(
        box=union([box, photo]), anchor=box, attributes=attributes, custom=custom, contexts=contexts,
        confidence=_FOUND, picture=photo, on_request=on_request,
    )  # fmt: skip
