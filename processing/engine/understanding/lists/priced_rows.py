"""Menus and the like: rows of a name and one or more prices far at its right, with texts and headings between them.

Each row stands for itself, unlike in lists of one column of prices; two may stand beside each other. Nothing else tells
that it is a product, so that a person always looks at such a page.
"""

from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.lists.name_rows import are_unlike, at_one_edge, parted_row, read_row, row_draft
from processing.engine.understanding.lists.priced_names import is_broken
from processing.engine.understanding.lists.row_numbers import with_numbers
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.shapes import is_price, price_spans
from processing.engine.understanding.rules.wording import is_total
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

# Rows of a list at least.
_LEAST_ROWS = 4
# Share of the page's rows with prices that such a list has.
_MOSTLY = 0.8
# So many times the products that captions or cards tell, it is what the page is about.
_MORE = 2


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
    return tuple(row_draft(row, view.page.number) for row in with_numbers(found, lines))


def rows_tell_more(view: PageView, captions: Extraction, cards: Extraction) -> bool:
    """A menu with a photo beside some of its rows."""
    other = max(len(captions.drafts), len(cards.drafts))
    return 0 < _MORE * other <= len(extract_priced_rows(view).drafts)
