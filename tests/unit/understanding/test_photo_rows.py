"""Lists of a shop: a column of small photos, a name with its texts beside each, a price at the right."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.lists.photo_rows import extract_photo_rows
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ["Smoked almonds", "Fig jam, jar, 120 g", "Black olives", "Rye crackers", "Honey in the comb"]
PRICES = ["€4.50", "€3.20", "€5.10", "€2.90", "€9.80"]


def understood(one: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, (), facts or DocumentFacts(), BY_RULES)


def shop_list(over: str = "", names: list[str] = NAMES, top: float = 60, last: float = 10) -> ParsedPage:
    """``over``: in small print over each price; ``last``: the print of the last price."""
    lines: list[Line] = []
    for n, (name, price) in enumerate(zip(names, PRICES, strict=True)):
        y = top + 44 * n
        lines += [line(name, 88, y), line(f"Spain | best before 0{n + 1}.2031", 88, y + 12, 7.5)]
        lines += [line(over, 500, y, 7.5)] if over else []
        lines.append(line(price, 500, y + 12, last if n == len(names) - 1 else 10))
    shown = [picture(f"P{n}", (50, top - 4 + 44 * n, 84, top + 30 + 44 * n)) for n in range(len(names))]
    return page(*lines, pictures=shown)


@pytest.mark.parametrize("over", ["", "€12.00", "(~900 g, €9.00/kg)", "from ~300 g"])
def test_each_photo_has_the_name_beside_it_and_the_price_in_the_largest_print(over: str) -> None:
    result = understood(shop_list(over))
    assert texts(result, "product_name") == NAMES and texts(result, "price") == PRICES
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n}"] for n in range(5)]
    assert result.blockers  # a person looks at it


def test_a_name_of_two_lines_is_one() -> None:
    one = shop_list(names=["Smoked almonds", "Fig jam", "Black olives", "Rye crackers", "Honey"])
    more = [line("in a gift box", 88, 71 + 44 * n) for n in range(5)]
    moved = [line(text.text, *text.box[:2], text.size) for text in one.lines if not text.text.startswith("Spain")]
    result = understood(page(*moved, *more, pictures=one.pictures))
    assert texts(result, "product_name")[0] == "Smoked almonds in a gift box"


def test_two_prices_in_one_print_leave_open_which_holds() -> None:
    one = shop_list()
    several = page(*one.lines, line("€1.00", 440, 72), pictures=one.pictures)
    for shown, products in ((one, 5), (several, 0)):
        view = PageView(shown, (), DocumentFacts(), BY_RULES)
        assert len(extract_photo_rows(view).drafts) == products


def test_a_price_at_the_foot_of_several_pages_is_no_running_line() -> None:
    facts = DocumentFacts(running_lines=("€9.80",))
    assert texts(understood(shop_list(top=570), facts), "price") == PRICES
