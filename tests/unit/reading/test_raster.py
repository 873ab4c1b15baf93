"""Pixels tell what a drawing would have: the page's tilt, its rules and shades, where print is, where photos are."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from processing.engine.reading.photos import find_photos, without_edges
from processing.engine.reading.raster import carries_print, contrasting, ink, straightened, tilt
from processing.engine.reading.ruling import Lines, lines_of

PX = 2.0  # pixels per point


def sheet(width=600, height=800, paper=250):
    image = Image.new("RGB", (width, height), (paper, paper, paper))
    return image, ImageDraw.Draw(image)


def ruled(columns=(100, 250, 400), rows=(100, 160, 220, 280)):
    image, pen = sheet()
    for x in columns:
        pen.line((x, rows[0], x, rows[-1]), "black", 2)
    for y in rows:
        pen.line((columns[0], y, columns[-1], y), "black", 2)
    return image, pen


def grain(image, strength=5.0):
    noise = np.random.default_rng(7).standard_normal((image.height, image.width, 1)) * strength
    return Image.fromarray(np.clip(np.asarray(image, np.float32) + noise, 0, 255).astype(np.uint8))


def places(boxes):
    level = sorted({round((b[1] + b[3]) / 2) for b in boxes if b[2] - b[0] > b[3] - b[1]})
    upright = sorted({round((b[0] + b[2]) / 2) for b in boxes if b[2] - b[0] < b[3] - b[1]})
    return upright, level


@pytest.mark.parametrize("degrees", [-1.4, -0.3, 0.3, 2.0])
def test_a_page_that_lies_askew_is_turned_straight(degrees):
    image, _ = ruled(rows=tuple(range(100, 700, 40)))
    askew = grain(image.rotate(degrees, Image.Resampling.BILINEAR, fillcolor=(250, 250, 250)))
    assert tilt(np.asarray(askew.convert("L"))) == pytest.approx(-degrees, abs=0.06)
    assert abs(tilt(np.asarray(straightened(askew).convert("L")))) <= 0.06


@pytest.mark.parametrize(
    ("paper", "wall"),
    [((244, 211, 77), (217, 210, 196)), ((31, 35, 40), (90, 92, 96)), ((250, 250, 250), (225, 225, 225))],
)
def test_photos_are_darker_than_the_paper_whatever_its_colour(paper, wall):
    """Yellow paper and a beige wall are equally bright; dark paper is darker than what is shown on it."""
    image = Image.new("RGB", (400, 500), paper)
    ImageDraw.Draw(image).rectangle((100, 120, 200, 220), wall)
    grey = contrasting(image).astype(int)
    assert grey[10, 10] - grey[150, 150] > 20


def test_a_straight_page_and_a_blank_one_are_left_as_they_are():
    image, _ = ruled()
    assert straightened(image) is image and tilt(np.full((500, 400), 250, np.uint8)) == 0.0


def test_ink_is_the_print_in_a_box_without_the_rule_under_it():
    image, pen = sheet()
    pen.rectangle((120, 110, 180, 130), "black")
    pen.line((90, 140, 300, 140), "black", 2)
    assert ink(np.asarray(image.convert("L")), (100, 100, 200, 145)) == (120, 110, 181, 131)
    assert ink(np.asarray(image.convert("L")), (400, 400, 500, 420)) == (400, 400, 500, 420)


def test_a_table_carries_print_and_a_product_photo_does_not():
    letters = np.full((300, 400), 250, np.uint8)
    for y in range(20, 280, 40):
        letters[y : y + 16, 20:380:6] = 30
    photo, pen = sheet(400, 300)
    pen.ellipse((60, 40, 340, 260), (90, 110, 130))
    pen.ellipse((150, 100, 250, 200), (230, 220, 190))
    assert carries_print(letters, PX)
    assert not carries_print(np.asarray(grain(photo).convert("L")), PX)


def diagram():
    """Boxes with a label and wires between them on bare paper."""
    image, pen = sheet(800, 600)
    for x in range(20, 740, 60):
        pen.rectangle((x, 60, x + 40, 540), outline="black", width=2)
        for y in range(90, 520, 60):
            pen.line((x + 40, y, x + 60, y), "black", 2)
            for at in range(0, 24, 6):
                pen.line((x + 10 + at, y, x + 10 + at, y + 12), "black", 2)
    return image, pen


def test_a_figure_of_wires_and_labels_is_not_print_until_parts_of_it_are_filled():
    image, pen = diagram()
    assert not carries_print(np.asarray(image.convert("L")), PX)
    pen.rectangle((20, 60, 720, 84), (200, 205, 210))
    assert carries_print(np.asarray(image.convert("L")), PX)


class TestPhotos:
    def page(self):
        """A photo on its own pale ground in a table's cell, a shaded heading, and words."""
        image, pen = ruled()
        pen.rectangle((102, 102, 398, 158), (40, 90, 80))
        pen.rectangle((260, 165, 390, 270), (236, 236, 236))
        pen.ellipse((280, 180, 370, 255), (60, 80, 120))
        pen.rectangle((120, 180, 200, 196), "black")
        return grain(image)

    def found(self):
        image, words = self.page(), [(58, 88, 102, 100)]
        lines = lines_of(image, PX, words)
        return find_photos(np.asarray(image.convert("L")), PX, words, lines.strokes).photos, lines

    def test_are_neither_print_nor_shaded_panels(self):
        (photo,), _ = self.found()
        assert photo == pytest.approx((130, 82, 195, 135), abs=4)

    def test_their_edges_are_no_rules_of_the_table(self):
        photos, lines = self.found()
        kept = without_edges(lines, photos)
        assert len(kept) < len(lines.strokes) + len(lines.edges)
        assert places(kept)[1] == pytest.approx([50, 80, 110, 140], abs=1)

    def test_edges_of_photos_under_each_other_may_be_read_as_one(self):
        photos = [(56.0, y, 103.0, y + 46.0) for y in (100.0, 152.0, 204.0)]
        joined, column = (56.0, 100.0, 56.5, 250.0), (130.0, 80.0, 130.5, 260.0)
        assert without_edges(Lines([column], [joined]), photos) == [column]
        assert without_edges(Lines([joined], [column]), photos) == [joined, column], "a rule beside them"
