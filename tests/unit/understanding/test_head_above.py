"""Groups of one list under each other: one head for all of them, names under no head, photos in the rows."""

import pytest

from processing.engine.page import ParsedPage, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

HEAD = ["", "", "EDV-Nr.", "Preis/Stk", ""]
FIRST = [["", "Pfosten verzinkt", "PZ 911", "5,20", ""], ["", "Pfosten beschichtet", "PZ 912", "6,50", ""]]
SECOND = [["", "Klemme längs", "PZ 921", "12,00", "Set"], ["", "Klemme quer", "PZ 922", "14,00", ""]]
THIRD = [["", "Spray zum Ausbessern", "PZ 931", "10,00", ""]]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def groups(second: float = 90) -> list[Table]:
    parts = ((FIRST, 100, 90.0, "G1"), (SECOND, 200, second, "G2"), (THIRD, 300, 90.0, "G3"))
    rows = [[HEAD, *own] if name == "G1" else own for own, _, _, name in parts]
    return [table(own, y=y, widths=wide, id=name) for own, (_, y, wide, name) in zip(rows, parts, strict=True)]


def test_a_grid_without_a_head_has_that_of_the_grid_over_it() -> None:
    result = understood(page(line("Zubehör", 50, 60, 14), tables=groups()))
    assert texts(result, "model") == ["PZ 911", "PZ 912", "PZ 921", "PZ 922", "PZ 931"]
    assert texts(result, "price") == ["5,20", "6,50", "12,00", "14,00", "10,00"]
    assert texts(result, "product_name") == [row[1] for row in (*FIRST, *SECOND, *THIRD)]


def test_a_grid_of_other_columns_has_not_and_parts_what_stands_below() -> None:
    assert texts(understood(page(tables=groups(second=80))), "model") == ["PZ 911", "PZ 912"]


@pytest.mark.parametrize(
    "names",
    [
        ["Grün", "Anthrazit", "Weiß", "Blau"],
        ["Pfosten rund", "Pfosten rund", "Pfosten rund", "Klemme"],
        ["12 mm", "14 mm", "9 mm", "8 mm"],
    ],
)
def test_colours_measures_and_what_is_repeated_are_no_names_beside_codes(names: list[str]) -> None:
    rows = [["", name, f"PZ 91{n}", "5,20", ""] for n, name in enumerate(names)]
    assert not any(texts(understood(page(tables=[table([HEAD, *rows])])), "product_name"))


def test_a_photo_in_a_grid_between_the_parts_of_another_is_of_its_own_row() -> None:
    more = [["", f"Klemme Form {n}", f"PZ 95{n}", "3,00", ""] for n in range(4)]
    others = [["", f"Pfosten Form {n}", f"PZ 97{n}", "9,00", ""] for n in range(2)]
    parts = (([HEAD, *FIRST, *others], 100), (THIRD, 210), (more, 240), (SECOND, 400))
    tables = [table(rows, y=y, id=f"G{n}") for n, (rows, y) in enumerate(parts, 1)]
    between = [line(text, x, 380, 8) for text, x in (("Schelle", 132), ("PZ 941", 212), ("11,50", 292))]
    result = understood(page(*between, tables=tables, pictures=[picture("P1", (60, 261, 90, 279))]))
    shown = [sku.attributes["model"].text for sku in result.skus if sku.bindings]
    assert "PZ 941" in texts(result, "model") and shown == ["PZ 951"]
