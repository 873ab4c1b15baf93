"""Tables drawn by shading alone: their strips and the lines between and below them are one table."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from catalogsku.core.box import Box
from processing.engine.page import Line, ParsedPage, Table, Word
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.shaded import SHADED, tables_of
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

HEAD = ["Article", "Product", "Colour", "USD/pc"]
HIGH, WIDE = 20.0, 100.0


def body(count: int) -> list[list[str]]:
    return [[f"N-{10 + n}", f"Lamp {n}", "White", f"{n}.50"] for n in range(count)]


def printed(row: Sequence[str], y: float, x: float = 50) -> list[Line]:
    return [line(text, x + col * WIDE + 2, y + 5, 8) for col, text in enumerate(row)]


def strip(row: Sequence[str], y: float, name: str, x: float = 50, high: float = HIGH) -> Table:
    return table([row], x=x, y=y, widths=WIDE, height=high, id=name)


def understood(one: ParsedPage, *earlier: ParsedPage) -> PageResult:
    return understand_page(one, earlier, DocumentFacts(), BY_RULES)


def striped(rows: Sequence[Sequence[str]], head: bool = True, shaded: int = 1, number: int = 1) -> ParsedPage:
    """Every second row is shaded, the first one (0) or the second (1)."""
    strips = [strip(HEAD, 100, "G0")] if head else []
    top = 120 if head else 100
    for n, row in enumerate(rows):
        if n % 2 == shaded:
            strips.append(strip(row, top + n * HIGH, f"G{n + 1}"))
    lines = [one for n, row in enumerate(rows) if n % 2 != shaded for one in printed(row, top + n * HIGH)]
    return page(*lines, tables=strips, number=number)


@settings(max_examples=30)
@given(st.integers(2, 12), st.sampled_from([0, 1]))
def test_a_striped_table_is_read_whole(count: int, shaded: int) -> None:
    one = striped(body(count), shaded=shaded)
    (whole,) = tables_of(one)
    assert (whole.method, whole.n_rows, whole.ruled) == (SHADED, count + 1, True)
    result = understood(one)
    assert texts(result, "model") == [row[0] for row in body(count)]
    assert texts(result, "price") == [row[3] for row in body(count)]
    assert [tally.rows for tally in result.tallies] == [count]


def test_a_striped_table_goes_on_without_a_head() -> None:
    first = striped(body(6))
    rest = [[f"M-{20 + n}", *row[1:]] for n, row in enumerate(body(5))]
    result = understood(striped(rest, head=False, number=2), first)
    assert texts(result, "model") == [row[0] for row in rest] and result.continues == 1


def test_lists_under_shaded_heads_stay_apart_side_by_side() -> None:
    narrow = 55.0
    lines: list[Line] = []
    strips = []
    for n, x in enumerate((40.0, 310.0)):
        strips.append(table([HEAD], x=x, y=100, widths=narrow, height=HIGH, id=f"G{n}"))
        for r, row in enumerate(body(3)):
            own = [f"{'AB'[n]}-{r}0", *row[1:]]
            lines += [line(text, x + col * narrow + 2, 123 + r * 15, 8) for col, text in enumerate(own)]
    result = understood(page(*lines, tables=strips))
    assert sorted(filter(None, texts(result, "model"))) == ["A-00", "A-10", "A-20", "B-00", "B-10", "B-20"]
    assert all(set(sku.attributes) == {"model", "product_name", "color", "price", "currency"} for sku in result.skus)


def test_a_list_ends_at_a_heading_a_hole_or_the_next_head() -> None:
    rows = body(3)
    lines = [one for n, row in enumerate(rows) for one in printed(row, 120 + n * 15)]
    far = printed(["Z-99", "Elsewhere", "Red", "1.00"], 300)
    (whole,) = tables_of(page(*lines, line("Desk lamps", 52, 175, 14), *far, tables=[strip(HEAD, 100, "G0")]))
    assert whole.n_rows == 4 and not whole.ruled
    next_head = [strip(HEAD, 100, "G0"), strip(HEAD, 165, "G1")]
    below = printed(["Y-77", "Spot", "Red", "1.00"], 185)
    upper, lower = tables_of(page(*lines, *below, tables=next_head))
    assert (upper.n_rows, lower.n_rows) == (4, 2)


def test_rows_as_high_as_their_pictures_are_one_row_each() -> None:
    high = 80.0
    rows = body(4)
    strips = [strip(HEAD, 100, "G0"), *(strip(rows[n], 120 + n * high, f"G{n}", high=high) for n in (1, 3))]
    lines = [one for n in (0, 2) for one in printed(rows[n], 120 + n * high)]
    lines.append(line("second line", 152, 140, 8))
    boxes: list[Box] = [(60, 125 + n * high, 120, 190 + n * high) for n in range(4)]
    pictures = [picture(f"P{n}", box) for n, box in enumerate(boxes)]
    result = understood(page(*lines, tables=strips, pictures=pictures))
    assert texts(result, "model") == [row[0] for row in rows]
    assert texts(result, "product_name")[0] == "Lamp 0 second line"


def test_a_box_with_nothing_at_its_columns_stays_as_it_is() -> None:
    one = page(line("Some words of the page", 60, 160), tables=[strip(HEAD, 100, "G0")])
    assert tables_of(one) == list(one.tables)


def test_a_title_in_the_shaded_head_is_no_row_of_the_list() -> None:
    head = table([["Seating", None, None, None], HEAD], x=50, y=80, widths=WIDE, height=HIGH, id="G0")
    lines = [one for n, row in enumerate(body(4)) for one in printed(row, 120 + n * 15)]
    result = understood(page(*lines, tables=[head]))
    assert texts(result, "model") == [row[0] for row in body(4)]


def test_an_open_list_that_names_more_products_is_kept() -> None:
    holes = [120.0, 180.0, 240.0, 300.0]
    lines = [one for y, row in zip(holes, body(4), strict=True) for one in printed(row, y)]
    result = understood(page(*lines, tables=[strip(HEAD, 100, "G0")]))
    assert texts(result, "model") == [row[0] for row in body(4)]


def test_titles_between_shaded_heads_are_no_products_of_an_open_list() -> None:
    strips, lines = [], []
    for n, top in enumerate((100.0, 220.0)):
        strips.append(strip(HEAD, top, f"G{n}"))
        lines.append(line(f"Lamps of kind {n}", 52, top - 25, 14))
        rows = [[f"{'AB'[n]}-{r}0", *row[1:]] for r, row in enumerate(body(3))]
        lines += [one for r, row in enumerate(rows) for one in printed(row, top + HIGH + r * 15)]
    result = understood(page(*lines, tables=strips))
    assert [tally.skus for tally in result.tallies] == [3, 3]


def test_a_title_over_a_row_between_two_strips_is_no_part_of_it() -> None:
    rows = body(4)
    strips = [strip(HEAD, 100, "G0", high=40), strip(rows[0], 140, "G1", high=40), strip(rows[2], 240, "G2", high=40)]
    lines = [*printed(rows[1], 212), *printed(rows[3], 312)]
    titles = [line("Lamps for the garden and the pool", 52, 184, 9), line("Lamps for the house", 52, 284, 9)]
    result = understood(page(*lines, *titles, tables=strips))
    assert texts(result, "model") == [row[0] for row in rows]


def ruled_on(top: float, x: float = 50) -> ParsedPage:
    """A shaded head, the first row on no ground, and from ``top`` on the other rows as a ruled grid."""
    rows = body(6)
    rest = table(rows[1:], x=x, y=top, widths=WIDE, height=HIGH, id="G1")
    return page(*printed(rows[0], 120), tables=[strip(HEAD, 100, "G0"), rest])


def test_a_grid_right_under_a_strip_and_one_row_is_the_rest_of_its_table() -> None:
    result = understood(ruled_on(140))
    assert texts(result, "model") == [row[0] for row in body(6)]
    assert [tally.rows for tally in result.tallies] == [6]


def test_a_grid_of_other_columns_or_further_down_is_another_table() -> None:
    assert all(len(tables_of(ruled_on(top, x))) == 2 for top, x in ((140, 80), (240, 50)))


def test_texts_that_fill_their_columns_are_parted_where_others_begin() -> None:
    rows = body(5)
    first = printed(rows[0], 120)
    words = (Word("N-10", (52, 133, 149, 141), 8), Word("Lamp", (152, 133, 180, 141), 8))
    joined = Line("N-10 Lamp", (52, 133, 180, 141), words, 8)
    rest = table(rows[1:], y=145, widths=WIDE, height=HIGH, id="G1")
    (whole_table,) = tables_of(page(*first, joined, tables=[strip(HEAD, 100, "G0"), rest]))
    told = {cell.col: cell.text for cell in whole_table.cells if cell.row == 1}
    assert (told[0], told[1]) == ("N-10\nN-10", "Lamp 0\nLamp")
