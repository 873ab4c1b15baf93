"""Rows of words between which the same gutters stay free are a table, ruled or not; prose is none."""

from processing.engine.page import ParsedPage
from processing.engine.understanding.records.aligned import aligned_tables
from tests.unit.understanding.pages import line, page

ROWS = [
    ["T56-71", "Tamrik blent velo", "450"],
    ["T56-72", "Osven", "520"],
    ["T58-01", "Prilo mest", "1200"],
    ["T59-13", "Ganda tusk de sol", "75"],
    ["T60-13", "Vorek sime", "80"],
    ["T60-17", "Halto", "95"],
]
# Lines of about one width whose words end anywhere.
PROSE = (
    "The works were founded a century ago beside the river and have",
    "stood there ever since, through floods, two fires and the loss",
    "of all but one of the great chimneys that one could see as far",
    "away as the harbour. Our visitors remember them as a landmark,",
    "and every child of the town has drawn them at school, with and",
    "without smoke. Nowadays we heat with what the saw mill does not",
    "sell, a thing of which we are proud; ask for the leaflet at the",
    "gate, or let someone from the office show you around the yards.",
    "In summer the old boiler house is open on Sundays as a museum,",
    "with coffee and cake baked by the society of former workmen.",
)


def rows_at(rows: list[list[str]], lefts: tuple[float, ...], step: float = 16, top: float = 100) -> ParsedPage:
    texts = [(text, x, top + step * n) for n, row in enumerate(rows) for x, text in zip(lefts, row, strict=True)]
    return page(*(line(text, x, y, 9) for text, x, y in texts if text))


def cells(one: ParsedPage) -> list[list[list[str]]]:
    return [
        [[cell.text for cell in table.cells if cell.row == row] for row in range(table.n_rows)]
        for table in aligned_tables(one)
    ]


def test_rows_that_share_their_gutters_are_a_table() -> None:
    one = rows_at(ROWS, (50, 120, 300))
    assert cells(one) == [ROWS]
    (table,) = aligned_tables(one)
    assert (table.n_rows, table.n_cols, table.ruled) == (6, 3, False)
    assert table.box[0] == 50 and table.box[1] == 100


def test_a_cell_may_be_empty() -> None:
    rows = [*ROWS[:3], ["T59-13", "", "75"], *ROWS[4:]]
    (found,) = cells(rows_at(rows, (50, 120, 300)))
    assert found[3] == ["T59-13", "75"] and len(found) == 6


def test_words_closer_than_a_gutter_are_one_column() -> None:
    assert cells(rows_at([[code] for code, *_ in ROWS], (50,))) == []


def test_four_rows_are_too_few() -> None:
    assert cells(rows_at(ROWS[:4], (50, 120, 300))) == []


def test_a_hole_in_the_page_parts_tables() -> None:
    above, below = rows_at(ROWS, (50, 120, 300)), rows_at(ROWS[::-1], (50, 160, 300), top=400)
    assert cells(page(*above.lines, *below.lines)) == [ROWS, ROWS[::-1]]


def test_prose_gives_none() -> None:
    assert cells(page(*(line(text, 50, 100 + 14 * n, 10) for n, text in enumerate(PROSE)))) == []


def test_upright_print_is_in_no_row() -> None:
    import msgspec

    one = rows_at(ROWS, (50, 120, 300))
    margin = [msgspec.structs.replace(line("Garno", 20, 100 + 16 * n, 9), vertical=True) for n in range(6)]
    assert cells(page(*one.lines, *margin)) == [ROWS]
