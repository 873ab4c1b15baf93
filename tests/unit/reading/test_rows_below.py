"""Rows between level rules or shades below a boxed head are rows of one table with it."""

from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.tables import fill_tables
from tests.unit.reading.test_tables import full_grid, level, tables_of, upright, word

XS = [50, 150, 250, 350, 450]
HEAD = [word("Photo", 55, 105), word("Code", 155, 105), word("Name", 255, 105), word("Price", 355, 105)]


def product(n, top):
    """A row without text in its first column, its name in two lines."""
    return [
        word(f"A-{n}", 155, top + 15), word("Lamp", 255, top + 9), word("Lampe", 255, top + 21),
        word("0.42", 380, top + 15),
    ]  # fmt: skip


def rows_of(table):
    return [[c.text for c in table.cells if c.row == row] for row in range(1, table.n_rows)]


def test_level_rules_as_long_as_a_boxed_head_part_rows_with_its_columns():
    rules = full_grid(XS, [100, 120]) + [level(y, 50, 450) for y in (160, 200, 240)]
    (table,), _, _ = tables_of(rules, HEAD + product(1, 120) + product(2, 160) + product(3, 200))
    assert table.ruled and (table.n_rows, table.n_cols) == (4, 4)
    assert rows_of(table) == [["", f"A-{n}", "Lamp\nLampe", "0.42"] for n in (1, 2, 3)]


def test_shades_of_every_other_row_part_them_and_the_last_row_may_be_white():
    fills = [(50, y, 450, y + 40) for y in (160, 240)]
    words = HEAD + [w for n in range(5) for w in product(n, 120 + 40 * n)]
    (table,), _, _ = tables_of(full_grid(XS, [100, 120]), words, fills)
    assert [row[1] for row in rows_of(table)] == ["A-0", "A-1", "A-2", "A-3", "A-4"]


def test_a_line_across_the_columns_is_a_heading_and_text_below_the_rules_none_of_the_rows():
    rules = full_grid(XS, [100, 120]) + [level(y, 50, 450) for y in (160, 175, 215, 255)]
    words = [*HEAD, *product(1, 120), word("Outdoor lights and garden lights", 140, 163), *product(2, 175)]
    words += [*product(3, 215), word("Payment by transfer, thirty per cent in advance", 55, 262)]
    (table,), _, rest = tables_of(rules, words)
    assert [len(row) for row in rows_of(table)] == [4, 1, 4, 4]
    assert [w.text for w in rest] == ["Payment by transfer, thirty per cent in advance"]


def test_a_boxed_head_over_text_that_does_not_stand_in_its_columns_stays_alone():
    rules = full_grid(XS, [100, 120]) + [level(y, 50, 450) for y in (160, 200, 240)]
    words = HEAD + [word("Running text that stands under a box of labels", 60, y) for y in (130, 170, 210)]
    assert [(table.n_rows, table.n_cols) for table in tables_of(rules, words)[0] if table.ruled] == [(1, 4)]


def test_rules_of_another_length_and_the_next_table_part_no_rows():
    shorter = [level(y, 50, 300) for y in (160, 200, 240)]
    words = HEAD + product(1, 120) + product(2, 160) + product(3, 200)
    assert tables_of(full_grid(XS, [100, 120]) + shorter, words)[0][0].n_rows == 1
    rules = full_grid(XS, [100, 120]) + [level(y, 50, 450) for y in (160, 200, 240, 260)]
    rules += [upright(x, 200, 260) for x in (50, 200, 450)]
    first, second = tables_of(rules, [*words, word("TOTAL", 60, 245), word("1.26", 210, 245)])[0]
    assert (first.box[3], second.box[1]) == (200, 200)


def test_a_footer_between_further_rules_is_no_row():
    rules = full_grid(XS, [100, 120, 160]) + [level(y, 50, 450) for y in (300, 320, 340)]
    words = [*HEAD, *product(1, 120), word("Do not connect it", 55, 200), word("with wet hands", 145, 200)]
    words += [word("Rev. 1", 55, 305), word("page 7 of the catalogue", 280, 305)]
    assert tables_of(rules, words)[0][0].n_rows == 2


def test_rules_over_some_columns_part_these_and_the_others_are_merged():
    rules = (
        full_grid(XS, [100, 120]) + [level(y, 50, 450) for y in (200, 280)] + [level(y, 250, 450) for y in (160, 240)]
    )
    words = [*HEAD, word("A-1", 155, 155), word("A-2", 155, 235)]
    words += [w for n in range(4) for w in (word(f"Oak {n}", 255, 135 + 40 * n), word(f"4{n}.00", 380, 135 + 40 * n))]
    (table,), _, _ = tables_of(rules, words)
    assert rows_of(table) == [
        ["", "A-1", "Oak 0", "40.00"],
        ["Oak 1", "41.00"],
        ["", "A-2", "Oak 2", "42.00"],
        ["Oak 3", "43.00"],
    ]
    assert [(c.rows, c.text) for c in table.cells if c.col == 1 and c.row] == [(2, "A-1"), (2, "A-2")]


def test_a_line_under_one_word_parts_no_row():
    rules = (
        full_grid(XS, [100, 120])
        + [level(y, 50, 450) for y in (160, 200, 240)]
        + [level(182, 255, 300), level(181, 260, 440)]
    )
    (table,), _, _ = tables_of(rules, HEAD + product(1, 120) + product(2, 160) + product(3, 200))
    assert table.n_rows == 4


def listed(*tops: float, columns: int = 3) -> list:
    """Rows of short values, each of which stands in a column of the list below."""
    row = [(60, "A-10"), (250, "120 g"), (420, "75")][:columns]
    return [word(text, x, top) for top in tops for x, text in row]


LISTED = [level(y, 50, 500) for y in (100, 120, 140, 160, 180)]
HEADED = [word("Models", 60, 105), word("Capacity", 250, 105), word("Pan", 420, 105)]


def test_a_list_between_level_rules_goes_on_below_the_last_of_them():
    words = [*HEADED, *listed(125, 145, 165, 185, 205)]
    (table,), _, rest = tables_of(LISTED, [*words, *listed(225, columns=2)])
    assert table.n_rows == 6 and [row[0] for row in rows_of(table)] == ["A-10"] * 5
    assert [w.text for w in rest] == ["A-10", "120 g"]


def test_what_stands_further_below_is_no_row_of_the_list():
    (table,), _, _ = tables_of(LISTED, [*HEADED, *listed(125, 145, 165, 195)])
    assert table.n_rows == 4


def test_labels_over_short_values_are_parted_where_they_leave_a_gutter():
    """The second one stands across the middle of the space between the values."""
    xs, ys = (50, 240, 345, 500), (100, 120, 140, 160)
    cells = [GridCell(r, c, 1, 1, (xs[c], ys[r], xs[c + 1], ys[r + 1])) for r in range(3) for c in range(3)]
    cells[1:3] = [GridCell(0, 1, 1, 2, (240, 100, 500, 120))]
    head = [word("Models", 60, 105), word("Repeatability", 250, 105), word("Pan", 330, 105), word("size", 350, 105)]
    rows = [word(text, x, y) for y in (125, 145) for x, text in ((60, "A-10"), (270, "0.1 g"), (380, "75"))]
    (table,), _, _ = fill_tables(
        [Grid((50, 100, 500, 160), 3, 3, tuple(cells))], [*head, *rows], lambda box: [], "bands"
    )
    assert [c.text for c in table.cells if c.row == 0] == ["Models", "Repeatability", "Pan size"]
