"""Photos and texts as tiles of one size, by turns."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("高脚杯", "刀叉勺", "双耳炖锅", "手冲壶", "玻璃水瓶", "煎蛋小锅")


def mosaic(gutter: float = 0.0, width: float = 140.0) -> ParsedPage:
    """Rows of photo, text, photo, text and of text, photo, text, photo."""
    lines, pictures = [], []
    for n, name in enumerate(NAMES):
        row, pair = divmod(n, 2)
        shown, told = (2 * pair + side for side in ((0, 1) if row % 2 == 0 else (1, 0)))
        x, y = 10 + told * (width + gutter) + 18, 60 + 180 * row
        lines += [
            line(name, x, y + 48, 13),
            line(f"货号 ZB-{11 + n}", x, y + 75, 9),
            line(f"¥{45 + n}", x, y + 113, 16),
        ]
        left = 10 + shown * (width + gutter)
        pictures.append(picture(f"P{n}", (left, y, left + width, y + 180)))
    return page(*lines, pictures=pictures)


@pytest.mark.parametrize("gutter", [0.0, 8.0])
def test_a_tile_of_text_belongs_to_the_photo_beside_it_and_not_to_the_nearer_one_over_it(gutter: float) -> None:
    found = understand_page(mosaic(gutter), (), DocumentFacts(), BY_RULES)
    assert texts(found, "product_name") == list(NAMES)
    assert [[binding.picture for binding in sku.bindings] for sku in found.skus] == [[f"P{n}"] for n in range(6)]
    assert not found.blockers


def test_photos_of_two_columns_with_wide_texts_beside_them_are_no_mosaic() -> None:
    lines, pictures = [], []
    for n, name in enumerate(NAMES):
        x, y = 36 + 282 * (n % 2), 100 + 140 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 94, y + 120)))
        lines += [line(name, x + 106, y + 10, 13), line(f"ZB-{11 + n} | {n + 3}00ml", x + 106, y + 36, 9)]
        lines += [line(f"¥{45 + n}.00", x + 189, y + 74, 16)]
    found = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert texts(found, "price") == [f"¥{45 + n}.00" for n in range(6)]
    assert texts(found, "product_name") == list(NAMES)
    assert [[binding.picture for binding in sku.bindings] for sku in found.skus] == [[f"P{n}"] for n in range(6)]
