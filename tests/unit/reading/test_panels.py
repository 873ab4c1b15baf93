"""Shades and frames as large as cards are the page's panels."""

import pytest

from processing.engine.reading.panels import find_panels
from processing.engine.reading.port import Drawings, PageSize, Shape

pytestmark = pytest.mark.req("TA-T84")
A4 = PageSize(595, 842, 0)
CARD = (40.0, 100.0, 290.0, 300.0)


def edges(box):
    x0, y0, x1, y1 = box
    return (x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)


def found(*, rules=(), fills=(), shapes=(), seen=()):
    return find_panels(Drawings(tuple(rules), tuple(fills), 9, shapes=tuple(shapes)), seen, A4)


@pytest.mark.parametrize(
    "drawn",
    [
        {"fills": [CARD]},
        {"shapes": [Shape(CARD, 4)]},
        {"shapes": [Shape(CARD, 32)]},
        {"rules": edges(CARD)},
        {"seen": [CARD]},
        {"fills": [CARD], "rules": edges((41.0, 101.0, 290.0, 300.0))},
    ],
)
def test_a_shade_a_frame_and_a_rectangle_with_round_corners_are_one_panel(drawn):
    assert found(**drawn) == (CARD,)


@pytest.mark.parametrize(
    "drawn",
    [
        {"fills": [(0.0, 0.0, 595.0, 842.0)]},
        {"fills": [(40.0, 100.0, 290.0, 130.0)]},
        {"shapes": [Shape(CARD, 90)]},
        {"rules": edges(CARD)[:3]},
        {"fills": [(60.0 * (n % 9), 60.0 * (n // 9), 60.0 * (n % 9) + 130, 60.0 * (n // 9) + 70) for n in range(99)]},
    ],
)
def test_grounds_bars_drawings_and_the_cells_of_tables_are_none(drawn):
    assert found(**drawn) == ()
