"""Rows of a name and the prices behind it, as menus print them: told apart, read, and made products."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from catalogsku.core.box import height, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line, Word
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, part_box, text_value
from processing.engine.understanding.lists.priced_names import FOUND, may_name
from processing.engine.understanding.lists.row_numbers import ALIGNED_PT, Row, split_number
from processing.engine.understanding.rules.shapes import is_price

# Names at one left edge, and the share of them that differ.
_AT_ONE_EDGE, _MOSTLY = 2, 0.8
# In em: the least gap before prices; the words of a sentence stand nearer to them.
_APART = 0.7
# Of a line's height: how far behind prices the next name stands.
_COLUMN_GAP = 1.0
# Of a price's height: how near above it a name stands that is too long for its row, and how small it may be.
_OVER, _SMALLER = 0.5, 0.8

# Where in a text the prices stand.
Spans = Callable[[str], tuple[tuple[int, int], ...]]


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
    number, words = split_number(words)
    name = trim(" ".join(word.text for word in words))
    if not words or not may_name(name):
        return None
    rest = trim(" ".join([text[end:], *(one.text for one in row[at + 1 :])]))
    more = bool(spans(rest)) and not rest.startswith(("(", "（"))
    place = union([*(word.box for word in words), *([number.place] if number else [])])
    return Row(name, place, text[start:end], amount, more, number)


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
    if row.number:
        attributes["model"] = text_value(*row.number, page_number, "caption", FOUND)
    add_currency(attributes)
    whole = union([row.place, row.price_place])
    return Draft(box=whole, anchor=whole, attributes=attributes, confidence=FOUND, price_unclear=row.more)
