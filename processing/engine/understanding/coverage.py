"""How much of the page's product text ended in SKUs or was left out for a reason (X-COVER)."""

from catalogsku.core.box import Box, centre, contains_point
from catalogsku.core.text import squash
from processing.engine.result import RowTally, Sku
from processing.engine.understanding.signs import product_sign
from processing.engine.understanding.view import PageView


def coverage_share(
    view: PageView, used: tuple[Box, ...], tallies: tuple[RowTally, ...], skus: tuple[Sku, ...]
) -> float:
    """Product text accounted for, over all of it: unread rows and lines with prices, codes or labels count against.

    Tables that list no products are left out for that reason. 1.0 where there is no product text; a page on which
    nothing was found is judged by its type's confidence, not by coverage.
    """
    unresolved = sum(tally.unresolved for tally in tallies)
    if not skus:
        return 1.0 if unresolved == 0 else 0.0
    known = {squash(sku.attributes["model"].text) for sku in skus if "model" in sku.attributes}
    tables = tuple(table.box for table in view.page.tables)
    outside = [line for line in view.lines if not _within(centre(line.box), (*used, *tables))]
    left = sum(_worth(product_sign(line)) for line in outside if squash(line.text.split(" ", 1)[0]) not in known)
    return round(len(skus) / (len(skus) + unresolved + left), 4)


def _worth(sign: str | None) -> float:
    """A price is about one product; a code or a label a part of one."""
    return {"price": 1.0, "label": 0.3, "code": 0.3}.get(sign or "", 0.0)


def _within(point: tuple[float, float], boxes: tuple[Box, ...]) -> bool:
    return any(contains_point(box, *point) for box in boxes)
