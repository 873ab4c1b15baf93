"""Brand, series and material printed once for many products, and names that are none of them."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, Evidence, PageResult, Value
from processing.engine.understanding.inheritance import heading_value
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

HEAD = ["型号", "品名", "单价"]
FIRST, SECOND = [["A-1", "杯", "¥9"], ["A-2", "碗", "¥8"]], [["B-1", "盘", "¥7"], ["B-2", "壶", "¥6"]]


def understood(one: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, (), facts or DocumentFacts(), BY_RULES)


def found(result: PageResult, key: str) -> list[tuple[str, str] | None]:
    values = [sku.attributes.get(key) for sku in result.skus]
    return [(value.text, value.source) if value else None for value in values]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("米兰系列", ("series", "米兰系列")),
        ("Milano Collection", ("series", "Milano Collection")),
        ("SERIES K200", ("series", "SERIES K200")),
        ("Series: Oslo", ("series", "Oslo")),
        ("品牌：乐居", ("brand", "乐居")),
        ("Brand: ACME", ("brand", "ACME")),
        ("产品系列", None),
        ("Our Collection", None),
        ("New Series", None),
        ("Product range", None),
        ("ACME", None),
        ("Goes well with every chair of the Milano Series", None),
        ("系列", None),
        ("Brand: /", None),
        ("Material: oak", ("material", "oak")),
        ("材质：304不锈钢", ("material", "304不锈钢")),
        ("Material: see the last page", None),
        ("Range: 25-50 kg", None),
        ("Price range", None),
        ("2026 Collection", None),
        ("2026系列", None),
        ("2026 Sonata Collection", ("series", "2026 Sonata Collection")),
    ],
)
def test_only_words_that_say_so_name_a_brand_or_a_series(text: str, expected: tuple[str, str] | None) -> None:
    named = heading_value(line(text, 50, 50), 1)
    assert (named and (named[0], named[1].text)) == expected


@pytest.mark.req("GR-EVID", "TA-DOCPASS")
def test_section_rows_of_a_table_name_the_series_of_the_rows_below() -> None:
    rows = [HEAD, ["米兰系列", "", ""], *FIRST, ["Oslo Series", "", ""], *SECOND, ["其他", "", ""], ["C-1", "罐", "¥5"]]
    result = understood(page(tables=[table(rows)]))
    milano, oslo = ("米兰系列", "section_inherited"), ("Oslo Series", "section_inherited")
    assert found(result, "series") == [milano, milano, oslo, oslo, None]
    assert result.skus[2].attributes["series"].evidence.bbox == (50, 180, 130, 200)


def test_a_heading_names_the_series_of_what_stands_below_it() -> None:
    lines = [line("米兰系列", 50, 70, 16), line("奥斯陆系列", 50, 270, 16)]
    tables = [table([HEAD, *FIRST]), table([HEAD, *SECOND], y=300, id="G2")]
    result = understood(page(*lines, tables=tables))
    assert [value and value[0] for value in found(result, "series")] == ["米兰系列"] * 2 + ["奥斯陆系列"] * 2
    above = understood(page(line("米兰系列", 50, 400, 16), tables=[table([HEAD, *FIRST])]))
    assert found(above, "series") == [None, None]


def cards() -> list[Line]:
    return [
        line(text, x, y)
        for x, code in ((40, "A-1"), (330, "B-1"))
        for text, y in ((f"Model: {code}", 120), ("Price: $5", 140), ("Material: oak", 160))
    ]


@pytest.mark.req("TA-BR13", "GR-EVID")
def test_what_all_products_of_a_page_or_document_share_is_inherited_and_replaces_nothing() -> None:
    facts = DocumentFacts(running_lines=("brand:acme",))
    head = [*HEAD, "材质"]
    rows = [head, [*FIRST[0], ""], [*FIRST[1], "玻璃"]]
    lines = [line("Brand: ACME", 400, 20), line("米兰系列", 50, 60, 16), line("材质：陶瓷", 50, 82)]
    result = understood(page(*lines, tables=[table(rows)]), facts)
    assert found(result, "brand") == [("ACME", "document_inherited")] * 2
    assert found(result, "series") == [("米兰系列", "page_inherited")] * 2
    assert found(result, "material") == [("陶瓷", "page_inherited"), ("玻璃", "direct")]
    evidence = result.skus[0].attributes["material"].evidence
    assert (evidence.quote, evidence.page_number, evidence.method) == ("陶瓷", 1, "section")
    assert evidence.bbox[1] == 82


def test_headings_of_two_sections_are_the_sections_own() -> None:
    lines = [line("材质：陶瓷", 50, 70), line("材质：玻璃", 50, 270)]
    tables = [table([HEAD, *FIRST]), table([HEAD, *SECOND], y=300, id="G2")]
    result = understood(page(*lines, tables=tables))
    assert found(result, "material") == [("陶瓷", "section_inherited")] * 2 + [("玻璃", "section_inherited")] * 2


def test_headings_side_by_side_hold_for_their_own_column() -> None:
    result = understood(page(line("Milano Series", 40, 80, 16), line("Oslo Series", 330, 80, 16), *cards()))
    by_model = {sku.attributes["model"].text: sku.attributes["series"].text for sku in result.skus}
    assert by_model == {"A-1": "Milano Series", "B-1": "Oslo Series"}


def test_body_text_of_the_same_words_is_no_heading() -> None:
    result = understood(page(line("Milano Series", 40, 90, 10), *cards()))
    assert found(result, "series") == [None, None]


def test_what_the_products_row_says_is_never_replaced() -> None:
    rows = [["品牌", *HEAD], ["乐居", *FIRST[0]], ["", *FIRST[1]]]
    result = understood(page(line("Brand: ACME", 50, 60), tables=[table(rows)]))
    assert found(result, "brand") == [("乐居", "direct"), ("ACME", "page_inherited")]


def test_an_own_brand_stays_where_the_series_is_inherited() -> None:
    rows = [["品牌", *HEAD], ["乐居", *FIRST[0]], ["优品", *FIRST[1]]]
    lines = [line("Brand: ACME", 50, 40), line("米兰系列", 50, 60, 16)]
    result = understood(page(*lines, tables=[table(rows)]))
    assert found(result, "brand") == [("乐居", "direct"), ("优品", "direct")]
    assert found(result, "series") == [("米兰系列", "page_inherited")] * 2


@pytest.mark.req("TA-DOCPASS", "GR-EVID")
def test_a_running_header_that_names_the_brand_is_every_products() -> None:
    facts = DocumentFacts(running_lines=("brand:acme",))
    result = understood(page(line("Brand: ACME", 400, 20), tables=[table([HEAD, *FIRST])], number=4), facts)
    assert found(result, "brand") == [("ACME", "document_inherited")] * 2
    evidence = result.skus[0].attributes["brand"].evidence
    assert (evidence.page_number, evidence.method, evidence.bbox[1]) == (4, "header", 20)


def test_a_logo_or_name_repeated_on_every_page_is_no_brand() -> None:
    facts = DocumentFacts(running_lines=("acmetrading",), repeated_pictures=("abcd",))
    logo = picture("P1", (400, 10, 500, 40), perceptual_hash="abcd")
    result = understood(page(line("ACME Trading", 50, 20), tables=[table([HEAD, *FIRST])], pictures=[logo]), facts)
    assert found(result, "brand") == [None, None]


def test_the_documents_brand_is_not_given_on_a_page_of_several_brands() -> None:
    facts = DocumentFacts(running_lines=("brand:acme",))
    rows = [["品牌", *HEAD], ["乐居", *FIRST[0]], ["", *FIRST[1]], ["优品", *SECOND[0]]]
    result = understood(page(line("Brand: ACME", 400, 20), tables=[table(rows)]), facts)
    assert found(result, "brand") == [("乐居", "direct"), None, ("优品", "direct")]


@pytest.mark.req("TA-DOCPASS")
def test_what_the_cover_says_holds_where_nothing_nearer_does() -> None:
    cover = Value("Oslo", Evidence("Oslo", 1, (50, 300, 90, 320), 1.0, "title"))
    facts = DocumentFacts(inherited={"series": cover, "price": cover})
    plain = understood(page(tables=[table([HEAD, *FIRST])], number=3), facts)
    assert found(plain, "series") == [("Oslo", "document_inherited")] * 2
    assert plain.skus[0].attributes["series"].evidence.page_number == 1
    assert plain.skus[0].attributes["price"].text == "¥9"
    nearer = understood(page(line("米兰系列", 50, 70, 16), tables=[table([HEAD, *FIRST])], number=3), facts)
    assert found(nearer, "series") == [("米兰系列", "page_inherited")] * 2
