"""Photos that stand close together on a scan are cut at the paper between them, and a photo nowhere else."""

from itertools import pairwise

import pytest

from processing.engine.reading.seams import cut_at_rules, hidden_rules, parted
from tests.unit.reading.test_photos import PX, fill, overlap, page, photo

pytestmark = pytest.mark.req("TA-OCR")
WHOLE = (60.0, 100.0, 362.0, 240.0)


def row(seam, number=3, **wall):
    """Photos of equal width in WHOLE, with so many points between them, and their boxes."""
    wide = (WHOLE[2] - WHOLE[0] - (number - 1) * seam) / number
    boxes = [(WHOLE[0] + n * (wide + seam), 100.0, WHOLE[0] + n * (wide + seam) + wide, 240.0) for n in range(number)]

    def ground(pixels):
        for box in boxes:
            photo(pixels, box, **wall)

    return page(ground), boxes


@pytest.mark.parametrize("seam", [1.0, 2.0, 5.0])
@pytest.mark.parametrize("wall", [{"top": 200.0, "foot": 170.0}, {"top": 240.0, "foot": 224.0}])
def test_photos_in_a_row_are_cut_at_their_seams(seam, wall):
    pixels, boxes = row(seam, **wall)
    found = sorted(parted(pixels, PX, [WHOLE]))
    assert len(found) == 3 and all(overlap(a, b) > 0.9 for a, b in zip(found, boxes, strict=True))


def test_a_part_of_a_thing_that_goes_on_around_it_is_not_cut():
    """What is around it is no paper, so that a light line in it is none either."""

    def ground(pixels):
        photo(pixels, (40, 80, 382, 260), top=60.0, foot=180.0)
        fill(pixels, (208, 100, 211, 240), 190)

    assert parted(page(ground), PX, [WHOLE]) == [WHOLE]


def test_walls_as_white_as_the_paper_at_their_top_have_seams_too():
    pixels, boxes = row(2.0, top=248.0, foot=222.0)
    found = sorted(parted(pixels, PX, [WHOLE]))
    assert len(found) == 3 and all(overlap(a, b) > 0.9 for a, b in zip(found, boxes, strict=True))


def test_a_block_of_four_is_cut_both_ways():
    boxes = [(x, y, x + 99.0, y + 69.0) for x in (60.0, 161.0) for y in (100.0, 171.0)]

    def ground(pixels):
        for box in boxes:
            photo(pixels, box, top=215.0, foot=190.0)

    found = sorted(parted(page(ground), PX, [(60.0, 100.0, 260.0, 240.0)]))
    assert len(found) == 4 and all(overlap(a, b) > 0.9 for a, b in zip(found, boxes, strict=True))


def test_what_does_not_run_from_side_to_side_or_is_no_paper_cuts_nothing():
    def white_bar(top, level):
        def ground(pixels):
            photo(pixels, WHOLE, top=200.0, foot=180.0)
            fill(pixels, (208, top, 211, 240), level)

        return page(ground)

    assert parted(white_bar(150, 248), PX, [WHOLE]) == [WHOLE]  # from half the height down
    assert parted(white_bar(100, 222), PX, [WHOLE]) == [WHOLE]  # lighter than the wall, no paper
    assert parted(row(0.0, top=200.0, foot=180.0)[0], PX, [WHOLE]) == [WHOLE]


def test_no_part_is_too_small_for_a_photo():
    def ground(pixels):
        photo(pixels, WHOLE, top=200.0, foot=180.0)
        fill(pixels, (70, 100, 73, 240), 248)

    assert parted(page(ground), PX, [WHOLE]) == [WHOLE]


def meeting(levels, ends=None, thing=True):
    """A page with walls of those levels in WHOLE, one beside the other without paper, and a thing before each."""
    ends = ends or [WHOLE[0] + n * (WHOLE[2] - WHOLE[0]) / len(levels) for n in range(len(levels) + 1)]
    boxes = [(left, WHOLE[1], right, WHOLE[3]) for left, right in pairwise(ends)]

    def ground(pixels):
        for box, level in zip(boxes, levels, strict=True):
            if thing:
                photo(pixels, box, top=level + 6, foot=level - 6)
            else:
                fill(pixels, box, level)

    return page(ground), boxes


def test_photos_of_one_size_are_cut_where_walls_of_unlike_level_meet():
    pixels, boxes = meeting((210.0, 185.0, 200.0))
    found = sorted(parted(pixels, PX, [WHOLE]))
    assert len(found) == 3 and all(overlap(a, b) > 0.95 for a, b in zip(found, boxes, strict=True))


def test_one_corner_of_a_room_cuts_nothing():
    assert parted(meeting((210.0, 185.0))[0], PX, [WHOLE]) == [WHOLE]


def test_walls_that_meet_at_unequal_places_are_one_room():
    pixels, _ = meeting((210.0, 185.0, 200.0), [WHOLE[0], 140.0, 290.0, WHOLE[2]])
    assert parted(pixels, PX, [WHOLE]) == [WHOLE]


def test_stripes_without_a_thing_before_them_are_one_photo():
    assert parted(meeting((210.0, 185.0, 200.0), thing=False)[0], PX, [WHOLE]) == [WHOLE]


def test_doors_that_do_not_reach_from_side_to_side_are_one_wardrobe():
    pixels, _ = meeting((210.0, 185.0, 200.0))
    fill(pixels, (WHOLE[0], WHOLE[1], WHOLE[2], WHOLE[1] + 40), 225)
    assert parted(pixels, PX, [WHOLE]) == [WHOLE]


TALL = (60.0, 100.0, 140.0, 300.0)


def rules(*heights, left=True):
    stubs = [(48.0, y, 61.0, y + 1) for y in heights] if left else []
    return [*stubs, *((141.0, y, 500.0, y + 1) for y in heights), (48.0, 80.0, 500.0, 81.0)]


def cut(drawn):
    hidden = hidden_rules([TALL], drawn)
    return [rule[1] for rule in hidden], cut_at_rules([TALL], hidden)


def test_photos_that_touch_are_cut_where_they_hide_the_rules_of_their_rows():
    parts = [(60.0, 100.0, 140.0, 170.5), (60.0, 170.5, 140.0, 240.5), (60.0, 240.5, 140.0, 300.0)]
    assert cut(rules(170.0, 240.0)) == ([170.5, 240.5], parts)


def test_a_photo_in_a_merged_cell_or_over_the_edge_of_its_row_is_whole():
    assert cut(rules(170.0, 240.0, left=False)) == ([], [TALL])
    assert cut(rules(290.0)) == ([290.5], [TALL])


@pytest.mark.parametrize("corner", [300.0, 280.0])
def test_the_edge_of_a_shaded_row_runs_on_along_a_photo_from_the_corner_of_that_row(corner):
    """Without that corner another row ends there beside the photo, which stands in a merged cell."""
    edges = [(140.0, 300.0, 400.0, 301.0), (59.0, corner, 60.0, 320.0)]
    assert [rule[1] for rule in hidden_rules([TALL], edges)] == ([300.5] if corner == 300.0 else [])


@pytest.mark.parametrize(("shade", "kept"), [(100, 1), (None, 2)])
def test_a_bar_of_one_colour_under_a_photo_is_none(shade, kept):
    """It shows the shade of what stands over it; a slender photo is one."""

    def ground(pixels):
        photo(pixels, (60, 100, 200, 238), top=215.0, foot=190.0)
        if shade is None:
            photo(pixels, (60, 240, 200, 270), top=215.0, foot=190.0)
        else:
            fill(pixels, (60, 240, 200, 270), shade)

    found = parted(page(ground), PX, [(60.0, 100.0, 200.0, 270.0)])
    assert len(found) == kept and max(found, key=lambda box: box[3] - box[1])[3] < 242.0
