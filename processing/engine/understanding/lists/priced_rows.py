"""Menus and the like: rows of a name and one or more prices far at its right, with texts and headings between them.

Each row stands for itself, unlike in lists of one column of prices; two may stand beside each other. Nothing else tells
that it is a product, so that a person always looks at such a page.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from catalogsku.core.box import Box, height, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, Word
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, text_value
from processing.engine.understanding.lists.priced_names import FOUND, is_broken, may_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.shapes import is_price, price_spans
from processing.engine.understanding.rules.wording import is_total
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

# Rows of a list at least, and names at one left edge; points by which that edge may differ.
_LEAST_ROWS, _AT_ONE_EDGE, ALIGNED_PT = 4, 2, 8.0
# Share of the page's rows with prices that such a list has, and of its names that differ.
_MOSTLY = 0.8
# In em: the least gap before prices; the words of a sentence stand nearer to them.
_APART = 0.7
# Of a line's height: how far behind prices the next name stands.
_COLUMN_GAP = 1.0
# Of a price's height: how near above it a name stands that is too long for its row, and how small it may be.
_OVER, _SMALLER = 0.5, 0.8
# So many times the products that captions or cards tell, it is what the page is about.
_MORE = 2
_NUMBER = re.compile(r"\d{1,3}\s?[.、)]\s?(?=\D)")


# Where in a text the prices stand.
Spans = Callable[[str], tuple[tuple[int, int], ...]]


class Row(NamedTuple):
    """A name and the first price behind it; ``more``: further amounts that are none in brackets."""

    name: str
    place: Box
    price: str
    price_place: Box
    more: bool


@way("priced_rows")
def extract_priced_rows(view: PageView) -> tuple[Draft, ...]:
    """A product for each row, where nearly all prices of the page stand in such rows."""
    lines = [line for line in view.lines if not line.vertical]
    rows = baselines(lines)
    priced = [n for n, row in enumerate(rows) if any(is_price(line.text) for line in row)]
    if len(priced) < _LEAST_ROWS or any(is_total(line.text) for line in lines):
        return ()
    whole = [n for n in priced if not any(is_price(one.text) and is_broken(one, lines) for one in rows[n])]
    parted = [(n, parted_row(rows[n], price_spans)) for n in whole]
    read = [read_row(part, rows[n - 1] if n and len(parts) == 1 else [], price_spans)
            for n, parts in parted for part in parts]  # fmt: skip
    found = at_one_edge([row for row in read if row is not None])
    asked = len(priced) + sum(len(parts) - 1 for _, parts in parted)
    if len(found) < max(_LEAST_ROWS, _MOSTLY * asked) or not are_unlike(found):
        return ()
    return tuple(row_draft(row, view.page.number) for row in found)


def rows_tell_more(view: PageView, captions: Extraction, cards: Extraction) -> bool:
    """A menu with a photo beside some of its rows."""
    other = max(len(captions.drafts), len(cards.drafts))
    return 0 < _MORE * other <= len(extract_priced_rows(view).drafts)


def parted_row(row: Sequence[Line], spans: Spans) -> list[list[Line]]:
    """The row's lines up to its prices, and again from each further name on that has prices too."""
    parts: list[list[Line]] = [[]]
    for line in row:
        if any(spans(trim(one.text)) for one in parts[-1]) and _begins(line, parts[-1][-1], spans):
            parts.append([])
        parts[-1].append(line)
    if len(parts) > 1 and not any(spans(trim(line.text)) for line in parts[-1]):
        parts[-2:] = [[*parts[-2], *parts[-1]]]
    return parts


def _begins(line: Line, before: Line, spans: Spans) -> bool:
    """A name, clear of the prices of the one before."""
    text = trim(line.text)
    name = trim(text[: found[0][0]] if (found := spans(text)) else text)
    return may_name(name) and line.box[0] - before.box[2] >= _COLUMN_GAP * height(line.box)


def are_unlike(rows: Sequence[Row]) -> bool:
    """Nearly all names differ; equal ones are what prices are for."""
    return len({squash(row.name) for row in rows}) >= _MOSTLY * len(rows)


def read_row(row: Sequence[Line], above: Sequence[Line], spans: Spans) -> Row | None:
    at = next((n for n, line in enumerate(row) if spans(trim(line.text))), None)
    if at is None:
        return None
    line = row[at]
    text = trim(line.text)
    start, end = spans(text)[0]
    amount = part_box(line, text[start:end])
    before = [word for one in row[:at] for word in one.words]
    before += [word for word in line.words if word.box[2] <= amount[0] + 1.0]
    words = _before_gap(before, amount[0]) or _over(above, line)
    name = trim(" ".join(word.text for word in words))
    name = name[found.end() :] if (found := _NUMBER.match(name)) else name
    if not words or not may_name(name):
        return None
    rest = trim(" ".join([text[end:], *(one.text for one in row[at + 1 :])]))
    more = bool(spans(rest)) and not rest.startswith(("(", "（"))
    return Row(name, union(word.box for word in words), text[start:end], amount, more)


def _before_gap(words: Sequence[Word], end: float) -> list[Word]:
    """The words before the widest gap up to the price: behind it may stand what the price is for, "small"."""
    gaps = [right.box[0] - left.box[2] for left, right in pairwise(words)]
    if not words:
        return []
    gaps.append(end - words[-1].box[2])
    widest = max(range(len(gaps)), key=lambda n: gaps[n])
    return list(words[: widest + 1]) if gaps[widest] >= _APART * words[0].size else []


def _over(above: Sequence[Line], price: Line) -> list[Word]:
    """A name alone in the row right above, further left."""
    if len(above) != 1 or is_price(above[0].text) or above[0].box[0] >= price.box[0]:
        return []
    near = price.box[1] - above[0].box[3] <= _OVER * height(price.box)
    return list(above[0].words) if near and height(above[0].box) >= _SMALLER * height(price.box) else []


def at_one_edge(rows: Sequence[Row]) -> list[Row]:
    """Rows of names that begin under each other."""
    edges = [row.place[0] for row in rows]
    return [row for row in rows if sum(abs(row.place[0] - x) <= ALIGNED_PT for x in edges) >= _AT_ONE_EDGE]


def row_draft(row: Row, page_number: int) -> Draft:
    attributes = {
        "product_name": text_value(row.name, row.place, page_number, "caption", FOUND),
        "price": text_value(row.price, row.price_place, page_number, "caption", FOUND),
    }
    add_currency(attributes)
    whole = union([row.place, row.price_place])
    return Draft(box=whole, anchor=whole, attributes=attributes, confidence=FOUND, price_unclear=row.more)
