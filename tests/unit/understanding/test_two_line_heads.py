"""Open lists whose labels stand in two lines each, with codes in the last column and photos at their left."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import line, page, picture, texts

UPPER = (("Designation", 169), ("Rated current", 296), ("Pack", 420), ("Cat.", 505))
ROWS = [("Single pole", "2", "12", "MY 102"), ("Double pole", "4", "6", "MY 204"), ("Triple pole", "6", "4", "MY 306"),
        ("Four pole", "10", "3", "MY 410")]  # fmt: skip


def listed(lower: tuple[tuple[str, int], ...], upper: tuple[tuple[str, int], ...] = UPPER) -> PageResult:
    lines: list[Line] = [line(text, x, 93, 8) for text, x in upper]
    lines += [line(text, x, 103, 8) for text, x in lower]
    for n, row in enumerate(ROWS):
        lines += [line(text, x, 150 + 19 * n, 8) for text, x in zip(row, (169, 296, 420, 505), strict=True)]
    photo = picture("P1", (42, 100, 102, 145))
    return understand_page(
        page(*lines, line("MY 102", 42, 150, 8), pictures=[photo]), (), DocumentFacts(), AnalystConfig()
    )


def test_a_label_in_two_lines_heads_its_column() -> None:
    result = listed((("qty.", 420), ("ref.", 505)))
    assert result.page_type == "A" and texts(result, "model") == [row[3] for row in ROWS]
    assert texts(result, "packing") == [row[2] for row in ROWS]


def test_a_caption_under_a_photo_beside_the_list_is_no_text_of_its_row() -> None:
    assert texts(listed((("qty.", 420), ("ref.", 505))), "product_name") == [row[0] for row in ROWS]


@pytest.mark.parametrize("lower", [(("12", 420), ("30", 505)), (("qty.", 380), ("ref.", 470)), ()])
def test_values_and_words_elsewhere_go_on_with_no_label(lower: tuple[tuple[str, int], ...]) -> None:
    assert None in texts(listed(lower), "packing") or not listed(lower).skus
