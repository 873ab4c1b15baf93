"""Icons on a recognised page: small signs in a row, as sharp as print."""

import msgspec
import pytest

from processing.engine.page import Ocr, ParsedPage
from processing.engine.understanding.pictures.icons import icons
from tests.unit.understanding.pages import page, picture

OCR = Ocr("test", "no_text", 0.99, 0, 8, "en", "test")


def shown(*, side: float = 40.0, count: int = 3, blur: float = 1500.0, recognised: bool = True) -> ParsedPage:
    """Two photos over a row of small pictures."""
    photos = [picture(f"P{n}", (40 + 200.0 * n, 100, 200 + 200.0 * n, 220)) for n in range(2)]
    small = [picture(f"S{n}", (40 + 90.0 * n, 300, 40 + 90.0 * n + side, 300 + side)) for n in range(count)]
    seen = [msgspec.structs.replace(p, drawn=True, blur=200.0) for p in photos]
    seen += [msgspec.structs.replace(p, drawn=True, blur=blur) for p in small]
    return msgspec.structs.replace(page(pictures=seen), ocr=OCR if recognised else None)


def test_small_sharp_signs_in_a_row_are_icons() -> None:
    assert icons(shown()) == {"S0", "S1", "S2"}


@pytest.mark.parametrize("other", [{"side": 80.0}, {"count": 2}, {"blur": 300.0}, {"recognised": False}])
def test_what_is_large_or_alone_or_a_photo_is_none(other: dict[str, float]) -> None:
    assert not icons(shown(**other))
