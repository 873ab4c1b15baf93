"""A figure that was broken off from a price makes it unclear."""

import pytest

from processing.engine.page import Line
from processing.engine.understanding.broken_prices import with_broken_prices
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from tests.unit.understanding.pages import line


def unclear(price: Line, under: Line, table: str = "") -> bool:
    box = (50.0, 90.0, 300.0, 130.0)
    value = text_value(price.text, price.box, 1, "caption")
    draft = Draft(box, box, {"price": value}, table=table)
    return with_broken_prices([draft], [price, under])[0].price_unclear


def test_a_figure_right_under_an_amount_with_one_decimal_was_broken_off() -> None:
    assert unclear(line("$ 139.0", 200, 100, 14), line("0", 220, 116, 14))


@pytest.mark.parametrize(
    ("price", "under", "table"),
    [
        (line("$ 139.00", 200, 100, 14), line("0", 220, 116, 14), ""),  # whole
        (line("$ 139.5", 200, 100, 14), line("12", 220, 116, 14), ""),  # another number
        (line("$ 139.5", 200, 100, 14), line("6", 220, 118, 8), ""),  # other print
        (line("$ 139.5", 200, 100, 14), line("6", 220, 160, 14), ""),  # far below
        (line("$ 139.5", 200, 100, 14), line("6", 320, 116, 14), ""),  # elsewhere
        (line("$ 139.5", 200, 100, 14), line("6", 220, 116, 14), "G1"),  # of the next row
    ],
)
def test_other_figures_were_not(price: Line, under: Line, table: str) -> None:
    assert not unclear(price, under, table)
