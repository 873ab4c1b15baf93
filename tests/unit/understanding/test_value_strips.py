"""Grids of products whose values stand in a strip at each picture: labels over values, set to the middle."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ["Round table", "Wall shelf", "Bar stool", "Side board"]
LABELS = ["WIDTH", "HEIGHT", "WEIGHT"]
VALUES = [["620 mm", "1 140 mm", "18 kg"], ["70 mm", "2 020 mm", "9 kg"], ["445 mm", "704 mm", "6 kg"],
          ["1 200 mm", "860 mm", "44 kg"]]  # fmt: skip


def middle(text: str, x: float, y: float) -> Line:
    """Set to the middle of ``x``."""
    return line(text, x - 0.5 * 0.55 * 7 * len(text), y, 7)


def strip(x: float, y: float, labels: list[str], values: list[str]) -> list[Line]:
    return [middle(text, x + 25 + 62 * n, y + dy) for dy, row in ((0, labels), (11, values))
            for n, text in enumerate(row)]  # fmt: skip


def cards(strips: int = 4, captions: int = 4) -> ParsedPage:
    lines, shown = [], []
    for n, name in enumerate(NAMES):
        x, y = 50 + 215 * (n % 2), 60 + 330 * (n // 2)
        lines += [line(name, x, y, 12), line(f"TB {n + 1}01", x, y + 16, 9)] if n < captions else []
        shown.append(picture(f"P{n}", (x + 10, y + 34, x + 190, y + 250)))
        lines += strip(x, y + 256, LABELS, VALUES[n]) if n < strips else []
    return page(*lines, pictures=shown)


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_what_a_strip_says_is_said_of_the_product_over_it() -> None:
    result = understood(cards())
    assert texts(result, "model") == ["TB 101", "TB 201", "TB 301", "TB 401"]
    assert texts(result, "weight") == ["18 kg", "9 kg", "6 kg", "44 kg"]
    measures = [[(c.name, c.value) for c in sku.custom] for sku in result.skus]
    assert measures == [[("WIDTH", own[0]), ("HEIGHT", own[1])] for own in VALUES]


def test_strips_of_labels_and_values_are_no_captions() -> None:
    view = PageView(cards(captions=0), (), DocumentFacts(), BY_RULES)
    assert len(view.pictures) == len(NAMES) and captioned_pictures(view) == []


def test_the_strip_of_a_picture_without_a_caption_tells_of_no_other_product() -> None:
    result = understood(cards(captions=3))
    assert texts(result, "weight") == ["18 kg", "9 kg", "6 kg"]


def test_one_strip_on_a_page_tells_nothing() -> None:
    assert texts(understood(cards(strips=1)), "weight") == [None] * 4


@pytest.mark.parametrize("text", ["W A LL S H E LV ES", "Г Р У З О Б Л ОЧ НЫЕ"])
def test_print_with_wide_spaces_names_no_product(text: str) -> None:
    assert not is_name(text) and is_name("Vitamin B C complex")


def test_codes_and_sizes_may_stand_under_their_labels_begin_beside_the_picture() -> None:
    lines, shown = [], []
    codes, sizes = ["TB-101", "TB-205", "TB-330", "TB-412"], ["Φ65cm", "高135cm", "L 38-50cm", "高110cm"]
    for n, name in enumerate(NAMES):
        x, y = 50 + 265 * (n % 2), 60 + 330 * (n // 2)
        lines += [line(name, x, y, 12), line("$68.00", x + 130, y, 12)]
        shown.append(picture(f"P{n}", (x, y + 20, x + 130, y + 160)))
        for k, (label, value) in enumerate((("货号", codes[n]), ("规格", sizes[n]))):
            lines += [line(label, x + 142, y + 40 + 44 * k, 8), line(value, x + 142, y + 53 + 44 * k, 10)]
    result = understood(page(*lines, pictures=shown))
    assert texts(result, "model") == codes and texts(result, "size") == sizes
    assert texts(result, "product_name") == NAMES
