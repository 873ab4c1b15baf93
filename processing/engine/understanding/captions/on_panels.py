"""Captions on panels: a hole in the print does not end one whose price stands further down on its own panel, without
a label."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, centre, contains_point, union
from processing.engine.understanding.captions.names import Lines, identifies
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.view import PageView

_LEAST, _MOST_LINES = 2, 16


def down_to_prices(view: PageView, found: Sequence[tuple[Box, Lines]]) -> list[Lines]:
    """The captions of pictures, each with all that its panel prints below, where every caption is alone on a panel,
    under its picture, and those without a price have one there. Labels say more, and are read as cards."""
    own = [lines for _, lines in found]
    panels = [_panel(view, picture, lines) for picture, lines in found]
    unpriced = [n for n, lines in enumerate(own) if not any("price" in identifies(line) for line in lines)]
    if len(found) < _LEAST or not unpriced or len(set(panels)) < len(panels) or None in panels:
        return own
    for n in unpriced:
        lines = _printed_below(view, panels[n], own[n])
        under = own[n][0].box[1] >= found[n][0][3]
        labelled = any(label_kind(line.text) or line_fields(line, 0) for line in lines[len(own[n]) :])
        if len(lines) > _MOST_LINES or labelled or not under or not any(is_price(line.text) for line in lines):
            return [lines for _, lines in found]
        own[n] = lines
    return own


def _panel(view: PageView, picture: Box, lines: Lines) -> Box | None:
    """The smallest panel under both the picture and its caption."""
    whole = [box for box in view.page.panels if contains_point(box, *centre(picture))
             and contains_point(box, *centre(union(line.box for line in lines)))]  # fmt: skip
    return min(whole, key=area, default=None)


def _printed_below(view: PageView, panel: Box | None, caption: Lines) -> Lines:
    """The caption, and what stands under its last line on the panel."""
    last = max(line.box[3] for line in caption)
    on = [line for line in view.lines if panel and contains_point(panel, *centre(line.box)) and line.box[1] >= last]
    return (*caption, *sorted(on, key=lambda line: (line.box[1], line.box[0])))
