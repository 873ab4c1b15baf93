"""Product tables: heads, columns, rows, continuation; and the tables that list no products."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

HEAD = ["型号", "品名", "尺寸(mm)", "材质", "单价(元)"]
ROWS = [
    ["A-101", "圆凳", "400×400×450", "橡木", "168.00"],
    ["A-102", "方凳", "420×420×450", "橡木", "面议"],
    ["A-103", "长凳", "1200×400×450", "/", "1,280.00"],
]


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def test_reads_a_plain_table() -> None:
    result = understood(page(tables=[table([HEAD, *ROWS])]))
    assert (result.page_type, result.extractor, result.blockers) == ("A", "rules.table", ())
    assert texts(result, "model") == ["A-101", "A-102", "A-103"]
    assert texts(result, "material") == ["橡木", "橡木", None]
    assert texts(result, "price") == ["168.00", None, "1,280.00"]
    assert result.skus[1].normalized["price"]["on_request"] is True  # type: ignore[index]
    assert result.skus[2].normalized["price"]["value"] == "1280.00"  # type: ignore[index]
    assert result.confidence >= 0.9


@pytest.mark.req("X-NORM", "GR-EVID")
@pytest.mark.parametrize(
    "words", ["TBC", "call", "On request", "面议", "询价", "电询", "待定", "POA", "面议 On request", "TBD"]
)
def test_words_in_the_place_of_a_price_are_a_fact_and_no_price(words: str) -> None:
    rows = [HEAD, [*ROWS[0][:4], words], ROWS[2]]
    first, second = understood(page(tables=[table(rows)])).skus
    assert "price" not in first.attributes and first.validity == "full"
    assert first.on_request is not None and first.on_request.text == words and first.attributes["currency"].text == "元"
    asked = {"value": None, "currency": "CNY", "on_request": True, "text": words, "tiers": []}
    assert first.normalized["price"] == asked
    assert second.normalized["price"]["on_request"] is False  # type: ignore[index]


def test_a_list_whose_prices_are_all_on_request_has_none() -> None:
    rows = [["Model", "Name", "Price (USD)"], ["A-1", "Mug", "TBC"], ["A-2", "Cup", "call"], ["A-3", "Jar", "N/A"]]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "price") == [None] * 3 and [sku.custom for sku in result.skus] == [()] * 3
    assert [sku.normalized.get("price", {}).get("on_request") for sku in result.skus] == [True, True, None]  # type: ignore[attr-defined]


@pytest.mark.parametrize("nothing", ["/", "-", "—", "N/A", "n/a", "undefined", "null", "none", "TBD", "TBC", "待定"])
def test_words_for_nothing_are_no_values_of_other_attributes(nothing: str) -> None:
    rows = [[*HEAD, "产地"], ["A-101", "圆凳", nothing, nothing, "168.00", nothing], [*ROWS[1], "浙江"]]
    first, _ = understood(page(tables=[table(rows)])).skus
    assert set(first.attributes) == {"model", "product_name", "price", "currency"} and first.custom == ()


@pytest.mark.req("TA-AROUTE", "GR-EVID")
def test_fills_merged_cells_down_and_points_at_the_merged_cell() -> None:
    rows = [
        ["系列", "型号", "RAM", "价格"],
        ["S1", "AB10", "32KB", "5.0"],
        [None, "AB11", None, "6.0"],
        [None, "AB12", "64KB", "7.0"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "series") == ["S1", "S1", "S1"]
    second = result.skus[1]
    assert second.attributes["series"].source == "filled_down"
    assert second.attributes["series"].evidence.method == "table_cell_merged"
    assert second.attributes["series"].evidence.bbox == (50, 120, 130, 180)
    assert [(c.name, c.value) for c in second.custom] == [("RAM", "32KB")]


@pytest.mark.req("GR-EVID")
@pytest.mark.parametrize("mark", ["〃", '"', "同上", "ditto", "- 〃 -"])
def test_marks_repeat_the_cell_above_with_its_evidence(mark: str) -> None:
    rows = [HEAD, ["A-100", mark, "", mark, "99.00"], ROWS[0], ["A-102", mark, "420×420×450", mark, "178.00"]]
    rows += [["A-103", mark, "1200×400×450", "榉木", "188.00"], ["A-104", mark, "90×40×45", mark, "198.00"]]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "product_name") == [None] + ["圆凳"] * 4
    assert texts(result, "material") == [None, "橡木", "橡木", "榉木", "榉木"]
    name = result.skus[2].attributes["product_name"]
    assert (name.source, name.evidence.quote, name.evidence.bbox) == ("filled_down", "圆凳", (130, 140, 210, 160))
    assert result.skus[2].box == (50, 160, 450, 180)


def test_two_strokes_in_several_columns_of_a_row_are_such_marks() -> None:
    result = understood(page(tables=[table([HEAD, ROWS[0], ["A-102", "II", "420×420×450", "Il", "178.00"]])]))
    assert texts(result, "product_name") == ["圆凳"] * 2 and texts(result, "material") == ["橡木"] * 2


def test_two_strokes_alone_in_a_row_are_a_numeral() -> None:
    rows = [["型号", "品名", "等级", "单价"], ["A-1", "杯", "I", "¥9"], ["A-2", "碗", "II", "¥8"]]
    result = understood(page(tables=[table(rows)]))
    assert [[c.value for c in sku.custom] for sku in result.skus] == [["I"], ["II"]]


def test_reads_a_head_of_two_rows_with_several_prices() -> None:
    rows = [
        ["Item No.", "Product", "Price (USD)", "Price (USD)"],
        [None, None, "1-99 pcs", "100+ pcs"],
        ["K-1", "Mug", "3.50", "3.10"],
        ["K-2", "Bowl", "4.50", "4.10"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "model") == ["K-1", "K-2"]
    assert texts(result, "price") == ["3.50", "4.50"]
    tiers = result.skus[0].normalized["price"]["tiers"]  # type: ignore[index]
    assert [tier["value"] for tier in tiers] == ["3.50", "3.10"]
    assert result.skus[0].custom[0].value == "3.10"


def test_reads_length_width_and_height_as_the_printed_size() -> None:
    rows = [
        ["Model", "Name", "L", "W", "H", "Price"],
        ["T-10", "Table", "120", "60", "75", "$99"],
        ["T-11", "Desk", "140", "70", "75", "$129"],
    ]
    result = understood(page(tables=[table(rows, widths=70)]))
    assert texts(result, "size") == ["120 x 60 x 75", "140 x 70 x 75"]
    assert texts(result, "currency") == ["$", "$"]


@pytest.mark.req("GR-SUM")
def test_totals_sections_notes_and_repeated_heads_are_no_products() -> None:
    rows = [
        HEAD,
        ["椅类", "", "", "", ""],
        ROWS[0],
        HEAD,
        ROWS[1],
        ["合计", "", "", "", "168.00"],
        ["注：含税价", "", "", "", ""],
        ["", "", "", "", ""],
    ]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "model") == ["A-101", "A-102"]
    assert result.tallies[0].ignored == {"section": 1, "header": 1, "total": 1, "note": 1, "empty": 1}


@pytest.mark.req("GR-SUM")
def test_the_lower_part_of_a_merged_row_is_counted_as_merged() -> None:
    rows = [HEAD, ROWS[0], [None] * 5, ROWS[1], ROWS[2]]
    tally = understood(page(tables=[table(rows)])).tallies[0]
    assert (tally.rows, tally.skus, tally.merged) == (4, 3, 1)


@pytest.mark.req("TA-SPECONLY", "TA-BR11")
def test_a_priced_row_without_identity_is_kept_with_a_blocker() -> None:
    result = understood(page(tables=[table([HEAD, *ROWS, ["", "", "300×300", "松木", "88.00"]])]))
    last = result.skus[-1]
    assert (last.validity, last.attributes["price"].text) == ("invalid", "88.00")
    assert [(b.code, b.sku) for b in result.blockers if b.code == "identity_missing"] == [("identity_missing", 3)]


@pytest.mark.req("TA-BR17")
@pytest.mark.parametrize("order", [1, -1])
def test_a_continued_table_takes_the_head_of_the_page_where_it_began(order: int) -> None:
    first = page(tables=[table([HEAD, *ROWS])], number=1)
    between = page(line("Showroom", 60, 60), number=2)
    more = [[code.replace("A-1", "B-2"), *rest] for code, *rest in ROWS]
    last = page(tables=[table(more)], number=3)
    result = understood(last, *[first, between][::order])
    assert result.continues == 1
    assert texts(result, "model") == ["B-201", "B-202", "B-203"]
    assert texts(result, "material") == ["橡木", "橡木", None]


@pytest.mark.req("TA-BR17")
def test_a_table_with_other_columns_continues_nothing() -> None:
    first = page(tables=[table([HEAD, *ROWS])], number=1)
    other = page(tables=[table([["10", "20"], ["30", "40"]])], number=2)
    result = understood(other, first)
    assert result.continues is None and result.skus == ()


def test_reads_products_that_stand_in_columns() -> None:
    rows = [
        ["型号", "CH-10", "CH-20", "CH-30"],
        ["尺寸", "4*4mm", "5*5mm", "6*6mm"],
        ["颜色", "黑色", "白色", "灰色"],
        ["价格", "¥10", "¥12", "¥14"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert sorted(t for t in texts(result, "model") if t) == ["CH-10", "CH-20", "CH-30"]
    by_model = {sku.attributes["model"].text: sku for sku in result.skus}
    assert by_model["CH-20"].attributes["size"].text == "5*5mm"


@pytest.mark.parametrize(
    "rows",
    [
        [
            ["Bit", "Name", "R/W", "Reset", "Description"],
            ["7", "EN", "RW", "0", "Enable"],
            ["6", "INT0", "RW", "0", "Interrupt"],
        ],
        [
            ["名称", "参数说明", "最小值", "最大值", "单位"],
            ["TA", "工作温度", "-40", "85", "℃"],
            ["TS", "储存温度", "-55", "150", "℃"],
        ],
        [["公路等级", "车道数", "用地指标"], ["高速公路", "八", "2.5"], ["一级公路", "六", "1.3"]],
        [
            ["Vr.Date", "Vr.No", "Particulars", "Dr.Amt", "Balance"],
            ["01-Apr-16", "38 BP", "Chq 085900", "100.00", "100.00"],
        ],
        [
            ["版本", "日期", "修改内容", "作者"],
            ["V1.0", "2020-01-01", "初版", "张"],
            ["V1.1", "2020-03-01", "更新", "李"],
        ],
        [["参数", "数值", "单位"], ["电压", "5", "V"], ["电流", "2", "A"]],
        [["名称", "数量", "备注"], ["螺丝", "4", "M3"], ["说明书", "1", ""]],
        [["Document type", "Document name", "Uploaded by"], ["No results", "", ""]],
    ],
)
def test_tables_that_list_no_products_give_none(rows: list[list[str]]) -> None:
    result = understood(page(tables=[table(rows)]))
    assert result.skus == ()
    assert result.tallies[0].ignored == {"no_product_table": len(rows)}


def test_a_picture_in_a_row_is_the_rows() -> None:
    rows = [
        ["图片", "型号", "品名", "单价"],
        ["", "P-1", "杯", "¥9"],
        ["", "P-2", "碗", "¥12"],
        ["", "P-3", "盘", "¥15"],
    ]
    pictures = [picture(f"P{n}", (55, 105 + 60 * n, 105, 155 + 60 * n)) for n in (1, 2, 3)]
    result = understood(page(tables=[table(rows, height=60)], pictures=pictures))
    assert [(sku.attributes["model"].text, [b.picture for b in sku.bindings]) for sku in result.skus] == [
        ("P-1", ["P1"]),
        ("P-2", ["P2"]),
        ("P-3", ["P3"]),
    ]
    assert {b.method for sku in result.skus for b in sku.bindings} == {"table_cell"}


def test_reads_an_open_list_without_ruled_lines() -> None:
    lines = [
        line("Item #", 50, 100),
        line("Description", 150, 100),
        line("W", 330, 100),
        line("D", 380, 100),
        line("List Price", 440, 100),
    ]
    for n, (code, name, amount) in enumerate(
        [("D1101", "Office Chair", "550"), ("D1103", "Side Chair", "560"), ("D1105", "Arm Chair", "480")]
    ):
        y = 130 + 60 * n
        lines += [
            line(code, 50, y),
            line(name, 150, y),
            line("21.0", 325, y),
            line("26.0", 375, y),
            line("$", 440, y),
            line(amount, 460, y),
        ]
        lines += [line("Five-prong steel base with tilt", 150, y + 14), line(f"UPC: 66299714624{n}", 150, y + 28)]
    result = understood(page(*lines))
    assert texts(result, "model") == ["D1101", "D1103", "D1105"]
    assert texts(result, "product_name") == ["Office Chair", "Side Chair", "Arm Chair"]
    assert texts(result, "price") == ["$ 550", "$ 560", "$ 480"]
    assert texts(result, "size") == ["21.0 x 26.0"] * 3
    assert [c.value for c in result.skus[1].custom if c.name == "UPC"] == ["662997146241"]


cell = st.sampled_from(
    [
        "",
        "A-1",
        "B-22",
        "圆凳",
        "/",
        "合计",
        "注：x",
        "12.00",
        "$5",
        "型号",
        "面议",
        "400×400",
        "undefined",
        "Some words",
    ]
)


@pytest.mark.req("GR-SUM", "GR-EVID")
@example([["", "12.00", "", "", ""], *[["12.00", "12.00", "", "", ""]] * 3])
@example([*[["合计", "", "合计", "合计", "合计"]] * 3, ["型号", "", "", "", ""]])
@given(st.lists(st.lists(cell, min_size=5, max_size=5), min_size=1, max_size=9))
def test_every_body_row_is_accounted_for_and_every_value_printed(body: list[list[str]]) -> None:
    one = page(tables=[table([HEAD, *ROWS, *body])])
    result = understood(one)
    tally = result.tallies[0]
    assert tally.rows == tally.skus + tally.merged + sum(tally.ignored.values()) + tally.unresolved
    # The head is counted only where the table was not taken as one of products.
    assert tally.rows == len(ROWS) + len(body) + (0 if tally.skus else 1)
    assert tally.skus == len(result.skus)
    for sku in result.skus:
        for key, value in sku.attributes.items():
            assert printed_at(one, value.evidence.bbox, value.text)
            assert value.text.casefold() not in ("", "/", "undefined") and (key, value.text) != ("price", "面议")


def printed_at(one: ParsedPage, box: tuple[float, float, float, float], text: str) -> bool:
    inside = [
        w.text
        for ln in one.lines
        for w in ln.words
        if box[0] - 1 <= w.box[0] and w.box[1] + 1 < box[3] and w.box[1] >= box[1] - 1
    ]
    return "".join(text.split()) in "".join("".join(inside).split())


@pytest.mark.parametrize("head", [None, ["Code", "", "Price"]])
def test_the_only_words_of_a_list_without_heads_are_names(head: list[str] | None) -> None:
    rows = [
        [f"SP-{16 + 4 * n}", name, f"${18 + n}.50"] for n, name in enumerate(("Saucepan", "Milk pan", "Kettle", "Wok"))
    ]
    found = understood(page(tables=[table([*([head] if head else []), *rows], widths=120)]))
    assert texts(found, "model") == ["SP-16", "SP-20", "SP-24", "SP-28"]
    assert texts(found, "product_name") == ([None] * 4 if head else ["Saucepan", "Milk pan", "Kettle", "Wok"])


@pytest.mark.parametrize(("pictures", "products"), [(3, 3), (1, 0)])
def test_a_list_of_names_with_a_picture_each_is_one_of_products(pictures: int, products: int) -> None:
    rows = [["S. No.", "Items", "Image"], ["1", "Airway trainer", ""], ["2", "Head model", ""], ["3", "Arm kit", ""]]
    shown = [picture(f"P{n}", (220, 125 + 60 * n, 270, 170 + 60 * n)) for n in range(1, pictures + 1)]
    one = page(tables=[table(rows, y=100, height=60)], pictures=shown)
    assert len(understand_page(one, (), DocumentFacts(), BY_RULES).skus) == products


@pytest.mark.parametrize(("between", "kind"), [("Figure 2. The package", "A"), ("Made for kitchens", "B")])
def test_a_figure_over_a_table_is_no_photo_of_its_family(between: str, kind: str) -> None:
    rows = [["Model", "Input", "Output"], ["IN-65", "25 W", "22 W"], ["IN-66", "35 W", "27 W"]]
    shown = picture("P1", (60, 100, 200, 180))
    result = understand_page(
        page(line(between, 60, 184), tables=[table(rows, y=210)], pictures=[shown]),
        (),
        DocumentFacts(),
        BY_RULES,
    )
    assert result.page_type == kind


def test_sums_below_a_table_are_no_prices_beside_it() -> None:
    rows = [["Item no.", "Name", "Price"], ["AX-1", "Desk lamp", "$42.00"], ["AX-2", "Wall lamp", "$70.00"]]
    sums = [
        line(text, x, 420 + 18 * n)
        for n, row in enumerate((("Subtotal", "$112.00"), ("Total", "$112.00"), ("Grand total", "$128.00")))
        for text, x in zip(row, (300, 460), strict=True)
    ]
    assert understood(page(*sums, tables=[table(rows, y=100)])).page_type == "A"


def test_products_with_a_size_each_are_products_without_codes_or_prices() -> None:
    def found(head: str, last: str) -> list[str | None]:
        rows = [[f"{n}-pin cable", "XH / bare", f"{n}50 mm"] for n in (1, 2, 3)] + [["Flat cable", "XH", last]]
        return texts(understood(page(tables=[table([[head, "Ends", "Length"], *rows])])), "product_name")

    assert found("Product name", "90 mm") == ["1-pin cable", "2-pin cable", "3-pin cable", "Flat cable"]
    assert not found("Product name", "on request") and not found("Ending", "90 mm")
