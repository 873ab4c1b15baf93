"""Sections of a page that each tell of one product: a title, a picture, text, and the code to order it by."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, union
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.cards.sheets import TITLE, may_be_title
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.view import PageView

_LEAST_SECTIONS = 2
# Points by which the titles of one page may differ in size.
_SAME_PRINT_PT = 0.3
_CONFIDENCE = 0.85


def coded_sections(view: PageView, fields: Sequence[Field]) -> list[Draft]:
    """A product for each section; nothing where a title has no code or picture of its own, or where more is labelled
    than codes."""
    codes = [field for field in fields if field.kind == "model" and field.value and is_code(field.value.text)]
    codes.sort(key=lambda field: field.box[1])
    if len(codes) < _LEAST_SECTIONS or any(field.kind in BASE_KEYS and field not in codes for field in fields):
        return []
    titles = _titles(view.lines, codes)
    if len(titles) != len(codes):
        return []
    tops = [title.box[1] for title in titles] + [view.page.height_pt]
    sections = list(zip(titles, codes, tops[1:], strict=True))
    own = all(title.box[1] < code.box[1] < end for title, code, end in sections)
    shown = all(_has_picture(view, title.box[1], end) for title, _, end in sections)
    return [_draft(title, code, view.page.number) for title, code, _ in sections] if own and shown else []


def _titles(lines: Sequence[Line], codes: Sequence[Field]) -> list[Line]:
    """All lines in the print of the last title over the first code, from there on."""
    least = TITLE * max(code.size for code in codes)
    over = [line for line in lines if line.size >= least and line.box[3] <= codes[0].box[1] and may_be_title(line)]
    first = max(over, key=lambda line: line.box[1], default=None)
    if first is None:
        return []
    alike = [line for line in lines if abs(line.size - first.size) <= _SAME_PRINT_PT and line.box[1] >= first.box[1]]
    return sorted(alike, key=lambda line: line.box[1])


def _has_picture(view: PageView, top: float, end: float) -> bool:
    return any(top <= centre(picture.box)[1] < end for picture in view.pictures)


def _draft(title: Line, code: Field, page_number: int) -> Draft:
    box: Box = union([title.box, code.box])
    name = text_value(title.text, title.box, page_number, "title", 0.95)
    attributes = {"product_name": name} | ({"model": code.value} if code.value else {})
    return Draft(box=box, anchor=box, attributes=attributes, contexts={"model": code.label}, confidence=_CONFIDENCE)
