"""What the document pass needs of one page: margin lines, picture hashes, codes and whether it is a contents page."""

import re
from collections.abc import Sequence

from catalogsku.core.box import centre, height, width
from catalogsku.core.text import squash, trim
from processing.engine.evaluation.scores import MarginSummary
from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.understanding.contents import is_contents
from processing.engine.understanding.rules.labels import EXTRA, FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.running import in_margin, picture_key, running_form
from processing.engine.understanding.tables.open_table import baselines

# Smaller pictures may be logos: share of the page's short side.
_LEAST_PICTURE = 0.08
_MOST_LINES = 6
# A list's lines: points by which they begin apart, how unlike their heights are, of its step how uneven that is, and
# the step in heights.
_ALIGNED_PT, _UNLIKE, _UNEVEN, _STEP = 5.0, 0.25, 0.15, 2.2
_MOST_CODES = 80
_AMOUNT = re.compile(r"\d[\d.,\s]*[^\W\d_]{1,3}")


def summarise_margins(page: ParsedPage) -> MarginSummary:
    """``lines``: margin lines in running form; ``codes``: empty on pages with prices, which are no indexes.

    ``picture_hashes`` name the place too ("hash@4,19", in twentieths of the page): a logo keeps its place, while a
    product's picture may be shown again elsewhere.
    """
    lines = sorted(page.lines, key=lambda line: (line.box[1], line.box[0]))
    outer = [line for line in lines if trim(line.text) and in_margin(line.box, page.height_pt)]
    middle = page.height_pt / 2
    top = [line for line in outer if line.box[3] < middle][:_MOST_LINES]
    bottom = [line for line in outer if line.box[3] >= middle][-_MOST_LINES:]
    own = _continuing(lines, top[::-1]) + _continuing(lines, bottom)
    printed = [line for line in (*top, *bottom) if not any(line is other for other in own)]
    printed = [line for line in printed if not _is_caption(page, line) and not _is_amount(line)]
    heads = [line for row in baselines(printed) if _is_table_head(row) for line in row]
    margin = dict.fromkeys(running_form(line.text) for line in printed if not any(line is head for head in heads))
    hashes = dict.fromkeys(_placed(page, picture) for picture in page.pictures if picture_key(picture))
    priced = any(is_price(line.text) for line in lines)
    return MarginSummary(
        page.number, tuple(margin), tuple(hashes), () if priced else tuple(_codes(lines)), is_contents(page)
    )


def _placed(page: ParsedPage, picture: Picture) -> str:
    x, y = centre(picture.box)
    across, down = int(20 * x / max(1.0, page.width_pt)), int(20 * y / max(1.0, page.height_pt))
    return f"{picture_key(picture)}@{across},{down}"


def _is_amount(line: Line) -> bool:
    """A number with a unit: the values of products are alike from page to page, headers and page numbers none."""
    text = trim(line.text)
    return _AMOUNT.fullmatch(text) is not None and running_form(text) == squash(text)


def _is_caption(page: ParsedPage, line: Line) -> bool:
    """Stands right below a picture that is no logo, and no wider than it: the same words may caption several pages."""
    short = _LEAST_PICTURE * min(page.width_pt, page.height_pt)
    return any(
        min(width(box), height(box)) >= short
        and box[0] - 2 <= line.box[0]
        and line.box[2] <= box[2] + 2
        and -2 <= line.box[1] - box[3] <= 2.5 * height(line.box)
        for box in (picture.box for picture in page.pictures)
    )


def _continuing(lines: Sequence[Line], margin: Sequence[Line]) -> list[Line]:
    """Of a margin's lines, from the inside out, those with which a list of the page's own goes on, by print and step:
    the labels of a card that reaches there are the same on every page."""
    continuing: list[Line] = []
    strange = set(map(id, margin))
    for line in margin:
        steps = {id(other): _step(line, other) for other in lines if _is_in_column(line, other)}
        step = min((step for name, step in steps.items() if name not in strange), key=abs, default=0.0)
        near = 0.0 < abs(step) <= _STEP * height(line.box)
        if near and any(_is_regular(step, other) for other in steps.values()):
            continuing.append(line)
            strange.remove(id(line))
    return continuing


def _step(line: Line, other: Line) -> float:
    return centre(other.box)[1] - centre(line.box)[1]


def _is_regular(step: float, other: float) -> bool:
    """Whether another line is as far beyond the next one, or on the other side, as the next one is."""
    return min(abs(other - 2 * step), abs(other + step)) <= _UNEVEN * abs(step)


def _is_in_column(line: Line, other: Line) -> bool:
    alike = abs(height(line.box) - height(other.box)) <= _UNLIKE * height(line.box)
    return other is not line and alike and abs(line.box[0] - other.box[0]) <= _ALIGNED_PT


def _is_table_head(row: list[Line]) -> bool:
    """Labels side by side, the head of a table that goes on from page to page: no running header."""
    kinds = [label_kind(line.text) for line in row]
    return sum(1 for kind in kinds if kind and kind not in (EXTRA, FOREIGN)) >= 2


def _codes(lines: list[Line]) -> list[str]:
    heads = (trim(line.text).split(" ", 1)[0] for line in lines)
    codes = dict.fromkeys(squash(head) for head in heads if is_code(head) and any(char.isalpha() for char in head))
    return list(codes)[:_MOST_CODES]
