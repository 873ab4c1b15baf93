"""Rules and fills that others were painted over."""

import numpy as np

from processing.engine.reading.overdrawn import without_overdrawn
from processing.engine.reading.port import Drawings
from processing.engine.reading.seen import Seen

# A row 40 points high and its two cells of 100, as a design program draws them one after the other.
ROW, CELLS = (20.0, 20.0, 200.0, 60.0), ((20.0, 20.0, 110.0, 120.0), (110.0, 20.0, 210.0, 120.0))
FOOT, SIDE = (20.0, 60.0, 200.0, 60.0), (200.0, 20.0, 200.0, 60.0)


def edges(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float, float, float]]:
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]


def drawn(over: tuple[int, ...] = (0, 4, 8)) -> Drawings:
    rules = [rule for box in (ROW, *CELLS) for rule in edges(*box)]
    return Drawings(tuple(rules), (ROW, *CELLS), 6, over=over)


def page() -> np.ndarray:
    return np.full((300, 500), 255, np.uint8)


def test_a_row_under_its_cells_is_left_out() -> None:
    found = without_overdrawn(drawn(), Seen.at(page(), 2.0))
    assert not ({FOOT, SIDE} & set(found.rules)) and ROW not in found.fills
    assert set(found.fills) == set(CELLS) and {rule for box in CELLS for rule in edges(*box)} <= set(found.rules)


def test_what_the_cells_leave_of_a_rule_is_kept() -> None:
    longer = (20.0, 70.0, 240.0, 70.0)
    drawings = drawn()
    drawings = drawings._replace(rules=(longer, *drawings.rules), over=(1, 5, 9))
    found = without_overdrawn(drawings, Seen.at(page(), 2.0)).rules
    assert (210.0, 70.0, 240.0, 70.0) in found and longer not in found


def test_a_rule_that_the_page_shows_is_kept() -> None:
    grey = page()
    grey[119:122, 40:400] = 0
    found = without_overdrawn(drawn(), Seen.at(grey, 2.0))
    assert FOOT in found.rules and ROW in found.fills


def test_fills_that_let_rules_show_through_hide_none() -> None:
    assert without_overdrawn(drawn((0, 0, 0)), Seen.at(page(), 2.0)) == drawn((0, 0, 0))


def test_nothing_is_hidden_where_the_page_was_not_drawn() -> None:
    assert without_overdrawn(drawn(), Seen.at(None, 2.0)) == drawn()
