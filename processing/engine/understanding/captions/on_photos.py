"""Photos with all that is said of them printed on them, name and code or price: what stands beside or over them then
heads the page."""

from collections.abc import Sequence

from catalogsku.core.box import centre, contains_point
from processing.engine.page import Line
from processing.engine.understanding.captions.names import identifies
from processing.engine.understanding.captions.sides import MAX_LINES, Captioned, is_whole
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.view import PageView

_LEAST = 2


def in_photos(view: PageView) -> list[Captioned]:
    """The lines on each photo; empty where one has none that tell a product, or others on the page tell one."""
    places = [(line, centre(line.box)) for line in view.lines]
    found = [Captioned(p, tuple(line for line, at in places if contains_point(p.box, *at))) for p in view.pictures]
    if len(found) < _LEAST or not all(len(one.lines) <= MAX_LINES and _tells(one.lines) for one in found):
        return []
    taken = [line.box for one in found for line in one.lines]
    rest = [line for line, _ in places if line.box not in taken]
    alone = len(set(taken)) == len(taken) and not any(identifies(line) or line_fields(line, 0) for line in rest)
    return found if alone else []


def _tells(lines: Sequence[Line]) -> bool:
    """Whole, with one code and one price at most: more are of a group or a list."""
    told = [kind for line in lines for kind in identifies(line)]
    return is_whole(lines) and len(set(told)) == len(told)
