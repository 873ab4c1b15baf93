"""Line drawings among the shapes of a page."""

import pytest

from processing.engine.reading.port import RIGHT, Drawings, Glyphs, PageSize, Shape
from processing.engine.reading.sketches import find_sketches

PAGE = PageSize(600, 800, 0)
NAME = Glyphs("Chair", (200, 100, 230, 110), 10, False, RIGHT, False, 0)


def chair(x, y, strokes=20):
    """Three shapes that overlap: seat, back, legs; 40 x 45 points."""
    return [
        Shape((x, y, x + 40, y + 20), strokes),
        Shape((x + 2, y + 18, x + 38, y + 30), strokes),
        Shape((x + 5, y + 32, x + 35, y + 45), strokes),
    ]


def found(shapes, words=(NAME,), size=PAGE, **more):
    return find_sketches(Drawings((), (), len(shapes), shapes=tuple(shapes), **more), words, size)


pytestmark = pytest.mark.req("TA-BR16")


def test_shapes_close_together_are_one_drawing_each():
    shapes = [*chair(50, 100), *chair(50, 300)]
    assert found(shapes) == [(50, 100, 90, 145), (50, 300, 90, 345)]


def test_order_of_drawing_does_not_matter():
    shapes = [*chair(50, 300), *chair(50, 100)]
    assert found(shapes[::-1]) == found(shapes) == [(50, 100, 90, 145), (50, 300, 90, 345)]


@pytest.mark.parametrize(
    "shapes",
    [
        pytest.param(chair(50, 100, strokes=5), id="too few strokes"),
        pytest.param([Shape((50, 100, 300, 130), 400)], id="an ornament"),
        pytest.param([Shape((50, 100, 60, 112), 400)], id="a sign in a line"),
        pytest.param([Shape((10, 10, 590, 790), 400)], id="the page's ground"),
        pytest.param(chair(190, 90), id="a diagram with text in it"),
    ],
)
def test_other_shapes_are_no_drawings(shapes):
    assert found(shapes) == []


def test_type_in_outlines_is_no_drawing():
    assert found(chair(50, 100), words=()) == []
    letters = [part for n in range(41) for part in chair(50 + 60 * (n % 8), 10 + 60 * (n // 8))]
    outside = Glyphs("x", (5, 790, 8, 798), 10, False, RIGHT, False, 0)
    assert len(found(letters[:-3], words=(outside,))) == 40
    assert found(letters, words=(outside,)) == []


def test_a_page_with_too_many_paths_is_left_alone():
    assert found(chair(50, 100), limited=True) == []
    assert found([*chair(50, 100), *[Shape((300, 700, 301, 701), 1)] * 5000]) == []


def test_a_drawing_that_leaves_the_page_ends_there():
    assert found(chair(-10, 100)) == [(0, 100, 30, 145)]
