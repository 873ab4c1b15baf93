"""One thing that a line parted by bars tells of: its code, what it is and a measure of it ("Vega VX-200 | Water pump |
120 W"), over a photo; of several that which begins where the line does. A person always looks at such a page."""

import re
from collections.abc import Sequence

from catalogsku.core.box import area, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_document
from processing.engine.understanding.rules.shapes import is_measure
from processing.engine.understanding.signs import begins_with_code
from processing.engine.understanding.view import PageView

_BAR = re.compile(r"\s*[|｜]\s*")
# Signs of a code at least; of the page, the least photo.
_LEAST_CODE, _PHOTO = 4, 0.05
_FOUND = 0.68


@way("barred")
def extract_barred(view: PageView) -> list[Draft]:
    """The page's one product; nothing where no line tells of it so, or several do."""
    told = [(line, parts) for line in view.lines if (parts := _told(line))]
    if len(told) != 1:
        return []
    line, (code, name) = told[0]
    photos = [p.box for p in view.shown if area(p.box) >= _PHOTO * view.page_area and p.box[1] >= line.box[3]]
    if not photos:
        return []
    number = view.page.number
    attributes: dict[str, Value] = {
        "model": text_value(code, part_box(line, code), number, "title", _FOUND),
        "product_name": text_value(name, part_box(line, name), number, "title", _FOUND),
    }
    photo = min(photos, key=lambda box: abs(box[0] - line.box[0]))
    return [Draft(box=union([line.box, photo]), anchor=line.box, attributes=attributes, confidence=_FOUND,
                  picture=photo)]  # fmt: skip


def _told(line: Line) -> tuple[str, str] | None:
    """Code and name: the code is the first part's last word, the name the first of the others that may be one, and one
    of these is a measure."""
    parts = [trim(part) for part in _BAR.split(line.text)]
    code = parts[0].rpartition(" ")[2]
    others: Sequence[str] = parts[1:]
    name = next((part for part in others if is_name(part) and not is_measure(part)), None)
    if name is None or not any(map(is_measure, others)):
        return None
    if len(code) < _LEAST_CODE or not begins_with_code(code) or is_document(line.text):
        return None
    return code, name
