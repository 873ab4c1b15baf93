"""Screenshots and pictures as models get them."""

import io

import pytest
from PIL import Image

from processing.llm import pictures
from processing.llm.pictures import NotAPicture, as_screenshot, drawn, shrunk


def file(width: int = 60, height: int = 40, colour: tuple[int, ...] = (200, 30, 30), kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGBA" if len(colour) == 4 else "RGB", (width, height), colour).save(buffer, kind)
    return buffer.getvalue()


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    assert image.format == "JPEG"
    return image.convert("RGB")


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
