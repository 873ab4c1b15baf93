"""Captions on both sides of their photos: name and code in one language, name and price in another."""

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

LAMPS = [("城市前灯", "QF-400", "City lamp", "USD 11.80"), ("长途前灯", "QF-800", "Touring lamp", "USD 19.60"),
         ("越野前灯", "QF-160", "Trail lamp", "USD 34.20"), ("感应尾灯", "QF-30R", "Rear lamp", "USD 8")]  # fmt: skip


def understood(lamps: list[tuple[str, str, str, str]]) -> PageResult:
    lines, photos = [], []
    for n, (name, code, other, price) in enumerate(lamps):
        y = 70.0 + 180 * n
        photos.append(picture(f"P{n}", (210, y, 390, y + 160)))
        lines += [line(name, 120, y + 36, 14), line(code, 140, y + 62, 11)]
        lines += [line(other, 402, y + 38, 13), line(price, 402, y + 64, 14), line("USB-C, rain proof", 402, y + 90, 9)]
    return understand_page(page(*lines, pictures=photos), (), DocumentFacts(), BY_RULES)


def test_a_photo_between_two_languages_has_the_code_of_one_and_the_price_of_the_other() -> None:
    result = understood(LAMPS)
    assert texts(result, "model") == [code for _, code, _, _ in LAMPS]
    assert texts(result, "price") == [price for *_, price in LAMPS]
    assert texts(result, "product_name") == [name for name, *_ in LAMPS]
