"""Photos with all that is said of them printed on them."""

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

THINGS = (("Wood-fired cup", "QT-301", "¥56"), ("Loop-handle pot", "QT-308", "¥238"), ("Flower vase", "QT-312", "¥89"))


def understood() -> PageResult:
    """Names at the upper edge of the photos, and a heading right over the first of them."""
    lines = [line("Tea space", 40, 38, 14)]
    pictures = []
    for n, (name, code, price) in enumerate(THINGS):
        x = 36 + 180 * n
        pictures.append(picture(f"P{n}", (x, 54, x + 170, 414)))
        lines += [
            line(name, x + 12, 66, 14),
            line("Stoneware", x + 12, 84, 11),
            line(code, x + 12, 122, 9),
            line(price, x + 12, 136, 9),
        ]
    return understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)


def test_what_is_printed_on_a_photo_and_not_the_heading_over_it_names_it() -> None:
    result = understood()
    assert texts(result, "product_name") == [name for name, _, _ in THINGS]
    assert texts(result, "model") == [code for _, code, _ in THINGS]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]
