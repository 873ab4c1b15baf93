"""Titles of cards: over them, level with their codes, or the nearest line in larger print."""

import re
from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, centre, gap, holds_centre, union
from processing.engine.page import Line
from processing.engine.understanding.cards.sheets import (
    TITLE,
    title_over,
)
from processing.engine.understanding.fields import is_labelled
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.view import PageView

_ALIGNED_PT = 5.0
# Points by which the print of titles of one kind differs, and that of recognised ones, of the smaller; the number of
# one among them ("2. Frying pan").
_SAME_PRINT_PT, _RECOGNISED_PRINT = 0.5, 0.25
_NUMBER = re.compile(r"^[(（]?\d{1,2}\s*[.、．)）]\s*(?=[^\d\s])")


def titles_over(view: PageView, groups: Sequence[Sequence[Field]]) -> list[Line] | None:
    """For each of several cards the title of its own over it, a picture or a text between them, all in one print; None
    where one has none."""
    cards = [(union(field.box for field in group), max(field.size for field in group)) for group in groups]
    lines = [msgspec.structs.replace(line, text=_NUMBER.sub("", line.text)) for line in view.lines]
    titles = [title for box, size in cards if (title := title_over(lines, box, size))]
    return titles if len(titles) == len(groups) > 1 and _are_alike(view, titles) else None


def titles_level(view: PageView, groups: Sequence[Sequence[Field]]) -> list[Line] | None:
    """For each of several cards the title in large print on the line of its code, as in a band over the card."""
    titles = []
    for group in groups:
        code = next((field for field in group if field.kind == "model" and field.value), None)
        level = [
            line
            for line in view.lines
            if code
            and line.box[1] <= centre(code.box)[1] <= line.box[3]
            and line.box[2] <= code.box[0]
            and line.size >= TITLE * code.size
        ]
        titles += [max(level, key=lambda line: line.box[2])] if level else []
    return titles if len(titles) == len(groups) > 1 and _are_alike(view, titles) else None


def _are_alike(view: PageView, titles: Sequence[Line]) -> bool:
    """Names in one print, each for itself; sizes that were recognised vary by a quarter."""
    sizes = [title.size for title in titles]
    even = max(sizes) - min(sizes) <= (_RECOGNISED_PRINT * min(sizes) if view.page.ocr else _SAME_PRINT_PT)
    apart = len({title.box for title in titles}) == len(titles)
    return even and apart and all(is_name(title.text) and not is_series(title.text) for title in titles)


def title_near(view: PageView, box: Box, size: float, taken: Sequence[Box]) -> Line | None:
    """The nearest line in larger print that may be a product's name, rather above than below; where a still larger one
    stands right above it (the name in the other language) that one. ``taken``: what stands in fields."""
    limit = 80.0 * view.scale
    larger = [
        line
        for line in view.lines
        if line.size > 1.1 * size > 0
        and is_name(line.text)
        and not is_labelled(line.text)
        and not (is_code(line.text) or is_price(line.text))
        and not holds_centre(taken, line.box)
    ]
    near = [line for line in larger if gap(line.box, box) <= limit and not _is_of_table(view, line, box)]
    title = min(near, key=lambda line: (_distance_up(line.box, box), line.box[1]), default=None)
    while title is not None and (above := next((line for line in larger if _is_over(line, title)), None)):
        title = above
    return title


def _distance_up(title: Box, box: Box) -> float:
    """Gap between the boxes; what stands below the fields, the next product's title, counts double."""
    return gap(title, box) * (2.0 if title[1] > box[3] else 1.0)


def _is_of_table(view: PageView, title: Line, fields: Box) -> bool:
    """Stands below the fields and in a table or right over it: "Contents of the set"."""
    under = title.box[1] > fields[3]
    tables = [t.box for t in view.page.tables if t.box[0] < title.box[2] and title.box[0] < t.box[2]] if under else []
    return any(box[1] - title.size <= title.box[3] <= box[3] for box in tables)


def _is_over(line: Line, title: Line) -> bool:
    """In larger print right above the title, beginning where it begins."""
    close = 0.0 <= title.box[1] - line.box[3] <= 0.5 * line.size
    return close and line.size > title.size and abs(line.box[0] - title.box[0]) <= _ALIGNED_PT
