"""Open lists: side by side, in parts, and whole."""

import msgspec
import pytest

from catalogsku.core.box import union
from processing.engine.page import Line, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.open_table import open_tables
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts


@pytest.mark.req("TA-AROUTE")
def test_open_lists_side_by_side_under_one_head_are_read_by_themselves() -> None:
    lines = [line(text, x + 60 * n, 100, 8) for x in (40, 320) for n, text in enumerate(("Code", "Size", "Price"))]
    for k in range(3):
        lines += [line(text, 40 + 60 * n, 120 + 18 * k, 8) for n, text in enumerate((f"AB-1{k}", "20 mm", f"$1.{k}5"))]
        lines += [line(text, 320 + 60 * n, 120 + 18 * k, 8) for n, text in enumerate((f"CD-1{k}", "30 mm", f"$2.{k}5"))]
    first, second = open_tables(page(*lines))
    assert [table.n_rows for table in (first, second)] == [4, 4] and first.id != second.id
    assert {cell.text for cell in second.cells if cell.col == 0} == {"Code", "CD-10", "CD-11", "CD-12"}


def test_whom_to_write_to_ends_an_open_list() -> None:
    staff = [line(text, x, 200, 8) for text, x in (("Jo Marsh", 40), ("0113 496", 100), ("jo@north.test", 160))]
    (found,) = open_tables(page(*_list("AB-1 AB-2 AB-3", 100), *staff))
    assert {cell.text for cell in found.cells if cell.col == 0} == {"Code", "AB-1", "AB-2", "AB-3"}


def _list(codes: str, y: float, step: float = 18) -> list[Line]:
    lines = [line(text, 40 + 60 * n, y, 8) for n, text in enumerate(("Code", "Size", "Price"))]
    for k, code in enumerate(codes.split(), 1):
        lines += [line(text, 40 + 60 * n, y + step * k, 8) for n, text in enumerate((code, "20 mm", f"$1.{k}5"))]
    return lines


def test_abbreviated_labels_are_no_sentences() -> None:
    lines = [line(text, 40 + 60 * n, 100, 8) for n, text in enumerate(("No.", "Ref. No.", "Size", "Price"))]
    for k in range(3):
        row = (str(k + 1), f"264{k}-75", "20 mm", f"$1.{k}5")
        lines += [line(text, 40 + 60 * n, 164 + 64 * k, 8) for n, text in enumerate(row)]
    (table,) = open_tables(page(*lines))
    assert (table.n_rows, table.n_cols) == (4, 4)


def test_an_open_list_ends_where_a_title_and_a_picture_stand_before_its_head_again() -> None:
    parts = open_tables(page(*_list("AB-1 AB-2 AB-3", 100), line("Hex nuts", 40, 200, 14), *_list("CD-1 CD-2", 330)))
    assert [[cell.text for cell in table.cells if cell.col == 0] for table in parts] == [
        ["Code", "AB-1", "AB-2", "AB-3"],
        ["Code", "CD-1", "CD-2"],
    ]


def test_a_head_repeated_in_the_next_line_parts_no_list() -> None:
    (whole,) = open_tables(page(*_list("AB-1 AB-2 AB-3", 100), *_list("CD-1 CD-2", 172)))
    assert whole.n_rows == 7


BANDED_HEAD = ["品名", "型号", "材质", "规格", "单价"]


def _product(name: str, code: str, price: str) -> list[str]:
    return [name, code, "黄铜", "160×48mm", price]


def _banded(*rows: list[str]) -> Table:
    """Rows between level rules, with white between the columns."""
    return msgspec.structs.replace(table(rows, widths=95, height=30), ruled=False, method="bands")


def _read(*tables: Table) -> PageResult:
    return understand_page(page(tables=tables), (), DocumentFacts(), BY_RULES)


def test_level_rules_tell_where_rows_end_and_which_heading_stands_over_them() -> None:
    rows = [
        BANDED_HEAD, ["龙头系列", "", "", "", ""], _product("单把手冷热水面盆\n水器", "LT-1", "¥168.00"),
        _product("厨房龙头", "LT-2", "¥256.00"), ["挂件系列", "", "", "", ""], _product("毛巾架", "GJ-1", "¥59.00"),
    ]  # fmt: skip
    result = _read(_banded(*rows))
    assert texts(result, "product_name") == ["单把手冷热水面盆 水器", "厨房龙头", "毛巾架"]
    assert texts(result, "series") == ["龙头系列", "龙头系列", "挂件系列"]


def test_an_open_list_with_more_products_than_the_level_rules_part_is_kept() -> None:
    both = ["面盆龙头\n厨房龙头", "LT-1\nLT-2", "黄铜\n黄铜", "160×48mm\n160×52mm", "¥168.00\n¥256.00"]
    result = _read(_banded(BANDED_HEAD, both, _product("毛巾架", "GJ-1", "¥59.00"), _product("挂钩", "GJ-2", "¥9.00")))
    assert texts(result, "model") == ["LT-1", "LT-2", "GJ-1", "GJ-2"]


def test_an_open_list_is_kept_where_its_head_stands_again_between_the_level_rules() -> None:
    parts = [
        BANDED_HEAD, _product("面盆龙头", "LT-1", "¥168.00"), _product("厨房龙头", "LT-2", "¥256.00"),
        ["卫浴挂件", "", "", "", ""], BANDED_HEAD, _product("毛巾架", "GJ-1", "¥59.00"),
    ]  # fmt: skip
    result = _read(_banded(*parts))
    assert texts(result, "model") == ["LT-1", "LT-2", "GJ-1"]
    assert {sku.table for sku in result.skus} != {"G1"}


def test_the_heading_of_a_series_is_no_further_line_of_a_name() -> None:
    lines = [line(text, 40 + 120 * n, 100, 8) for n, text in enumerate(("品名", "型号", "单价"))]
    for n, (name, code, price) in enumerate((("面盆龙头", "LT-1", "¥168"), ("毛巾架加厚底座免打孔", "GJ-1", "¥59"))):
        lines += [line(text, 40 + 120 * k, 120 + 24 * n, 8) for k, text in enumerate((name, code, price))]
    lines.append(line("地漏系列", 40, 156, 8))
    lines += [line(text, 40 + 120 * k, 168, 8) for k, text in enumerate(("方形地漏", "DL-1", "¥38"))]
    result = understand_page(page(*lines), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["面盆龙头", "毛巾架加厚底座免打孔", "方形地漏"]


def test_labels_that_a_scan_reads_as_one_line_are_columns_of_their_own() -> None:
    lines = [line("型号 Model", 40, 100, 8), line("单价 Price", 340, 100, 8)]
    power, size = line("功率 Power", 140, 100, 8), line("尺寸 Size", 196, 100, 8)
    lines.append(Line("功率 Power 尺寸 Size", union((power.box, size.box)), power.words + size.words, 8))
    for n in range(3):
        row = zip((f"HY-{n}", "7W", "90×55mm", "¥23.50"), (40, 145, 200, 345), strict=True)
        lines += [line(text, x, 120 + 20 * n, 8) for text, x in row]
    result = understand_page(page(*lines), (), DocumentFacts(), BY_RULES)
    assert texts(result, "size") == ["90×55mm"] * 3
    assert [custom.name for custom in result.skus[0].custom] == ["功率 Power"]


def test_a_word_at_a_labels_left_edge_begins_its_column() -> None:
    head = [line("ITEM #", 50, 100), line("DESCRIPTION", 90, 100), line("PACKAGING", 300, 100)]
    rows = [
        ("130", "ORG APPLE"),
        ("1129", "ORG PEAR"),
        ("128", "GREEN KIWI"),
        ("99", "PINK LADY"),
        ("1198", "LEMON BAG"),
    ]
    lines = [line("80", 300, 120 + 15 * n) for n in range(len(rows))]
    for n, (number, name) in enumerate(rows):
        left, right = line(number, 50, 120 + 15 * n), line(name, 90, 120 + 15 * n)
        box = (left.box[0], left.box[1], right.box[2], right.box[3])
        lines.append(Line(f"{number} {name}", box, left.words + right.words, 10.0))
    result = understand_page(page(*head, *lines), (), DocumentFacts(), BY_RULES)
    assert texts(result, "model") == [number for number, _ in rows]
    assert texts(result, "product_name") == [name for _, name in rows]


def test_a_note_under_an_open_list_is_not_cut_where_a_word_begins_at_a_label() -> None:
    head = [line("Code", 50, 100), line("Description", 130, 100), line("Price", 300, 100)]
    rows = [[(f"AB-{n}", 50), ("Tee hinge", 130), (f"$ 1.{n}5", 300)] for n in range(5)]
    lines = [line(text, x, 120 + 15 * n) for n, row in enumerate(rows) for text, x in row]
    words = (line("* Packs are not", 50, 210), line("broken.", 130, 210))
    note = Line(
        "* Packs are not broken.", union(w.box for w in words), tuple(w for part in words for w in part.words), 10
    )
    result = understand_page(page(*head, *lines, note), (), DocumentFacts(), BY_RULES)
    assert texts(result, "model") == [f"AB-{n}" for n in range(5)]


def _rows(rows: list[tuple[str, ...]], y: float) -> list[Line]:
    lines = []
    for n, row in enumerate(rows):
        lines += [line(text, x, y + 16 * n) for x, text in zip((50, 110, 300), row, strict=True)]
    return lines


PAGE_OF_LIST = [("Item No.", "Description", "Price"), *((f"A-{n}", "Wooden board", f"$ {n}.50") for n in range(10, 48))]


@pytest.mark.parametrize(
    ("rows", "models"),
    [
        ([("A-50", "Steel bar", "$ 9.50"), ("A-51", "Iron rod", "$ 8.20")], ["A-50", "A-51"]),
        ([("See", "our other", "offers"), ("in", "the next", "list")], []),
    ],
)
def test_an_open_list_goes_on_over_the_page_without_its_head(rows: list[tuple[str, ...]], models: list[str]) -> None:
    first, last = page(*_rows(PAGE_OF_LIST, 100)), page(*_rows(rows, 60), line("14", 290, 800), number=2)
    result = understand_page(last, (first,), DocumentFacts(), BY_RULES)
    assert [text for text in texts(result, "model") if text in models] == models
    assert bool(result.merges) == bool(models)


@pytest.mark.parametrize(("sign", "goes_on"), [("*", True), ("", False)])
def test_notes_under_the_last_row_of_an_open_list_are_no_other_print(sign: str, goes_on: bool) -> None:
    notes = [line(f"{sign}{text}", 50, 120 + 14 * n, 8) for n, text in enumerate(("Without VAT.", "Senza IVA."))]
    last = page(*_rows([("A-50", "Steel bar", "$ 9.50"), ("A-51", "Iron rod", "$ 8.20")], 60), *notes, number=2)
    result = understand_page(last, (page(*_rows(PAGE_OF_LIST, 100)),), DocumentFacts(), BY_RULES)
    assert bool(result.merges) == goes_on


def test_other_print_after_an_open_list_is_no_part_of_it() -> None:
    first = page(*_rows(PAGE_OF_LIST, 100))
    words = [line("Our terms of delivery and payment hold for all orders", 60, 100 + 16 * n) for n in range(4)]
    last = page(*words, *_rows([("A-50", "Steel bar", "$ 9.50")], 200), number=2)
    assert not understand_page(last, (first,), DocumentFacts(), BY_RULES).merges


def test_a_list_that_ends_in_the_middle_of_its_page_does_not_go_on() -> None:
    first, last = page(*_rows(PAGE_OF_LIST[:4], 100)), page(*_rows(PAGE_OF_LIST[4:8], 60), number=2)
    assert not understand_page(last, (first,), DocumentFacts(), BY_RULES).merges


def test_lots_and_what_they_may_go_for_at_least_head_a_list_of_an_auction() -> None:
    heads = (("Category", 40), ("Lot #", 130), ("Description", 220), ("Reserve", 470))
    lines = [line(text, x, 100, 9) for text, x in heads]
    for n, name in enumerate(("Oak sideboard 150", "Brass ship bell 40", "Music box in case 45", "Desk lamp 20")):
        y = 130 + 36 * n
        lines += [line("Antiques and", 40, y - 6, 10), line("Collections", 40, y + 6, 10)]
        lines += [line(f"2000{n}", 130, y, 10), line(name, 220, y, 10), line(f"${n + 1}5.00", 470, y, 10)]
    result = understand_page(page(*lines), (), DocumentFacts(), BY_RULES)
    assert texts(result, "model") == ["20000", "20001", "20002", "20003"]
    assert texts(result, "price") == ["$15.00", "$25.00", "$35.00", "$45.00"]
    assert texts(result, "product_name")[0] == "Oak sideboard 150"
