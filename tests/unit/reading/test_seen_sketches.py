"""Line drawings of a scanned price list are pictures; its tables, figures and marks are none."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from processing.engine.reading.ruling import lines_of
from processing.engine.reading.seen_sketches import beside_photos, find_seen_sketches

pytestmark = pytest.mark.req("TA-OCR")
PX = 2.4  # pixels per point
TEXT = (150.0, 100.0, 320.0, 112.0)
CHAIR = (60.0, 90.0, 110.0, 160.0)


def at(*points):
    return tuple(round(PX * v) for v in points)


def chair(pen, box=CHAIR, ink=60):
    """A back with slats, a seat, four legs and a shadow, all in lines."""
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    pen.rectangle(at(x0, y0, x1, y0 + 0.4 * high), outline=ink, width=2)
    for n in range(1, 6):
        pen.line(at(x0 + n * wide / 6, y0, x0 + n * wide / 6, y0 + 0.4 * high), ink, 2)
    pen.ellipse(at(x0, y0 + 0.4 * high, x1, y0 + 0.6 * high), outline=ink, width=2)
    for n in range(4):
        pen.line(at(x0 + n * wide / 3, y0 + 0.55 * high, x0 + (n + 0.4) * wide / 4, y1), ink, 2)
    pen.line(at(x0, y1, x1, y1), ink, 2)


def found(draw, words=(TEXT,)):
    image = Image.new("L", at(400, 300), 246)
    draw(ImageDraw.Draw(image))
    noise = np.random.default_rng(5).standard_normal((image.height, image.width)) * 5
    image = Image.fromarray(np.clip(np.asarray(image, np.float32) + noise, 0, 255).astype(np.uint8)).convert("RGB")
    return find_seen_sketches(image, PX, words, lines_of(image, PX, words).strokes)


@pytest.mark.parametrize("ink", [60, 190])
def test_a_drawing_beside_text_is_a_picture_also_in_pale_lines(ink):
    (box,) = found(lambda pen: chair(pen, ink=ink))
    assert box == pytest.approx(CHAIR, abs=5)


def test_a_table_is_none():
    def draw(pen):
        for n in range(6):
            pen.line(at(60, 90 + 12 * n, 140, 90 + 12 * n), 40, 2)
            pen.line(at(60 + 16 * n, 90, 60 + 16 * n, 150), 40, 2)

    assert found(draw, words=(TEXT, (64.0, 93.0, 72.0, 99.0))) == []


@pytest.mark.parametrize("right", [340, 146])
def test_a_drawing_in_a_cell_of_a_table_is_a_picture(right):
    def draw(pen):
        chair(pen)
        for x in (54, 116, right):
            pen.line(at(x, 84, x, 166), 40, 3)
        for y in (84, 166):
            pen.line(at(54, y, right, y), 40, 3)

    (box,) = found(draw, words=((120.0, 100.0, 142.0, 108.0),))
    assert box == pytest.approx(CHAIR, abs=6)


def test_a_drawing_of_straight_lines_close_under_the_rule_of_its_row_is_a_picture():
    def draw(pen):
        for y in (80, 150):
            pen.line(at(20, y, 380, y), 40, 3)
        pen.rectangle(at(60, 83, 100, 142), outline=60, width=3)
        for n in range(1, 6):
            pen.line(at(60, 83 + 10 * n, 100, 83 + 10 * n), 60, 3)
        pen.line(at(80, 83, 80, 142), 60, 3)

    (box,) = found(draw, words=(TEXT, (44.0, 82.0, 70.0, 89.0)))
    assert box == pytest.approx((60, 83, 100, 142), abs=8)


def test_parts_with_a_gap_are_one_drawing():
    def draw(pen):
        chair(pen, (60, 90, 110, 122))
        chair(pen, (60, 131, 110, 160))

    assert len(found(draw)) == 1


def test_pictures_of_the_rows_of_a_table_are_one_each_however_close():
    """Print stands beside the middle of each, as far from the next as rows are; beside lines of a text all is one."""

    def draw(pen):
        chair(pen, (60, 90, 110, 130))
        chair(pen, (60, 136, 110, 176))

    rows = [(150.0, y, 320.0, y + 10) for y in (105.0, 151.0)]
    assert [box[1] for box in found(draw, words=rows)] == pytest.approx([90, 136], abs=4)
    assert len(found(draw, words=[(150.0, y, 320.0, y + 8) for y in range(90, 180, 11)])) == 1


def test_a_wheel_of_curves_with_words_in_it_is_a_diagram():
    def draw(pen):
        for n in range(5):
            pen.ellipse(at(60 + 4 * n, 90 + 4 * n, 110 - 4 * n, 160 - 4 * n), outline=60, width=2)

    assert len(found(draw)) == 1
    assert found(draw, words=(TEXT, (80.0, 122.0, 90.0, 128.0))) == []


def test_a_drawing_with_words_in_it_is_a_diagram():
    assert found(chair, words=(TEXT, (70.0, 125.0, 100.0, 133.0))) == []


@pytest.mark.parametrize("box", [(60, 90, 75, 104), (60, 90, 140, 110)])
def test_marks_and_ornaments_are_none(box):
    assert found(lambda pen: chair(pen, box)) == []


def test_nothing_is_looked_for_on_a_page_without_text():
    assert found(chair, words=()) == []


def test_a_photo_goes_before_its_part_and_a_drawing_before_its_piece():
    photo, drawing, piece = (0.0, 0.0, 100.0, 100.0), (200.0, 0.0, 260.0, 80.0), (230.0, 10.0, 255.0, 40.0)
    part = (10.0, 10.0, 40.0, 40.0)
    assert beside_photos([part, drawing], [photo, piece]) == [drawing, photo]


def test_photos_go_before_a_drawing_made_of_them():
    photos = [(0.0, 0.0, 50.0, 50.0), (0.0, 56.0, 50.0, 100.0)]
    assert beside_photos([(0.0, 0.0, 50.0, 106.0)], photos) == photos


def test_a_drawing_goes_before_its_pieces_that_differ_in_height_and_width():
    pieces = [(0.0, 0.0, 40.0, 44.0), (43.0, 20.0, 66.0, 44.0)]
    drawing = (0.0, 0.0, 66.0, 44.0)
    assert beside_photos([drawing], pieces) == [drawing]
