"""Tables of a product's variants: the name stands in a section row, over the table or beside its picture."""

import msgspec
import pytest

from processing.engine.page import Line, ParsedPage, Picture, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.names import may_name
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts
from tests.unit.understanding.test_variants import spread

HEAD = ["型号", "规格", "单价"]
SMALL, LARGE = ["TG-20", "20cm", "¥78"], ["TG-24", "24cm", "¥96"]
OTHER = ["JG-24", "24cm", "¥69"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


@pytest.mark.req("GR-EVID")
def test_a_section_row_names_the_products_below_it_where_no_column_does() -> None:
    rows = [HEAD, ["复底汤锅（材质：304不锈钢）", "", ""], SMALL, LARGE, ["◆ 不锈钢煎锅", "", ""], OTHER]
    result = understood(page(tables=[table(rows)]))
    assert texts(result, "product_name") == ["复底汤锅", "复底汤锅", "不锈钢煎锅"]
    assert texts(result, "material") == ["304不锈钢", "304不锈钢", None]
    name = result.skus[1].attributes["product_name"]
    assert (name.source, name.evidence.method, name.evidence.bbox) == (
        "section_inherited",
        "section",
        (50, 120, 130, 140),
    )


@pytest.mark.parametrize(
    "section",
    [
        "米兰系列",
        "Oslo Series",
        "产品分类",
        "其他",
        "Black",
        "304不锈钢",
        "20cm",
        "¥78",
        "适用于电磁炉，燃气灶。",
        "IP44 - for wet rooms",
        "IP65",
        "3 core, 450/750 V",
        "2 pole",
        "3芯",
        "24V – outdoor",
        "价目表",
        "With connector M12",
        "Soap the thread in oak.",
        "适用于燃气灶",
    ],
)
def test_section_rows_that_say_something_else_are_no_names(section: str) -> None:
    result = understood(page(tables=[table([HEAD, [section, "", ""], SMALL, LARGE])]))
    assert texts(result, "product_name") == [None, None]


def test_a_row_of_words_below_the_first_products_is_no_name() -> None:
    result = understood(page(tables=[table([HEAD, SMALL, LARGE, ["加厚", "", ""], OTHER])]))
    assert texts(result, "product_name") == [None] * 3


def test_a_section_row_replaces_neither_a_row_s_own_values_nor_a_column_of_names() -> None:
    rows = [["型号", "材质", "单价"], ["复底汤锅(材质：304不锈钢，颜色：银色)", "", ""], ["TG-20", "316不锈钢", "¥78"]]
    result = understood(page(tables=[table([*rows, ["TG-24", "", "¥96"]])]))
    assert texts(result, "material") == ["316不锈钢", "304不锈钢"] and texts(result, "color") == ["银色", "银色"]
    named = [["型号", "品名", "单价"], ["锅具", "", ""], ["TG-20", "汤锅", "¥78"], ["TG-24", "", "¥96"]]
    assert texts(understood(page(tables=[table(named)])), "product_name") == ["汤锅", None]


def blocks(
    titles: tuple[tuple[str, ...], ...], side: float = 40, under: bool = False, at: float = 200
) -> tuple[list[Line], list[Table], list[Picture]]:
    """A photo for each title, with a table of variants beside it; what is said stands over the table or the photo."""
    lines, tables, pictures = [], [], []
    for n, said in enumerate(titles):
        top = 100 + 200 * n
        pictures.append(picture(f"P{n}", (side, top, side + 130, top + 130)))
        left, first = (side + 10, top + 136) if under else (at, top)
        lines += [line(text, left, first + 18 * k, 8 if k else 14) for k, text in enumerate(said)]
        rows = [HEAD, [f"T{n}-20", "20cm", "¥78"], [f"T{n}-24", "24cm", "¥96"]]
        tables.append(table(rows, x=at, y=top if under else top + 45, id=f"G{n}"))
    return lines, tables, pictures


@pytest.mark.parametrize(("side", "at", "under"), [(40, 200, False), (440, 100, False), (40, 200, True)])
def test_variants_beside_their_photo_take_the_title_of_their_block(side: float, at: float, under: bool) -> None:
    lines, tables, pictures = blocks((("执手锁",), ("铜挂锁",)), side, under, at)
    result = understood(page(line("门锁拉手", 40, 30, 17), *lines, tables=tables, pictures=pictures))
    assert texts(result, "product_name") == ["执手锁"] * 2 + ["铜挂锁"] * 2
    value = result.skus[3].attributes["product_name"]
    assert (value.evidence.quote, value.evidence.method, value.evidence.bbox) == ("铜挂锁", "title", lines[1].box)


@pytest.mark.parametrize("own", ["型号：GS-9", "GS-9", "¥12"])
def test_a_photo_over_a_name_and_a_code_or_price_shows_a_product_of_its_own(own: str) -> None:
    lines, tables, pictures = blocks((("执手锁", own),), 440, True, 100)
    result = understood(page(*lines, tables=tables, pictures=pictures))
    names = {sku.attributes["model"].text: sku.attributes.get("product_name") for sku in result.skus if sku.table}
    assert names["T0-20"] is None and names["T0-24"] is None


def test_pictures_of_rows_beside_a_table_make_no_title_of_what_stands_over_it() -> None:
    shots = [picture("P0", (60, 95, 120, 155)), picture("P1", (60, 160, 120, 220))]
    rows = table([HEAD, SMALL, LARGE], x=140, y=120, height=30)
    result = understood(page(line("锅具", 140, 97, 14), tables=[rows], pictures=shots))
    assert texts(result, "product_name") == [None, None]


@pytest.mark.req("TA-BR13")
@pytest.mark.parametrize("under", [False, True])
def test_a_material_in_a_block_is_that_block_s_only(under: bool) -> None:
    said = (("执手锁", "材质：锌合金"), ("铜挂锁",), ("铰链", "材质：黄铜"), ("脚轮", "材质：未知料"), ("锁",))
    lines, tables, pictures = blocks(said[:3], under=under)
    result = understood(page(*lines, tables=tables, pictures=pictures))
    assert texts(result, "material") == ["锌合金"] * 2 + [None] * 2 + ["黄铜"] * 2
    lines, tables, pictures = blocks((said[0], said[3], said[4]), under=under)
    result = understood(page(*lines, tables=tables, pictures=pictures))
    assert texts(result, "material") == ["锌合金"] * 2 + [None] * 4


def test_a_material_that_is_not_known_ends_the_reach_of_the_one_above() -> None:
    tables = [table([HEAD, SMALL, LARGE]), table([HEAD, OTHER, ["JG-28", "28cm", "¥85"]], y=300, id="G2")]
    lines = [line("材质：锌合金", 50, 80), line("材质：未知料", 50, 280)]
    assert texts(understood(page(*lines, tables=tables)), "material") == ["锌合金", "锌合金", None, None]
    assert texts(understood(page(lines[0], tables=tables)), "material") == ["锌合金"] * 4


def test_a_material_beside_a_table_is_not_that_of_the_table_below() -> None:
    tables = [table([HEAD, SMALL, LARGE], x=200), table([HEAD, OTHER, ["JG-28", "28cm", "¥85"]], x=200, y=300, id="G2")]
    result = understood(page(line("材质：锌合金", 50, 120), tables=tables))
    assert texts(result, "material") == ["锌合金", "锌合金", None, None]


COMPARED = [
    ["Model", "DR-12C", "DR-18P", "DR-18I"],
    ["Voltage", "12 V", "18 V", "18 V"],
    ["Weight", "1 kg", "2 kg", "3 kg"],
    ["Price", "$79.00", "$129.00", "$149.00"],
]


def titled(*titles: str) -> list[Table]:
    """Tables with a title over their head, across all columns."""
    tables = []
    for n, title in enumerate(titles):
        rows = [[title, "", ""], HEAD, [f"T{n}-20", "20cm", "¥78"], [f"T{n}-24", "24cm", "¥96"]]
        plain = table(rows, y=100 + 150 * n, id=f"G{n}")
        across = msgspec.structs.replace(plain.cells[0], box=(50, plain.box[1], 290, plain.box[1] + 20), cols=3)
        tables.append(msgspec.structs.replace(plain, cells=(across, *plain.cells[3:])))
    return tables


def test_titles_in_several_tables_name_the_products_of_each() -> None:
    result = understood(page(tables=titled("坩埚", "石英舟")))
    assert texts(result, "product_name") == ["坩埚"] * 2 + ["石英舟"] * 2
    assert result.skus[2].attributes["product_name"].source == "section_inherited"


def test_a_title_and_a_photo_across_a_table_over_its_head_are_of_all_its_rows() -> None:
    tables, shown = [], []
    for n, title in enumerate(("坩埚", "石英舟")):
        y = 100 + 350 * n
        rows = [[title, "", ""], ["86", "", ""], HEAD, [f"T{n}-20", "20cm", "¥78"], [f"T{n}-24", "24cm", "¥96"]]
        plain = table(rows, y=y, height=60, id=f"G{n}")
        wide = [msgspec.structs.replace(c, box=(50, c.box[1], 290, c.box[3]), cols=3) for c in plain.cells[:4:3]]
        tables.append(msgspec.structs.replace(plain, cells=(*wide, *plain.cells[6:])))
        shown.append(picture(f"P{n}", (70, y + 63, 124, y + 117)))
    result = understood(page(tables=tables, pictures=shown))
    assert texts(result, "product_name") == ["坩埚"] * 2 + ["石英舟"] * 2
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"]] * 2 + [["P1"]] * 2


@pytest.mark.parametrize("titles", [("坩埚",), ("坩埚", "坩埚"), ("坩埚", "产品目录")])
def test_titles_that_do_not_tell_tables_apart_name_nothing(titles: tuple[str, ...]) -> None:
    assert set(texts(understood(page(tables=titled(*titles))), "product_name")) == {None}


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("伺服折纸机", True),
        ("Servo folding machine", True),
        ("技术数据", False),
        ("米兰系列", False),
        ("Technical data", False),
        ("产品规格", False),
    ],
)
def test_the_title_in_the_first_row_over_variants_in_columns_is_their_name(title: str, named: bool) -> None:
    rows = [[title, None, None], ["规格\\机型", "610WP", "745WP"], ["纸宽", "610", "745"], ["速度", "15", "18"]]
    result = understood(page(tables=[spread(rows, {(0, 0): 3})]))
    assert texts(result, "model") == ["610WP", "745WP"]
    assert texts(result, "product_name") == [title if named else None] * 2


def test_a_footnote_left_of_an_open_list_moves_its_title_no_further_from_it() -> None:
    """What is taken for a row of the list makes its box wider than its columns."""
    lines = [line("静音床头柜", 60, 200, 14)]
    for row, said in enumerate(
        (["型号", "规格(mm)", "批发价(元)"], ["YG-021-A", "480×400", "420"], ["YG-021-B", "550×420", "480"])
    ):
        lines += [line(text, 60 + 90 * col, 226 + 20 * row, 9) for col, text in enumerate(said)]
    note = line("以上为工厂批发价", 30, 290, 8.5)
    result = understood(page(*lines, note, pictures=[picture("P0", (50, 60, 300, 190))]))
    assert texts(result, "product_name") == ["静音床头柜"] * 2


@pytest.mark.parametrize("heading", ["DESCRIPTION", "Size", "材质"])
def test_a_heading_that_is_a_label_of_the_text_under_it_names_no_variants(heading: str) -> None:
    rows = [["Item No.", "Length mm", "Bolts"], ["QV-1", "80", "2"], ["QV-2", "95", "3"]]
    said = [line(f"Made for outdoor use in all weathers, part {n}", 50, 190 + 14 * n, 9) for n in range(6)]
    lines = [line("Brass Groove Clamp", 50, 60, 16), line(heading, 50, 170, 12), *said]
    shown = [picture("P1", (60, 290, 200, 390))]
    result = understood(page(*lines, tables=[table(rows, y=400, height=18)], pictures=shown))
    assert texts(result, "product_name") == ["Brass Groove Clamp"] * 2


@pytest.mark.parametrize(("size", "named"), [(18, None), (9, "Golden Bolts")])
def test_print_of_the_page_s_head_over_a_larger_title_names_no_variants(size: float, named: str | None) -> None:
    """The title stands behind a bar, further in than the table."""
    rows = [["Item No.", "Thread", "Price"], ["QV-1", "M6", "$0.11"], ["QV-2", "M8", "$0.19"]]
    lines = [line("Golden Bolts", 50, 40, 13), line("Hexagon head", 80, 80, size)]
    lines += [line("Ex works", 50, 560 + 12 * n, 8) for n in range(3)]
    shown = [picture("P1", (60, 120, 220, 290))]
    result = understood(page(*lines, tables=[table(rows, y=320, height=18)], pictures=shown))
    assert texts(result, "product_name") == [named] * 2


@pytest.mark.parametrize("text", ["纸袋与礼盒阶梯价", "Prices by quantity", "价目表", "Retail price"])
def test_what_heads_a_list_of_prices_is_no_name(text: str) -> None:
    assert not may_name(text) and may_name("Priced Right Paper Bag") and may_name("纸袋与礼盒")


@pytest.mark.parametrize(
    ("sections", "names"),
    [
        (("A数显卡尺", "B 压力表"), ["数显卡尺", "数显卡尺", "压力表"]),
        (("A数显卡尺", "C压力表"), ["A数显卡尺", "A数显卡尺", "C压力表"]),
        (("A型管", "直管"), ["A型管", "A型管", "直管"]),
    ],
)
def test_letters_that_number_the_sections_are_no_part_of_names(sections: tuple[str, str], names: list[str]) -> None:
    rows = [HEAD, [sections[0], "", ""], SMALL, LARGE, [sections[1], "", ""], OTHER]
    assert texts(understood(page(tables=[table(rows)])), "product_name") == names
