"""Pages of one set: its title, photos, fields in a grid, and the list of its parts, which are no products."""

import pytest

from processing.engine.page import Line, ParsedPage, Picture, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.fields import holds_fields, scatters_fields, stacks_fields
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

TITLE = line("Picnic set for four 四人野餐套装", 50, 50, 20)
PHOTOS = [picture("P1", (50, 90, 390, 290)), picture("P2", (430, 90, 500, 160)), picture("P3", (400, 190, 550, 290))]
STACKED = [
    ["Item No. 货号", "Kit price 套装价", "MOQ 起订量"],
    ["PK-400", "US$48.00", "60 sets"],
    ["Carton 外箱", "G.W. 毛重", "Lead time 交期"],
    ["60 x 40 x 40 cm", "9.6 kg", "30 days"],
]
BESIDE = [
    ["型号：", "PK-400", "风格：", "户外"],
    ["外层材质：", "600D牛津布", "里衬：", "铝箔"],
    ["颜色：", "军绿", "套装价：", "¥380/套"],
]
PARTS = [
    ["No.", "Part 部件", "Qty 数量", "Remark 备注"],
    ["1", "Basket 提篮", "1", "Willow"],
    ["2", "Plate 餐盘", "4", "Melamine"],
    ["3", "Blanket 地垫", "1", "Fleece"],
]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def sheet(*tables: Table, title: Line = TITLE, pictures: tuple[Picture, ...] = ()) -> PageResult:
    heading = line("Kit contents 套装清单", 50, 427, 12)
    return understood(page(title, heading, tables=tables, pictures=[*PHOTOS, *pictures]))


@pytest.mark.parametrize("rows", [STACKED, BESIDE])
def test_a_grid_of_labels_and_values_is_one_product_and_its_parts_are_none(rows: list[list[str]]) -> None:
    parts = table(PARTS, y=445, widths=120, id="G2")
    (sku,) = sheet(table(rows, y=310, widths=120), parts).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert (found["model"], found["product_name"]) == ("PK-400", TITLE.text)
    assert found["price"] in ("US$48.00", "¥380/套")
    assert {binding.picture for binding in sku.bindings} == {"P1", "P3"}


def test_photos_beside_the_fields_are_not_all_the_products() -> None:
    beside = (picture("P4", (430, 310, 560, 400)),)
    (sku,) = sheet(table(BESIDE, y=310, widths=90), pictures=beside).skus
    assert "P4" not in {binding.picture for binding in sku.bindings}


def test_rows_of_labels_and_of_values_in_open_print_are_no_list() -> None:
    ys = (326, 340, 370, 384)
    cells = [line(text, 50 + 176 * n, y, 8) for y, row in zip(ys, STACKED, strict=True) for n, text in enumerate(row)]
    assert texts(understood(page(TITLE, *cells, line("Kit contents 套装清单", 50, 417, 12))), "model") in (
        [],
        ["PK-400"],
    )


def test_cards_that_repeat_their_labels_do_not_stack_the_fields_of_one() -> None:
    cards = table([STACKED[0], STACKED[1], STACKED[0], ["PK-600", "US$58.00", "60 sets"]])
    assert not stacks_fields(cards) and not holds_fields(table([STACKED[0], STACKED[1]]))


def test_further_labels_under_some_heads_are_of_one_card_and_repeated_heads_of_a_list() -> None:
    rows = [["款号", "面料", "套件"], ["YG-400", "长绒棉", "被套×1"], ["", "适用床", "颜色"], ["", "1.8m 床", "雾蓝"]]
    rows += [["¥328", "净重", "起订量"], ["", "2.6kg", "60套"]]
    assert scatters_fields(table(rows)) and not scatters_fields(table(rows[:4]))
    heads, goods = ["款号", "颜色", "净重"], ["YG-400", "雾蓝", "2.6kg"]
    assert not scatters_fields(table([heads, goods, goods, heads, goods, heads, goods]))


def test_parts_with_codes_are_products() -> None:
    coded = [["No.", "Part 零件号", "Name 名称", "Price 单价"]]
    coded += [[str(n), f"PX-10{n}", f"Gasket {n}", f"$1.{n}0"] for n in range(1, 5)]
    assert texts(understood(page(tables=[table(coded)])), "model") == [f"PX-10{n}" for n in range(1, 5)]


LABELS = (
    ("Item No. 货号", "PS-7001"), ("Material 材质", "PP / Food grade PP"), ("Packing 包装", "礼盒 Gift box"),
    ("QTY/CTN 装箱量", "8 sets"), ("G.W./N.W. 毛净重", "14.5/12.8 kg"), ("FOB Price 单价", "US$8.90/set"),
)  # fmt: skip
INCLUDED = ("水壶 Kettle ×1", "餐盘 Plates ×4", "刀叉 Cutlery ×12")


def columns(*pairs: tuple[str, str]) -> list[Line]:
    return [line(text, 50 + 160 * k, 340 + 22 * n, 9) for n, pair in enumerate(pairs) for k, text in enumerate(pair)]


def test_labels_may_have_full_stops_and_packages_be_called_as_labels_are() -> None:
    name = line("PS-7001 Play kitchen set 厨房玩具套装", 50, 60, 17)
    heading = line("套装内容 Set includes", 50, 480, 12)
    parts = [line(text, 50 + 170 * n, 510, 9) for n, text in enumerate(INCLUDED)]
    photos = [picture("P1", (50, 90, 400, 310)), picture("P2", (420, 90, 560, 200))]
    (sku,) = understood(page(name, *columns(*LABELS), heading, *parts, pictures=photos)).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert (found["model"], found["product_name"]) == ("PS-7001", name.text)
    assert (found["packing"], found["weight"], found["price"]) == ("礼盒 Gift box", "14.5/12.8 kg", "US$8.90/set")
    assert {binding.picture for binding in sku.bindings} == {"P1", "P2"}


def test_a_label_in_two_languages_is_not_its_own_value() -> None:
    rows = [("型号", "Model"), ("材质", "Material"), ("单价", "Price"), ("重量", "Weight")]
    assert understood(page(*columns(*rows))).skus == ()
