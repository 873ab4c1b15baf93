"""The rules and shades of a scanned table are seen for what they are, whatever is printed at them."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from processing.engine.reading.ruling import lines_of

pytestmark = pytest.mark.req("TA-OCR")
PX = 2.5  # pixels per point


def sheet(width_pt=400, height_pt=300, paper=248):
    image = Image.new("RGB", (round(PX * width_pt), round(PX * height_pt)), (paper, paper, paper))
    return image, ImageDraw.Draw(image)


def at(*points):
    return tuple(round(PX * v) for v in points)


def grain(image, strength=5.0):
    noise = np.random.default_rng(7).standard_normal((image.height, image.width, 1)) * strength
    return Image.fromarray(np.clip(np.asarray(image, np.float32) + noise, 0, 255).astype(np.uint8))


def print_over(pen, x0, x1, top, ink="black", size=7.0):
    """Text of that size, points, from one place to the other."""
    font = ImageFont.load_default(round(PX * size))
    text = "KDB-1005 9.5x12 Steel"
    while pen.textlength(text, font) > PX * (x1 - x0):
        text = text[:-1]
    pen.text(at(x0, top), text, fill=ink, font=font)


def level(boxes, least=20):
    return sorted(b for b in boxes if b[2] - b[0] > max(least, b[3] - b[1]))


def upright(boxes):
    return sorted(b for b in boxes if b[3] - b[1] > b[2] - b[0])


def places(boxes):
    rows = sorted({round((b[1] + b[3]) / 2) for b in boxes if b[2] - b[0] > b[3] - b[1]})
    columns = sorted({round((b[0] + b[2]) / 2) for b in boxes if b[2] - b[0] < b[3] - b[1]})
    return columns, rows


def ruled(columns=(50, 125, 200), rows=(50, 80, 110, 140)):
    image, pen = sheet()
    for x in columns:
        pen.line(at(x, rows[0], x, rows[-1]), "black", 3)
    for y in rows:
        pen.line(at(columns[0], y, columns[-1], y), "black", 3)
    return image, pen


def test_a_faint_rule_between_photos_that_nearly_touch_it_is_seen():
    """Two dark photos, two points of paper above and below the rule between them."""
    image, pen = sheet()
    for y in (50, 100, 150):
        pen.line(at(40, y, 240, y), (175, 175, 175), 2)
    for top in (52.5, 102.5):
        pen.rectangle(at(55, top, 225, top + 45), (60, 65, 70))
    strokes = level(lines_of(grain(image), PX, []).strokes)
    assert any(abs(b[1] - 100) < 2 and b[2] - b[0] > 180 for b in strokes)


def test_finds_the_rules_of_a_table_in_a_scan():
    image, _ = ruled()
    columns, rows = places(lines_of(grain(image), PX, []).strokes)
    assert columns == pytest.approx([50, 125, 200], abs=1) and rows == pytest.approx([50, 80, 110, 140], abs=1)


def test_finds_the_edges_of_shaded_cells_and_the_white_between_them():
    image, pen = sheet()
    pen.rectangle(at(50, 50, 149, 80), (200, 205, 210))
    pen.rectangle(at(151, 50, 250, 80), (200, 205, 210))
    found = lines_of(grain(image), PX, [])
    columns, rows = places(found.edges)
    assert columns == pytest.approx([50, 250], abs=1) and rows == pytest.approx([50, 80], abs=1)
    assert places(found.strokes)[0] == pytest.approx([150], abs=1)


def test_a_stroke_inside_a_word_is_no_rule():
    image, pen = ruled()
    pen.line(at(55, 65, 90, 65), "black", 4)
    words = [(54.0, 60.0, 92.0, 70.0)]
    assert 65 in places(lines_of(image, PX, []).strokes)[1]
    assert 65 not in places(lines_of(image, PX, words).strokes)[1]


def test_a_stroke_through_the_words_of_a_line_is_no_rule_and_a_rule_at_their_feet_is():
    image, pen = sheet()
    for y in (104, 150):
        pen.line(at(50, y, 130, y), "black", 3)
    words = [(x, 98.0, x + 22, 110.0) for x in (48.0, 74.0, 100.0)]
    found = lines_of(image, PX, words).strokes
    assert [round(b[1]) for b in level(found)] == pytest.approx([150], abs=1)
    close = [(x, 138.6, x + 22, 150.6) for x in (48.0, 74.0, 100.0)]
    assert [round(b[1]) for b in level(lines_of(image, PX, close).strokes)] == pytest.approx([104, 150], abs=1)


def test_a_stroke_through_two_lines_of_text_is_no_rule_and_one_through_many_is():
    image, pen = sheet()
    words = [(50.0, y, 90.0, y + 10) for y in np.arange(40.0, 240.0, 14.0)]
    pen.line(at(70, 41, 70, 63), "black", 3)
    assert upright(lines_of(image, PX, words).strokes) == []
    pen.line(at(70, 41, 70, 230), "black", 3)
    (rule,) = upright(lines_of(image, PX, words).strokes)
    assert rule[3] - rule[1] == pytest.approx(189, abs=5)


def test_print_that_touches_a_rule_does_not_part_it():
    image, pen = ruled(columns=(50, 350))
    pen.rectangle(at(120, 98, 140, 110), fill="black")
    words = [(119.0, 98.0, 141.0, 110.0)]
    rules = [b for b in level(lines_of(grain(image), PX, words).strokes) if abs(b[1] - 110) < 3]
    assert max(b[2] - b[0] for b in rules) == pytest.approx(300, abs=4)


def test_a_gap_in_a_rule_is_seen():
    image, pen = ruled(columns=(50, 350))
    pen.rectangle(at(120, 106, 135, 114), (248, 248, 248))
    rules = [b for b in level(lines_of(grain(image), PX, []).strokes) if abs(b[1] - 110) < 3]
    assert [round(v) for b in rules for v in (b[0], b[2])] == pytest.approx([50, 120, 135, 350], abs=2)


def rows_of(boxes):
    """Where they lie, those of one line once."""
    found = []
    for y in sorted((b[1] + b[3]) / 2 for b in boxes):
        if not found or y - found[-1] > 3:
            found.append(y)
    return found


class TestShadedRows:
    """Rows of 13 points, every other one shaded, print from edge to edge in them."""

    def seen(self, shade=(214, 222, 236), ink="black", tables=((50, 128),)):
        image, pen = sheet()
        words = []
        for n in range(7):
            top = 60 + 13 * n
            for x0, x1 in tables:
                if n % 2 == 0:
                    pen.rectangle(at(x0, top, x1, top + 13), shade)
                print_over(pen, x0 + 4, x1 - 4, top + 2, ink)
                words.append((x0 + 4.0, top + 3.0, x1 - 4.0, top + 10.0))
        return lines_of(grain(image), PX, words)

    def test_each_has_its_edge_all_along(self):
        found = level(self.seen().edges)
        assert rows_of(found) == pytest.approx([60 + 13 * n for n in range(8)], abs=1.5)
        for y in rows_of(found):
            own = [b for b in found if abs((b[1] + b[3]) / 2 - y) < 4]
            assert min(b[0] for b in own) <= 60 and max(b[2] for b in own) >= 116

    def test_letters_under_each_other_are_no_edges_and_the_white_at_their_feet_no_rule(self):
        found = self.seen()
        assert all(abs(b[0] - 50) < 3 or abs(b[0] - 128) < 3 for b in upright(found.edges))
        assert level(found.strokes) == []

    def test_light_print_on_a_dark_shade_hides_its_edges_as_little(self):
        found = self.seen(shade=(40, 60, 100), ink=(235, 235, 235))
        assert rows_of(level(found.edges)) == pytest.approx([60 + 13 * n for n in range(8)], abs=1.5)

    def test_tables_beside_each_other_are_not_joined(self):
        found = level(self.seen(tables=((40, 118), (131, 209))).edges)
        assert found and all(b[2] <= 121 or b[0] >= 128 for b in found)


def test_a_rule_at_the_end_of_a_sign_whose_box_holds_it_is_kept():
    image, pen = ruled(columns=(50, 200), rows=(50, 64, 78))
    pen.line(at(125, 64, 125, 78), "black", 3)
    wide, within = (123.5, 62.0, 137.0, 79.0), (112.0, 62.0, 137.0, 79.0)
    for box, kept in ((wide, True), (within, False)):
        assert (125 in places(lines_of(image, PX, [box]).strokes)[0]) is kept


def test_a_rule_that_runs_a_little_askew_is_one():
    """For a part of its length there is a second one, a row of pixels or two off."""
    image, pen = sheet()
    for y in (50, 80, 110):
        pen.line(at(40, y, 360, y), "black", 3)
        pen.line((*at(200), round(PX * y) - 4, *at(340), round(PX * y) - 4), (120,) * 3, 1)
    found = level(lines_of(grain(image), PX, ()).strokes)
    assert [(b[1] + b[3]) / 2 for b in found] == pytest.approx([50, 80, 110], abs=1)
