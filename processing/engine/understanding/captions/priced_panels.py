"""Cards of one width, each on a panel of its own with a name and a price, of which only some show a picture: as pages
of a shop are printed."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, area, centre, contains_point, height, union, width
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.captions.names import Lines, may_be_named, same_print
from processing.engine.understanding.captions.sides import CLOSE, MAX_LINES, hole, is_whole
from processing.engine.understanding.captions.text import read_caption
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.view import PageView

# Panels that make a page of cards; of their width, how they vary.
_LEAST, _ALIKE = 4, 0.05
# Of the print's size: a space; of a panel's width: what it lacks where a word had no room.
_SPACE, _LACKING = 0.25, 0.02
_NAMING = ("product_name", "description")


def drafts_on_priced_panels(view: PageView) -> list[Draft]:
    """A product a panel, with the largest picture on it; nothing where all panels have one, for captions then say as
    much, where one tells no product, where a price stands on none, or where a name may go on or not."""
    panels = [(box, text) for box in _alike(view) if (text := _printed_on(view, box))]
    if len(panels) < _LEAST or not all(is_whole(text) and len(text) <= MAX_LINES for _, text in panels):
        return []
    if all(_shown_on(view, box) for box, _ in panels):
        return []
    prices = [line.box for line in view.lines if is_price(line.text)]
    if any(not any(contains_point(panel, *centre(box)) for panel, _ in panels) for box in prices):
        return []
    margin = min(line.box[0] - box[0] for box, text in panels for line in text)
    names = [_name(text, (1.0 - _LACKING) * width(box) - 2 * margin) for box, text in panels]
    if not all(names):
        return []
    return [_draft(view, box, text, name) for (box, text), name in zip(panels, names, strict=True)]


def _alike(view: PageView) -> list[Box]:
    """Panels as wide as most of the page's, none of which holds another."""
    if len(view.page.panels) < _LEAST:
        return []
    usual = median(width(box) for box in view.page.panels)
    boxes = [box for box in view.page.panels if abs(width(box) - usual) <= _ALIKE * usual]
    return [box for box in boxes if not any(o is not box and contains_point(box, *centre(o)) for o in boxes)]


def _printed_on(view: PageView, panel: Box) -> Lines:
    on = [line for line in view.lines if contains_point(panel, *centre(line.box))]
    return tuple(sorted(on, key=lambda line: (line.box[1], line.box[0])))


def _shown_on(view: PageView, panel: Box) -> Box | None:
    on = [picture.box for picture in view.pictures if contains_point(panel, *centre(picture.box))]
    return max(on, key=area, default=None)


def _name(text: Lines, room: float) -> Lines:
    """The lines of the name: in one print, close under each other, the next word without room on any of them; empty
    where it had room, for that may be the name's end or not."""
    at = next((n for n, line in enumerate(text) if may_be_named(line)), len(text))
    name = list(text[at : at + 1])
    for line in text[at + 1 :]:
        if not same_print(name[-1], line) or hole(name[-1].box, line.box) > CLOSE * height(line.box):
            break
        name.append(line)
    return tuple(name) if all(_is_full(above, line, room) for above, line in pairwise(name)) else ()


def _is_full(line: Line, following: Line, room: float) -> bool:
    word = following.words[0].box if following.words else following.box
    return width(line.box) + _SPACE * line.size + width(word) > room


def _draft(view: PageView, panel: Box, text: Lines, name: Lines) -> Draft:
    number, box = view.page.number, union(line.box for line in text)
    rest = tuple(line for line in text if line not in name)
    said, contexts, custom = read_caption((name[0], *rest), number)
    whole = text_value(_whole(name), union(line.box for line in name), number, "caption", 0.9)
    attributes = {"product_name": whole} | {key: value for key, value in said.items() if key not in _NAMING}
    on_request = take_on_request(attributes)
    add_currency(attributes)
    shown = _shown_on(view, panel)
    return Draft(
        box=union([box, shown]) if shown else box,
        anchor=box,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=0.86,
        picture=shown,
        on_request=on_request,
    )


def _whole(name: Sequence[Line]) -> str:
    """The name in one line; a word that was broken behind a hyphen in one piece."""
    text = trim(name[0].text)
    for line in name[1:]:
        broken = text[-1] == "-" and text[-2:-1].isalpha() and line.text[:1].islower()
        text += ("" if broken else " ") + trim(line.text)
    return text
