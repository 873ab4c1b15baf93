"""Menus without a currency: rows of a name and one or more bare amounts at its right, which fill the page.

Only that the amounts stand under each other, and what they are not, tells that they are prices; a person looks at all.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from processing.engine.understanding.draft import Draft
from processing.engine.understanding.lists.name_rows import are_unlike, at_one_edge, parted_row, read_row, row_draft
from processing.engine.understanding.lists.row_numbers import ALIGNED_PT, Row, with_numbers
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.normalise import amount
from processing.engine.understanding.rules.wording import is_total
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

# Rows at least, amounts at one edge, and the share of the page's text that the rows are: each dish may be told of in
# two more lines.
_LEAST_ROWS, _AT_ONE_EDGE, _FILLED = 6, 4, 0.3
# Share of amounts that rise from row to row, as several numbers of pages do, that may be years, or of sections.
_MOSTLY, _SEVERAL = 0.8, 4
_AMOUNT = r"(?:[1-9][0-9]{1,4}|[0-9]{1,3}[.,][0-9]{1,2})"
_ENDING = re.compile(rf"(?:^|(?<=\s))(?:{_AMOUNT}(?:\s?/\s?|\s|$)){{1,3}}$")
_ONE = re.compile(_AMOUNT)
_YEAR, _SECTION = re.compile(r"(?:19|20)\d\d"), re.compile(r"\d{1,2}[.．]\d")


@way("bare_rows")
def extract_bare_rows(view: PageView) -> tuple[Draft, ...]:
    """A product with an unclear price for each row, where nothing else stands on the page."""
    lines = [line for line in view.lines if not line.vertical]
    rows = baselines(lines)
    if any(is_total(line.text) for line in lines):
        return ()
    found = at_one_edge(_under_each_other([
        row for whole in rows for part in parted_row(whole, _amounts) if (row := read_row(part, (), _amounts))
    ]))  # fmt: skip
    if len(found) < max(_LEAST_ROWS, _FILLED * len(rows)) or not are_unlike(found) or not _may_be_prices(found):
        return ()
    return tuple(row_draft(row._replace(more=True), view.page.number) for row in with_numbers(found, lines))


def _amounts(text: str) -> tuple[tuple[int, int], ...]:
    """Where the bare amounts at a text's end stand."""
    ending = _ENDING.search(text)
    return tuple(found.span() for found in _ONE.finditer(text, ending.start())) if ending else ()


def _under_each_other(rows: Sequence[Row]) -> list[Row]:
    edges = [row.price_place[2] for row in rows]
    return [row for row in rows if sum(abs(row.price_place[2] - x) <= ALIGNED_PT for x in edges) >= _AT_ONE_EDGE]


def _may_be_prices(rows: Sequence[Row]) -> bool:
    """Neither the numbers of pages, nor years, nor what is measured section by section."""
    values = [float(amount(row.price) or 0) for row in rows]
    rising = sum(1 for a, b in pairwise(values) if a <= b)
    paged = len(set(values)) >= _SEVERAL and rising >= _MOSTLY * (len(rows) - 1)
    others = sum(1 for row in rows if _YEAR.fullmatch(row.price) or _SECTION.match(row.name))
    return not paged and others < (1 - _MOSTLY) * len(rows)
