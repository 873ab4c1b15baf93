"""Which pictures of a page are shown, and where a box of an answer lies on the page."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.box import overlap_ratio
from processing.engine.drawing.views import LONG_PX, box_on_page, upright_box, upright_size, views_of
from tests.unit.understanding.pages import line, page

FINE = [line("M-100 12.50", 60, 60 + 7 * n, 5.0) for n in range(80)]
USUAL = [line("M-100 12.50", 60, 60 + 12 * n, 9.0) for n in range(40)]


def pixels(view):
    x0, y0, x1, y1 = view.box
    return (x1 - x0) * view.px_per_pt, (y1 - y0) * view.px_per_pt


@pytest.mark.parametrize(
    ("size", "labels"),
    [
        ((595.0, 842.0), ["page, upper half", "page, lower half"]),
        ((842.0, 595.0), ["page, left half", "page, right half"]),
    ],
)
def test_fine_print_is_shown_in_two_halves_that_overlap_and_are_larger(size, labels):
    (whole,), halves = views_of(page(*USUAL, size=size)), views_of(page(*FINE, size=size))
    assert (whole.label, max(pixels(whole))) == ("page", pytest.approx(LONG_PX))
    assert [half.label for half in halves] == labels
    assert all(max(pixels(half)) == pytest.approx(LONG_PX) for half in halves)
    assert halves[0].px_per_pt == halves[1].px_per_pt > 1.35 * whole.px_per_pt
    assert 0.1 < overlap_ratio(halves[0].box, halves[1].box) < 0.3


def test_a_page_of_very_many_lines_is_dense_whatever_its_type():
    many = [line("M 1", 20 + 50 * (n % 10), 20 + 25 * (n // 10), 9.0) for n in range(310)]
    assert len(views_of(page(*many))) == 2
    assert len(views_of(page(*many[:290]))) == 1


def test_a_few_footnotes_make_no_page_dense():
    assert len(views_of(page(*USUAL, line("Printed in 2026", 60, 800, 4.0)))) == 1


def test_a_page_without_print_and_a_small_page_are_shown_whole():
    (empty,), (card,) = views_of(page()), views_of(page(size=(240.0, 150.0)))
    assert empty.box == (0.0, 0.0, 595.0, 842.0)
    assert card.px_per_pt == pytest.approx(300 / 72), "300 dpi are enough"


@given(turn=st.integers(0, 3), x=st.integers(0, 899), y=st.integers(0, 899))
def test_a_box_of_an_answer_comes_back_to_its_place_on_the_page_as_displayed(turn, x, y):
    lying = msgspec.structs.replace(page(size=(400.0, 600.0)), turn=turn)
    answer = (float(x), float(y), float(x + 100), float(y + 50))
    width, height = upright_size(lying)
    shown = upright_box(lying, box_on_page(lying, answer))
    assert [v / width * 1000 for v in shown[::2]] == pytest.approx([answer[0], answer[2]])
    assert [v / height * 1000 for v in shown[1::2]] == pytest.approx([answer[1], answer[3]])


def test_a_box_beyond_the_page_collapses_onto_its_edge():
    assert box_on_page(page(size=(400.0, 600.0)), (500, -50, 1200, 500)) == (200.0, 0.0, 400.0, 300.0)
