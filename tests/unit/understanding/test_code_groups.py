"""Rows with a code for each of several variants, and prices under quantities that share a head."""

from collections.abc import Sequence

from processing.engine.page import Cell, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, page, texts

Head = tuple[str, int]


def understood(over: Sequence[Head], rows: Sequence[Sequence[str]]) -> PageResult:
    """``over``: texts of the head's first row with the columns each reaches over."""
    cells, at = [], 0
    for text, cols in over:
        depth = 2 if cols == 1 else 1
        box = (50.0 + 80 * at, 100.0, 50.0 + 80 * (at + cols), 100.0 + 20 * depth)
        cells.append(Cell(0, at, text, box, depth, cols))
        at += cols
    for n, row in enumerate(rows):
        y = 120 + 20 * n
        cells += [
            Cell(n + 1, col, text, (50 + 80 * col, y, 130 + 80 * col, y + 20)) for col, text in enumerate(row) if text
        ]
    high = 20.0 * (len(rows) + 1)
    whole = Table("G1", (50, 100, 50 + 80 * at, 100 + high), len(rows) + 1, at, tuple(cells))
    return understand_page(page(tables=[whole]), (), DocumentFacts(), BY_RULES)


LABELS = ["", "Cat. no.", "USD", "Cat. no.", "USD"]
ROWS = [
    ["6", "QB6-06-1", "2.10", "QB6-06-2", "4.35"],
    ["10", "QB6-10-1", "2.15", "QB6-10-2", "4.45"],
    ["16", "QB6-16-1", "2.20", "QB6-16-2", "4.60"],
]
VARIANTS = [("Rated current (A)", 1), ("1 pole", 2), ("2 pole", 2)]


def test_each_code_of_a_row_is_a_product_with_the_price_beside_it() -> None:
    result = understood(VARIANTS, [LABELS, *ROWS])
    assert sorted(zip(texts(result, "model"), texts(result, "price"), strict=True)) == [
        ("QB6-06-1", "2.10"),
        ("QB6-06-2", "4.35"),
        ("QB6-10-1", "2.15"),
        ("QB6-10-2", "4.45"),
        ("QB6-16-1", "2.20"),
        ("QB6-16-2", "4.60"),
    ]
    assert sorted(c.value for sku in result.skus for c in sku.custom) == sorted(["6", "10", "16"] * 2)


def test_a_second_code_that_several_rows_share_is_of_what_the_products_need() -> None:
    shared = [[*row[:3], "BX-100", row[4]] for row in ROWS]
    assert texts(understood(VARIANTS, [LABELS, *shared]), "model") == ["QB6-06-1", "QB6-10-1", "QB6-16-1"]


def test_amounts_under_quantities_are_prices_where_the_head_over_them_says_so() -> None:
    over = [("Item No.", 1), ("Size", 1), ("Order quantity", 3)]
    rows = [
        ["", "", "500", "1000", "3000"],
        ["PB-1", "18x8x24 cm", "2.10", "1.45", "1.08"],
        ["PB-2", "25x10x32 cm", "2.60", "1.82", "1.36"],
    ]
    result = understood(over, rows)
    assert texts(result, "price") == ["2.10", "2.60"]
    tiers = result.skus[0].normalized["price"]["tiers"]  # type: ignore[index]
    assert [tier["value"] for tier in tiers] == ["2.10", "1.45", "1.08"]
    stock = [rows[0], ["PB-1", "18x8x24 cm", "120", "60", "15"], ["PB-2", "25x10x32 cm", "80", "40", "10"]]
    assert texts(understood(over, stock), "price") == [None] * 2
