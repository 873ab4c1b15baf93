"""Photos in a scan's pixels are cut at their own edges, whatever they stand on."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from processing.engine.reading import photos
from processing.engine.reading.blocks import blocks_of

pytestmark = pytest.mark.req("TA-OCR")
PX = 2.0  # pixels per point
PHOTO = (100.0, 120.0, 200.0, 220.0)  # points


def page(ground):
    """A page of 400 x 500 points with the scanner's grain; ``ground`` draws on it in points."""
    pixels = np.full((1000, 800), 248, np.float32)
    ground(pixels)
    noise = np.random.default_rng(3).standard_normal(pixels.shape) * 4
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def fill(pixels, box, level):
    x0, y0, x1, y1 = (round(PX * v) for v in box)
    pixels[y0:y1, x0:x1] = level


def photo(pixels, box=PHOTO, top=248.0, foot=226.0):
    """A wall that gets darker downwards, and a thing with a dark edge in front of it."""
    x0, y0, x1, y1 = (round(PX * v) for v in box)
    pixels[y0:y1, x0:x1] = np.linspace(top, foot, y1 - y0)[:, None]
    image = Image.fromarray(pixels[y0:y1, x0:x1].astype(np.uint8))
    w, h = image.size
    ImageDraw.Draw(image).ellipse((0.3 * w, 0.4 * h, 0.7 * w, 0.8 * h), fill=120, outline=30, width=3)
    pixels[y0:y1, x0:x1] = np.asarray(image)


def overlap(a, b):
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(0, wide) * max(0, high)
    areas = ((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return common / (sum(areas) - common)


def find_photos(*image):
    return photos.find_photos(*image).photos


def only(found):
    (box,) = found
    return box


def test_a_wall_that_begins_as_white_as_the_paper_belongs_to_the_photo():
    box = only(find_photos(page(photo), PX, [], []))
    assert overlap(box, PHOTO) > 0.75 and box[3] == pytest.approx(PHOTO[3], abs=3)


def test_a_photo_on_the_edge_of_a_panel_that_runs_off_the_page_is_cut_alone():
    def ground(pixels):
        fill(pixels, (150, 0, 400, 500), 232)
        photo(pixels)

    assert overlap(only(find_photos(page(ground), PX, [], [])), PHOTO) > 0.75


def test_a_photo_in_a_shaded_row_of_text_is_cut_out_of_the_row():
    words = [(220 + 50 * n, 160, 250 + 50 * n, 170) for n in range(3)]

    def ground(pixels):
        fill(pixels, (50, 110, 390, 230), 236)
        for word in words:
            fill(pixels, word, 40)
        photo(pixels)

    assert overlap(only(find_photos(page(ground), PX, words, [])), PHOTO) > 0.6


def test_a_panel_with_words_alone_is_no_photo():
    words = [(120 + 50 * n, 160, 150 + 50 * n, 170) for n in range(3)]

    def ground(pixels):
        fill(pixels, (100, 110, 350, 230), 220)
        for word in words:
            fill(pixels, word, 40)

    assert find_photos(page(ground), PX, words, []) == []


def test_a_card_with_little_print_close_under_itself_is_a_panel_around_its_photo():
    """Three words near the card's edge, with hardly a block between their lines."""
    words = [(101, 230 + 11 * n, 101 + 16 * wide, 238 + 11 * n) for n, wide in enumerate((2, 4, 3))]

    def ground(pixels):
        fill(pixels, (96, 116, 204, 272), 236)
        for word in words:
            fill(pixels, word, 40)
        photo(pixels, top=226.0, foot=216.0)

    assert overlap(only(find_photos(page(ground), PX, words, [])), PHOTO) > 0.85


def test_the_outline_of_a_thing_is_no_frame_of_a_table():
    """A cupboard that fills the height of its wall: four strokes that join, with no word between them."""
    wide = (60.0, 120.0, 240.0, 192.0)
    box = (132.0, 122.0, 168.0, 190.0)
    outline = [(132.0, y, 168.0, y + 1.5) for y in (122.0, 188.5)] + [
        (x, 122.0, x + 1.5, 190.0) for x in (132.0, 166.5)
    ]

    def ground(pixels):
        fill(pixels, wide, 228)
        fill(pixels, box, 100)
        for stroke in outline:
            fill(pixels, stroke, 30)

    assert overlap(only(find_photos(page(ground), PX, [], outline)), wide) > 0.85


def test_a_thing_on_a_flat_wall_without_words_is_a_photo_with_its_wall():
    box = only(find_photos(page(lambda pixels: photo(pixels, top=225.0, foot=225.0)), PX, [], []))
    assert overlap(box, PHOTO) > 0.85


def test_the_handles_of_a_thing_do_not_cut_its_photo():
    handles = [(x, 130.0, x + 1.5, 185.0) for x in (120.0, 148.0, 176.0)]

    def ground(pixels):
        photo(pixels)
        for handle in handles:
            fill(pixels, (handle[0] - 3, *handle[1:]), 60)

    assert overlap(only(find_photos(page(ground), PX, [], handles)), PHOTO) > 0.75


def test_shaded_cells_that_white_rules_part_are_no_photos():
    words = [(115 + 72 * n, 160, 140 + 72 * n, 170) for n in range(4)]

    def ground(pixels):
        fill(pixels, (30, 110, 390, 230), 229)
        for x in (102, 174, 246, 318):
            fill(pixels, (x, 110, x + 1, 230), 255)
        for word in words:
            fill(pixels, word, 40)
        photo(pixels, (40, 120, 96, 220), top=255.0, foot=255.0)

    box = only(find_photos(page(ground), PX, words, []))
    assert overlap(box, (40, 120, 96, 220)) > 0.75


@pytest.mark.parametrize("word", [(32, 112, 90, 128), (330, 112, 388, 128)])
def test_a_band_with_print_from_edge_to_edge_at_one_end_is_a_ground(word):
    rules = [(30, 88, 390, 90), *((x, 60, x + 1, 90) for x in (30, 210, 389))]
    heads = [(60, 70, 90, 80), (250, 70, 280, 80)]

    def ground(pixels):
        fill(pixels, (30, 60, 390, 90), 224)
        fill(pixels, (30, 110, 390, 130), 58)
        for box in [*rules, *heads]:
            fill(pixels, box, 40)
        fill(pixels, word, 250)

    assert find_photos(page(ground), PX, [word, *heads], rules) == []


def test_the_rules_of_a_table_part_the_photos_in_its_cells():
    rules = [(50.0, y, 390.0, y + 1) for y in (118.0, 222.0)] + [(x, 118.0, x + 1, 222.0) for x in (98.0, 202.0, 306.0)]
    second = (204.0, 120.0, 304.0, 220.0)

    def ground(pixels):
        for rule in rules:
            fill(pixels, rule, 60)
        photo(pixels, top=236.0)
        photo(pixels, second, top=236.0)

    words = [(310.0, 160.0, 340.0, 170.0)]
    found = sorted(find_photos(page(ground), PX, words, rules))
    assert len(found) == 2 and overlap(found[0], PHOTO) > 0.75 and overlap(found[1], second) > 0.75


def strokes_in(pixels, box, pitch=6):
    """Dark strokes on it, as letters are."""
    x0, y0, x1, y1 = (round(PX * v) for v in box)
    for x in range(x0, x1, pitch):
        pixels[y0:y1, x : x + 3] = 30


def test_a_ribbon_with_a_caption_is_cut_off_a_photo():
    ribbon, caption = (100.0, 220.0, 200.0, 240.0), (120.0, 225.0, 180.0, 235.0)

    def ground(pixels):
        photo(pixels, top=200.0, foot=160.0)
        fill(pixels, ribbon, 205)
        strokes_in(pixels, caption)

    assert overlap(only(find_photos(page(ground), PX, [caption], [])), PHOTO) > 0.9


def test_what_a_photo_shows_may_be_lettered():
    lettering = [(112.0, 135.0, 188.0, 150.0), (112.0, 160.0, 188.0, 175.0)]

    def ground(pixels):
        photo(pixels, top=190.0, foot=150.0)
        for line in lettering:
            strokes_in(pixels, line)

    assert overlap(only(find_photos(page(ground), PX, lettering, [])), PHOTO) > 0.9


def test_a_shaded_cell_with_a_word_is_no_photo():
    def ground(pixels):
        fill(pixels, PHOTO, 225)
        strokes_in(pixels, (130.0, 160.0, 170.0, 170.0))

    assert find_photos(page(ground), PX, [(130.0, 160.0, 170.0, 170.0)], []) == []


def test_the_band_of_a_section_is_no_photo_with_the_cells_that_hang_on_it():
    cells = ((250, 130, 320, 151), (100, 173, 170, 194))
    words = [(x0 + 24, y0 + 7, x1 - 24, y1 - 7) for x0, y0, x1, y1 in cells]

    def ground(pixels):
        fill(pixels, (30, 151, 380, 173), 214)
        for cell in cells:
            fill(pixels, cell, 238)
        for word in words:
            fill(pixels, word, 40)

    assert find_photos(page(ground), PX, words, []) == []


def test_a_photo_is_cut_out_of_the_frame_around_it_and_its_caption():
    words = [(106.0, 232.0 + 16 * n, 194.0, 244.0 + 16 * n) for n in range(4)]

    def ground(pixels):
        photo(pixels, top=190.0, foot=150.0)
        for box in ((100, 219, 103, 303), (197, 219, 200, 303), (100, 300, 200, 303)):
            fill(pixels, box, 120)
        for word in words:
            strokes_in(pixels, word)

    assert overlap(only(find_photos(page(ground), PX, words, [])), PHOTO) > 0.8


@pytest.mark.parametrize("foot", [194, 184])
def test_parts_of_a_photo_that_overlap_by_much_are_one(foot):
    top = foot - 62

    def ground(pixels):
        for box in ((100, 150, 120, 220), (100, 200, 200, 220), (126, top, 200, foot)):
            fill(pixels, box, 120)
            strokes_in(pixels, (box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4), pitch=12)

    assert only(find_photos(page(ground), PX, [], [])) == pytest.approx((100, top, 200, 220), abs=4)


def across(pixels, start, end, wide=9.0):
    """A grey stroke of a watermark, points."""
    image = Image.fromarray(pixels.astype(np.uint8))
    ImageDraw.Draw(image).line([round(PX * v) for v in (*start, *end)], fill=205, width=round(PX * wide))
    pixels[:] = np.minimum(pixels, np.asarray(image))


def test_photos_that_a_watermark_runs_across_are_cut_at_their_own_edges():
    other = (230.0, 120.0, 330.0, 220.0)

    def ground(pixels):
        for box in (PHOTO, other):
            photo(pixels, box, top=226.0, foot=214.0)
        across(pixels, (140, 265), (300, 65))

    found = sorted(find_photos(page(ground), PX, [], []))
    assert [overlap(box, its) > 0.9 for box, its in zip(found, (PHOTO, other), strict=True)] == [True, True]


def test_a_picture_keeps_the_frame_that_is_shown_with_it():
    def ground(pixels):
        photo(pixels, (115, 135, 185, 205), top=200.0, foot=180.0)
        for box in ((100, 120, 106, 220), (194, 120, 200, 220), (100, 120, 200, 126), (100, 214, 200, 220)):
            fill(pixels, box, 130)
        for start, end in (((103, 123), (115, 135)), ((197, 123), (185, 135))):
            across(pixels, start, end)

    assert overlap(only(find_photos(page(ground), PX, [], [])), PHOTO) > 0.9


def test_a_thing_keeps_its_legs_beside_a_part_that_is_square():
    """A chair: a seat, the frame of its back and two legs."""
    bars = (
        (110, 100, 119, 160),
        (181, 100, 190, 160),
        (110, 100, 190, 109),
        (110, 190, 119, 240),
        (181, 190, 190, 240),
    )

    def ground(pixels):
        for box in ((110, 160, 190, 190), *bars):
            fill(pixels, box, 120)
            strokes_in(pixels, (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2))

    assert only(find_photos(page(ground), PX, [], [])) == pytest.approx((110, 100, 190, 240), abs=4)


def slender(pixels, words=()):
    """A long tool that lies aslant from corner to corner of PHOTO, dark at its edges, and strokes where words are."""
    image = Image.fromarray(pixels.astype(np.uint8))
    ends = [round(PX * v) for v in (106, 212, 194, 128)]
    ImageDraw.Draw(image).line(ends, fill=40, width=26)
    ImageDraw.Draw(image).line(ends, fill=170, width=14)
    pixels[:] = np.asarray(image)
    for word in words:
        strokes_in(pixels, word)


def test_a_tool_that_lies_aslant_is_a_photo_however_little_of_its_box_it_fills():
    box = only(find_photos(page(slender), PX, [], []))
    assert overlap(box, (102, 124, 198, 216)) > 0.9


def test_an_arrow_between_words_is_no_photo():
    words = [(110.0, 130.0, 140.0, 140.0), (160.0, 200.0, 190.0, 210.0)]
    assert find_photos(page(lambda pixels: slender(pixels, words)), PX, words, []) == []


def cloth(pixels, box=PHOTO, level=130.0):
    """Threads of two points across each other, of nearly one level."""
    x0, y0, x1, y1 = (round(PX * v) for v in box)
    rows, cols = np.mgrid[y0:y1, x0:x1]
    pixels[y0:y1, x0:x1] = level + 9 * np.where((rows // 4 + cols // 4) % 2, 1, -1)


def test_a_close_up_of_cloth_is_a_photo_though_nothing_is_drawn_in_it():
    assert overlap(only(find_photos(page(cloth), PX, [], [])), PHOTO) > 0.9


def test_cloth_with_a_word_on_it_is_a_printed_panel():
    word = (130.0, 160.0, 170.0, 170.0)

    def ground(pixels):
        cloth(pixels)
        strokes_in(pixels, word)

    assert find_photos(page(ground), PX, [word], []) == []


def test_a_panel_of_fine_dots_as_printers_make_them_is_no_photo():
    def ground(pixels):
        x0, y0, x1, y1 = (round(PX * v) for v in PHOTO)
        rows, cols = np.mgrid[y0:y1, x0:x1]
        pixels[y0:y1, x0:x1] = 130 + 10 * np.where((rows + cols) % 2, 1, -1)

    assert find_photos(page(ground), PX, [], []) == []


def test_a_panel_that_is_no_more_grained_than_the_paper_is_no_photo():
    def ground(pixels):
        flat = np.full_like(pixels, 235.0)
        fill(flat, PHOTO, 130)
        pixels[:] = flat + np.repeat(np.repeat(np.random.default_rng(5).normal(0, 6, (250, 200)), 4, 0), 4, 1)

    assert find_photos(page(ground), PX, [], []) == []


def test_a_photo_without_print_may_leave_no_more_than_a_strip_of_the_page():
    large, word = (0.0, 0.0, 400.0, 400.0), (150.0, 60.0, 250.0, 75.0)

    def ground(pixels):
        photo(pixels, large, top=215.0, foot=60.0)

    def printed(pixels):
        ground(pixels)
        strokes_in(pixels, word)

    assert overlap(only(find_photos(page(ground), PX, [], [])), large) > 0.85
    assert find_photos(page(printed), PX, [word], []) == []


@pytest.mark.parametrize("size", [(8, 8), (900, 3), (300, 200)])
def test_a_page_without_one_even_block_has_no_photos_and_fails_nothing(size):
    noise = np.random.default_rng(1).integers(0, 255, size).astype(np.uint8)
    assert find_photos(noise, PX, [], []) == []


def test_a_poster_is_looked_at_in_larger_blocks():
    blocks = blocks_of(np.zeros((2000, 1000), np.uint8), 0.06)
    assert max(blocks.mean.shape) <= 640 and blocks.unit == pytest.approx(4 / 0.06)


def test_the_paper_between_two_bands_that_cross_the_page_parts_what_stands_on_them():
    upper, lower = (0.0, 120.0, 150.0, 245.0), (0.0, 251.0, 150.0, 376.0)

    def ground(pixels):
        for box in (upper, lower):
            fill(pixels, (0, box[1], 400, box[3]), 60)
            photo(pixels, box, top=215.0, foot=190.0)

    found = sorted(find_photos(page(ground), PX, [], []), key=lambda box: box[1])
    assert len(found) == 2 and all(overlap(*pair) > 0.7 for pair in zip(found, (upper, lower), strict=True))


def test_a_bottle_is_one_photo_under_a_label_from_side_to_side():
    bottle, label = (120.0, 120.0, 158.0, 240.0), (121.0, 164.0, 157.0, 174.0)

    def ground(pixels):
        photo(pixels, bottle, top=150.0, foot=120.0)
        strokes_in(pixels, label)

    assert overlap(only(find_photos(page(ground), PX, [label], [])), bottle) > 0.85
