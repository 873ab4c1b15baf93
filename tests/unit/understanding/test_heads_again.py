"""Lists of one head, printed again under the title of each family."""

import msgspec

from processing.engine.page import Cell, ParsedPage, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.open_table import BANDED
from processing.engine.understanding.tables.restarts import restarted
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

HEAD = ["Ref.", "Size", "Price"]
PLIERS = [["PA-160", "160 mm", "7.45"], ["PA-180", "180 mm", "8.20"]]
WRENCH = [["WC-10", "10 mm", "3.15"], ["WC-13", "13 mm", "3.70"], ["WC-17", "17 mm", "4.95"]]
HAMMER = [["HB-30", "300 g", "9.90"], ["HB-50", "500 g", "11.75"]]
TITLES = ("Combination wrench\nChrome plated", "Ball hammer\nFibre handle")


def families(titles: tuple[str, ...] = TITLES, weighed: str = "Weight") -> Table:
    whole = table([HEAD, *PLIERS, ["", "", ""], HEAD, *WRENCH, ["", "", ""], ["Ref.", weighed, "Price"], *HAMMER])
    rows = (3, 8)
    cells = [cell for cell in whole.cells if cell.row not in rows]
    for row, title in zip(rows, titles, strict=True):
        cells.append(Cell(row, 0, title, (50, 100 + 20 * row, 290, 120 + 20 * row), 1, 3))
    return msgspec.structs.replace(whole, cells=tuple(cells), ruled=False, method=BANDED)


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_the_title_over_a_head_that_is_printed_again_names_the_rows_under_it() -> None:
    result = understood(page(tables=[families()]))
    assert texts(result, "model") == ["PA-160", "PA-180", "WC-10", "WC-13", "WC-17", "HB-30", "HB-50"]
    assert texts(result, "product_name") == [None] * 2 + ["Combination wrench"] * 3 + ["Ball hammer"] * 2
    assert texts(result, "weight")[-2:] == ["300 g", "500 g"]


def test_a_head_that_is_printed_again_under_no_title_begins_no_table() -> None:
    whole = families(("", "Ball hammer"))
    assert restarted(whole) == [whole]


def test_a_title_in_its_table_comes_before_one_over_the_picture_of_another() -> None:
    above = [
        line("Universal pliers", 52, 40, 16),
        *[line("Prices without tax", 300, 700 + 12 * n, 8) for n in range(9)],
    ]
    photo = picture("P1", (60, 60, 200, 96))
    result = understood(page(*above, tables=[families()], pictures=[photo]))
    assert texts(result, "product_name")[2:] == ["Combination wrench"] * 3 + ["Ball hammer"] * 2
