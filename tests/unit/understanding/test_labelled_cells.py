"""Cells of several lines that say their values under labels of their own."""

from collections.abc import Sequence

import pytest

from processing.engine.page import ParsedPage, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.tables.labelled_cells import parts_of
from tests.unit.understanding.pages import BY_RULES, page, table, texts


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def sheet(rows: Sequence[Sequence[str | None]], **options: object) -> Table:
    return table(rows, widths=500 / len(rows[0]), height=60, **options)


MUG = "Mug with lid\nMaterial: stoneware\nSize: 380 ml; Color: mint\nLogo: decal"
JUG = "Jug\nMaterial: glass,\nhand blown\nSize: 1.2 l\nDishwasher safe"
HEAD = ["Item No.", "Description", "Packing", "FOB (USD)"]
ROWS = [["A-1001", MUG, "36 pcs/ctn", "$0.83"], ["A-1002", JUG, "12 pcs/ctn", "$2.10"]]


def test_labels_in_a_cell_of_text_give_their_values_and_what_stands_before_them_is_the_name() -> None:
    result = understood(page(tables=[sheet([HEAD, *ROWS])]))
    assert texts(result, "product_name") == ["Mug with lid", "Jug"]
    assert texts(result, "material") == ["stoneware", "glass, hand blown"]
    assert texts(result, "size") == ["380 ml", "1.2 l"] and texts(result, "color") == ["mint", None]
    assert texts(result, "description") == [None, "Dishwasher safe"]
    assert ("Logo", "decal") in [(one.name, one.value) for one in result.skus[0].custom]
    assert result.blockers == ()


def test_the_table_goes_on_without_its_head_on_the_next_page() -> None:
    first = page(tables=[sheet([HEAD, *ROWS])])
    again = [[row[0].replace("A-1", "B-2"), *row[1:]] for row in ROWS]
    result = understood(page(tables=[sheet(again, y=40)], number=2), first)
    assert texts(result, "model") == ["B-2001", "B-2002"] and texts(result, "size") == ["380 ml", "1.2 l"]


def test_a_column_of_its_own_says_more_than_a_label_in_a_cell() -> None:
    rows = [["A-1001", "Mug\nMaterial: stoneware\nPacking: bulk", "36 pcs/ctn", "$0.83"], ROWS[1]]
    result = understood(page(tables=[sheet([HEAD, *rows])]))
    assert texts(result, "packing") == ["36 pcs/ctn", "12 pcs/ctn"]
    assert ("Packing", "bulk") in [(one.name, one.value) for one in result.skus[0].custom]


def test_a_column_of_specifications_alone_names_no_product() -> None:
    spec = "1. 材质：304不锈钢\n2、尺寸：Φ20×11cm\n颜色：本色"
    rows = [["型号", "品名", "参数", "单价"], ["TG-201", "汤锅", spec, "38.00"], ["TG-202", "奶锅", spec, "32.00"]]
    result = understood(page(tables=[sheet(rows)]))
    assert texts(result, "product_name") == ["汤锅", "奶锅"]
    assert texts(result, "material") == ["304不锈钢"] * 2 and texts(result, "size") == ["Φ20×11cm"] * 2


@pytest.mark.parametrize("said", ["See drawing: page 4\nfor spare parts", "Ratio 10:1 in use", "Material: steel"])
def test_a_cell_that_says_one_thing_or_nothing_known_stays_whole(said: str) -> None:
    rows = [["Item No.", "Product", "Remarks"], ["A-1001", "Mug", said], ["A-1002", "Jug", said]]
    result = understood(page(tables=[sheet(rows)]))
    assert [[(one.name, one.value) for one in sku.custom] for sku in result.skus] == [
        [("Remarks", said.replace("\n", " "))]
    ] * 2


def test_labels_in_a_cell_of_packing_say_nothing_of_the_product() -> None:
    packing = "Inner: 12 pcs\nSize: 60×40×30 cm\nWeight: 14 kg"
    rows = [["Item No.", "Product", "Packing"], ["A-1001", "Mug", packing], ["A-1002", "Jug", packing]]
    result = understood(page(tables=[sheet(rows)]))
    assert texts(result, "size") == [None, None] and texts(result, "weight") == [None, None]


def test_a_value_goes_on_where_it_was_cut_only() -> None:
    assert parts_of("材质：食品级硅胶，\nPP外壳\n可拆洗") == {"材质": "食品级硅胶， PP外壳", "rest": "可拆洗"}
    assert parts_of("Size: 20 cm\nwith handle")["Size"] == "20 cm with handle"
    assert parts_of("Size: 20 cm\nInduction base")["rest"] == "Induction base"


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("N.W./G.W. (kg)", "weight"),
        ("毛重/净重(kg)", "weight"),
        ("毛净重", "weight"),
        ("NW/GW(KGS)", "weight"),
        ("Size / Weight", None),
        ("MOQ/Unit", None),
        ("Price/MOQ", None),
    ],
)
def test_a_head_of_two_words_for_one_thing_stands_for_it(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind
