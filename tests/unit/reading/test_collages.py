"""Cut-out things over one caption are one picture of a scan; those with a caption each are one each."""

import pytest

from processing.engine.reading.collages import together
from tests.unit.reading.test_photos import PX, fill, page

pytestmark = pytest.mark.req("TA-OCR")
# Three glasses a little apart, and the words right under them.
THINGS = [(60.0, 100.0, 100.0, 180.0), (104.0, 100.0, 144.0, 180.0), (148.0, 110.0, 188.0, 180.0)]
UNITED = (60.0, 100.0, 188.0, 180.0)
CAPTION = [(96.0, 188.0, 124.0, 198.0), (128.0, 188.0, 152.0, 198.0)]


def drawn(*boxes, rim=4.0):
    """Things that touch the edges of their boxes nowhere but in their middle."""

    def ground(pixels):
        for x0, y0, x1, y1 in boxes:
            fill(pixels, (x0 + rim, y0 + rim, x1 - rim, y1 - rim), 120)

    return page(ground)


def test_things_over_one_caption_are_one_picture():
    assert together(drawn(*THINGS), PX, THINGS, CAPTION) == [UNITED]


@pytest.mark.parametrize(
    "words",
    [
        [],
        [(x0 + 8, 188.0, x1 - 8, 198.0) for x0, _, x1, _ in THINGS],  # one each
        [(62.0, 188.0, 98.0, 198.0)],  # under the first
        [(x0, y0 + 40, x1, y1 + 40) for x0, y0, x1, y1 in CAPTION],  # further down
        [*CAPTION, *((x0, y0 + 14, x1, y1 + 14) for x0, y0, x1, y1 in CAPTION)],  # more than one line
        [(20.0, 188.0, 228.0, 198.0)],  # a line of running text
    ],
)
def test_others_stay_apart(words):
    assert sorted(together(drawn(*THINGS), PX, THINGS, words)) == THINGS


def test_photos_and_what_is_further_apart_are_no_such_things():
    assert sorted(together(drawn(*THINGS, rim=0.0), PX, THINGS, CAPTION)) == THINGS
    apart = [THINGS[0], (120.0, 100.0, 188.0, 180.0)]
    assert sorted(together(drawn(*apart), PX, apart, CAPTION)) == apart


def test_things_over_each_other_with_print_at_the_side_of_each_are_the_pictures_of_a_list():
    column = [(60.0, 100.0 + 64 * n, 120.0, 160.0 + 64 * n) for n in range(3)]
    note = [(70.0, 300.0, 110.0, 310.0)]
    assert together(drawn(*column), PX, column, note) == [(60.0, 100.0, 120.0, 288.0)]
    rows = [(140.0, 125.0 + 64 * n, 200.0, 135.0 + 64 * n) for n in range(3)]
    assert sorted(together(drawn(*column), PX, column, note + rows)) == column
