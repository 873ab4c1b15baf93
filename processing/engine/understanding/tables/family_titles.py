"""The family of a table's variants, printed large somewhere on their page: its code begins all of theirs, and the line
under it or over it is their name."""

from collections.abc import Sequence
from statistics import median

from catalogsku.core.box import centre, contains_point, height, rounded
from catalogsku.core.text import fold, trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import Evidence, Value
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.tables.names import may_name

# The method of what a page's headline says of all its products.
HEADLINE = "headline"
# Signs of a family's code, and the least variants of it.
_LEAST_SIGNS, _LEAST_VARIANTS = 4, 2
# Of the page's usual print: a headline, and a name beside it.
_LARGE, _LARGER = 1.5, 1.15
# Points by which a name may begin beside its headline's left edge, and of its own height how far off it may stand.
_ALIGNED_PT, _NEAR = 8.0, 1.0
# Printed once for all, they are less sure than in a row.
_CERTAINTY = 0.9


def family_title(models: Sequence[str], page: ParsedPage) -> dict[str, Value]:
    """``series``, the code that the page's headline has in common with all models, and the ``product_name`` at it."""
    codes = [_signs(model) for model in models]
    if len(codes) < _LEAST_VARIANTS or not page.lines:
        return {}
    usual = median(line.size for line in page.lines)
    free = [line for line in page.lines if not any(contains_point(t.box, *centre(line.box)) for t in page.tables)]
    lines = [piece for whole in free for piece in pieces(whole)]
    heads = [line for line in lines if line.size >= _LARGE * usual and _begins_all(_signs(line.text), codes)]
    if not heads:
        return {}
    head = max(heads, key=lambda line: line.size)
    at = [line for line in lines if line.size >= _LARGER * usual and may_name(line.text) and _is_at(line, head)]
    names = [line for line in at if line.box[1] > head.box[1]] or at
    titles = {"series": head, **({"product_name": names[0]} if len(names) == 1 else {})}
    return {key: _value(line, page.number) for key, line in titles.items()}


def _signs(code: str) -> str:
    """Its letters and digits: a headline has other marks between them than the codes ("K40/15" of "K4015S-600")."""
    return "".join(filter(str.isalnum, fold(code)))


def _begins_all(code: str, codes: Sequence[str]) -> bool:
    is_code = len(code) >= _LEAST_SIGNS and any(map(str.isdigit, code)) and any(map(str.isalpha, code))
    return is_code and all(variant.startswith(code) and variant != code for variant in codes)


def _is_at(line: Line, head: Line) -> bool:
    """Right under or over the headline, from its left edge on."""
    apart = max(line.box[1] - head.box[3], head.box[1] - line.box[3])
    aligned = abs(line.box[0] - head.box[0]) <= _ALIGNED_PT
    return line is not head and aligned and apart <= _NEAR * height(line.box)


def _value(line: Line, page_number: int) -> Value:
    text = trim(line.text)
    place = Evidence(text, page_number, rounded(part_box(line, text)), 1.0, HEADLINE)
    return Value(text, place, "page_inherited", _CERTAINTY)
