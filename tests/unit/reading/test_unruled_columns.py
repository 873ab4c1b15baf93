"""Wide cells in the rows below a head that parts their columns are those columns, unless text stands across them."""

import pytest

from tests.unit.reading.test_tables import level, tables_of, upright, word

XS = [50, 150, 250, 350, 450]
HEAD = [word("Name", 55, 105), word("Photo", 155, 105), word("Ripe", 255, 105), word("Price", 355, 105)]


def rules(rows=3):
    """A boxed head; below it no rules part the first three columns."""
    foot = 120 + 40 * rows
    inner = [upright(x, 100, 120) for x in XS[1:3]]
    return (
        [level(y, 50, 450) for y in (100, *range(120, foot + 1, 40))]
        + inner
        + [upright(x, 100, foot) for x in (50, 350, 450)]
    )


def rows_of(table):
    return [[c.text for c in table.cells if c.row == row] for row in range(1, table.n_rows)]


def row(n, *words):
    return [*(word(text, x, 130 + 40 * n) for text, x in words), word("60", 370, 130 + 40 * n)]


def test_names_and_what_stands_behind_the_place_of_a_photo_are_in_their_columns():
    words = [*HEAD, *row(0, ("Kyshmysh", 60), ("August", 260)), *row(1, ("Frontenac", 60), ("September", 260)),
             *row(2, ("Marquette", 60), ("October", 260))]  # fmt: skip
    (table,), _, _ = tables_of(rules(), words)
    assert rows_of(table) == [
        ["Kyshmysh", "", "August", "60"],
        ["Frontenac", "", "September", "60"],
        ["Marquette", "", "October", "60"],
    ]


@pytest.mark.parametrize(
    "told",
    [
        [("Grapes that are ripe in the late", 60)],  # over the edges of the columns
        [("Grapes", 117), ("early", 152)],  # words of one line, no gutter between them
        [("Grapes", 60)],  # in one of the columns alone: the head of a section
    ],
)
def test_text_that_stands_across_columns_is_one_cell(told):
    words = [*HEAD, *(each for n in range(3) for each in row(n, *told))]
    (table,), _, _ = tables_of(rules(), words)
    assert [len(cells) for cells in rows_of(table)] == [2, 2, 2]


def test_one_wide_cell_among_rows_that_are_parted_is_meant():
    words = [*HEAD, *row(0, ("Kyshmysh", 60), ("August", 260)), *row(1, ("Frontenac", 60), ("May", 260)),
             *row(2, ("Marquette", 60), ("October", 260))]  # fmt: skip
    parted = [upright(x, 120, 200) for x in XS[1:3]]
    (table,), _, _ = tables_of(rules() + parted, words)
    assert [len(cells) for cells in rows_of(table)] == [4, 4, 2]
