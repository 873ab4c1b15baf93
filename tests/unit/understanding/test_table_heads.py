"""What heads of product tables say: units, quantities, several prices, two lists in one grid, names over the table."""

from collections.abc import Sequence

import msgspec
import pytest

from processing.engine.page import Cell, ParsedPage, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.labels import label_currency_or_unit, label_kind
from processing.engine.understanding.rules.normalise import currency_of, is_quantity
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

Tiers = list[tuple[str | None, str]]


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def read(rows: Sequence[Sequence[str | None]]) -> PageResult:
    return understood(page(tables=[table(rows, widths=500 / len(rows[0]))]))


def tiers(result: PageResult, place: int = 0) -> Tiers:
    price = result.skus[place].normalized["price"]
    return [(tier["quantity"], tier["value"]) for tier in price["tiers"]]  # type: ignore[index]


def test_a_row_of_units_is_no_product_and_no_part_of_the_labels() -> None:
    head = [["Type", "Range", "Supply", "Size", "Weight", "Price"], ["", "mm", "VDC", "mm", "g", "EUR"]]
    result = read(
        [*head, ["V-8", "2", "10-30", "M8 x 45", "14", "17.50"], ["V-12", "3", "10-30", "M12 x 60", "25", "19.90"]]
    )
    assert texts(result, "model") == ["V-8", "V-12"] and result.blockers == ()
    assert [(c.name, c.value) for c in result.skus[0].custom] == [("Range", "2"), ("Supply", "10-30")]
    assert result.skus[0].normalized["weight"] == {"values": [14], "unit": "g"}
    assert result.skus[0].normalized["price"]["currency"] == "EUR"  # type: ignore[index]


def test_dashes_among_units_are_columns_without_one() -> None:
    head = [["型号", "名称", "公称通径", "阀体材质", "重量", "价格"], ["—", "—", "mm", "—", "kg", "元/台"]]
    result = read(
        [*head, ["Z-40", "闸阀", "DN40", "WCB", "16.8", "260"], ["Z-50", "闸阀", "DN50", "WCB", "21.0", "310"]]
    )
    assert texts(result, "model") == ["Z-40", "Z-50"] and texts(result, "size") == ["DN40", "DN50"]
    assert texts(result, "material") == ["WCB"] * 2 and result.skus[0].normalized["weight"]["unit"] == "kg"  # type: ignore[index]


def test_sections_of_cables_and_prices_by_length_are_units_too() -> None:
    head = [["Cat. no.", "Section", "Outer", "Weight", "Price"], ["", "mm²", "mm", "kg/km", "USD/m"]]
    result = read([*head, ["FX-3015", "3G1.5", "9.2", "118", "0.98"], ["FX-3025", "3G2.5", "10.9", "171", "1.46"]])
    assert texts(result, "model") == ["FX-3015", "FX-3025"] and texts(result, "price") == ["0.98", "1.46"]


def test_marks_of_notes_behind_the_words_of_a_head_are_no_part_of_them() -> None:
    result = read([["订购代码2", "模组尺寸1"], ["", "(mm)"], ["MX-N4", "18 × 25 × 3"], ["MX-N8", "18 × 29 × 3"]])
    assert texts(result, "model") == ["MX-N4", "MX-N8"] and texts(result, "size") == ["18 × 25 × 3", "18 × 29 × 3"]


@pytest.mark.parametrize(
    ("heads", "quantities"),
    [
        (["1-99", "100-499", "500+"], ["1-99", "100-499", "500+"]),
        (["10件", "100件", "≥1000件"], ["10", "100", "≥1000"]),
        (["500 pcs", "1,000 pcs", "3000 pcs"], ["500", "1,000", "3000"]),
        (["100", "500", "1000"], ["100", "500", "1000"]),
    ],
)
def test_columns_headed_by_quantities_are_prices(heads: list[str], quantities: list[str]) -> None:
    result = read(
        [["Item No.", "Product", *heads], ["A-1", "Mug", "5.00", "4.50", "4.00"], ["A-2", "Jug", "6.00", "5.50", "POA"]]
    )
    assert texts(result, "price") == ["5.00", "6.00"]
    assert tiers(result) == list(zip(quantities, ["5.00", "4.50", "4.00"], strict=True))
    assert len(tiers(result, 1)) == 2 and all(custom.value != "POA" for custom in result.skus[1].custom)


def test_bare_numbers_over_columns_are_no_quantities() -> None:
    result = read([["Item No.", "Product", "2019", "2020"], ["A-1", "Mug", "512", "498"], ["A-2", "Jug", "600", "611"]])
    assert "price" not in {key for sku in result.skus for key in sku.attributes}


def test_the_first_of_several_prices_by_term_is_the_price() -> None:
    result = read(
        [["Style", "Name", "WSP", "RRP"], ["D-100", "Wrap dress", "$20", "$50"], ["D-101", "Shirt", "$22", "$55"]]
    )
    assert (texts(result, "model"), texts(result, "price")) == (["D-100", "D-101"], ["$20", "$22"])
    assert tiers(result) == [(None, "20"), (None, "50")]


def test_marked_amounts_under_an_unknown_head_are_the_price_where_no_other_is() -> None:
    rows = [["Code", "Product", "Direct"], ["A-1", "Mug", "$5"], ["A-2", "Jug", "$6"]]
    assert texts(read(rows), "price") == ["$5", "$6"]
    both = [[*row, extra] for row, extra in zip(rows, ["Price", "$7", "$8"], strict=True)]
    result = read(both)
    assert texts(result, "price") == ["$7", "$8"] and result.skus[0].custom[0].name == "Direct"


def test_words_beside_codes_under_a_second_article_head_are_the_name() -> None:
    result = read(
        [["Ref.", "Article", "GBP", "Pcs/case"], ["O-1", "Stock pot", "18.40", "6"], ["O-2", "Pan", "9.75", "12"]]
    )
    assert texts(result, "product_name") == ["Stock pot", "Pan"] and texts(result, "packing") == ["6", "12"]


@pytest.mark.parametrize("value", ["M6", "M8×25", "DN50", "G1/2", "大号", "XL"])
def test_nominal_sizes_are_sizes_though_they_look_like_codes(value: str) -> None:
    result = read([["货号", "规格", "单价"], ["L-1", value, "0.05"], ["L-2", value, "0.06"]])
    assert texts(result, "size") == [value, value]


@pytest.mark.parametrize("gutter", [[], [""]])
def test_two_lists_under_one_head_are_taken_apart(gutter: list[str]) -> None:
    head = ["Code", "Size", "Price"]
    rows = [["A-1", "10 mm", "0.10"], ["A-2", "12 mm", "0.12"]]
    more = [["B-1", "20 mm", "0.20"], ["", "", ""]]
    result = read([[*head, *gutter, *head], *([*a, *gutter, *b] for a, b in zip(rows, more, strict=True))])
    assert sorted(filter(None, texts(result, "model"))) == ["A-1", "A-2", "B-1"]
    assert [sku.custom for sku in result.skus] == [()] * 3 and [tally.rows for tally in result.tallies] == [2, 2]


def test_two_pairs_of_labels_and_values_are_no_list() -> None:
    rows = [
        ["Order code", "V-18", "Size", "65 mm"],
        ["Material", "Brass", "Weight", "48 g"],
        ["Price", "$4", "Packing", "10 pcs"],
    ]
    result = read(rows)
    assert [tally.unresolved for tally in result.tallies] == [0] and len(result.skus) <= 1
    assert all(sku.attributes["model"].text == "V-18" for sku in result.skus)


def variants(y: float = 300) -> Table:
    return table([["订货号", "规格", "单价"], ["L-1", "20mm", "0.10"], ["L-2", "25mm", "0.12"]], y=y)


def test_variants_take_the_name_over_their_picture_and_table() -> None:
    shot = picture("P1", (50, 150, 200, 280))
    result = understood(page(line("六角螺栓", 50, 120, 14), tables=[variants()], pictures=[shot]))
    assert texts(result, "product_name") == ["六角螺栓"] * 2
    value = result.skus[0].attributes["product_name"]
    assert (value.source, value.evidence.method, value.evidence.bbox[1]) == ("page_inherited", "title", 120)


def test_a_title_without_a_picture_names_a_section() -> None:
    result = understood(page(line("光源替换件", 50, 120, 14), tables=[variants()]))
    assert texts(result, "product_name") == [None, None]


def test_a_continued_title_names_what_the_page_before_began() -> None:
    shot = picture("P1", (50, 150, 200, 280))
    first = page(line("六角螺栓", 50, 120, 14), tables=[variants()], pictures=[shot], number=1)
    second = page(line("六角螺栓（续）", 50, 80, 14), tables=[variants(110)], number=2)
    assert texts(understood(second, first), "product_name") == ["六角螺栓"] * 2
    assert texts(understood(second), "product_name") == [None, None]


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("GBP each", "price"),
        ("Per case", "packing"),
        ("Pcs/ctn", "packing"),
        ("只/箱", "packing"),
        ("Price by finish", "price"),
        ("Price on request", None),
        ("8位ADC转换单元", None),
    ],
)
def test_labels_by_their_form(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


def test_a_unit_of_a_machine_is_no_money() -> None:
    assert (label_currency_or_unit("转换单元"), currency_of("转换单元")) == ("", None)
    rows = [["型号", "转换单元", "通道"], ["KX-100", "1", "10"], ["KX-200", "2", "16"]]
    result = understood(page(tables=[table(rows)]))
    assert [sku.attributes.get("price") for sku in result.skus] == [None] * 2
    assert all("price_unread" not in sku.doubts for sku in result.skus)


@pytest.mark.parametrize(
    ("label", "expected"), [("500 pcs", True), ("≥1,000件", True), ("100-499", True), ("NW-10", False)]
)
def test_quantities(label: str, expected: bool) -> None:
    assert is_quantity(label) is expected


@pytest.mark.req("TA-CLS")
def test_cells_of_a_figure_are_no_products_under_single_letters() -> None:
    rows = [["", "B", "L"], ["BUF0 R(1)", "F", "1"], ["BUF1 R(2)", "F", "2"], ["BUF2 R(3)", "F", "3"]]
    grid = table(rows)
    figure = picture("P1", grid.box)
    assert understood(page(line("The memory system", 50, 40, 14), tables=[grid], pictures=[figure])).skus == ()


WEIGHERS = [["型号", "称重范围", "产量"], ["LCS-CF", "25-50", "180-260"], ["LCS-CF1", "1-100", "200-400"],
            ["LCS-CF2", "1-100", "300-500"]]  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        (["LCS-CF 粉料无斗", "LCS-CF1 粉料有斗", "LCS-CF2 粉料双斗"], ["粉料无斗", "粉料有斗", "粉料双斗"]),
        (["LCS-CF 粉料无斗", "LCS-CF2 粉料双斗"], ["粉料无斗", None, "粉料双斗"]),
        (["LCS-CF 粉料无斗"], [None, None, None]),
        (["LCS-CF 粉料无斗", "LCS-CF1 粉料有斗", "LCS-CF1 带斗"], [None, None, None]),
        (["LCS-CF 系列", "LCS-CF1 ¥1,200.00", "LCS-CF2 2026"], [None, None, None]),
    ],
)
def test_names_behind_the_codes_elsewhere_on_the_page_are_those_of_the_rows(
    printed: list[str], names: list[str | None]
) -> None:
    lines = [line(text, 60 + 180 * n, 120) for n, text in enumerate(printed)]
    assert texts(understood(page(*lines, tables=[table(WEIGHERS, y=300)])), "product_name") == names


@pytest.mark.parametrize("label", ["款式", "Style", "type", "款式 Design"])
def test_words_that_tell_variants_apart_are_no_names_beside_codes(label: str) -> None:
    rows = [
        ["型号", label, "单价"],
        ["JL-01", "全盖", "¥3.20"],
        ["JL-02", "万向带刹", "¥3.50"],
        ["JL-03", "30mm款", "¥4"],
    ]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "product_name") == [None] * 3
    assert [[(c.name, c.value) for c in sku.custom] for sku in result.skus][0] == [(label, "全盖")]
    alone = [["款式", "材质", "单价"], ["圆凳", "橡木", "¥98"], ["方凳", "橡木", "¥88"]]
    assert texts(understood(page(tables=[table(alone)])), "product_name") == ["圆凳", "方凳"]


def test_quantities_under_a_wide_head_of_prices_are_the_tiers_and_other_prices_are_none() -> None:
    wide = (
        Cell(0, 2, "出厂单价", (210, 100, 370, 110), 1, 2),
        Cell(0, 4, "批量价（不含税）", (370, 100, 530, 110), 1, 2),
    )
    rows = [
        ["型号", "规格", "不含税", "含税", "≥5箱", "≥20箱"],
        ["LK-96", "孔距96", "4.60", "5.20", "4.40", "4.15"],
        ["LK-128", "孔距128", "5.30", "5.99", "5.10", "4.80"],
    ]
    lower = table(rows, y=110)
    cells = [*wide, *(msgspec.structs.replace(cell, row=cell.row + 1) for cell in lower.cells)]
    result = understood(page(tables=[msgspec.structs.replace(lower, n_rows=4, cells=tuple(cells))]))
    assert texts(result, "price") == ["4.60", "5.30"] and texts(result, "size") == ["孔距96", "孔距128"]
    assert tiers(result) == [("≥5", "4.40"), ("≥20", "4.15")]
    assert ("出厂单价 含税", "5.20") in [(one.name, one.value) for one in result.skus[0].custom]


def test_nothing_but_quantities_under_a_wide_head_of_prices_is_its_second_row() -> None:
    rows = [
        ["", "", "", "50-199", "200-999", "≥1000"],
        ["HG-40", "Hinge", "4 in", "6.80", "6.32", "5.85"],
        ["HG-50", "Hinge", "5 in", "9.25", "8.60", "7.95"],
    ]
    lower = table(rows, y=120)
    head = [
        Cell(0, col, text, (50 + 80 * col, 100, 130 + 80 * col, 120))
        for col, text in enumerate(("Model", "Product", "Size"))
    ]
    wide = Cell(0, 3, "Unit price by quantity", (290, 100, 530, 120), 1, 3)
    cells = [*head, wide, *(msgspec.structs.replace(cell, row=cell.row + 1) for cell in lower.cells)]
    result = understood(page(tables=[msgspec.structs.replace(lower, n_rows=4, cells=tuple(cells))]))
    assert texts(result, "model") == ["HG-40", "HG-50"]
    assert [[quantity for quantity, _ in tiers(result)]] == [["50-199", "200-999", "≥1000"]]


@pytest.mark.parametrize(
    ("below", "named"),
    [
        (["功率", "色温", "功率因数"], ["功率", "色温", "功率因数"]),
        (["功率", "功率", "L1"], ["光学参数 功率", "光学参数 功率", "光学参数 L1"]),
    ],
)
def test_what_stands_below_a_wide_head_names_a_value_by_itself_where_it_is_a_word_of_its_own(
    below: list[str], named: list[str]
) -> None:
    over = [
        Cell(0, 0, "型号", (50, 100, 130, 130), 2, 1),
        Cell(0, 1, "单价", (130, 100, 210, 130), 2, 1),
        Cell(0, 2, "光学参数", (210, 100, 450, 110), 1, 3),
    ]
    lower = table([[None, None, *below], ["LK-96", "¥46.00", "9W", "3000K", "0.9"]], y=110)
    cells = [*over, *(msgspec.structs.replace(cell, row=cell.row + 1) for cell in lower.cells)]
    (sku,) = understood(page(tables=[msgspec.structs.replace(lower, n_rows=3, cells=tuple(cells))])).skus
    assert [one.name for one in sku.custom] == named


def test_amounts_below_quantities_may_have_three_decimals_and_other_columns_not() -> None:
    rows = [["A-1", "Bag", "0.118", "0.109"], ["A-2", "Jar", "0.126", "0.117"]]
    result = read([["Item No.", "Product", "5,000 pcs", "10,000 pcs"], *rows])
    assert texts(result, "price") == ["0.118", "0.126"] and len(tiers(result)) == 2
    other = read([["Item No.", "Product", "Volume"], ["A-1", "Mug", "0.118"], ["A-2", "Jug", "0.126"]])
    assert texts(other, "price") == [None, None]


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("规格 长×高×宽 (mm)", "size"),
        ("L*W*H (cm)", "size"),
        ("L.W.H.", "size"),
        ("(W)x(D)x(H)", "size"),
        ("尺寸(长*宽*高)", "size"),
        ("外箱 长×宽×高", "packing"),
        ("Carton L×W×H (cm)", "packing"),
        ("T/T", None),
        ("宽", "size_part"),
        ("一级代理价", "price"),
        ("批量价（不含税）", "price"),
        ("客户评价", None),
        ("总价", "extra"),
    ],
)
def test_axes_and_words_for_prices_say_what_a_column_holds(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


def test_a_head_printed_again_in_another_language_is_one_head() -> None:
    heads = [
        ["序号", "型号", "品名", "材质", "色温", "单价"],
        ["No.", "Item No.", "Description", "Material", "CCT", "Price"],
    ]
    result = read(
        [*heads, ["1", "ZX-60", "球泡灯", "铝", "3000K", "$0.42"], ["2", "ZX-95", "筒灯", "铝", "4000K", "$2.35"]]
    )
    assert texts(result, "model") == ["ZX-60", "ZX-95"] and texts(result, "product_name") == ["球泡灯", "筒灯"]
    assert [(one.name, one.value) for one in result.skus[0].custom] == [("色温 CCT", "3000K")]


def test_a_product_whose_values_are_words_of_labels_stays_one() -> None:
    rows = [["型号", "品名", "材质", "包装"], ["BX-01", "Box", "Paper", "Carton"], ["BX-02", "Pack", "Paper", "Carton"]]
    assert texts(read(rows), "model") == ["BX-01", "BX-02"]


SHOWERS = [
    ["品名", "規格", "尺寸", "價格", "備註"],
    ["淋浴房", "無蓋", "90X90", "22000", ""],
    ["淋浴房", "無蓋", "120X90", "27000", ""],
    ["淋浴房", "有蓋", "90X90", "28000", ""],
    ["淋浴房", "有蓋", "120X90", "35000", ""],
    ["淋浴房", "有門", "90X90", "39000", ""],
    ["廁所", "無蓋", "90X90", "29000", ""],
    ["廁所", "有蓋", "120X90", "31000", ""],
]


def test_products_of_one_name_that_their_size_tells_apart_are_each_a_product() -> None:
    result = read(SHOWERS)
    assert result.page_type == "A" and texts(result, "size") == [row[2] for row in SHOWERS[1:]]
    assert texts(result, "product_name") == ["淋浴房"] * 5 + ["廁所"] * 2


def test_rows_of_one_name_that_nothing_tells_apart_are_no_products() -> None:
    assert read([*SHOWERS[:2], *[SHOWERS[1]] * 8, SHOWERS[6]]).skus == ()


BOWLS = [
    ["Item", "Description", "Weight", "Specifications"],
    ["", "", "(g)", "(mm)"],
    ["SB-\nHL-\n93", "Box", "42", "460*232*34"],
    ["SB-BL\n-500", "Bowl", "12", "φ155*54"],
    ["SB\n32", "Lid", "9", "172*63"],
]


def test_a_code_broken_at_its_hyphens_is_whole_and_specifications_in_lengths_are_sizes() -> None:
    result = read(BOWLS)
    assert texts(result, "model") == ["SB-HL-93", "SB-BL-500", "SB 32"]
    assert texts(result, "size") == ["460*232*34", "φ155*54", "172*63"] and texts(result, "product_name")[0] == "Box"


def test_words_broken_at_hyphens_and_specifications_in_words_stay_as_they_are() -> None:
    result = read([BOWLS[0], ["SB-93", "Grid-\nwall", "42", "460*232*34"], ["SB-94", "Lid", "12", "round, white"]])
    assert texts(result, "product_name")[0] == "Grid- wall" and texts(result, "description")[1] == "round, white"


@pytest.mark.parametrize(
    ("sizes", "person"), [(["460*232*34", "155*54", "172*63"], True), (["on", "off", "on"], False)]
)
def test_codes_words_and_sizes_under_no_head_go_to_a_person(sizes: list[str], person: bool) -> None:
    rows = [[code, name, size] for (code, name, *_), size in zip(BOWLS[2:], sizes, strict=True)]
    rows = [[code, f"{name} with handle", size] for code, name, size in rows]
    result = read(rows)
    assert result.skus == () and any(b.code == "rows_unresolved" for b in result.blockers) == person


ROLLS = [
    ["Höhe", "EDV-Nr.", "Preis/", "Preis/", "Verpackung", "Verpackung"],
    ["in cm", "BPL", "Rolle", "m2", "VE-1", "VE-2"],
    ["080", "06250-080", "87,00", "4,35", "1 Stk", "15 Stk"],
    ["100", "06250-100", "90,00", "3,60", "1 Stk", "10 Stk"],
]


def with_wide(rows: list[list[str]]) -> Table:
    """The head of the two last columns is one cell over both."""
    plain = table(rows)
    cells = [c for c in plain.cells if (c.row, c.col) != (0, 5)]
    return msgspec.structs.replace(
        plain, cells=tuple(msgspec.structs.replace(c, cols=2) if (c.row, c.col) == (0, 4) else c for c in cells)
    )


def test_a_head_whose_words_go_on_in_the_next_row_has_both() -> None:
    result = understood(page(tables=[with_wide(ROLLS)]))
    assert texts(result, "model") == ["06250-080", "06250-100"] and texts(result, "price") == ["87,00", "90,00"]
    assert ("Verpackung VE-2", "15 Stk") in [(c.name, c.value) for c in result.skus[0].custom]


def test_a_first_product_under_such_a_head_is_one() -> None:
    result = understood(page(tables=[with_wide([ROLLS[0], *ROLLS[2:]])]))
    assert texts(result, "model") == ["06250-080", "06250-100"]


PARTS = [
    ["COD.", "DETALLE", "UNID.", "MODELO"],
    ["8", "EMPAQUETADURA DE CILINDRO", "PZA", "CGL"],
    ["9", "EMPAQUETADURA DE CULATA", "PZA", "CGL"],
    ["10", "ROTOR DE FILTRO", "JUEGO", "CG250"],
    ["11", "PEDAL DE CAMBIO", "PZA", "CGL"],
]


def test_numbers_under_a_label_of_codes_are_codes_where_rows_share_the_models_they_fit() -> None:
    result = read([[*row, "¥9.00"] if n else [*row, "PRECIO"] for n, row in enumerate(PARTS)])
    assert texts(result, "model") == ["8", "9", "10", "11"] and texts(result, "unit")[2] == "JUEGO"
    assert [c.value for sku in result.skus for c in sku.custom if c.name == "MODELO"] == ["CGL", "CGL", "CG250", "CGL"]


@pytest.mark.parametrize("label", ["COD.", "No."])
def test_numbers_beside_a_model_of_each_row_are_none(label: str) -> None:
    rows = [[label, *PARTS[0][1:], "PRECIO"], *[[*row[:3], f"CG{n}50", "¥9.00"] for n, row in enumerate(PARTS[1:])]]
    assert texts(read(rows), "model") == ["CG050", "CG150", "CG250", "CG350"]


PRICED = [[*row, "PRECIO" if n == 0 else "¥9.00"] for n, row in enumerate(PARTS)]


def under_rows(first: list[str]) -> ParsedPage:
    """A table of which ``first`` stands over the title and the head of the next one."""
    plain = table([first, ["BIZZ 110/125", *[""] * 4], *PRICED], widths=100)
    title = msgspec.structs.replace(plain.cells[5], cols=5)
    return page(tables=[msgspec.structs.replace(plain, cells=(*plain.cells[:5], title, *plain.cells[10:]))], number=2)


def test_a_row_over_the_next_head_goes_on_with_the_page_before() -> None:
    before = page(tables=[table(PRICED, widths=100)])
    result = understood(under_rows(["7", "CAMARA 300x17", "PZA", "BIZZ", "¥8.00"]), before)
    assert texts(result, "product_name") == ["CAMARA 300x17", *[row[1] for row in PARTS[1:]]]


def test_other_rows_over_a_head_are_no_products() -> None:
    before = page(tables=[table(PRICED, widths=100)])
    result = understood(under_rows(["Cliente", "Repuestos del Sur", "12-07", "Pedido", "Mayo"]), before)
    assert texts(result, "product_name") == [row[1] for row in PARTS[1:]]


BOXES = [["SB-664", "6 x 6 x 4", "0.52", "0.46", "0.41", "2.9"], ["SB-886", "8 x 8 x 6", "0.68", "0.61", "0.55", "4.4"]]


@pytest.mark.parametrize("heads", [("Inside size (in)", "lb/bdl"), ("Opening", "Strength")])
def test_bare_quantities_among_other_words_head_prices_that_fall(heads: tuple[str, str]) -> None:
    result = read([["Model", heads[0], "25", "100", "250", heads[1]], *BOXES])
    assert texts(result, "model") == ["SB-664", "SB-886"]
    assert tiers(result) == [("25", "0.52"), ("100", "0.46"), ("250", "0.41")]


def test_numbers_over_values_that_rise_are_no_quantities() -> None:
    risen = [[*row[:2], *reversed(row[2:5]), row[5]] for row in BOXES]
    result = read([["Model", "Opening", "125", "250", "500", "Strength"], *risen])
    assert not any("price" in sku.attributes for sku in result.skus)
