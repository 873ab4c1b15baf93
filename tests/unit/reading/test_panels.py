"""Shades and frames as large as cards are the page's panels."""

import pytest

from processing.engine.reading.panels import find_panels, seen_frames
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


FRAME = [(40, 100, 300, 101.5), (41, 248, 299, 249.5), (40, 100, 41, 249), (298.5, 101, 300, 250)]


def test_four_strokes_that_meet_are_the_frame_of_a_card_whatever_is_drawn_in_it():
    photo = edges((60, 120, 160, 200))
    assert (40, 100, 300, 249.5) in seen_frames([*FRAME, *photo, (60, 230, 120, 231)])


@pytest.mark.parametrize(
    "strokes",
    [
        FRAME[:3],
        [*FRAME, (40, 150, 300, 151)],
        [*FRAME, (140, 100, 141, 249)],
        [*FRAME[:3], (298.5, 101, 300, 400)],
        [*FRAME[1:], (40, 100, 200, 101)],
    ],
)
def test_strokes_of_a_table_or_without_four_corners_frame_nothing(strokes):
    assert seen_frames(strokes) == []
