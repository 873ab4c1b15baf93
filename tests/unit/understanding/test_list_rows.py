"""Pictures of the rows of an open list: variants beside one photo, and what no longer belongs to the list."""

import pytest
from msgspec.structs import replace

from processing.engine.page import Line, Picture, Table
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

HEAD = [line(t, 150 + 100 * n, 100, 9) for n, t in enumerate(("Item no.", "Colour", "Size", "Price"))]


def row(y: float, *texts: str) -> list[Line]:
    return [line(text, 150 + 100 * n, y, 9) for n, text in enumerate(texts)]


def shown(
    *lines: Line, pictures: list[Picture], tables: list[Table] | None = None, panels: tuple = ()
) -> dict[str, list[str]]:
    read = replace(page(*HEAD, *lines, pictures=pictures), tables=tuple(tables or ()), panels=panels)
    result = understand_page(read, (), DocumentFacts(), BY_RULES)
    return {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in result.skus}


TEXTS = [
    ("ST-45-OK", "Oak", "38 x 45 cm", "$78"),
    ("ST-45-BK", "Black", "38 x 45 cm", "$79"),
    ("ST-90-OK", "Oak", "45 x 90 cm", "$88"),
    ("ST-90-BK", "Black", "45 x 90 cm", "$89"),
]
STOOLS = [one for y, texts in zip((130, 160, 220, 250), TEXTS, strict=True) for one in row(y, *texts)]
PHOTOS = [picture("P1", (60, 125, 130, 180)), picture("P2", (60, 215, 130, 270))]


def grid() -> Table:
    """A reader's guess whose rows are what stands between two rules, the codes of each in one cell."""
    rows = [["", *(one.text for one in HEAD)]]
    rows += [["", *("\n".join(t) for t in zip(*texts, strict=True))] for texts in (TEXTS[:2], TEXTS[2:])]
    at = [(95, 120), (120, 205), (205, 290)]
    guess = table(rows, x=50, widths=100)
    cells = [replace(c, box=(c.box[0], at[c.row][0], c.box[2], at[c.row][1])) for c in guess.cells]
    return replace(guess, box=(50, 95, 550, 290), cells=tuple(cells), ruled=False)


def test_the_photo_between_two_rules_is_of_all_variants_between_them() -> None:
    found = shown(*STOOLS, pictures=PHOTOS, tables=[grid()])
    assert found == {"ST-45-OK": ["P1"], "ST-45-BK": ["P1"], "ST-90-OK": ["P2"], "ST-90-BK": ["P2"]}


def test_photos_no_higher_than_their_rows_are_of_one_row_each() -> None:
    low = [picture("P1", (115, 122, 145, 150)), picture("P2", (115, 212, 145, 240))]
    found = shown(*STOOLS, pictures=low, tables=[grid()])
    assert found == {"ST-45-OK": ["P1"], "ST-45-BK": [], "ST-90-OK": ["P2"], "ST-90-BK": []}


def test_the_picture_on_a_banner_under_a_list_is_not_its_last_rows() -> None:
    slogan = [line("Sit down well", 160, 330, 20), line("Trade orders from 12 pieces", 160, 360, 9)]
    banner = picture("P3", (330, 315, 450, 400))
    found = shown(*STOOLS, *slogan, pictures=[*PHOTOS, banner], panels=((50, 300, 550, 420),))
    assert "P3" not in sum(found.values(), [])


def test_where_a_list_goes_on_under_another_title_and_photo_the_first_photo_is_no_longer_its_rows() -> None:
    def part(y: float, title: str, labels: list[Line], *rows: tuple[str, ...]) -> list[Line]:
        heads = [line(one.text, one.box[0], y + 130, 9) for one in labels]
        below = [one for n, texts in enumerate(rows) for one in row(y + 150 + 20 * n, *texts)]
        return [line(title, 150, y, 14), line("86", 350, y + 65, 8), *heads, *below]

    desks = [("DK-12-OK", "Oak", "120 x 60 cm", "$178"), ("DK-12-BK", "Black", "120 x 60 cm", "$179")]
    lines = [*part(150, "Low stool", HEAD, *TEXTS[:2]), *part(350, "Desk", HEAD[:3], *desks)]
    over, amid = picture("P1", (160, 175, 250, 270)), picture("P2", (160, 375, 250, 470))
    read = page(*lines, pictures=[over, amid])
    result = understand_page(read, (), DocumentFacts(), BY_RULES)
    found = {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in result.skus}
    assert found == {"ST-45-OK": ["P1"], "ST-45-BK": ["P1"], "DK-12-OK": ["P2"], "DK-12-BK": ["P2"]}


@pytest.mark.parametrize(
    ("names", "more", "rows"),
    [
        (("Pot", "Pot", "Pot"), [], [["P1"], ["P1"], ["P1"]]),
        (("Pot", "Pot", "Dish"), [], [["P1"], ["P1"], []]),
        (("Pot", "Pot", "Pot"), [picture("P2", (75, 232, 105, 255))], [["P1"], ["P1"], ["P2"]]),
    ],
)
def test_a_photo_that_reaches_into_the_rows_next_to_its_own_is_theirs_too_where_they_have_one_name(
    names: tuple[str, ...], more: list[Picture], rows: list[list[str]]
) -> None:
    body = [["", f"PT-{n}0", name, f"{n}0 cm", f"$1{n}"] for n, name in enumerate(names, 1)]
    listed = table([["Photo", "Code", "Item", "Size", "Price"], *body], height=40)
    photo = picture("P1", (55, 166, 125, 234))
    result = understand_page(page(tables=[listed], pictures=[photo, *more]), (), DocumentFacts(), BY_RULES)
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == rows


@pytest.mark.parametrize(
    ("names", "last"), [(["Low stool"] * 3, ["P1"]), (["Low stool", "Bar stool", "High stool"], [])]
)
def test_the_photo_with_which_it_alone_all_variants_of_one_name_are_level_is_theirs(
    names: list[str], last: list[str]
) -> None:
    """The last one's part of the page reaches down to the next name."""
    head = [line(t, 150 + 100 * n, 100, 9) for n, t in enumerate(("Item no.", "Product", "Size", "Price"))]
    codes = ("ST-45-A", "ST-45-B", "ST-45-C")
    lines = [
        one
        for n, (code, name) in enumerate(zip(codes, names, strict=True))
        for one in row(130 + 30 * n, code, name, "38 x 45 cm", "$78")
    ]
    lines += [one for n in range(2) for one in row(300 + 30 * n, f"BR-90-{n}", "Bench", "45 x 90 cm", "$88")]
    photos = [picture("P1", (40, 125, 140, 215)), picture("P2", (40, 295, 140, 360))]
    read = replace(page(*head, *lines, pictures=photos))
    skus = understand_page(read, (), DocumentFacts(), BY_RULES).skus
    found = {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in skus}
    assert found["ST-45-C"] == last and found["BR-90-0"] == found["BR-90-1"] == ["P2"]
