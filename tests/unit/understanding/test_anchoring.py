"""Boxes for a model, and from one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.drawing.views import box_on_page
from processing.engine.page import ParsedPage
from processing.engine.understanding.anchoring import SCALE, to_scale

sides = st.floats(30.0, 5000.0)
anywhere = st.floats(-3000.0, 9000.0)
boxes = st.tuples(anywhere, anywhere, anywhere, anywhere)


def sized(width: float, height: float) -> ParsedPage:
    return ParsedPage(1, width, height, 0, "test")


@pytest.mark.req("GR-COORD")
@given(boxes, sides, sides)
def test_a_models_box_ends_on_the_page_with_its_corners_in_order(
    box: tuple[float, float, float, float], width: float, height: float
) -> None:
    x0, y0, x1, y1 = box_on_page(sized(width, height), box)
    assert 0 <= x0 <= x1 <= width + 0.01 and 0 <= y0 <= y1 <= height + 0.01


@pytest.mark.req("GR-COORD")
@given(st.lists(st.integers(0, SCALE), min_size=4, max_size=4), sides, sides)
def test_a_box_on_the_scale_comes_back_as_it_went(corners: list[int], width: float, height: float) -> None:
    x0, x1 = sorted(corners[:2])
    y0, y1 = sorted(corners[2:])
    there = box_on_page(sized(width, height), (x0, y0, x1, y1))
    assert to_scale(there, sized(width, height)) == pytest.approx((x0, y0, x1, y1), abs=1)


@pytest.mark.req("GR-COORD")
def test_the_scale_spans_the_page_in_both_directions() -> None:
    assert box_on_page(sized(600, 900), (0, 0, 1000, 1000)) == (0, 0, 600, 900)
    assert box_on_page(sized(600, 900), (500, 500, 250, 100)) == (150, 90, 300, 450)
    assert box_on_page(sized(600, 900), (-50, 900, 2000, 1400)) == (0, 810, 600, 900)
    assert to_scale((150, 90, 300, 450), sized(600, 900)) == (250, 100, 500, 500)
