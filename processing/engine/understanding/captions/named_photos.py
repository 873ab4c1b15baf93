"""Photos with nothing but a name or a code at each, on a page with hardly other words: too few or too uneven for a grid
of products that may go on without a person."""

import re
from collections.abc import Sequence

from catalogsku.core.box import area, centre, contains_point, gap, overlap_ratio, union
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.understanding.captions.bare_codes import is_bare_code
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.captions.grids import other_text, shows_no_products
from processing.engine.understanding.captions.photo_names import whole_names
from processing.engine.understanding.captions.sides import Captioned, stands
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.dictionaries.measures import COLOURS
from processing.engine.understanding.rules.finishes import all_in
from processing.engine.understanding.rules.headings import is_category_heading, is_document, names_no_thing
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

# Photos at least, and the share of the page's that have a name; of the page: the least photo.
_LEAST, _MOSTLY, _PHOTO = 3, 0.7, 0.005
# Of a picture, so much lies upon another one.
_UPON = 0.5
# Photos with their names beside them that are many, and how far off these stand, points.
_MANY, _BESIDE_PT = 8, 30.0
# Lines of a name at most; signs outside of the names that are hardly any, and their share of the names'.
_MOST_LINES, _FEW_SIGNS, _FEW = 2, 60, 1.5
# Codes of few signs, as series have them whose photos stand side by side: "2A", "P3".
_SHORT_CODE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9]{2,4}")
_FOUND = 0.65


@way("named_photos")
def extract_named_photos(view: PageView) -> tuple[Draft, ...]:
    """A product for each photo with its name; nothing where the same names come again, or where a heading, a name
    or a text tells of a company."""
    beside = _beside(view)
    found = max(captioned_pictures(view), _on_photos(view), beside, key=len)
    if len(found) < _LEAST or len(found) < _MOSTLY * _photos(view) or shows_no_products(view, found):
        return ()
    own = [line for one in found for line in one.lines]
    least = max(line.size for line in own)
    heads = [line for line in view.lines if line.size > least or line in own]
    if any(is_category_heading(line.text) or names_no_thing(line.text) or is_document(line.text) for line in heads):
        return ()
    if any(is_sentence(line.text) for line in view.lines):
        return ()
    if other_text(view, found) > max(_FEW * sum(len(line.text) for line in own), _FEW_SIGNS):
        return ()
    if any(area(one.picture.box) < _PHOTO * view.page_area or not (_is_at(one) or one in beside) for one in found):
        return ()
    drafts = [draft for one in found if (draft := _draft(one, view.page.number))]
    names = {squash(value.text) for draft in drafts for value in draft.attributes.values()}
    return tuple(drafts) if len(drafts) >= _MOSTLY * len(found) and len(names) == len(drafts) else ()


def _photos(view: PageView) -> int:
    """How many there are; what lies upon a larger one is a part of that."""
    boxes = [p.box for p in view.pictures]
    return sum(not any(area(o) > area(box) and overlap_ratio(box, o) > _UPON for o in boxes) for box in boxes)


def _on_photos(view: PageView) -> list[Captioned]:
    """Photos with one line printed on each."""
    lines = [(p, [ln for ln in view.lines if contains_point(p.box, *centre(ln.box))]) for p in view.pictures]
    return [Captioned(picture, tuple(on)) for picture, on in lines if len(on) == 1]


def _beside(view: PageView) -> list[Captioned]:
    """Many photos with a name on either side of each, all as near as they can be together: around a machine that makes
    such things, too. Of remarks on the details of one thing there are fewer."""
    shown = [p.box for p in view.shown]
    off = [line for line in view.lines if not any(contains_point(box, *centre(line.box)) for box in shown)]
    names = whole_names([line for line in off if is_name(line.text)])
    reach = _BESIDE_PT * view.scale
    near = {(n, m): reach - apart + 1.0 for n, lines in enumerate(names) for m, p in enumerate(view.pictures)
            if (apart := gap(box := union(line.box for line in lines), p.box)) <= reach
            and (stands(p.box, box, "left") or stands(p.box, box, "right"))}  # fmt: skip
    pairs = best_assignment(near)
    return [Captioned(view.pictures[m], names[n]) for n, m in sorted(pairs)] if len(pairs) >= _MANY else []


def _is_at(one: Captioned) -> bool:
    """Under the photo, over it or on it; beside it stand remarks."""
    shown, text = one.picture.box, one.text_box
    return contains_point(shown, *centre(text)) or stands(shown, text, "below") or stands(shown, text, "above")


def _draft(one: Captioned, page_number: int) -> Draft | None:
    key = _key(one.lines)
    if key is None:
        return None
    text, box = " ".join(trim(line.text) for line in one.lines), one.text_box
    value = text_value(text, box, page_number, "caption", _FOUND)
    return Draft(box=union([one.picture.box, box]), anchor=box, attributes={key: value}, confidence=_FOUND,
                 picture=one.picture.box)  # fmt: skip


def _key(lines: Sequence[Line]) -> str | None:
    """What the caption is: a code, which colours may tell apart, or a name in up to two lines; None for all else."""
    if len(lines) == 1 and (is_bare_code(lines[0]) or _is_code(trim(lines[0].text))):
        return "model"
    told = any(is_price(line.text) or line_fields(line, 0) for line in lines)
    return "product_name" if len(lines) <= _MOST_LINES and not told and all(is_name(ln.text) for ln in lines) else None


def _is_code(text: str) -> bool:
    words = text.split()
    coloured = any(is_code(" ".join(words[:n])) and all_in(" ".join(words[n:]), COLOURS) for n in range(1, len(words)))
    return coloured or _SHORT_CODE.fullmatch(text) is not None
