"""Long strokes inside a photo, as the edges of a door's panels are, do not cut it as rules of the page do."""

import numpy as np
import pytest

from processing.engine.reading.photos import find_photos
from tests.unit.reading.test_photos import PX, fill, overlap, page

pytestmark = pytest.mark.req("TA-OCR")
DOOR = (100.0, 60.0, 200.0, 400.0)
EDGES = [
    (108.0, 68.0, 110.0, 392.0),
    (190.0, 68.0, 192.0, 392.0),
    (108.0, 68.0, 192.0, 70.0),
    (108.0, 390.0, 192.0, 392.0),
]


def door(levels):
    """A door that gets lighter downwards and to its right, with dark edges of its panel."""

    def ground(pixels):
        x0, y0, x1, y1 = (round(PX * v) for v in DOOR)
        across = np.linspace(0.0, levels[1] - levels[0], x1 - x0)[None]
        pixels[y0:y1, x0:x1] = np.linspace(*levels, y1 - y0)[:, None] + across
        for edge in EDGES:
            fill(pixels, edge, 20)

    return page(ground)


def test_a_door_is_one_photo_with_the_edges_of_its_panels():
    (box,) = find_photos(door((70.0, 130.0)), PX, [], EDGES).photos
    assert overlap(box, DOOR) > 0.9


def test_rules_on_a_shade_part_it():
    found = find_photos(door((200.0, 200.0)), PX, [], EDGES).photos
    assert not any(overlap(box, DOOR) > 0.9 for box in found)
