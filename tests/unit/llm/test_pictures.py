"""Screenshots and pictures as models get them."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from processing.llm import pictures
from processing.llm.pictures import SIDE_PX, NotAPicture, Source, arrange, as_screenshot, drawn, shrunk


def file(width: int = 60, height: int = 40, colour: tuple[int, ...] = (200, 30, 30), kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGBA" if len(colour) == 4 else "RGB", (width, height), colour).save(buffer, kind)
    return buffer.getvalue()


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    assert image.format == "JPEG"
    return image.convert("RGB")


def some(count: int) -> list[Source]:
    return [Source(f"P{n}", file(colour=(20 + n, 20, 20))) for n in range(1, count + 1)]


def test_a_screenshot_fits_into_1536_px() -> None:
    assert opened(as_screenshot(file(3000, 1500))).size == (1536, 768)
    assert opened(as_screenshot(file(300, 150))).size == (300, 150)


def test_a_screenshot_that_fits_goes_as_it_is_stored() -> None:
    stored = file(900, 1200, kind="JPEG")
    assert as_screenshot(stored) is stored
    assert as_screenshot(file(1600, 1200, kind="JPEG")) != stored


def test_glass_lies_on_white_paper() -> None:
    assert opened(as_screenshot(file(colour=(0, 0, 0, 0)))).getpixel((9, 9)) == (255, 255, 255)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a" + b"x" * 50, b"\xff\xd8\xff\xe0 no jpeg", file(kind="BMP"), file()[:60]]
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(NotAPicture):
        as_screenshot(data)


def test_size_is_looked_at_before_anything_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_PX", 1000)
    monkeypatch.setattr(Image.Image, "convert", None)
    with pytest.raises(NotAPicture, match="60 x 40 px"):
        as_screenshot(file())


@pytest.mark.req("LA-IMGBATCH")
def test_few_pictures_go_alone() -> None:
    found = arrange(some(3), limit=4)
    assert [sheet.numbers for sheet in found.sheets] == [((1, "P1"),), ((2, "P2"),), ((3, "P3"),)]
    assert found.left_out == () and opened(found.sheets[0].image).size == (60, 40)


@pytest.mark.req("LA-IMGBATCH", "LA-TRUNC")
@settings(deadline=None, max_examples=25)
@given(st.integers(0, 90), st.integers(1, 2))
def test_every_picture_is_on_a_sheet_or_named(count: int, limit: int) -> None:
    wanted = some(count)
    wanted[3:4] = [Source("P4", b"broken")] if count > 3 else []
    found = arrange(wanted, limit)
    shown = [entry for sheet in found.sheets for entry in sheet.numbers]
    assert len(found.sheets) <= limit
    assert [number for number, _ in shown] == list(range(1, len(shown) + 1))
    assert sorted([name for _, name in shown] + list(found.left_out)) == sorted(one.id for one in wanted)
    assert len(found.left_out) == max(0, count - (count > 3) - 36 * limit) + (count > 3)
    assert all(max(opened(sheet.image).size) <= SIDE_PX for sheet in found.sheets)


@pytest.mark.req("LA-IMGBATCH")
def test_a_picture_stands_in_the_cell_of_its_number() -> None:
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0), (0, 250, 250)]
    (sheet,) = arrange([Source(f"P{n}", file(400, 300, colour)) for n, colour in enumerate(colours)], 1).sheets
    image, cell = opened(sheet.image), SIDE_PX // 3
    for n, (number, name) in enumerate(sheet.numbers):
        assert (number, name) == (n + 1, f"P{n}")
        middle = image.getpixel((n % 3 * cell + cell // 2, n // 3 * cell + cell // 2))
        assert np.abs(np.subtract(middle, colours[n])).max() < 12
        label = np.asarray(image.crop((n % 3 * cell + 4, n // 3 * cell + 2, n % 3 * cell + 30, n // 3 * cell + 24)))
        assert label.min() < 90, "no number is printed"


@pytest.mark.req("LA-IMGBATCH")
def test_the_same_pictures_give_the_same_bytes() -> None:
    assert arrange(some(9), 2) == arrange(some(9), 2)
    assert as_screenshot(file(2000, 900)) == as_screenshot(file(2000, 900))


def test_what_is_larger_than_a_model_takes_is_made_smaller_and_nothing_else() -> None:
    large = file(900, 300)
    assert opened(shrunk(large, 600)).size == (600, 200)
    assert shrunk(large, 900) is large and shrunk(large, None) is large and shrunk(b"no picture", None) == b"no picture"
    with pytest.raises(NotAPicture):
        shrunk(b"no picture", 900)


def test_a_drawn_number_is_a_small_jpeg_that_differs_with_its_text() -> None:
    one, other = drawn("123456"), drawn("123457")
    assert one == drawn("123456") != other and one[:2] == b"\xff\xd8"
    assert max(opened(one).size) < 400 and min(opened(one).size) > 48
