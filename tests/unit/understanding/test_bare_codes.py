"""Dense grids of pictures with a code each and nothing else: rows of unlike columns, headings between them."""

import pytest

from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.shapes import is_price
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

ROWS = (
    (("ID-4MW07", 40), ("ID -4MAW07", 200), ("ID- 2MSW07", 330)),
    (("VD-8056", 50), ("WN-1331A", 150), ("WN - 1402A", 255), ("ID-RM02", 360)),
    (("VD-1301A", 45), ("VD-UTC300", 215), ("VD-F172", 345)),
)


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def dense(*more: Line, beside: tuple[tuple[str, int], ...] = ()) -> ParsedPage:
    """Rows of three and four pictures with their codes under them; ``beside``: one with its codes right of them."""
    lines: list[Line] = [*more]
    pictures: list[Picture] = []
    for row, codes in enumerate(ROWS):
        for code, x in codes:
            y = 80 + 140 * row
            pictures.append(picture(f"P{len(pictures)}", (x, y, x + 80, y + 90)))
            lines.append(line(code, x + 14, y + 96, 7))
    for code, x in beside:
        pictures.append(picture(f"P{len(pictures)}", (x, 500, x + 80, 590)))
        lines.append(line(code, x + 86, 540, 7))
    return page(*lines, pictures=pictures)


def test_each_code_of_a_dense_grid_is_a_product_with_its_picture() -> None:
    result = understood(dense())
    assert result.page_type == "C" and texts(result, "model") == [code for row in ROWS for code, _ in row]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n}"] for n in range(10)]


def test_a_heading_right_under_one_code_names_nothing() -> None:
    result = understood(dense(line("LOW BACK CHAIRS", 40, 184, 7)))
    assert len(result.skus) == 10 and texts(result, "product_name") == [None] * 10


def test_codes_of_one_row_may_stand_beside_their_pictures() -> None:
    result = understood(dense(beside=(("UT-C041", 40), ("BQ01", 240))))
    assert texts(result, "model")[-2:] == ["UT-C041", "BQ01"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus][-2:] == [["P10"], ["P11"]]


@pytest.mark.parametrize(
    ("text", "size"),
    [("Fabric samples", 12), ("Enamel colours", 12), ("All parts are shown without their covers. " * 4, 7)],
)
def test_codes_of_samples_and_under_much_text_are_no_products(text: str, size: int) -> None:
    more = [line(text, 40, 40, size), *(line(text, 40, 640 + 12 * n, size) for n in range(3) if size < 12)]
    assert not understood(dense(*more)).skus


@pytest.mark.parametrize(("text", "price"), [("ID-RM02", False), ("RM 20", True), ("Price-$12", True)])
def test_a_currency_behind_a_hyphen_is_part_of_a_code(text: str, price: bool) -> None:
    assert is_price(text) is price


def test_codes_under_pictures_with_names_over_them_are_one_caption_of_two_parts() -> None:
    names = [line(f"Chair {row}{x}", x + 10, 66 + 140 * row, 9) for row, codes in enumerate(ROWS) for _, x in codes]
    assert None not in texts(understood(dense(*names)), "product_name")
