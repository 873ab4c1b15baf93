"""Tags with the ids of pictures: beside their pictures, readable, and on no print."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from processing.engine.drawing.tags import tagged
from processing.engine.drawing.views import View
from tests.unit.understanding.pages import line, page, picture

GROUND = (200, 0, 120)
SCALE = 2.0
SIZE = (400.0, 300.0)
WHOLE = View("page", (0.0, 0.0, *SIZE), SCALE)


def rendering(pictures=(), texts=(), size=SIZE):
    """The page in grey photos and black type."""
    image = Image.new("RGB", tuple(round(SCALE * v) for v in size), "white")
    pen = ImageDraw.Draw(image)
    for one in pictures:
        x0, y0, x1, y1 = (SCALE * v for v in one.box)
        pen.rectangle((x0, y0, x1 - 1, y1 - 1), fill=(120, 120, 120))
        for n in range(int(x0), int(x1), 6):
            pen.line((n, y0, n, y1 - 1), fill=(60, 60, 60))
    for one in texts:
        font = ImageFont.load_default(one.size * SCALE)
        pen.text((one.box[0] * SCALE, one.box[1] * SCALE), one.text, fill="black", font=font)
    return image


def tag_box(before, after):
    """Where the two differ."""
    rows, cols = np.nonzero((np.asarray(before) != np.asarray(after)).any(axis=2))
    return (int(cols.min()), int(rows.min()), int(cols.max()) + 1, int(rows.max()) + 1) if len(rows) else None


def test_a_tag_stands_just_above_its_picture_where_the_paper_is_white():
    photo = picture("P7", (100, 100, 200, 180))
    shown = rendering([photo])
    box = tag_box(shown, tagged(shown, page(pictures=[photo], size=SIZE), WHOLE))
    assert (box[0], box[3]) == pytest.approx((200, 200), abs=1)
    assert GROUND in {shown for _, shown in tagged(shown, page(pictures=[photo], size=SIZE), WHOLE).getcolors(9999)}


@pytest.mark.parametrize("where", [(100, 88), (100, 60)])
def test_print_above_a_picture_is_not_covered(where):
    photo, text = picture("P1", (100, 100, 200, 180)), line("Chair of oak", *where, 10)
    shown = rendering([photo], [text])
    box = tag_box(shown, tagged(shown, page(text, pictures=[photo], size=SIZE), WHOLE))
    before = np.asarray(shown.convert("L"))[box[1] : box[3], box[0] : box[2]]
    assert int(before.min()) == 255, "the paper around the picture was free"


def test_a_tag_without_room_outside_stands_at_the_corner_where_no_text_is():
    scan, text = picture("P1", (0, 0, 400, 300)), line("MODEL", 0, 0, 14)
    shown = rendering([scan], [text])
    parsed = page(text, pictures=[scan], size=SIZE)
    box = tag_box(shown, tagged(shown, parsed, WHOLE))
    assert box[1] <= 1 and box[0] >= parsed.lines[0].words[0].box[2] * SCALE - 1


def test_tags_of_pictures_in_one_place_stand_beside_each_other():
    twice = [picture("P1", (100, 100, 200, 180)), picture("P2", (100, 100, 200, 180))]
    shown = rendering(twice)
    one = np.asarray(tagged(shown, page(pictures=twice[:1], size=SIZE), WHOLE))
    both = np.asarray(tagged(shown, page(pictures=twice, size=SIZE), WHOLE))
    x0, y0, x1, y1 = tag_box(shown, Image.fromarray(one))
    assert (one[y0:y1, x0:x1] == both[y0:y1, x0:x1]).all() and (one != both).any()


def test_a_half_tags_what_it_shows_of_a_picture():
    photo, other = picture("P1", (100, 100, 200, 280)), picture("P2", (250, 10, 300, 40))
    lower = View("page, lower half", (0.0, 140.0, 400.0, 300.0), SCALE)
    parsed = page(pictures=[photo, other], size=SIZE)
    shown = rendering([photo, other]).crop((0, 280, 800, 600))
    box = tag_box(shown, tagged(shown, parsed, lower))
    assert box is not None and box[0] in range(150, 202) and box[3] < 60


def test_a_lying_page_is_tagged_as_it_is_shown():
    photo = picture("P1", (100, 100, 200, 180))
    lying = msgspec.structs.replace(page(pictures=[photo], size=SIZE), turn=1)
    shown = rendering([photo]).transpose(Image.Transpose.ROTATE_90)
    box = tag_box(shown, tagged(shown, lying, View("page", (0.0, 0.0, 300.0, 400.0), SCALE)))
    assert (box[0], box[3]) == pytest.approx((200, 400), abs=1), (
        "x is 100 from the top of the page, y 200 from its right edge"
    )


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(-20, 390), st.integers(-20, 290), st.integers(1, 300), st.integers(1, 300)), max_size=12
    )
)
def test_any_pictures_are_tagged_within_the_page_and_alike_each_time(places):
    found = [picture(f"P{n}", (x, y, x + w, y + h)) for n, (x, y, w, h) in enumerate(places)]
    parsed, shown = page(pictures=found, size=SIZE), rendering()
    first = tagged(shown, parsed, WHOLE)
    assert first.size == shown.size and first.tobytes() == tagged(shown, parsed, WHOLE).tobytes()
