"""Rules, bands and alignment become tables with spans and text."""

import itertools

import pytest

from processing.engine.reading.grids import ruled_grids
from processing.engine.reading.port import DOWN, UP, Drawings, Glyphs, PageSize
from processing.engine.reading.tables import find_tables

PAGE = PageSize(600, 800, 0)


def word(text, x, y, size=10.0, width=None):
    return Glyphs(text, (x, y, x + (width or 0.5 * size * len(text)), y + size), size, False, 0, False, 0)


def level(y, x0, x1):
    return (x0, y, x1, y)


def upright(x, y0, y1):
    return (x, y0, x, y1)


def full_grid(xs, ys):
    return [level(y, xs[0], xs[-1]) for y in ys] + [upright(x, ys[0], ys[-1]) for x in xs]


def drawings(rules, fills=()):
    return Drawings(tuple(rules), tuple(fills), len(rules) + len(fills))


def tables_of(rules, words, fills=(), characters=lambda box: []):
    return find_tables(drawings(rules, fills), words, characters, PAGE, 4)


def shape(table):
    return [(c.row, c.col, c.rows, c.cols, c.text) for c in table.cells]


def test_fills_a_full_grid():
    words = [word("Code", 60, 105), word("Price", 160, 105), word("A1", 60, 125), word("5.60", 160, 125)]
    (table,), inside, rest = tables_of(full_grid([50, 150, 250], [100, 120, 140]), [*words, word("below", 60, 300)])
    assert shape(table) == [(0, 0, 1, 1, "Code"), (0, 1, 1, 1, "Price"), (1, 0, 1, 1, "A1"), (1, 1, 1, 1, "5.60")]
    assert table.ruled and [w.text for w in rest] == ["below"]
    assert [[w.text for w in cell] for cell in inside[0]] == [["Code"], ["Price"], ["A1"], ["5.60"]]


def test_spans_merged_cells_in_both_directions():
    rules = [level(100, 50, 350), level(120, 150, 350), level(140, 50, 350)]
    rules += [upright(50, 100, 140), upright(150, 100, 140), upright(250, 120, 140), upright(350, 100, 140)]
    words = [word("AD14N", 60, 115), word("160MHz", 200, 105), word("x", 200, 125), word("y", 300, 125)]
    (table,), _, _ = tables_of(rules, words)
    assert shape(table) == [(0, 0, 2, 1, "AD14N"), (0, 1, 1, 2, "160MHz"), (1, 1, 1, 1, "x"), (1, 2, 1, 1, "y")]
    assert (table.n_rows, table.n_cols) == (2, 3)


def test_keeps_tables_side_by_side_apart():
    rules = full_grid([50, 100, 150], [100, 120, 140]) + full_grid([200, 250, 300], [100, 120, 140])
    words = [word(t, x, y) for t, x, y in (("a", 60, 105), ("b", 110, 125), ("c", 210, 105), ("d", 260, 125))]
    left, right = tables_of(rules, words)[0]
    assert [left.box[0], right.box[0]] == [50, 200]
    assert [left.id, right.id] == ["G1", "G2"]


def test_a_rule_that_goes_on_a_little_beside_itself_is_one_line():
    """A scan has bent it: in the head it stands three points further right."""
    rules = [level(y, 50, 350) for y in (100, 120, 140, 160)] + [upright(x, 100, 160) for x in (50, 350)]
    rules += [upright(x + 3, 100, 120) for x in (150, 250)] + [upright(x, 120, 160) for x in (150, 250)]
    words = [word(str(n), 60 + 100 * (n % 3), 105 + 20 * (n // 3)) for n in range(9)]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols, len(table.cells)) == (3, 3, 9)


def test_closes_a_table_without_side_borders():
    rules = [level(y, 50, 350) for y in (100, 120, 140)] + [upright(x, 100, 140) for x in (150, 250)]
    words = [word(str(n), 60 + 100 * (n % 3), 105 + 20 * (n // 3)) for n in range(6)]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols) == (2, 3)


def test_a_head_that_meets_no_upper_rule_is_closed_over_columns_that_sections_cut():
    sections = [120, 160, 200, 240]
    rules = [level(y, 50, 350) for top in sections for y in (top, top + 10)] + [level(280, 50, 350)]
    rules += [upright(50, 100, 280), upright(350, 100, 280)]
    for x in (150, 250):
        rules += [upright(x, 100, 120), *(upright(x, top + 10, top + 40) for top in sections)]
    words = [word(text, x, 105) for x, text in ((60, "Code"), (160, "Size"), (260, "Price"))]
    words += [word(f"{n}{top}", x, top + 20) for top in sections for n, x in enumerate((60, 160, 260))]
    (table,), _, _ = tables_of(rules, words)
    assert [c.text for c in table.cells if c.row == 0] == ["Code", "Size", "Price"]


@pytest.mark.parametrize(
    ("labels", "cells"),
    [
        (((160, "Finish"), (260, "Net weight")), [(1, 1, "Finish"), (2, 1, "Net weight")]),
        (((160, "Finish and all the"), (255, "weight")), [(1, 2, "Finish and all the weight")]),
        (((200, "Dimensions"),), [(1, 2, "Dimensions")]),
    ],
)
def test_a_cell_over_columns_with_words_and_gutters_of_their_own_is_as_many_cells(labels, cells):
    rules = [level(y, 50, 350) for y in (100, 120, 140, 160)]
    rules += [upright(x, 100, 160) for x in (50, 150, 350)] + [upright(250, 120, 160)]
    words = [word("Code", 60, 105), *(word(text, x, 105) for x, text in labels)]
    words += [word(f"{n}{row}", x, 125 + 20 * row) for row in range(2) for n, x in enumerate((60, 160, 260))]
    (table,), _, _ = tables_of(rules, words)
    assert [(c.col, c.cols, c.text) for c in table.cells if c.row == 0] == [(0, 1, "Code"), *cells]


def test_joins_dashes_and_double_lines():
    dashes = [level(120, x, x + 4) for x in range(50, 250, 6)]
    doubled = [level(101.5, 50, 250)]
    rules = full_grid([50, 150, 250], [100, 140]) + dashes + doubled
    words = [word(t, x, y) for t, x, y in (("a", 60, 105), ("b", 160, 105), ("c", 60, 125), ("d", 160, 125))]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols) == (2, 2)


def test_takes_shaded_boxes_for_cells():
    fills = [(x, y, x + 100, y + 20) for x in (50, 150) for y in (100, 120)]
    words = [word(t, x, y) for t, x, y in (("a", 60, 105), ("b", 160, 105), ("c", 60, 125), ("d", 160, 125))]
    (table,), _, _ = tables_of([], words, fills)
    assert [c.text for c in table.cells] == ["a", "b", "c", "d"]


def test_a_frame_around_text_is_no_table():
    assert tables_of(full_grid([50, 250], [100, 140]), [word("note", 60, 105)])[0] == []


def test_cuts_a_word_that_runs_over_a_rule():
    letters = [(c, (130 + 8 * n, 105, 138 + 8 * n, 115)) for n, c in enumerate("0.65mm25.6")]
    run = word("0.65mm25.6", 130, 105, width=80)
    words = [run, word("c", 60, 125), word("d", 190, 125)]
    (table,), _, _ = tables_of(full_grid([50, 178, 300], [100, 120, 140]), words, characters=lambda box: letters)
    assert [c.text for c in table.cells] == ["0.65mm", "25.6", "c", "d"]


def test_keeps_lines_of_a_cell_apart():
    words = [
        word("first", 60, 102),
        word("second", 60, 115),
        word("b", 160, 102),
        word("c", 60, 145),
        word("d", 160, 145),
    ]
    (table,), _, _ = tables_of(full_grid([50, 150, 250], [100, 140, 160]), words)
    assert table.cells[0].text == "first\nsecond"


def turned_words(parts, x, y, turn):
    """Parts of one line under each other, each as long as its text, with their gaps; ``y`` where the line begins."""
    found = []
    for text, gap in parts:
        far = gap + 10 * len(text)
        ends = (y + gap, y + far) if turn == DOWN else (y - far, y - gap)
        found.append(Glyphs(text, (x, ends[0], x + 10, ends[1]), 10.0, False, turn, False, 0))
        y = ends[1] if turn == DOWN else ends[0]
    return found


def test_print_that_runs_down_or_up_in_a_cell_is_read_along():
    heads = [word("c of the first kind", 60, 145, 5), word("d of the second", 160, 145, 5)]
    heads += turned_words([("通", 0), ("用", 0), ("IO", -1), ("(MHz)", 4)], 95, 52, DOWN)
    heads += turned_words([("Max", 0), ("load", 4)], 165, 138, UP) + turned_words([("limit", 0)], 185, 138, UP)
    (table,), inside, _ = tables_of(full_grid([50, 150, 250], [50, 140, 160]), heads)
    assert [cell.text for cell in table.cells[:2]] == ["通用IO (MHz)", "Max load\nlimit"]
    assert {w.turn for w in inside[0][0]} == {DOWN}


def test_finds_rows_between_level_rules():
    rules = [level(y, 50, 500) for y in (100, 160, 220, 280)]
    words = []
    for n, y in enumerate((105, 165, 225)):
        words += [word(f"D{n}", 55, y), word("Chair", 150, y), word("grey", 150, y + 14), word("480", 400, y)]
    (table,), _, _ = tables_of(rules, words)
    assert not table.ruled and table.method == "bands"
    assert (table.n_rows, table.n_cols) == (3, 3)
    assert [c.text for c in table.cells if c.row == 1] == ["D1", "Chair\ngrey", "480"]


def test_a_label_over_several_columns_parts_none_of_them_from_the_others():
    rules = [level(y, 50, 550) for y in (100, 150, 180, 210, 240)]
    xs = (60, 160, 400, 450, 500)
    words = [word("Unit", 395, 110), word("price", 425, 110), word("by", 455, 110), word("quantity", 470, 110)]
    words += [word(text, x, 130) for x, text in zip(xs, ("Ref.", "Product", "100", "500", "1000"), strict=True)]
    for n in range(3):
        row = (f"PB-{n}", "Cap", "1.95", "1.62", "1.38")
        words += [word(text, x, 160 + 30 * n) for x, text in zip(xs, row, strict=True)]
    (table,), _, _ = tables_of(rules, words)
    assert shape(table)[:3] == [(0, 0, 2, 1, "Ref."), (0, 1, 2, 1, "Product"), (0, 2, 1, 3, "Unit price by quantity")]
    rows = [[c.text for c in table.cells if c.row == n] for n in (1, 4)]
    assert rows == [["100", "500", "1000"], ["PB-2", "Cap", "1.95", "1.62", "1.38"]]


def test_finds_rows_by_alignment_alone():
    words = [word(f"v{r}{c}", 60 + 120 * c, 100 + 16 * r) for r in range(4) for c in range(3)]
    (table,), _, rest = tables_of([], words)
    assert (table.method, table.n_rows, table.n_cols, rest) == ("text", 4, 3, [])


def test_leader_dots_are_white_between_columns_and_no_text():
    words = [
        word(text, x, 100 + 16 * n) for n in range(4) for x, text in ((60, f"SP-{n}"), (120, "Pan"), (400, "9.90"))
    ]
    words += [word("." * 60, 140, 100 + 16 * n, width=255) for n in range(4)]
    (table,), _, rest = tables_of([], words)
    assert (table.n_rows, table.n_cols, rest) == (4, 3, [])
    assert [c.text for c in table.cells if c.row == 1] == ["SP-1", "Pan", "9.90"]


def _partly_ruled(rows):
    """Level rules and one upright, left of the prices: up to three columns in one cell."""
    ys = [100 + 30 * n for n in range(len(rows) + 1)]
    words = [
        word(text, x, 110 + 30 * n)
        for n, row in enumerate(rows)
        for x, text in zip((60, 150, 300, 420), row, strict=True)
        if text
    ]
    return full_grid([50, 400, 500], ys), words


HEAD = ("Item", "Name", "Finish", "Price")


def test_a_ruled_column_with_gutters_in_every_row_is_several():
    rows = [HEAD, *((f"CW-{n}", "Lamp", "White", "9.80") for n in range(3))]
    (table,), _, _ = tables_of(*_partly_ruled(rows))
    assert (table.method, table.n_rows, table.n_cols) == ("rules", 4, 4)
    assert [[c.text for c in table.cells if c.row == n] for n in range(4)] == [list(row) for row in rows]


def _codes_and_kinds(codes, starts):
    """Codes close before what stands under the second head, in one ruled column beside one of prices."""
    rows = [("PART", "KIND", "LIST"), *((code, "FILTER", "250") for code in codes)]
    ys = [100 + 30 * n for n in range(len(rows) + 1)]
    words = [
        word(text, x, 110 + 30 * n)
        for n, row in enumerate(rows)
        for x, text in zip((60, starts[n % len(starts)], 420), row, strict=True)
    ]
    return full_grid([50, 400, 500], ys), words


def test_a_narrow_gutter_parts_a_column_where_all_right_of_it_begins_at_one_place():
    codes = ("TC-64", "TC-84", "TC-65", "TC-1116-OE")
    (table,), _, _ = tables_of(*_codes_and_kinds(codes, [112.6]))
    assert [c.text for c in table.cells if c.row == 4] == ["TC-1116-OE", "FILTER", "250"]


@pytest.mark.parametrize(
    ("codes", "starts"),
    [(("TC-64", "TC-84", "TC-65", "TC-1116-OE"), [112.6, 116]), (("TC-1116-OE", "TC-1117-OE", "TC-1118-OE"), [112.6])],
)
def test_words_apart_by_a_space_or_beginning_at_several_places_are_one_column(codes, starts):
    (table,), _, _ = tables_of(*_codes_and_kinds(codes, starts))
    assert table.n_cols == 2


def test_a_gutter_without_a_label_on_either_side_parts_no_column():
    rows = [("Item", "Name", "", "Price"), *((f"CW-{n}", "Lamp", "White", "9.80") for n in range(3))]
    (table,), _, _ = tables_of(*_partly_ruled(rows))
    assert [c.text for c in table.cells if c.row == 1] == ["CW-0", "Lamp White", "9.80"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (HEAD, ("CW-9 Spot on a bar with three lamps of brass in all", "", "White", "9.80")),
        (("Item", "", "", "Price"), ("CW-9", "Spot", "White", "9.80")),
        (("Item", "Name", "", "Price"), ("CW-9", "", "", "9.80")),
    ],
)
def test_a_ruled_column_stays_whole_where_a_cell_crosses_its_gutters_or_few_have_two_texts(head, row):
    few = ("CW-1", "Spot" if head is HEAD or row[1] else "", "White" if head is HEAD else "", "9.80")
    (table,), _, _ = tables_of(*_partly_ruled([head, row, few, few]))
    assert table.n_cols == 2


def test_columns_of_prose_are_no_table():
    words = [word("prose" * 7, 30 + 190 * c, 100 + 14 * r, width=170) for r in range(12) for c in range(3)]
    assert tables_of([], words)[0] == []


def test_reads_a_table_that_lies_on_its_side():
    upright_words = [
        word(t, x, y) for t, x, y in (("Code", 60, 105), ("Price", 160, 105), ("A1", 60, 125), ("9", 160, 125))
    ]

    def lay(box):
        x0, y0, x1, y1 = box
        return (800 - y1, x0, 800 - y0, x1)

    words = [w._replace(box=lay(w.box), turn=DOWN) for w in upright_words]
    rules = [lay(r) for r in full_grid([50, 150, 250], [100, 120, 140])]
    (table,), inside, _ = find_tables(drawings(rules), words, lambda box: [], PageSize(800, 600, 90), 4)
    assert [c.text for c in table.cells] == ["Code", "Price", "A1", "9"]
    assert table.box == (660, 50, 700, 250)
    assert inside[0][0][0].box == lay(upright_words[0].box)


def test_a_dense_drawing_is_bounded():
    rules = [level(y / 10, 0, 500) for y in range(5000)] + [upright(x / 10, 0, 500) for x in range(5000)]
    assert len(ruled_grids(drawings(rules), 600, 800)) <= 1


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize(("missing", "rows"), [((140,), 6), ((), 6)])
def test_rows_that_a_faint_shade_does_not_part_are_rows_of_their_own(missing, rows):
    rules = [level(y, 50, 500) for y in range(100, 221, 20) if y not in missing]
    words = [word(t, x, y) for y in range(105, 220, 20) for t, x in ((f"D{y}", 55), ("Chair", 150), ("480", 400))]
    (table,), _, _ = tables_of(rules, words)
    assert table.n_rows == rows and [c.text for c in table.cells if c.row == 2] == ["D145", "Chair", "480"]


@pytest.mark.req("TA-OCR")
def test_a_row_with_two_lines_in_a_list_of_equal_rows_stays_one():
    rules = [level(y, 50, 500) for y in range(100, 221, 30)]
    words = [word(t, x, y) for y in range(105, 220, 30) for t, x in ((f"D{y}", 55), ("Chair", 150), ("480", 400))]
    (table,), _, _ = tables_of(rules, [*words, word("grey", 150, 117)])
    assert table.n_rows == 4 and [c.text for c in table.cells if c.row == 0] == ["D105", "Chair\ngrey", "480"]


def test_a_line_close_to_the_border_makes_no_row():
    rules = [
        *full_grid((50, 150, 250), (100, 120, 140)),
        level(143.5, 50, 250),
        *(upright(x, 140, 144) for x in (50, 250)),
    ]
    words = [word(text, x, y) for y in (105, 125) for x, text in ((55, "AB-1"), (155, "9.90"))]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols) == (2, 2)


def test_level_rules_whose_ends_shift_little_by_little_are_of_one_list():
    rules = [level(100 + 20 * n, 50, 500 - 5 * (n % 3)) for n in range(6)]
    words = [
        word(text, x, 105 + 20 * n) for n in range(5) for x, text in ((60, f"AB-{n}"), (250, "Chair"), (440, "9.90"))
    ]
    (table,), _, _ = tables_of(rules, words)
    assert (table.method, table.n_rows, table.n_cols) == ("bands", 5, 3)


@pytest.mark.parametrize(("foot", "method"), [(110, "bands"), (119, "bands"), (139, "")])
def test_a_short_upright_line_in_a_row_parts_no_columns(foot, method):
    """The cord of a lamp in its picture, or a light line in the head; one through more rows is the table's own."""
    rules = [*(level(100 + 20 * n, 50, 500) for n in range(6)), upright(80, 101, foot)]
    words = [
        word(text, x, 105 + 20 * n) for n in range(5) for x, text in ((90, f"AB-{n}"), (250, "Chair"), (440, "9.90"))
    ]
    tables, _, _ = tables_of(rules, words)
    assert [table.method for table in tables if table.method == "bands"] == ([method] if method else [])


@pytest.mark.parametrize(
    ("high", "offsets", "parted"),
    [(20, (5, 25, 45), True), (20, (13, 25, 37), False), (20, (5, 33, 45), False), (14, (2, 16, 30), False)],
)
def test_a_merged_cell_with_a_line_in_the_middle_of_each_row_is_as_many_cells(high, offsets, parted):
    """Rows with room for more than a line; lines that stand closer are wrapped text."""
    rules = [level(y, 50, 250) for y in (100, 100 + 3 * high)] + [level(100 + n * high, 150, 250) for n in (1, 2)]
    rules += [upright(x, 100, 100 + 3 * high) for x in (50, 150, 250)]
    words = [word(f"AB-{n}", 55, 100 + y) for n, y in enumerate(offsets, 1)]
    words += [word(f"{n}.90", 155, 100 + high * n + (high - 10) / 2) for n in range(3)]
    (table,), _, _ = tables_of(rules, words)
    found = {(c.row, c.rows, c.text) for c in table.cells if c.col == 0}
    whole = {(0, 3, "AB-1\nAB-2\nAB-3")}
    assert found == ({(0, 1, "AB-1"), (1, 1, "AB-2"), (2, 1, "AB-3")} if parted else whole)


def test_a_rule_at_the_pages_foot_is_none_of_a_table_whose_rules_are_as_long():
    rules = [level(y, 50, 550) for y in (100, 120, 140, 160, 180, 760)]
    words = [word(f"{col}{row}", 60 + 180 * col, 105 + 20 * row) for row in range(4) for col in range(3)]
    words += [word("What", 60, 400), word("we", 240, 400), word("promise", 420, 400)]
    (table,), _, rest = tables_of(rules, words)
    assert (table.n_rows, table.box[3]) == (4, 180)
    assert [w.text for w in rest] == ["What", "we", "promise"]


def shaded_head(framed):
    """A head of three shaded cells; word processors shade the paragraphs in them again."""
    xs, ys = [50, 150, 250, 350], [100, 130, 150, 170]
    words = [word("Part", 62, 104), word("No.", 62, 116), word("Size", 162, 104), word("Price", 262, 104)]
    words += [word(f"{r}{c}", 62 + 100 * c, 115 + 20 * r) for r in (1, 2) for c in range(3)]
    fills = [(x0, 100, x0 + 100, 130) for x0 in xs[:3]]
    fills += [(x0 + 6, y, x0 + 94, y + 12) for x0 in xs[:3] for y in (102, 114)]
    return tables_of(full_grid(xs, ys) if framed else full_grid(xs, ys[1:]), words, fills)[0]


def test_the_shade_of_a_cells_paragraphs_makes_no_cells():
    (table,) = shaded_head(framed=True)
    assert (table.n_rows, table.n_cols, len(table.cells)) == (3, 3, 9)
    assert table.cells[0].text == "Part\nNo."


def test_rows_shaded_on_a_panel_are_rows():
    words = [word(f"{r}{c}", 70 + 100 * c, 108 + 20 * r) for r in range(3) for c in range(2)]
    fills = [(50, 100, 262, 170), *((56, 104 + 20 * r, 256, 124 + 20 * r) for r in (0, 2)), (56, 124, 256, 144)]
    columns = [(156, 104 + 20 * r, 256, 124 + 20 * r) for r in range(3)]
    (table,), _, _ = tables_of([], words, [*fills, *columns])
    assert [t for row in range(3) for c in table.cells if c.row == row and (t := c.text)] == [
        "00",
        "01",
        "10",
        "11",
        "20",
        "21",
    ]


def columns_alone(entries, wrapped=(), step=26):
    """A ruled head over a body with rules between its columns alone; ``wrapped``: columns whose texts go on below."""
    xs, foot = [50, 150, 250, 350], 130 + step * len(entries)
    rules = [level(y, 50, 350) for y in (100, 125, foot)] + [upright(x, 100, foot) for x in (150, 250)]
    words = [word(label, 60 + 100 * n, 106) for n, label in enumerate(("Part", "Rating", "Packing"))]
    for n, entry in enumerate(entries):
        for col, text in enumerate(entry):
            if not text:
                continue
            words.append(word(text, xs[col] + 10, 130 + step * n - 3 * (col == 1)))
            words += [word("on", xs[col] + 10, 141 + step * n)] if col in wrapped else []
    return tables_of(rules, words)[0]


ENTRIES = [("A_01", "5V", "Reel,"), ("A_02", "9V", "Reel,"), ("A_03", "12V", "Tube,")]


def test_rows_without_rules_between_ruled_columns_are_rows():
    """Their texts stand on baselines of their own, and go on below."""
    (table,) = columns_alone(ENTRIES, wrapped=(2,))
    rows = [[c.text for c in table.cells if c.row == row] for row in range(1, table.n_rows)]
    assert rows == [[code, rating, f"{packing}\non"] for code, rating, packing in ENTRIES]
    tops = [c.box[1] for c in table.cells if c.col == 0]
    assert tops == sorted(tops) and table.box[0] == 50 and table.box[2] == 350


@pytest.mark.parametrize(
    ("entries", "wrapped", "step"),
    [
        (ENTRIES, (), 12),
        (ENTRIES[:2], (), 26),
        ([("Made of", "5V", "oak"), ("solid", "9V", "and"), ("wood", "12V", "ash")], (), 26),
        ([("A_01", "5V", "Reel"), ("A_02", "9V", ""), ("A_03", "12V", "")], (), 26),
    ],
)
def test_lines_of_one_row_stay_in_it(entries, wrapped, step):
    (table,) = columns_alone(entries, wrapped, step)
    assert table.n_rows == 2


def test_a_body_without_rules_below_a_ruled_head_has_its_corners():
    """No rule at the left, the right and the foot: rules between the columns alone run down."""
    rules = [level(y, 50, 450) for y in (100, 120)] + [upright(x, 100, 240) for x in (150, 250, 350)]
    words = [word(label, 60 + 100 * n, 105) for n, label in enumerate(("Part", "a", "b", "c"))]
    words += [word(f"{n}{col}", 60 + 100 * col, 130 + 26 * n) for n in range(4) for col in range(4)]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols, table.box) == (5, 4, (50, 100, 450, 240))
    assert [c.text for c in table.cells if c.row == 4] == ["30", "31", "32", "33"]


def labels_in_a_grid(values, rows=6):
    """Labels in ruled cells at the left, the upper two of them under a group's; ``values``: what is printed beside."""
    ys = [100 + 20 * n for n in range(rows + 1)]
    rules = [level(y, 100 if y == 120 else 50, 200) for y in ys] + [upright(x, 100, ys[-1]) for x in (50, 200)]
    rules.append(upright(100, 100, 140))
    words = [word("Group", 55, 115), *(word(f"L{n}", 120, 105 + 20 * n) for n in range(rows))]
    return tables_of(rules, [*words, *values])[0]


def test_values_beside_the_ruled_labels_of_their_rows_are_in_the_table():
    """On baselines a little off those of the labels; one that stands over the columns' gutter is for all of them."""
    values = [word(f"{n}{col}", 230 + 80 * col, 108 + 20 * n) for n in range(6) for col in range(3) if n != 4]
    (table,) = labels_in_a_grid([*values, word("for all of them", 300, 183), word("aside", 230, 300)])
    assert (table.n_rows, table.n_cols) == (6, 5)
    assert shape(table)[:5] == [
        (0, 0, 2, 1, "Group"),
        (0, 1, 1, 1, "L0"),
        (0, 2, 1, 1, "00"),
        (0, 3, 1, 1, "01"),
        (0, 4, 1, 1, "02"),
    ]
    assert (4, 2, 1, 3, "for all of them") in shape(table)


@pytest.mark.parametrize(
    "values",
    [
        [word(f"{n}{col}", 230 + 80 * col, 108 + 20 * n) for n in range(3) for col in range(2)],
        [word("a line of prose beside it", 230, 102 + 13 * n) for n in range(9)],
        [word(f"{n}{col}", 230 + 80 * col, 102 + 13 * n) for n in range(9) for col in range(2)],
        [word(f"{n}", 230, 108 + 20 * n) for n in range(6)],
    ],
)
def test_other_text_beside_a_table_is_none_of_it(values):
    table = next(table for table in labels_in_a_grid(values) if table.method == "rules")
    assert (table.box[2], table.n_cols) == (200, 2)


def test_rules_drawn_cell_by_cell_are_one_and_their_joints_the_columns():
    """As browsers draw the lower border of each cell of a row; the second column is too narrow for a gutter."""
    xs = [50, 200, 260, 400, 550]
    rules = [level(y, a, b) for y in (120, 150, 180, 210) for a, b in itertools.pairwise(xs)]
    words = [word(text, x, 105) for text, x in (("Item", 55), ("Colour", 205), ("Size", 265), ("Price", 405))]
    for row in range(3):
        words += [word(f"Lamp {row}", 55, 130 + 30 * row), word("anthracite", 205, 130 + 30 * row, width=54)]
        words += [word("12 x 8", 262, 130 + 30 * row), word("5.60", 405, 130 + 30 * row)]
    (table,), _, _ = tables_of(rules, words)
    assert (table.n_rows, table.n_cols) == (4, 4)
    assert [c.text for c in table.cells if c.row == 1] == ["Lamp 0", "anthracite", "12 x 8", "5.60"]


def test_cuts_a_word_in_whose_box_characters_of_others_stand_too():
    def characters(box):
        other = [(c, (130 + 8 * n, 112, 138 + 8 * n, 118)) for n, c in enumerate("00円")]
        return other + [(c, (130 + 8 * n, 105, 138 + 8 * n, 115)) for n, c in enumerate("(tax)208.0")]

    words = [word("(tax)208.0", 130, 105, width=80), word("c", 60, 125), word("d", 190, 125)]
    (table,), _, _ = tables_of(full_grid([50, 170, 300], [100, 120, 140]), words, characters=characters)
    assert [c.text for c in table.cells] == ["(tax)", "208.0", "c", "d"]


def test_values_over_a_table_are_no_head_of_it():
    rules = [level(y, 50, 550) for y in (120, 140, 160, 180)]
    words = [word(text, x, 105) for text, x in (("03/20/2026", 55), ("04/04/2026", 230), ("ORDER9", 410))]
    words += [word(text, x, 125) for text, x in (("Description", 55), ("Quantity", 230), ("Price", 410))]
    words += [word(f"{col}{row}", 55 + 175 * col, 145 + 20 * row) for row in range(2) for col in range(3)]
    (table,), _, rest = tables_of(rules, words)
    assert [c.text for c in table.cells if c.row == 0] == ["Description", "Quantity", "Price"]
    assert len(rest) == 3


def test_a_shaded_head_without_rules_belongs_to_the_rules_as_long_below_it():
    rules = [level(y, 50, 550) for y in (150, 180, 210)]
    words = [word(text, x, 105) for text, x in (("Model", 55), ("Name", 230), ("Price", 410))]
    words += [word(f"{col}{row}", 55 + 175 * col, 130 + 30 * row) for row in range(3) for col in range(3)]
    fills = [(50, 100, 250, 120), (250, 100, 550, 120)]
    (table,), _, rest = tables_of(rules, words, fills)
    assert (table.n_rows, table.n_cols, rest) == (4, 3, [])
    assert [c.text for c in table.cells if c.row == 0] == ["Model", "Name", "Price"]


def test_codes_under_a_label_over_the_first_rule_are_a_row_of_the_table():
    rules = [level(y, 50, 550) for y in (120, 140, 160, 180)]
    words = [word(text, x, 105) for text, x in (("Model", 55), ("GW-10", 230), ("GW-20", 410))]
    words += [word(text, x, 125) for text, x in (("Name", 55), ("Gateway", 230), ("Router", 410))]
    words += [word(f"{col}{row}", 55 + 175 * col, 145 + 20 * row) for row in range(2) for col in range(3)]
    (table,), _, _ = tables_of(rules, words)
    assert [c.text for c in table.cells if c.row == 0] == ["Model", "GW-10", "GW-20"]


def test_rules_that_part_the_page_hold_whole_tables_and_are_none():
    parts = (40, 280, 520, 760)
    tops = [part + 40 for part in parts[:3]]
    rules = [level(y, 40, 560) for y in parts] + [level(top + 20 * n, 220, 560) for top in tops for n in range(5)]
    words = [word("Chair", 222, part + 12) for part in parts[:3]]
    words += [
        word(f"{col}{row}", 225 + 110 * col, top + 5 + 20 * row) for top in tops for row in range(4) for col in range(3)
    ]
    tables, _, rest = tables_of(rules, words)
    assert [(table.n_rows, table.n_cols) for table in tables] == [(4, 3)] * 3
    assert len(rest) == 3


def specifications(paragraph=()):
    """Long rules over a title's facts, a paragraph, a head and its rows; rows of the table are 22 points high."""
    rules = [level(y, 50, 540) for y in (100, 150, 280, 302, 324, 346)]
    words = [word(text, x, 110) for text, x in (("50-85", 60), ("4 mm", 250), ("3 yr", 440))]
    words += [word("x" * 90, 55, y, width=480) for y in paragraph]
    heads = (("Model", 60), ("Height", 250), ("Weight", 440))
    words += [word(text, x, 265) for text, x in heads]
    rows = [[(f"TB-{n}0", 60), (f"{n}0 cm", 250), (f"{n}.8 kg", 440)] for n in (5, 6, 7)]
    words += [word(text, x, 287 + 22 * n) for n, row in enumerate(rows) for text, x in row]
    return rules, words


def test_a_paragraph_between_rules_as_long_as_the_tables_is_none_of_it():
    rules, words = specifications(paragraph=(180, 195, 210))
    (table,), _, rest = tables_of(rules, words)
    assert (table.n_rows, table.n_cols, round(table.box[1])) == (4, 3, 262)
    assert [c.text for c in table.cells if c.row == 0] == ["Model", "Height", "Weight"]
    assert sum(len(w.text) == 90 for w in rest) == 3


def test_one_wide_line_between_the_rules_is_a_line_of_the_table():
    (table,), _, _ = tables_of(*specifications(paragraph=(180,)))
    assert table.box[1] == 100


def pieces(ys, xs):
    return [level(y, a, b) for y in ys for a, b in itertools.pairwise(xs)]


VARIANTS = [["Dry size", "40 x 60", "40 x 36"], ["Height", "12 cm", "15 cm"], ["Material", "PP non-woven shell", ""]]


def variants(rows, xs, top, head=()):
    """Rows of 22 points between rules that are drawn a piece a column, and variants over all columns but the first."""
    rules = pieces([top + 22 * n for n in range(len(rows) + 1)], xs)
    words = [word(text, x + 5, top - 15) for text, x in zip(head, xs[1:], strict=False)]
    for n, row in enumerate(rows):
        words += [word(text, x + 5, top + 6 + 22 * n) for text, x in zip(row, xs, strict=False) if text]
    return rules, words


def test_variants_over_the_columns_of_rules_in_pieces_head_them_and_a_value_may_be_of_several():
    rules, words = variants([*VARIANTS, ["Packing", "5/bag", "4/bag"]], (50, 200, 280, 540), 200, ("TB-40", "TB-43"))
    (table,), _, _ = tables_of(rules, words)
    assert [c.text for c in table.cells if c.row == 0] == ["", "TB-40", "TB-43"]
    assert [(c.col, c.cols, c.text) for c in table.cells if c.row == 3] == [
        (0, 1, "Material"),
        (1, 2, "PP non-woven shell"),
    ]


def test_rules_in_other_pieces_or_far_under_whole_ones_are_of_another_table():
    upper, words = variants([["a", "1 m", "2 m"]] * 4, (50, 200, 380, 540), 300)
    lower, more = variants([["b", "door", "3"]] * 4, (50, 250, 480, 540), 425)
    whole = [level(y, 50, 540) for y in (150, 200, 590, 640)]
    text = [word("facts", x, 170) for x in (60, 250, 440)]
    tables, _, _ = tables_of([*whole, *upper, *lower], [*words, *more, *text])
    assert [(round(t.box[1]), round(t.box[3]), t.n_rows) for t in tables] == [(300, 388, 4), (425, 513, 4)]


def framed_head(text_beside=""):
    """A head whose cells hold a frame each, as high as a line, over rows of whole cells."""
    xs, frames = (50, 150, 250, 350), [(60, 140), (160, 240), (260, 340)]
    ys = (100, 105, 120, 125, 150, 175, 200)
    rules = [level(y, 50, 350) for y in (100, 125, 150, 175, 200)] + [upright(x, 100, 200) for x in xs]
    for a, b in frames:
        rules += [level(105, a, b), level(120, a, b), upright(a, 105, 120), upright(b, 105, 120)]
        rules += [level(y, s, e) for y in (105, 120) for s, e in ((a - 10, a), (b, b + 10))]
    words = [word(text, a + 5, 107, size=8) for text, (a, _) in zip(("Model", "Flash", "RAM"), frames, strict=True)]
    words += [word(text_beside, 51, 107, size=8, width=6)] if text_beside else []
    words += [word(text, x + 5, y + 8) for y in ys[3:6] for text, x in zip(("ES80", "128", "24"), xs, strict=False)]
    return rules, words


def test_the_sides_of_frames_in_the_cells_of_a_head_part_no_columns():
    (table,), _, _ = tables_of(*framed_head())
    assert table.n_cols == 3
    assert [c.text for c in table.cells if c.text][:4] == ["Model", "Flash", "RAM", "ES80"]


def test_a_text_beside_the_frame_is_of_a_column_of_its_own():
    (table,), _, _ = tables_of(*framed_head("No"))
    assert table.n_cols > 3


def test_a_wide_cell_of_the_head_without_a_text_is_a_column_though_its_rule_is_lost_below():
    xs, ys = (50, 150, 250, 350, 450), (100, 125, 150, 175, 200, 225)
    rules = [level(y, 50, 450) for y in ys] + [upright(x, 100, 225) for x in xs if x != 350] + [upright(350, 100, 125)]
    words = [word(text, x + 5, 108) for text, x in zip(("Model", "Size", "Price"), xs, strict=False)]
    rows = [(text, x, y) for y in ys[1:5] for text, x in zip(("ES80", "128", "1.66", "200"), xs, strict=False)]
    words += [word(text, x + 5, y + 8) for text, x, y in rows]
    (table,), _, _ = tables_of(rules, words)
    assert table.n_cols == 4


def test_rules_that_a_scan_breaks_each_in_its_own_way_are_of_one_table():
    rules = [
        piece for n in range(8) for piece in pieces([100 + 20 * n], (50, 120 + 43 * n, 540) if n % 4 else (50, 540))
    ]
    rows = [(text, x, 105 + 20 * n) for n in range(7) for text, x in ((f"AB-{n}", 60), ("Chair", 250), ("9.90", 440))]
    (table,), _, _ = tables_of(rules, [word(*row) for row in rows])
    assert (table.method, table.n_rows) == ("bands", 7)


def test_a_heading_of_two_lines_across_the_columns_between_the_rows_is_one_cell():
    rules = [level(y, 50, 550) for y in (100, 120, 140, 160, 210, 230, 250, 270)]
    rows = {105: ("Ref.", "Size", "Price"), 125: ("A-1", "1 m", "7.45"), 145: ("A-2", "2 m", "8.20"),
            215: ("Ref.", "Size", "Price"), 235: ("B-1", "1 m", "3.15"), 255: ("B-2", "2 m", "3.70")}  # fmt: skip
    words = [word(text, x, y) for y, row in rows.items() for text, x in zip(row, (60, 110, 410), strict=True)]
    words += [word("Combination", 55, 165, width=70), word("wrench", 128, 165), word("chrome", 55, 178)]
    (table,), _, _ = tables_of(rules, words)
    assert [(c.col, c.cols, c.text) for c in table.cells if c.row == 3] == [(0, 3, "Combination wrench\nchrome")]


def test_tables_of_other_columns_between_rules_of_one_length_are_two():
    tops = [*range(100, 181, 20), *range(260, 341, 20)]
    rules = [level(y, 50, 550) for y in tops]
    wide = [word(f"{x}{n}", x, 105 + 20 * n, width=30) for n in range(4) for x in (55, 160, 250, 340, 430)]
    few = [word(f"{x}{n}", x, 265 + 20 * n, width=60) for n in range(4) for x in (55, 190, 385)]
    tables, _, _ = tables_of(rules, [*wide, *few])
    assert [(table.n_rows, table.n_cols) for table in tables] == [(4, 5), (4, 3)]


@pytest.mark.parametrize("text", ["Foldable", "Складной"])
def test_a_word_that_only_runs_over_its_cells_edge_is_not_cut(text):
    def characters(box):
        return [(c, (130 + 10 * n, 105, 140 + 10 * n, 115)) for n, c in enumerate(text)]

    words = [word(text, 130, 105, width=80), word("c", 60, 125), word("d", 190, 125)]
    (table,), _, _ = tables_of(full_grid([50, 180, 300], [100, 120, 140]), words, characters=characters)
    assert [c.text for c in table.cells] == [text, "", "c", "d"]


def test_text_wider_than_its_cell_goes_with_its_words_to_one_cell():
    printed = [("Steel", 150, 26), ("ring", 180, 100), ("large", 284, 40), ("9.00", 334, 20), ("Mug", 220, 20)]
    words = [word(text, x, 125 if text == "Mug" else 105, width=width) for text, x, width in printed]
    (table,), _, _ = tables_of(full_grid([50, 170, 300, 400], [100, 120, 140]), words)
    assert [c.text for c in table.cells] == ["", "Steel ring large", "9.00", "", "Mug", ""]


def list_of(rows, head=("Code", "Name", "Size", "Price"), step=20):
    """The words of a list whose columns begin at 60, 180, 300 and 420, a row every so many points from 105 on."""
    texts = [head, *rows]
    return [word(t, 60 + 120 * col, 105 + step * n) for n, row in enumerate(texts) for col, t in enumerate(row) if t]


ITEMS = [(f"AB-{n}", "Chair", "40x50", "9.90") for n in range(1, 6)]


def test_the_outline_of_a_shaded_head_is_no_table_of_its_own():
    """In a scan the ends of a dark head and of a shaded heading are seen as upright rules, and one light line in it."""
    rules = [level(100 + 20 * n, 50, 500) for n in range(8)]
    rules += [upright(x, top, top + 20) for x in (50, 500) for top in (100, 160)] + [upright(170, 101, 119)]
    words = list_of([*ITEMS[:2], ("Stools",), *ITEMS[2:]])
    (table,), _, _ = tables_of(rules, words)
    assert (table.method, table.n_rows, table.n_cols) == ("bands", 7, 4)
    assert [c.text for c in table.cells if c.row == 4] == ["AB-3", "Chair", "40x50", "9.90"]


def test_a_note_in_two_parts_under_a_list_tells_nothing_of_its_columns():
    rules = [level(100 + 20 * n, 50, 500) for n in range(8)]
    note = [word("31 items in all", 150, 225), word("prices from March on", 260, 225, width=200)]
    (table,), _, _ = tables_of(rules, [*list_of(ITEMS), *note])
    assert table.n_cols == 4
    assert [c.text for c in table.cells if c.row == 6] == ["", "31 items in all", "prices from March on"]


def test_a_label_beside_the_values_under_it_is_over_one_column():
    rules = [level(100 + 20 * n, 50, 560) for n in range(7)]
    words = list_of([(*row[:3], "") for row in ITEMS]) + [word("9.90", 530, 125 + 20 * n) for n in range(5)]
    (table,), _, _ = tables_of(rules, words)
    assert [c.text for c in table.cells if c.col == 3] == ["Price"] + ["9.90"] * 5


def test_a_shorter_rule_cuts_the_cells_that_it_runs_through():
    """The name at the left is one for both rows; the page's foot has a rule too, with nothing over it."""
    rules = [level(y, 50, 500) for y in (100, 120, 160, 200, 240, 300)]
    rules += [level(y, 170, 500) for y in (140, 180, 220)]
    head = [word(text, 60 + 120 * n, 105) for n, text in enumerate(("Name", "Code", "Size", "Price"))]
    rows = [word(t, 180 + 120 * c, 125 + 20 * n) for n in range(6) for c, t in enumerate((f"AB-{n}", "40", "9.90"))]
    names = [word(text, 60, 135 + 40 * n) for n, text in enumerate(("Chair", "Stool", "Table"))]
    (table,), _, _ = tables_of(rules, [*head, *rows, *names])
    assert (table.n_rows, table.n_cols) == (7, 4)
    assert [(c.row, c.rows, c.text) for c in table.cells if c.col == 0][1:] == [
        (1, 2, "Chair"),
        (3, 2, "Stool"),
        (5, 2, "Table"),
    ]
    assert [c.text for c in table.cells if c.col == 1] == ["Code", *(f"AB-{n}" for n in range(6))]
