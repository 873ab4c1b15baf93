"""Photos that touch on a scan are cut as photos are placed: in rows of one size, or one with a strip of small ones."""

from itertools import pairwise

import numpy as np
import pytest

from processing.engine.reading.joins import joined
from tests.unit.reading.test_photos import PX, fill, overlap, page, photo

pytestmark = pytest.mark.req("TA-OCR")
WHOLE = (60.0, 100.0, 260.0, 250.0)
BASE = 194.0  # where the strip begins


def shares(start, end, number):
    return list(pairwise(start + (end - start) * n / number for n in range(number + 1)))


def drawn(*boxes, over=()):
    """A page of photos whose walls differ in level, and of what is filled over them."""

    def ground(pixels):
        for n, box in enumerate(boxes):
            level = (212, 176, 236, 148, 222, 196)[n % 6]
            photo(pixels, box, top=level + 6, foot=level - 6)
        for box, level in over:
            fill(pixels, box, level)

    return page(ground)


def strip(number, base=BASE):
    main = (WHOLE[0], WHOLE[1], WHOLE[2], base)
    return [main, *((a, base, b, WHOLE[3]) for a, b in shares(WHOLE[0], WHOLE[2], number))]


def turned(box):
    return box[1], box[0], box[3], box[2]


def are(found, boxes):
    pairs = list(zip(sorted(found), sorted(boxes), strict=False))
    return len(found) == len(boxes) and all(overlap(a, b) > 0.94 for a, b in pairs)


@pytest.mark.parametrize("number", [2, 3, 5])
def test_a_large_photo_and_the_strip_under_it_are_cut(number):
    assert are(joined(drawn(*strip(number)), PX, [WHOLE]), strip(number))


def test_a_floor_in_two_halves_is_no_strip():
    low = strip(2, base=WHOLE[3] - (WHOLE[2] - WHOLE[0]) / 4)
    assert joined(drawn(*low), PX, [WHOLE]) == [WHOLE]


def test_a_strip_beside_the_large_photo_is_cut_too():
    boxes = [turned(box) for box in strip(2)]
    assert are(joined(drawn(*boxes), PX, [turned(WHOLE)]), boxes)


def test_rows_of_one_size_are_cut_each_with_its_strip():
    boxes = [(60.0, top, 190.0, foot) for top, foot in shares(100, 430, 3)]
    for top, foot in shares(100, 430, 3):
        boxes += [(190.0, a, 260.0, b) for a, b in shares(top, foot, 2)]
    assert are(joined(drawn(*boxes), PX, [(60.0, 100.0, 260.0, 430.0)]), boxes)


def test_two_with_a_strip_each_are_cut_in_their_middle_and_the_corner_of_a_room_is_not():
    boxes = [(a, 100.0, b, 190.0) for a, b in shares(60, 340, 2)]
    boxes += [(a, 190.0, b, 250.0) for start, end in shares(60, 340, 2) for a, b in shares(start, end, 2)]
    assert are(joined(drawn(*boxes), PX, [(60.0, 100.0, 340.0, 250.0)]), boxes)
    room = [(a, 100.0, b, 250.0) for a, b in shares(60, 340, 2)]
    assert joined(drawn(*room), PX, [(60.0, 100.0, 340.0, 250.0)]) == [(60.0, 100.0, 340.0, 250.0)]


def test_where_a_wall_meets_a_floor_or_a_table_nothing_is_cut():
    floor = [(*WHOLE[:3], BASE), (WHOLE[0], BASE, WHOLE[2], WHOLE[3])]
    assert joined(drawn(*floor), PX, [WHOLE]) == [WHOLE]
    leg = ((150.0, BASE, 156.0, WHOLE[3]), 90)  # upright, but in no place of a strip
    assert joined(drawn(*floor, over=[leg]), PX, [WHOLE]) == [WHOLE]


def test_tiles_that_go_on_over_the_edge_are_one_wall():
    tiles = [(a, top, b, foot) for top, foot in ((100.0, BASE), (BASE, 250.0)) for a, b in shares(60, 260, 2)]
    assert joined(drawn(*tiles), PX, [WHOLE]) == [WHOLE]


def test_a_strip_is_not_low():
    assert joined(drawn(*strip(5, base=218.0)), PX, [WHOLE]) == [WHOLE]


def test_an_edge_in_part_hidden_parts_photos_where_another_of_the_size_is_parted():
    moved = [(x0, y0 + 200, x1, y1 + 200) for x0, y0, x1, y1 in strip(2)]
    over = [((150.0, 420.0, 170.0, 436.0), 90), ((60.0, 390.0, 108.0, 410.0), 90)]
    below = (WHOLE[0], 300.0, WHOLE[2], 450.0)
    assert joined(drawn(*strip(2), *moved, over=over), PX, [below]) == [below]
    assert are(joined(drawn(*strip(2), *moved, over=over), PX, [WHOLE, below]), [*strip(2), *moved])


def test_one_of_several_of_its_size_is_whole_where_no_other_is_parted():
    up = [(x0, y0 - 90.0, x1, y1 - 90.0) for x0, y0, x1, y1 in (WHOLE, *strip(2))]
    others = [(60.0, 170.0, 260.0, 320.0), (60.0, 330.0, 260.0, 480.0)]
    sheet = drawn(*up[1:], *others)
    assert joined(sheet, PX, [up[0], *others]) == [up[0], *others]
    assert are(joined(sheet, PX, [up[0], others[0]]), [*up[1:], others[0]])


def test_an_edge_that_ends_before_the_side_or_parts_walls_without_a_thing_cuts_nothing():
    boxes = strip(2)
    mat = ((60.0, BASE - 30, 160.0, BASE + 20), 120)
    assert joined(drawn(*boxes, over=[mat]), PX, [WHOLE]) == [WHOLE]
    plain = [(box, level) for box, level in zip(boxes[1:], (150, 190), strict=True)]
    assert joined(drawn(boxes[0], over=plain), PX, [WHOLE]) == [WHOLE]


def test_stripes_have_more_edges_than_those_at_the_thirds():
    stripes = [((60.0, 100.0 + 20 * n, 360.0, 120.0 + 20 * n), 150 if n % 2 else 210) for n in range(15)]
    cloth = drawn((60.0, 100.0, 360.0, 400.0), over=stripes)
    assert joined(cloth, PX, [(60.0, 100.0, 360.0, 400.0)]) == [(60.0, 100.0, 360.0, 400.0)]


def test_what_is_smaller_than_a_photo_is_whole():
    assert joined(np.full((40, 40), 200, np.uint8), PX, [(0.0, 0.0, 20.0, 20.0)]) == [(0.0, 0.0, 20.0, 20.0)]
