"""Contents and index pages: what they name is no product a second time."""

import pytest

from processing.engine.evaluation.facts import document_facts
from processing.engine.evaluation.margins import summarise_margins
from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.contents import is_contents
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

ITEMS = ["King Bed", "Night Table", "Desk", "Desk Chair", "Luggage Bench", "Sofa", "Floor Lamp", "Mirror", "Stool"]


def understood(one: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, (), facts or DocumentFacts(), BY_RULES)


def entries(numbers: list[int], heading: str = "", head: tuple[str, ...] = ()) -> list[Line]:
    """Code, name and page number of each item side by side, as separate lines of print."""
    lines = [line(heading, 50, 40, 20)] if heading else []
    lines += [line(text, 50 + 150 * n, 80) for n, text in enumerate(head)]
    for n, number in enumerate(numbers):
        y = 110 + 20 * n
        lines += [line(f"DLX-{100 + n}", 50, y), line(ITEMS[n], 200, y), line(str(number), 500, y)]
    return lines


RISING, BY_NAME = [5, 6, 8, 8, 11, 12, 15, 19, 20], [9, 5, 20, 7, 12, 30, 6, 14, 8]


@pytest.mark.req("TA-CLS", "TA-DOCPASS")
@pytest.mark.parametrize(
    "lines",
    [
        entries(RISING),
        entries(BY_NAME, "Index"),
        entries(RISING, "产品目录"),
        entries(BY_NAME, "型号索引", ("Model", "Name", "Page")),
        [line("目录", 50, 40), *[line(f"{name} ........ {n + 3}", 50, 90 + 20 * n) for n, name in enumerate(ITEMS)]],
        [line(f"{name} ...... {n + 3}", 50, 90 + 20 * n) for n, name in enumerate(ITEMS)],
    ],
)
def test_names_with_page_numbers_are_an_index_and_no_products(lines: list[Line]) -> None:
    result = understood(page(*lines, number=2))
    assert (result.page_type, result.classification["reason"], result.skus) == ("D", "index_page", ())
    assert result.blockers == () and summarise_margins(page(*lines, number=2)).index_like


@pytest.mark.parametrize("prices", [[28, 45, 38, 60, 28, 45, 52, 30, 25], [145, 130, 120, 128, 145, 90, 85, 60, 45]])
def test_dots_may_lead_to_prices(prices: list[int]) -> None:
    dishes = [
        line(f"{name} ...... {n}", 50, 90 + 20 * k) for k, (name, n) in enumerate(zip(ITEMS, prices, strict=True))
    ]
    assert not is_contents(page(*dishes, number=2))


@pytest.mark.parametrize(
    "lines",
    [
        entries(BY_NAME),
        entries(BY_NAME, "产品目录"),
        entries(BY_NAME, "Index", ("Model", "Name", "MOQ")),
        entries([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_other_last_numbers_make_no_index(lines: list[Line]) -> None:
    assert not is_contents(page(*lines, number=2))


def test_rising_weights_in_a_ruled_table_make_no_index() -> None:
    rows = [["型号", "品名", "重量"], *[[f"A-{n}", f"凳{n}", str(10 + n)] for n in range(12)]]
    result = understood(page(tables=[table(rows)]))
    assert (result.page_type, len(result.skus)) == ("A", 12)


def test_an_index_with_small_pictures_repeats_its_items() -> None:
    lines, pictures = entries(RISING, "Contents"), []
    for n in range(len(RISING)):
        pictures.append(picture(f"P{n}", (150, 105 + 20 * n, 190, 122 + 20 * n)))
    assert understood(page(*lines, pictures=pictures, number=2)).skus == ()


def test_a_page_that_the_document_knows_as_index_has_no_products_whatever_it_looks_like() -> None:
    rows = [["型号", "品名", "尺寸"], *[[f"A-{n}", f"凳{n}", "40×40"] for n in range(5)]]
    one = page(tables=[table(rows)], number=3)
    assert len(understood(one).skus) == 5
    result = understood(one, DocumentFacts(index_pages=(3,)))
    assert (result.page_type, result.skus, result.classification["reason"]) == ("D", (), "index_page")


@pytest.mark.req("TA-DOCPASS")
def test_a_tables_head_at_the_top_of_each_page_is_no_running_line() -> None:
    rows = [["Item No.", "Description", "Finish", "Price"], ["A-1", "Mug", "matt", "5.00"]]
    summary = summarise_margins(page(line("ACME 2026", 60, 20), tables=[table(rows, y=40)]))
    assert "acme2026" in summary.lines and not {"itemno.", "description", "finish", "price"} & set(summary.lines)


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(("heading", "size"), [("Index", 14), ("型号索引", 18)])
def test_an_index_without_page_numbers_is_known_by_its_heading(heading: str, size: float) -> None:
    rows = [
        ["Item #", "Room", "Description", "Unit"],
        *[[f"DLX-{n}", "Suite", item, "Pc"] for n, item in enumerate(ITEMS)],
    ]
    assert understood(page(line(heading, 50, 40, size), tables=[table(rows)])).skus == ()
    products = [[*rows[0], "Price"], *[[*row, "$12.00"] for row in rows[1:]]]
    assert len(understood(page(line(heading, 50, 40, size), tables=[table(products)])).skus) == len(ITEMS)


def test_the_word_index_on_a_button_makes_no_index() -> None:
    rows = [["Item #", "Description", "Unit"], *[[f"DLX-{n}", item, "Pc"] for n, item in enumerate(ITEMS)]]
    one = page(line("Index", 500, 30, 7), line("Tables and beds", 50, 60, 18), tables=[table(rows)])
    assert not is_contents(one)


@pytest.mark.req("TA-DOCPASS")
def test_labels_of_a_card_that_reaches_into_the_margin_are_no_footer() -> None:
    """Only the first of them stands above it."""

    def shown(number: int) -> ParsedPage:
        labels = [line(text, 40, 725 + 17 * n) for n, text in enumerate(("型号", "规格", "材质", "零售价"))]
        values = [line(f"V{number}{n}", 100, 725 + 17 * n) for n in range(4)]
        return page(*labels, *values, line("南山厨具", 500, 30), line("电话 0755", 40, 815), number=number)

    found = document_facts([summarise_margins(shown(n)) for n in range(1, 6)])
    assert found.running_lines == ("南山厨具", "电话0755")
