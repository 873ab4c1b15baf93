"""Cards of one size, each with one picture, one price and one code: all print on a card is its picture's caption,
however far what is seen of a thing cut out on white stands from it, and whatever a scene beside the cards shows."""

from statistics import median

from catalogsku.core.box import Box, centre, contains_point, height, width
from processing.engine.page import Line
from processing.engine.understanding.captions.names import identifies, may_be_named
from processing.engine.understanding.captions.sides import MAX_LINES, Captioned
from processing.engine.understanding.fields import paired_fields
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, label_kind
from processing.engine.understanding.rules.shapes import is_on_request, is_price
from processing.engine.understanding.view import PageView

# Cards that make a page of them; of their width and height, how they vary.
_LEAST, _ALIKE = 4, 0.05
_IDENTITIES = ("model", CODE_OR_NUMBER)


def on_cards(view: PageView) -> list[Captioned]:
    """A caption a card; nothing where one card is told otherwise, or a picture with a price stands on none."""
    cards = view.cards
    if len(cards) < _LEAST or not all(_alike([side(card) for card in cards]) for side in (width, height)):
        return []
    labelled = paired_fields(view)
    others = [f.value.evidence.bbox for f in labelled if f.value and f.value.evidence and f.kind not in _IDENTITIES]
    found = []
    for card in cards:
        shown = [p for p in view.pictures if contains_point(card, *centre(p.box))]
        lines = _printed_on(view, card)
        if len(shown) != 1 or not _tells_one(lines, others):
            return []
        found.append(Captioned(shown[0], lines))
    prices = sum(map(_is_priced, view.lines))
    return found if prices == len(cards) else []


def _is_priced(line: Line) -> bool:
    return is_price(line.text) or is_on_request(line.text)


def _alike(sides: list[float]) -> bool:
    usual = median(sides)
    return all(abs(side - usual) <= _ALIKE * usual for side in sides)


def _printed_on(view: PageView, card: Box) -> tuple[Line, ...]:
    on = [line for line in view.lines if contains_point(card, *centre(line.box))]
    return tuple(sorted(on, key=lambda line: (line.box[1], line.box[0])))


def _tells_one(lines: tuple[Line, ...], others: list[Box]) -> bool:
    """One product: a name, a price and a code; ``others``: what stands under or beside labels of something else."""
    prices = sum(map(_is_priced, lines))
    free = [line for line in lines if not any(contains_point(box, *centre(line.box)) for box in others)]
    codes = sum("model" in identifies(line) for line in free)
    named = any(may_be_named(line) and not label_kind(line.text) for line in lines)
    return prices == codes == 1 and named and len(lines) <= MAX_LINES
