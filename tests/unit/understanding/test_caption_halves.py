"""Pictures between their names and what labels say of them."""

import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.halves import in_halves
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ["Lounge Chair", "Open Shelf", "Writing Desk", "Oak Bench", "Side Table", "Day Bed"]


def cards(body: list[str], labels: tuple[str, ...] = (), between: float = 60) -> PageResult:
    """Six pictures in two rows, a name and a code over each and ``body`` under it, beside ``labels`` where given;
    ``between`` points from the last of them to the next name."""
    lines: list[Line] = []
    pictures: list[Picture] = []
    for n, name in enumerate(NAMES):
        x, y = 50 + 180 * (n % 3), 110 + (160 + 14 * len(body) + between) * (n // 3)
        lines += [line(name, x, y - 30, 11), line(f"Item No. HB-{n}10", x, y - 16, 8)]
        pictures.append(picture(f"P{n}", (x, y, x + 140, y + 120)))
        for k, text in enumerate(body):
            lines.append(line(text, x + (60 if labels else 0), y + 126 + 14 * k, 8))
            lines += [line(labels[k], x, y + 126 + 14 * k, 8)] if labels else []
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert result.page_type == "C"
    return result


@pytest.mark.req("TA-T84")
@pytest.mark.parametrize("between", [60, 35])
def test_a_name_over_a_picture_and_labelled_lines_under_it_are_one_product(between: float) -> None:
    found = cards(["Size: 74 x 34 cm", "Material: solid oak", "Price: $80.00"], between=between)
    assert texts(found, "product_name") == NAMES and texts(found, "model")[4] == "HB-410"
    assert texts(found, "material") == ["solid oak"] * 6 and texts(found, "price") == ["$80.00"] * 6
    assert [[one.picture for one in sku.bindings] for sku in found.skus] == [[f"P{n}"] for n in range(6)]


def test_the_labels_may_stand_in_a_column_of_their_own() -> None:
    found = cards(["74 x 34 cm", "solid oak", "12 kg", "$80.00"], ("Size", "Material", "Weight", "List"))
    assert texts(found, "product_name") == NAMES
    assert texts(found, "size") == ["74 x 34 cm"] * 6 and texts(found, "price") == ["$80.00"] * 6


def test_words_without_labels_under_a_picture_are_no_half_of_a_caption() -> None:
    found = cards(["Comfort for long days", "made to order"])
    assert not any("Comfort" in value.text for sku in found.skus for value in sku.attributes.values())


def test_lines_between_two_rows_of_pictures_may_be_nobodys() -> None:
    between = (line("Linen", 50, 100),)
    assert in_halves(dict.fromkeys("AB", between), dict.fromkeys("CD", between), (), dict.fromkeys("ABCD", 1.0)) == {}


@pytest.mark.parametrize(("sizes", "products"), [(["90 x 40 cm"], 3), (["Made to order"], 0)])
def test_a_code_over_a_picture_and_a_name_with_sizes_under_it_are_one_product_whatever_icons_say(
    sizes: list[str], products: int
) -> None:
    lines, shown = [], []
    for n in range(3):
        x = 110.0 + 150 * n
        shown.append(picture(f"P{n}", (x, 120, x + 110, 320)))
        lines += [line(f"KT 0{n}5", x + 30, 102, 12), line("Single door", x + 20, 326, 9)]
        lines += [line(text, x + 20, 338 + 11 * k, 8) for k, text in enumerate(sizes)]
    for n, word in enumerate(("Strong", "Secure", "Durable")):
        shown.append(picture(f"I{n}", (30, 130 + 60.0 * n, 56, 156 + 60.0 * n)))
        lines.append(line(word, 30, 160 + 60.0 * n, 7))
    found = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert texts(found, "model") == ["KT 005", "KT 015", "KT 025"][:products]
    assert texts(found, "size") == sizes * products
    assert [[one.picture for one in sku.bindings] for sku in found.skus] == [["P0"], ["P1"], ["P2"]][:products]
