"""Products in columns: short codes, families, tables split over pages, and product tables that no rule takes."""

import pytest
from msgspec.structs import replace

from processing.engine.page import Cell, ParsedPage, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table

CORNER = ["型号\n功能", "F", "W5M", "W6C", "W8G"]
FEATURES = [["端口组合", "4+2", "4+4", "4+4", "4+4"], ["MTT 模式", "√", "√", "×", "√"], ["指示灯", "1", "×", "4", "4"]]
MORE = [["外部配置", "×", "√", "×", "√"], ["封装尺寸", "4*4", "7*7", "8*8", "10*10"]]


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def models(result: PageResult) -> list[str]:
    return [sku.attributes["model"].text for sku in result.skus]


def codes(result: PageResult) -> set[str]:
    return {blocker.code for blocker in result.blockers}


@pytest.mark.req("TA-AROUTE", "GR-EVID")
def test_a_divided_corner_cell_names_the_codes_beside_it() -> None:
    result = understood(page(tables=[table([CORNER, *FEATURES])]))
    assert models(result) == ["F", "W5M", "W6C", "W8G"]
    last = result.skus[-1]
    assert [(c.name, c.value) for c in last.custom] == [("端口组合", "4+4"), ("MTT 模式", "√"), ("指示灯", "4")]
    assert last.attributes["model"].evidence.bbox == (370, 100, 450, 120)
    assert "series" not in last.attributes


@pytest.mark.req("GR-EVID", "TA-AROUTE")
def test_short_codes_take_the_family_that_the_page_prints_as_series_and_stay_as_printed() -> None:
    head, text = line("CH634 手册", 60, 30), line("CH634W6C 和 CH634W8G 支持交换", 60, 60)
    result = understood(page(head, text, tables=[table([CORNER, *FEATURES])]))
    assert models(result) == ["F", "W5M", "W6C", "W8G"]
    for sku in result.skus:
        series = sku.attributes["series"]
        assert (series.text, series.source) == ("CH634", "page_inherited")
        assert series.evidence.bbox[1] == 30 and series.evidence.bbox[2] < head.box[2]


def test_one_whole_code_alone_names_no_family() -> None:
    head, text = line("CH634 手册", 60, 30), line("CH634W6C 支持交换", 60, 60)
    result = understood(page(head, text, tables=[table([CORNER, *FEATURES])]))
    assert all("series" not in sku.attributes for sku in result.skus)


def test_an_end_that_two_words_share_by_chance_is_no_family() -> None:
    text = line("USB2W6C 和 SATAW8G", 60, 60)
    result = understood(page(text, tables=[table([CORNER, *FEATURES])]))
    assert all("series" not in sku.attributes for sku in result.skus)


def test_a_family_merged_over_its_variants_is_their_series() -> None:
    plain = table([["系列", "CH634", "", "CH9102"], ["型号", "F1", "W5M", "X2"], *[row[:4] for row in FEATURES]])
    cells = [cell for cell in plain.cells if (cell.row, cell.col) not in ((0, 1), (0, 2))]
    wide = Cell(0, 1, "CH634", (130, 100, 290, 120), 1, 2)
    result = understood(page(tables=[replace(plain, cells=(wide, *cells))]))
    assert models(result) == ["F1", "W5M", "X2"]
    assert [sku.attributes["series"].text for sku in result.skus] == ["CH634", "CH634", "CH9102"]


def test_codes_over_attributes_need_no_label_of_their_own() -> None:
    rows = [
        ["参数", "LCS-C1", "LCS-C2"],
        ["外形尺寸", "40×40", "50×50"],
        ["净重", "3 kg", "4 kg"],
        ["电源", "9V", "5V"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert models(result) == ["LCS-C1", "LCS-C2"]
    assert [sku.attributes["size"].text for sku in result.skus] == ["40×40", "50×50"]


@pytest.mark.req("TA-CLS")
def test_codes_over_what_their_pins_do_are_no_products() -> None:
    rows = [["芯片型号", "过流模式", "采样引脚"], ["CH634F", "整体过流", "OVCUR#"], ["CH634M", "独立过流", "OVCUR2#"]]
    assert understood(page(tables=[table(rows)])).skus == ()


@pytest.mark.parametrize(
    "rows",
    [
        [["参数", "PA0", "PA1"], ["功能", "GPIO", "GPIO"], ["复用", "TX", "RX"]],
        [["Bit", "D7", "D6"], ["Name", "EN", "RST"], ["Access", "RW", "RW"]],
        [["年度", "2019", "2020"], ["收入", "10", "12"], ["利润", "3", "4"]],
    ],
)
def test_codes_over_other_things_are_no_products(rows: list[list[str]]) -> None:
    result = understood(page(tables=[table(rows)]))
    assert (result.skus, result.page_type, codes(result)) == ((), "D", set())


@pytest.mark.req("TA-BR17", "GR-SUM")
def test_columns_that_go_on_over_the_page_are_no_products_again_and_go_to_a_person() -> None:
    first = page(tables=[table([CORNER, *FEATURES])], number=2)
    second, third = page(tables=[table(MORE)], number=3), page(tables=[table(MORE[::-1])], number=4)
    for result in (understood(second, first), understood(third, first, second)):
        assert (result.page_type, result.skus, result.continues) == ("A", (), 2)
        assert {"no_sku_found", "rows_unresolved"} <= codes(result) and "page_type_uncertain" not in codes(result)
        assert result.tallies[0].unresolved == 2


def test_columns_that_print_their_codes_again_are_no_products_again() -> None:
    first = page(tables=[table([CORNER, *FEATURES])], number=2)
    again, other = table([CORNER, *MORE, MORE[0]]), table([["型号", "B-1", "B-2", "B-3", "B-4"], *MORE])
    assert understood(page(tables=[again], number=3), first).skus == ()
    assert models(understood(page(tables=[other], number=3), first)) == ["B-1", "B-2", "B-3", "B-4"]


def test_a_table_of_other_columns_after_such_a_page_is_left_out_silently() -> None:
    first = page(tables=[table([CORNER, *FEATURES])], number=2)
    result = understood(page(tables=[table([["甲", "乙"], ["丙", "丁"]])], number=3), first)
    assert (result.page_type, codes(result)) == ("D", set())


@pytest.mark.req("GR-SUM", "X-BLOCKER")
@pytest.mark.parametrize(
    "rows",
    [
        [["Width", "Finish note", "Price"], ["600", "x", "$10"], ["700", "x", "$12"], ["800", "y", "$14"]],
        [["部件", "甲", "乙", "丙"], ["型号", "QX-1", "QX-2", "QX-1"], ["备注说明", "一", "二", "三"]],
    ],
)
def test_a_table_like_a_product_list_that_no_rule_takes_goes_to_a_person(rows: list[list[str]]) -> None:
    result = understood(page(tables=[table(rows)]))
    assert (result.skus, result.page_type) == ((), "A")
    assert {"page_type_uncertain", "no_sku_found", "rows_unresolved"} <= codes(result)
    assert result.tallies[0].unresolved == len(rows)


def test_a_doubtful_table_beside_products_goes_to_a_person_too() -> None:
    good = table([["型号", "品名", "单价"], ["A-1", "杯", "¥9"], ["A-2", "碗", "¥8"]])
    doubtful = table([["部件", "甲", "乙"], ["型号", "QX-1", "QX-1"], ["备注说明", "一", "二"]], y=400, id="G2")
    result = understood(page(tables=[good, doubtful]))
    assert models(result) == ["A-1", "A-2"] and "rows_unresolved" in codes(result)


def spread(rows: list[list[str | None]], wide: dict[tuple[int, int], int]) -> Table:
    """The table with cells over several columns: how many, by the place of each."""
    plain = table(rows)
    gone = {(row, col + n) for (row, col), cols in wide.items() for n in range(1, cols)}
    cells = [cell for cell in plain.cells if (cell.row, cell.col) not in gone]
    return replace(plain, cells=tuple(replace(cell, cols=wide.get((cell.row, cell.col), 1)) for cell in cells))


SELECTION: list[list[str | None]] = [
    ["", "", "FX20 系列", ""],
    ["", "Device", "FX20A", "FX20B"],
    ["逻辑资源", "LUTs", "19600", "4480"],
    [None, "DFFs", "9600", "2240"],
    ["PLL", "", "4", "2"],
    ["封装", "间距", "IO / LVDS", ""],
    ["QFN 88", "0.5", "71/14", "-"],
    ["BGA 256", "1.0", "-", "193/86"],
]


@pytest.mark.req("TA-AROUTE", "GR-EVID")
def test_labels_in_several_columns_stand_beside_codes_that_are_not_in_the_first_row() -> None:
    result = understood(page(tables=[spread(SELECTION, {(0, 2): 2, (4, 0): 2, (5, 2): 2})]))
    assert models(result) == ["FX20A", "FX20B"]
    assert [sku.attributes["series"].text for sku in result.skus] == ["FX20 系列", "FX20 系列"]
    first, second = ({c.name: c.value for c in sku.custom} for sku in result.skus)
    assert first == {"逻辑资源 LUTs": "19600", "逻辑资源 DFFs": "9600", "PLL": "4", "QFN 88 0.5": "71/14"}
    assert second == {"逻辑资源 LUTs": "4480", "逻辑资源 DFFs": "2240", "PLL": "2", "BGA 256 1.0": "193/86"}


def test_a_title_over_the_codes_says_that_they_are_models() -> None:
    rows: list[list[str | None]] = [["功能", "", "产品型号", ""], [None, "", "FX4\n60PE", "FX4\n60PC"], *MATRIX]
    result = understood(page(tables=[spread(rows, {(0, 2): 2, (2, 0): 2, (3, 0): 2, (3, 2): 2})]))
    assert models(result) == ["FX4 60PE", "FX4 60PC"]
    assert [(c.name, c.value) for c in result.skus[1].custom] == [
        ("引脚数", "64"),
        ("SRAM", "192"),
        ("定时器 WDT", "1ch"),
    ]


MATRIX: list[list[str | None]] = [["引脚数", "", "100", "64"], ["SRAM", "", "192", ""], ["定时器", "WDT", "1ch", "1ch"]]


def test_one_column_of_values_is_a_table_of_products_only_under_a_head_of_its_own() -> None:
    one: list[list[str | None]] = [row[:3] for row in SELECTION]
    assert models(understood(page(tables=[spread(one, {(4, 0): 2})]))) == ["FX20A"]
    card = replace(table([["Harrow chair", "Model", "HB-210"], *one[2:5]]), ruled=False)
    assert understood(page(tables=[card])).extractor != "table"


def test_what_models_are_described_by_may_be_called_as_other_tables_heads_are() -> None:
    rows = [["产品型号", "CH-20A", "CH-20B"], ["引脚", "48", "64"], ["12位ADC", "2", "3"], ["IO", "38", "50"]]
    assert models(understood(page(tables=[table(rows)]))) == ["CH-20A", "CH-20B"]
    rows[0][0] = "寄存器"
    assert understood(page(tables=[table(rows)])).skus == ()


def test_a_head_whose_title_is_no_text_or_in_one_cell_alone_goes_on_to_the_codes() -> None:
    for title in (["", ""], ["2系列", ""]):
        rows: list[list[str | None]] = [["", "", *title], *SELECTION[1:4]]
        result = understood(page(tables=[table(rows)]))
        assert models(result) == ["FX20A", "FX20B"] and "series" not in result.skus[0].attributes


def test_words_right_over_the_codes_are_the_products_names() -> None:
    rows = [["", "Punkt", "Linea"], ["Article no.", "PK-85", "LN-120"], ["Size (mm)", "85", "120"],
            ["Colour", "White", "Black"], ["Price", "$38.00", "$79.00"]]  # fmt: skip
    result = understood(page(tables=[table(rows)]))
    assert [(sku.attributes["product_name"].text, sku.attributes["model"].text) for sku in result.skus] == [
        ("Punkt", "PK-85"),
        ("Linea", "LN-120"),
    ]


SIZES: list[list[str | None]] = [
    ["品　名", "しばネット！", "", ""],
    ["規　格", "50cm×50m", "1m巾×50m", "2m巾×50m"],
    ["価　格", "8,400円（税込）", "14,000円（税込）", "28,200円（税込）"],
    ["注文数", "巻", "巻", "巻"],
]


def test_sizes_and_prices_in_columns_under_one_name_are_products() -> None:
    result = understood(page(tables=[spread(SIZES, {(0, 1): 3})]))
    assert [sku.attributes["product_name"].text for sku in result.skus] == ["しばネット！"] * 3
    assert [sku.attributes["size"].text for sku in result.skus] == SIZES[1][1:]
    assert [sku.attributes["price"].text for sku in result.skus] == SIZES[2][1:]
    assert result.skus[0].attributes["currency"].text == "円"


def test_a_name_that_is_printed_again_further_down_begins_another_product() -> None:
    """What the rules cannot read there goes to a person."""
    more: list[list[str | None]] = [["品　名", "ストッパー 1袋 4,000円", "", "袋"], ["氏　名", "", "住　所", ""]]
    result = understood(page(tables=[spread([*SIZES, *more], {(0, 1): 3, (4, 1): 2})]))
    assert len(result.skus) == 3 and "rows_unresolved" in codes(result)
    other = [["品　名", "Anchor net", "", ""], *SIZES[1:]]
    both = understood(page(tables=[spread([*SIZES, *other], {(0, 1): 3, (4, 1): 3})]))
    assert [sku.attributes["product_name"].text for sku in both.skus] == ["しばネット！"] * 3 + ["Anchor net"] * 3


def test_labels_and_values_of_one_product_after_another_are_no_columns() -> None:
    rows = [["品名", "Net", "8,400円"], ["規格", "50cm×50m", "1m×50m"], ["品名", "Peg", "4,000円"], ["材質", "PP", "-"]]
    assert all(sku.attributes["product_name"].text != "8,400円" for sku in understood(page(tables=[table(rows)])).skus)


def test_labels_and_values_in_two_pairs_of_columns_are_one_product() -> None:
    rows = [["产品型号", "XY-B300", "功率", "300W"], ["光通量", "45000 lm", "色温", "5700K"]]
    rows += [["配光", "15°/30°", "安装高度", "12–18 m"], ["外壳材质", "6063铝型材", "外形尺寸", "412×330×98 mm"]]
    result = understood(page(line("模组投光灯", 60, 40, 20), tables=[table(rows)]))
    assert models(result) == ["XY-B300"]
    assert result.skus[0].attributes["size"].text == "412×330×98 mm"


NUMBERED: list[list[str | None]] = [
    ["自動封口機", "", "", ""],
    ["No.", "規格\\ 機型", "450BX", "600BX"],
    ["1", "封口寬度 (mm)", "450", "600"],
    ["2", "馬達", "", ""],
    [None, "主馬達", "1.8KW", "2.2KW"],
    [None, "輸送帶", "1HP", "1HP"],
    ["3", "電力", "220V", "380V"],
]


def numbered(rows: list[list[str | None]]) -> Table:
    """Its title and the heading of its second item reach over all products."""
    plain = table(rows)
    covered = {(0, 1), (0, 2), (0, 3), (3, 2), (3, 3)}
    wide = {(0, 0): 4, (3, 1): 3}
    cells = [replace(c, cols=wide.get((c.row, c.col), 1)) for c in plain.cells if (c.row, c.col) not in covered]
    return replace(plain, cells=tuple(cells))


def test_numbered_labels_under_a_divided_corner_describe_the_models_beside_it() -> None:
    result = understood(page(tables=[numbered(NUMBERED)]))
    assert models(result) == ["450BX", "600BX"]
    found = [(custom.name, custom.value) for custom in result.skus[1].custom]
    assert found == [("封口寬度 (mm)", "600"), ("主馬達", "2.2KW"), ("輸送帶", "1HP"), ("電力", "380V")]


def test_figures_with_units_under_no_label_of_models_are_no_models() -> None:
    rows = [[text and text.replace("機型", "條件") for text in row] for row in NUMBERED[:4]]
    assert understood(page(tables=[numbered([*rows, ["4", "主馬達", "1.8KW", "2.2KW"]])])).skus == ()


def test_the_rows_of_a_doubtful_table_are_no_cards() -> None:
    head = ["Abmessung", "Höhe in cm", "EDV BPL", "Preis/ Rolle", "Preis/ m2", "Verpackung VE-1 VE-2"]
    rows = [["60x2,5", f"{n}", f"0862{n}", f"11{n},00", "4,60", "1 Stk"] for n in range(100, 500, 100)]
    result = understood(page(tables=[table([head, *rows], widths=84)]))
    assert result.skus == () and "rows_unresolved" in codes(result)


def test_sizes_over_the_codes_of_products_in_columns_are_no_codes() -> None:
    rows = [["公称通径", "DN8", "DN10", "DN15"], ["产品编码", "Q-1108", "Q-1110", "Q-1115"]]
    rows += [
        ["结构长度", "45", "45", "56"],
        ["重量", "0.18kg", "0.20kg", "0.29kg"],
        ["价格", "¥14.5", "¥15.2", "¥18.6"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert models(result) == ["Q-1108", "Q-1110", "Q-1115"]
    assert [sku.attributes["size"].text for sku in result.skus] == ["DN8", "DN10", "DN15"]
