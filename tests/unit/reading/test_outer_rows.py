"""Rows over a table's first rule and under its last one."""

from tests.unit.reading.test_tables import full_grid, level, tables_of, upright, word

XS = (50, 130, 250, 330)
ROWS = [("KB-49", "Stage keys", "49 keys", "88.00"), ("KB-61", "Home keys", "61 keys", "112.00"),
        ("KB-88", "Concert keys", "88 keys", "-"), ("KB-25", "Pad keys", "25 keys", "59.00"),
        ("KB-76", "Studio keys", "76 keys", "145.00")]  # fmt: skip


def row(cells, y, size=9.0):
    return [word(text, x, y, size) for text, x in zip(cells, XS, strict=True)]


def body(rows=ROWS, top=100.0, step=30.0):
    return [w for n, cells in enumerate(rows) for w in row(cells, top + step * n + 10)]


def between(top=100.0, step=30.0):
    """Rules between the rows alone."""
    return [level(top + step * n, 50, 450) for n in range(1, len(ROWS))]


def texts(table):
    return [[c.text for c in table.cells if c.row == n] for n in range(table.n_rows)]


def test_rules_between_the_rows_alone_leave_the_first_and_the_last_row_to_the_table():
    (table,), inside, rest = tables_of(between(), body())
    assert texts(table) == [list(cells) for cells in ROWS]
    assert not rest and len(inside) == 1 and len(inside[0]) == len(table.cells)


def test_a_last_row_of_several_lines_belongs_to_it_and_a_remark_across_the_columns_does_not():
    rows = [("Code", "Name", "Size", "Price"), *ROWS[:3]]
    grid = [level(y, 50, 450) for y in (100, 130, 160, 190)] + [upright(x, 100, 190) for x in (50, 120, 240, 320, 450)]
    last = [*row(ROWS[3], 198), *row(ROWS[4], 209)]
    remark = word("Prices in euros, a dash where there is no box of its own", 60, 226, 9)
    (table,), _, rest = tables_of(grid, [*body(rows[:3]), *last, remark])
    assert texts(table)[-1] == [f"{a}\n{b}" for a, b in zip(ROWS[3], ROWS[4], strict=True)]
    assert [w.text for w in rest] == [remark.text]


def test_what_has_no_digits_where_all_rows_have_them_is_no_row():
    heads, closed = (
        row(("Code", "Name", "Size", "Price"), 80),
        full_grid([50, 120, 240, 320, 450], [100, 130, 160, 190]),
    )
    (table,), _, rest = tables_of(closed, [*heads, *body(ROWS[:3]), *row(("Sum", "of all", "keys", "ask"), 198)])
    assert table.n_rows == 3 and len(rest) == 8


def test_other_print_or_too_few_columns_are_no_row():
    closed = full_grid([50, 120, 240, 320, 450], [100, 130, 160, 190])
    for below in (row(ROWS[3], 198, 13.0), row(ROWS[3], 198)[:2], row(ROWS[3], 240)):
        (table,), _, rest = tables_of(closed, [*body(ROWS[:3]), *below])
        assert table.n_rows == 3 and len(rest) == len(below)


def test_a_single_row_needs_digits_in_more_columns():
    told = [("KB-49", "4 kg", "49 keys", "88.00"), ("KB-61", "5 kg", "61 keys", "112.00")]
    closed = full_grid([50, 120, 240, 320, 450], [100, 130])
    assert [t.n_rows for t in tables_of(closed, body(told))[0]] == [2]
    assert [t.n_rows for t in tables_of(closed, body([("a", "Desk", "49 keys", "88.00"), ROWS[1]]))[0]] == [1]


def test_a_heading_in_the_band_of_the_row_below_it_is_a_row_of_its_own():
    tops = (120, 140, 160, 214, 234, 254)
    rows = [*row(ROWS[0], 104), *row(ROWS[1], 124), *row(ROWS[2], 144), *row(ROWS[3], 199), *row(ROWS[4], 219)]
    (table,), _, _ = tables_of([level(y, 50, 450) for y in tops], [*rows, word("Pads", 50, 176, 13)])
    assert [found[0] for found in texts(table)] == ["KB-49", "KB-61", "KB-88", "Pads", "KB-25", "KB-76"]
