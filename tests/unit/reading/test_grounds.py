"""What a scanned page is printed on: cards as white as most of the page, on a ground of another level."""

import pytest

from processing.engine.reading.blocks import blocks_of
from processing.engine.reading.grounds import grounds
from tests.unit.reading.test_photos import PX, fill, overlap, page

pytestmark = pytest.mark.req("TA-OCR")


@pytest.mark.parametrize(("ground", "cards"), [(60, 2), (248, 0)])
def test_white_cards_on_a_dark_ground_are_panels_although_most_of_the_page_is_white(ground, cards):
    boxes = [(30, 40, 190, 460), (210, 40, 370, 460)]

    def shown(pixels):
        fill(pixels, (0, 0, 400, 500), ground)
        for box in boxes:
            fill(pixels, box, 248)

    found = [box for box in grounds(blocks_of(page(shown), PX), []).panels if box[0] > 0]
    assert len(found) == cards and all(overlap(a, b) > 0.9 for a, b in zip(found, boxes, strict=False))
