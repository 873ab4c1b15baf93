"""Codes alone, printed in a grid on the picture that is the page itself, each under a thing that the picture shows."""

import re

from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.captions.grids import is_grid
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_document, is_sample_heading, is_works_heading
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.view import PageView

# Codes that make a grid, and signs of other print beside them: a heading, the page's number.
_LEAST, _FEW_SIGNS = 4, 60
# A person looks at it: no picture was cut out of the ground.
_FOUND = 0.68
_DIGITS = re.compile(r"\d+")


@way("on_ground")
def extract_on_ground(view: PageView) -> list[Draft]:
    """One product a code; nothing where the page has other pictures, or more print than codes and a heading."""
    return [_draft(line, view.page.number) for line in _codes(view)]


def _codes(view: PageView) -> list[Line]:
    if view.page.ocr is not None or view.poster is None or any(p is not view.poster for p in view.pictures):
        return []
    codes = [line for line in view.lines if is_code(line.text) and any(map(str.isalpha, line.text))]
    others = [line for line in view.lines if line not in codes]
    forms = {_DIGITS.sub("0", trim(line.text)) for line in codes}
    if len(codes) < _LEAST or len(forms) > 1 or len({trim(line.text) for line in codes}) < len(codes):
        return []
    told = (is_sample_heading, is_document, is_works_heading)
    if sum(len(line.text) for line in others) > _FEW_SIGNS or any(test(o.text) for o in others for test in told):
        return []
    return codes if is_grid([line.box for line in codes]) else []


def _draft(line: Line, page_number: int) -> Draft:
    model = text_value(line.text, line.box, page_number, "caption", 0.95)
    return Draft(box=line.box, anchor=line.box, attributes={"model": model}, confidence=_FOUND)
