"""Captions on panels: neither a hole in the print nor a picture ends one that goes on further down on its panel."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, centre, contains_point, union
from processing.engine.page import Line
from processing.engine.understanding.captions.names import Lines, identifies
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

_LEAST, _MOST_LINES = 2, 16
# Points by which the size of one print may differ.
_SAME_PRINT_PT = 0.3


def down_panels(view: PageView, captions: Sequence[tuple[Box, Lines]]) -> list[Lines]:
    """The captions of pictures, each with all that its panel prints below, where every caption is alone on a panel: its
    price, labels with their values, also under the picture that stands between. As they are where that tells of more
    than one product, or is running text without a price."""
    own = [lines for _, lines in captions]
    panels = [_panel(view, picture, lines) for picture, lines in captions]
    if len(captions) < _LEAST or len(set(panels)) < len(panels) or None in panels:
        return own
    whole = [_printed_below(view, panel, lines) for panel, lines in zip(panels, own, strict=True)]
    return own if any(_is_more(lines, before) for lines, before in zip(whole, own, strict=True)) else whole


def _is_more(whole: Lines, caption: Lines) -> bool:
    """More than what goes on with a caption; where a label says which is the code, a card."""
    rest = whole[len(caption) :]
    if any("model" in (label_kind(line.text), *(field.kind for field in line_fields(line, 0))) for line in rest):
        return True
    priced = any(is_price(line.text) for line in whole)
    running = any(is_sentence(line.text) for line in rest) and not priced
    return len(whole) > _MOST_LINES or running or any(_is_another(line, caption) for line in rest)


def _is_another(line: Line, caption: Lines) -> bool:
    """Identifies a product in the print in which the caption does so."""
    codes = [own for own in caption if "model" in identifies(own)]
    return "model" in identifies(line) and any(abs(line.size - own.size) <= _SAME_PRINT_PT for own in codes)


def _panel(view: PageView, picture: Box, lines: Lines) -> Box | None:
    """The smallest panel under the caption; what is shown on it is the caption's picture or nothing."""
    whole = [box for box in view.page.panels if contains_point(box, *centre(union(line.box for line in lines)))]
    own = min(whole, key=area, default=None)
    shown = [p.box for p in view.pictures if own and contains_point(own, *centre(p.box))]
    return own if all(box == picture for box in shown) else None


def _printed_below(view: PageView, panel: Box | None, caption: Lines) -> Lines:
    """The caption, and what stands under its last line on the panel."""
    last = max(line.box[3] for line in caption)
    on = [line for line in view.lines if panel and contains_point(panel, *centre(line.box)) and line.box[1] >= last]
    return (*caption, *sorted(on, key=lambda line: (line.box[1], line.box[0])))
