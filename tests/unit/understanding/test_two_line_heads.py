"""Open lists whose labels stand in two lines each, with codes in the last column and photos at their left."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

UPPER = (("Designation", 169), ("Rated current", 296), ("Pack", 420), ("Cat.", 505))
ROWS = [("Single pole", "2", "12", "MY 102"), ("Double pole", "4", "6", "MY 204"), ("Triple pole", "6", "4", "MY 306"),
        ("Four pole", "10", "3", "MY 410")]  # fmt: skip


def listed(lower: tuple[tuple[str, int], ...], upper: tuple[tuple[str, int], ...] = UPPER) -> PageResult:
    lines: list[Line] = [line(text, x, 93, 8) for text, x in upper]
    lines += [line(text, x, 103, 8) for text, x in lower]
    for n, row in enumerate(ROWS):
        lines += [line(text, x, 150 + 19 * n, 8) for text, x in zip(row, (169, 296, 420, 505), strict=True)]
    photo = picture("P1", (42, 100, 102, 145))
    return understand_page(page(*lines, line("MY 102", 42, 150, 8), pictures=[photo]), (), DocumentFacts(), BY_RULES)


def test_a_label_in_two_lines_heads_its_column() -> None:
    result = listed((("qty.", 420), ("ref.", 505)))
    assert result.page_type == "A" and texts(result, "model") == [row[3] for row in ROWS]
    assert texts(result, "packing") == [row[2] for row in ROWS]


def test_a_caption_under_a_photo_beside_the_list_is_no_text_of_its_row() -> None:
    assert texts(listed((("qty.", 420), ("ref.", 505))), "product_name") == [row[0] for row in ROWS]


@pytest.mark.parametrize("lower", [(("12", 420), ("30", 505)), (("qty.", 380), ("ref.", 470)), ()])
def test_values_and_words_elsewhere_go_on_with_no_label(lower: tuple[tuple[str, int], ...]) -> None:
    assert None in texts(listed(lower), "packing") or not listed(lower).skus


def grouped(names: dict[int, str], step: float, apart: float) -> list[str | None]:
    """Nine rows, three to a group; ``apart``: how much further one group stands from the next."""
    head = [line(text, x, 93, 8) for text, x in (("Designation", 169), ("Pack", 420), ("Cat. ref.", 505))]
    for n in range(9):
        y = 120 + step * n + apart * (n // 3)
        head += [line(text, x, y, 8) for text, x in (("12", 420), (f"MY {101 + n}", 505))]
        head += [line(names[n], 169, y, 8)] if n in names else []
    return texts(understand_page(page(*head), (), DocumentFacts(), BY_RULES), "product_name")


def test_the_name_of_a_group_holds_for_the_rows_right_below() -> None:
    names = {0: "Single pole MCB", 3: "Double pole MCB", 6: "Triple pole MCB"}
    assert grouped(names, 12, 20) == [name for name in names.values() for _ in range(3)]


@pytest.mark.parametrize("names", [{0: "Single pole MCB", 3: "Double pole MCB"}, {n: f"Switch {n}x" for n in range(7)}])
def test_no_name_reaches_over_a_gap_or_fills_a_single_hole(names: dict[int, str]) -> None:
    assert grouped(names, 12, 20)[7:] == [None, None]
