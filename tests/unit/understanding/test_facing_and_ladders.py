"""Tables over facing pages, rows of quantities and prices, two values under one head, leader dots."""

import msgspec
import pytest

from processing.engine.page import Line, ParsedPage, Table, Word
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT, label_kind
from processing.engine.understanding.tables.double_heads import divided
from processing.engine.understanding.tables.facing import unfolded
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

LEFT = [["No.", "Part number", "Description"], ["1", "KD-1S", "Converter"], ["2", "KD-2S", "Regulator"]]
RIGHT = [["No.", "Size (mm)", "100+"], ["1", "11 x 6 x 10", "1.90"], ["2", "22 x 9 x 11", "2.03"]]
LADDER = [
    ["Model", "Product", "Quantity", "Unit price"],
    ["TR-8", "Anchor bolt", "20-99", "$7.10"], [None, None, "100-499", "$6.45"], [None, None, "500+", "Call"],
    ["TR-9", "Lock nut", "50-249", "$4.30"], [None, None, "250+", "$3.85"],
]  # fmt: skip


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def halves(left: list[list[str]], right: list[list[str]], y: float = 100) -> list[Table]:
    return [table(left, x=60, id="G1"), table(right, x=640, y=y, id="G2")]


def test_a_table_over_the_fold_is_one() -> None:
    result = understood(page(tables=halves(LEFT, RIGHT), size=(1190, 842)))
    assert texts(result, "model") == ["KD-1S", "KD-2S"] and texts(result, "price") == ["1.90", "2.03"]
    assert texts(result, "size") == ["11 x 6 x 10", "22 x 9 x 11"]
    assert [tally.table for tally in result.tallies] == ["G1"] and result.tallies[0].rows == 2


def test_a_heading_of_the_left_half_reaches_over_both() -> None:
    left, right = halves([LEFT[0], ["Isolated", "", ""], *LEFT[1:]], [RIGHT[0], ["", "", ""], *RIGHT[1:]])
    (whole,) = unfolded([with_heading(left), with_heading(right)])
    assert whole.n_cols == 5 and next(cell.cols for cell in whole.cells if cell.text == "Isolated") == 5


def with_heading(one: Table) -> Table:
    """The second row as one cell."""
    cells = [msgspec.structs.replace(cell, cols=one.n_cols) if cell.row == 1 else cell for cell in one.cells]
    return msgspec.structs.replace(one, cells=tuple(cell for cell in cells if cell.row != 1 or cell.col == 0))


@pytest.mark.parametrize(
    ("left", "right", "y"),
    [
        (LEFT, RIGHT, 160.0),
        (LEFT, [RIGHT[0], ["3", *RIGHT[1][1:]], ["4", *RIGHT[2][1:]]], 100.0),
        (LEFT, [["No.", "Part number", "Size"], ["1", "KD-7S", "6 x 6"], ["2", "KD-8S", "7 x 7"]], 100.0),
        (
            [["型号", "A-1"], ["尺寸", "6×6"], ["材质", "橡木"]],
            [["型号", "A-2"], ["尺寸", "7×7"], ["材质", "玻璃"]],
            100.0,
        ),
    ],
    ids=["lower", "other numbers", "codes of its own", "labels"],
)
def test_tables_side_by_side_stay_apart(left: list[list[str]], right: list[list[str]], y: float) -> None:
    assert len(unfolded(halves(left, right, y))) == 2


def test_rows_of_quantities_are_one_product() -> None:
    result = understood(page(tables=[table(LADDER)]))
    assert texts(result, "model") == ["TR-8", "TR-9"] and texts(result, "price") == ["$7.10", "$4.30"]
    tiers = [[(t["quantity"], t["value"]) for t in sku.normalized["price"]["tiers"]] for sku in result.skus]  # type: ignore[index]
    assert tiers == [[("20-99", "7.10"), ("100-499", "6.45")], [("50-249", "4.30"), ("250+", "3.85")]]
    assert [(one.name, one.value) for one in result.skus[0].custom] == [("100-499", "$6.45")]
    assert (result.tallies[0].skus, result.tallies[0].merged) == (2, 3)


def test_rows_that_differ_in_more_than_quantity_are_products_of_their_own() -> None:
    sized = [[*row[:2], size, *row[2:]] for row, size in zip(LADDER, ("Size", "S", "M", "L", "S", "M"), strict=True)]
    assert len(understood(page(tables=[table(sized)])).skus) == 5
    falling = [LADDER[0], ["TR-8", "Anchor bolt", *LADDER[2][2:]], [None, None, *LADDER[1][2:]]]
    assert len(understood(page(tables=[table(falling)])).skus) == 2


def test_two_values_under_one_head_are_two_columns() -> None:
    rows = [["Model", "Size / weight", "Price"], ["TR-8", "40 x 62 mm\n0.2 kg", "$7"], ["TR-9", "M8\n0.4 kg", "$8"]]
    result = understood(page(tables=[table(rows, height=40)]))
    assert texts(result, "size") == ["40 x 62 mm", "M8"] and texts(result, "weight") == ["0.2 kg", "0.4 kg"]


@pytest.mark.parametrize("cells", [("40 x 62 mm", "M8"), ("Solid\noak", "Clear\nglass")])
def test_a_head_of_two_words_over_single_values_stays_one_column(cells: tuple[str, str]) -> None:
    one = table([["Model", "Size / weight"], ["TR-8", cells[0]], ["TR-9", cells[1]]])
    assert divided(one) is one


def test_a_price_and_what_one_gets_for_it_are_one_column() -> None:
    one = table([["Model", "Price/Pack"], ["TR-8", "40 / Rack 200"], ["TR-9", "45 / Rack 225"]])
    assert divided(one) is one


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("产品图 / 型号", "model"),
        ("型号、图片", "model"),
        ("图片及品名", "product_name"),
        ("Item / Photo", CODE_OR_NUMBER),
        ("Picture & description", NAME_OR_TEXT),
        ("品名及说明", "product_name"),
        ("Name & description", NAME_OR_TEXT),
        ("图片", "picture"),
        ("尺寸及重量", None),
    ],
)
def test_a_head_of_two_things_is_the_one_that_its_cells_print(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


@pytest.mark.parametrize("head", ["品名及说明", "品名 & 说明", "品名/说明"])
def test_a_name_stands_in_the_first_line_under_a_head_of_name_and_text(head: str) -> None:
    rows = [
        ["产品图 / 型号", head, "尺寸", "零售价"],
        ["OD-501", "折叠椅\n牛津布/棉，承重120kg", "52×52×82cm", "¥68"],
        ["OD-508", "月亮椅\n铝合金骨架\n可收纳", "78×66×100cm", "¥139"],
    ]
    result = understood(page(tables=[table(rows, height=40)]))
    assert texts(result, "model") == ["OD-501", "OD-508"] and texts(result, "product_name") == ["折叠椅", "月亮椅"]
    said = [[(c.name, c.value) for c in sku.custom] for sku in result.skus]
    assert said[0] == [("说明", "牛津布/棉，承重120kg")]


def dotted(*words: str) -> list[str]:
    return [piece.text for piece in pieces(line(" ".join(words), 50, 50))]


def test_leader_dots_part_texts_and_belong_to_none() -> None:
    assert dotted("Set", "screw", "........", "2.15") == ["Set screw", "2.15"]
    assert dotted("Set", "screw", *"......", "2.15") == ["Set screw", "2.15"]
    assert dotted("Set", "screw........2.15") == ["Set screw", "2.15"]
    assert dotted("Rod", "...........") == ["Rod"] and dotted("and", "so", "on...") == ["and so on..."]


def test_a_text_read_with_its_dots_keeps_its_place() -> None:
    words = (Word("Rod........2.15", (0, 0, 120, 10), 10),)
    left, right = pieces(Line(words[0].text, words[0].box, words, 10))
    assert left.box[0] == 0 and left.box[2] < right.box[0] and right.box[2] == 120


def test_an_open_list_with_leader_dots_names_its_products() -> None:
    lines = [line("Code", 60, 80), line("Description", 120, 80), line("Price", 480, 80)]
    for n in range(4):
        y = 110 + 20 * n
        lines += [
            line(f"HS-10{n}", 60, y),
            line(f"Set screw M{n} ....................", 120, y),
            line(f"$2.1{n}", 480, y),
        ]
    result = understood(page(*lines))
    assert texts(result, "product_name") == [f"Set screw M{n}" for n in range(4)]
    assert texts(result, "price") == [f"$2.1{n}" for n in range(4)]


def badged(badge: str, low: float, name: str = "粉釉西施壶", gap: float = 14.0) -> list[str]:
    words = (Word(badge, (54.0, 345.0, 68.0, 345.0 + low)), Word(name, (68.0 + gap, 343.0, 137.0, 354.0)))
    return [one.text for one in pieces(Line(f"{badge} {name}", (54.0, 343.0, 137.0, 354.0), words, 11.0))]


def test_a_badge_before_a_name_is_no_part_of_it() -> None:
    assert badged("NEW", 7) == ["NEW", "粉釉西施壶"]
    assert badged("新品!", 7) == ["新品!", "粉釉西施壶"]
    # In the name's own print, close to it, or another word: part of the name.
    assert badged("NEW", 11) == badged("NEW", 7, gap=3) == ["NEW 粉釉西施壶"]
    assert badged("MINI", 7) == ["MINI 粉釉西施壶"]
