"""Tables that go on over the end of a page: a stored decision with its reason that keeps every row."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult, RowTally, TableMerge
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

HEAD = ["型号", "品名", "尺寸(mm)", "材质", "单价(元)"]


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def rows(count: int) -> list[list[str]]:
    return [[f"A-{100 + n}", f"圆凳{n}", f"{400 + n}×400×450", "橡木", f"{n}68.00"] for n in range(count)]


def counted(tallies: tuple[RowTally, ...]) -> int:
    return sum(tally.rows for tally in tallies)


@pytest.mark.req("X-MERGE", "TA-BR17")
@settings(max_examples=40)
@given(st.integers(2, 9), st.integers(2, 9), st.booleans(), st.sampled_from(["", "合计", "注：含税"]))
def test_a_merge_keeps_every_row_but_a_repeated_head(upper: int, lower: int, repeated: bool, closing: str) -> None:
    body = rows(upper + lower)
    rest = body[upper:] + ([[closing, "", "", "", ""]] if closing else [])
    whole = understood(page(tables=[table([HEAD, *body[:upper], *rest])]))
    first = page(tables=[table([HEAD, *body[:upper]])], number=1)
    second = page(tables=[table([HEAD, *rest] if repeated else rest)], number=2)
    above, below = understood(first), understood(second, first)
    (merge,) = below.merges
    assert merge.rows == second.tables[0].n_rows - merge.repeated_rows == counted(below.tallies)
    assert counted(above.tallies) + merge.rows == counted(whole.tallies)
    for key in ("model", "price"):
        assert texts(above, key) + texts(below, key) == texts(whole, key)


@pytest.mark.req("X-MERGE")
def test_a_merge_names_both_tables_and_its_reason() -> None:
    first = page(tables=[table([HEAD, *rows(3)], id="G4")], number=1)
    headless = page(tables=[table(rows(2), id="G1")], number=2)
    again = page(tables=[table([HEAD, *rows(2)], id="G1")], number=2)
    assert understood(headless, first).merges == (TableMerge("G1", 1, "G4", "head_inherited", 2),)
    assert understood(again, first).merges == (TableMerge("G1", 1, "G4", "head_repeated", 2, 1),)
    assert (understood(first).merges, understood(first).continues) == ((), None)


@pytest.mark.req("X-MERGE")
def test_the_same_head_under_another_table_of_the_page_begins_a_table() -> None:
    first = page(tables=[table([HEAD, *rows(3)])], number=1)
    both = [table([["Colour", "Code"], ["Red", "R"]], y=60, height=15), table([HEAD, *rows(2)], id="G2", y=200)]
    assert understood(page(tables=both, number=2), first).merges == ()


@pytest.mark.req("X-MERGE")
def test_a_table_after_a_page_of_its_own_text_repeats_no_head() -> None:
    first = page(tables=[table([HEAD, *rows(3)])], number=1)
    between = page(line("Showroom", 60, 60), number=2)
    assert understood(page(tables=[table([HEAD, *rows(2)])], number=3), first, between).merges == ()


def parted(rows: list[list[str]], lefts: tuple[float, ...], right: float = 290) -> ParsedPage:
    """A second page's table with columns from each of ``lefts`` on."""
    plain = table(rows)
    ends = (*lefts[1:], right)
    cells = [replace(c, box=(lefts[c.col], c.box[1], ends[c.col], c.box[3])) for c in plain.cells]
    return page(
        tables=[replace(plain, cells=tuple(cells), box=(lefts[0], plain.box[1], right, plain.box[3]))], number=2
    )


@pytest.mark.req("X-MERGE")
def test_a_table_that_goes_on_with_products_in_more_columns_goes_to_a_person() -> None:
    names = ("Signal cable", "Power cable", "Flat cable")
    cables = [[name, f"XH / bare {n}", f"{n}50 mm"] for n, name in enumerate(names, 1)]
    first = page(tables=[table([["Product name", "Ends", "Length"], *cables])], number=1)
    assert len(understood(first).skus) == len(names)
    rest = [[f"Adapter {part}", "1.25 pitch", "four pin", "90 mm"] for part in ("one", "two", "three")]
    found = understood(parted(rest, (50, 130, 170, 210)), first)
    assert (found.page_type, found.skus) == ("A", ()) and found.blockers
    assert understood(parted(rest, (50, 110, 160, 230)), first).page_type == "D"
    assert understood(parted(rest, (50, 130, 170, 210), right=400), first).page_type == "D"
    assert understood(parted(rest, (50, 130, 170, 210))).page_type == "D"


@pytest.mark.req("X-MERGE")
@pytest.mark.parametrize(("top", "found"), [(40, 0), (140, 1)])
def test_what_stands_over_the_head_of_each_page_is_no_row_of_the_list(top: float, found: int) -> None:
    """Where the second page prints the head as high as the first, the frame over it holds the letterhead."""
    frame = [["Valid from", "2024-04-26", "Page", "2", "of 4"]]
    first = page(tables=[table([HEAD, *rows(3)], y=60)], number=1)
    both = [table(frame, y=top), table([[*HEAD[:4], "单价(元/只)"], *rows(2)], y=top + 20, id="G2")]
    result = understood(page(tables=both, number=2), first)
    assert len(result.skus) == 2 + found
