"""Units and currencies that are printed once for many values, with the place where they stand."""

from typing import Any

import pytest

from processing.engine.evaluation.assess import assess_page
from processing.engine.evaluation.facts import document_facts
from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, Evidence, PageResult, Sku, Value
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.units import head_mark, note_marks, section_mark
from tests.unit.understanding.pages import BY_RULES, line, page, table

HEAD = ["Model", "Name", "Size", "G.W.", "Price"]
ROWS = [["A-101", "Mug", "80×90", "11.9", "168.00"], ["A-102", "Bowl", "120×60", "2.5", "面议 On request"]]


def understood(one: ParsedPage, *earlier: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, earlier, facts or DocumentFacts(), BY_RULES)


def listed(head: list[str], *between: list[str]) -> ParsedPage:
    return page(tables=[table([head, *between, *ROWS])])


def currency(sku: Sku) -> tuple[str, str, float] | None:
    """Mark, scope and the place's upper edge."""
    value = sku.attributes.get("currency")
    return (value.text, value.source, value.evidence.bbox[1]) if value else None


def code(sku: Sku, key: str = "price") -> Any:
    found: Any = sku.normalized[key]
    return found["currency" if key == "price" else "unit"]


@pytest.mark.parametrize(
    ("key", "label", "mark"),
    [
        ("weight", "G.W. (KGS)", "KGS"),
        ("weight", "N.W.KGS", "KGS"),
        ("weight", "毛重（千克）", "千克"),
        ("weight", "净重kg", "kg"),
        ("weight", "Weight (g)", "g"),
        ("weight", "Weight g", "g"),
        ("weight", "G.W.", None),
        ("weight", "Вес, кг", "кг"),
        ("size", "Size (in cm)", "cm"),
        ("size", "Size in.", "in"),
        ("size", "L*W*H(mm)", "mm"),
        ("size", "尺寸 mm", "mm"),
        ("size", "Size(mm/inch)", "mm"),
        ("size", 'Size "', '"'),
        ("size", "M size", None),
        ("price", "单价(元)", "元"),
        ("price", "US$/PC", "US$"),
        ("price", "单元", None),
        ("price", "Price", None),
    ],
)
def test_a_head_prints_a_unit_beside_its_words(key: str, label: str, mark: str | None) -> None:
    assert head_mark(key, label) == mark


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("单位：元/件", {"price": "元"}),
        ("All prices in EUR", {"price": "EUR"}),
        ("Currency: USD", {"price": "USD"}),
        ("Dimensions are given in mm", {"size": "mm"}),
        ("尺寸单位 mm", {"size": "mm"}),
        ("(单位：毫米)", {"size": "毫米"}),
        ("单位:mm/kg", {"size": "mm", "weight": "kg"}),
        ("Dimensions in mm, weight in kg", {"size": "mm", "weight": "kg"}),
        ("Prices in USD per piece", {"price": "USD"}),
        ("Weight in USD", {}),
        ("制造单位：元", {}),
        ("单位：个", {}),
        ("Sizes in stock", {}),
        ("Price in box", {}),
        ("Delivered in cm", {}),
    ],
)
def test_a_note_says_what_values_are_given_in(text: str, marks: dict[str, str]) -> None:
    assert note_marks(text) == marks


def test_a_section_says_it_in_brackets_or_in_a_note() -> None:
    assert section_mark("price", "Lamps (USD)") == "USD" and section_mark("price", "灯具 单位：元") is None
    assert section_mark("price", "Lamps, prices in EUR") == "EUR" and section_mark("size", "Lamps (USD)") is None


@pytest.mark.req("X-NORM", "GR-EVID")
def test_the_head_of_a_column_says_it_for_its_cells_with_the_place() -> None:
    first, asked = understood(listed(["Model", "Name", "Size (cm)", "G.W. (KGS)", "Price (CNY)"])).skus
    assert currency(first) == ("CNY", "column_inherited", 102) and code(first) == code(asked) == "CNY"
    assert currency(asked) == ("CNY", "column_inherited", 102) and "price" not in asked.attributes
    assert asked.on_request and asked.on_request.text == "面议 On request"
    assert [(key, unit.text, unit.source) for key, unit in first.units.items()] == [
        ("size", "cm", "column_inherited"),
        ("weight", "KGS", "column_inherited"),
    ]
    assert first.normalized["weight"] == {"values": [11.9], "unit": "kg"} and code(first, "size") == "cm"
    assert first.units["weight"].evidence.bbox[0] > 290  # in the head of the fourth column


def test_its_own_comes_before_the_column_that_before_the_section_and_that_before_the_page() -> None:
    rows = [["A-1", "€ 5"], ["A-2", "6.00"], ["Lamps (USD)", ""], ["B-1", "7.00"], ["B-2", "8.00"]]
    note = line("All prices in GBP", 50, 60)
    found = understood(page(note, tables=[table([["Model", "Price"], *rows])])).skus
    assert [(currency(sku) or [None])[0] for sku in found] == ["€", "GBP", "USD", "USD"]
    sources = [sku.attributes["currency"].source for sku in found]
    assert sources == ["direct", "page_inherited", "section_inherited", "section_inherited"]
    headed = understood(page(note, tables=[table([["Model", "Price (CNY)"], *rows])])).skus
    assert [(currency(sku) or [None])[0] for sku in headed] == ["€", "CNY", "CNY", "CNY"]


def test_a_note_holds_for_its_page_wherever_it_stands_and_of_several_the_one_above() -> None:
    first, second = table([HEAD, *ROWS]), table([HEAD, *[["B" + row[0], *row[1:]] for row in ROWS]], y=300, id="G2")
    foot = understood(page(line("Prices in EUR", 50, 700), tables=[first])).skus
    assert [currency(sku) for sku in foot] == [("EUR", "page_inherited", 700)] * 2
    several = understood(
        page(line("Prices in EUR", 50, 60), line("Prices in USD", 50, 250), tables=[first, second])
    ).skus
    assert [currency(sku) for sku in several] == [
        *[("EUR", "section_inherited", 60)] * 2,
        *[("USD", "section_inherited", 250)] * 2,
    ]


def test_a_page_without_products_says_it_for_the_document_unless_another_says_otherwise() -> None:
    terms = page(line("All prices in EUR. Dimensions in mm", 50, 100), line("Welcome", 50, 300), number=1)
    other = page(line("All prices in USD", 50, 100), number=2)
    own = page(line("All prices in CHF", 50, 60), tables=[table([HEAD, *ROWS])], number=3)
    facts = document_facts([assess_page(one).margins for one in (terms, own)])
    (sku, _) = understood(page(tables=[table([HEAD, *ROWS])], number=3), facts=facts).skus
    assert currency(sku) == ("EUR", "document_inherited", 100) and sku.attributes["currency"].evidence.page_number == 1
    assert "currency" not in document_facts([assess_page(one).margins for one in (terms, other)]).inherited


def test_a_running_line_says_it_for_the_document() -> None:
    running = line("All prices in EUR", 50, 20)
    facts = DocumentFacts(running_lines=("allpricesineur",))
    assert currency(understood(page(running, tables=[table([HEAD, *ROWS])]), facts=facts).skus[0]) == (
        "EUR",
        "document_inherited",
        20,
    )


def test_a_head_on_the_page_before_is_where_it_stands() -> None:
    before = page(tables=[table([["Model", "Name", "Price (CNY)"], ["A-1", "Mug", "9.00"]], y=700)], number=1)
    after = page(tables=[table([["A-2", "Bowl", "8.00"], ["A-3", "Jar", "7.00"]], y=60)], number=2)
    sku = understood(after, before).skus[0]
    assert currency(sku) == ("CNY", "column_inherited", 702) and sku.attributes["currency"].evidence.page_number == 1


def test_what_nothing_says_stays_unknown() -> None:
    first, asked = understood(listed(HEAD)).skus
    assert currency(first) is currency(asked) is None and first.units == {}
    assert code(first) is None and code(first, "weight") is None


def test_a_fact_of_the_document_never_replaces_what_is_printed() -> None:
    place = Evidence("kg", 9, (0, 0, 9, 9), 1.0, "text_line")
    facts = DocumentFacts(inherited={"weight_unit": Value("kg", place)})
    rows = [["A-1", "Mug", "250 g"], ["A-2", "Bowl", "2.5"]]
    first, second = understood(page(tables=[table([["Model", "Name", "Weight"], *rows])]), facts=facts).skus
    assert code(first, "weight") == "g" and first.units == {}
    assert code(second, "weight") == "kg" and second.units["weight"].evidence == place
