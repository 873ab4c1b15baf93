"""Further photos of a product under its text; photos beside the rows of a ruled table."""

import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

pytestmark = pytest.mark.req("TA-T84")


def shown(*lines: Line, pictures: list[Picture], **more: object) -> dict[str, list[str]]:
    result = understand_page(page(*lines, pictures=pictures, **more), (), DocumentFacts(), BY_RULES)
    return {sku.attributes["model"].text: [one.picture for one in sku.bindings] for sku in result.skus}


def sheet(name: str, code: str, x: float, y: float) -> list[Line]:
    told = (f"Model: {code}", "Size: 400x500x600 mm", "Material: Solid oak", "Weight: 12.5 kg", "Price: US$20.00")
    return [line(name, x, y, 16), *(line(text, x, y + 24 + 14 * n, 9) for n, text in enumerate(told))]


@pytest.mark.parametrize(("heading", "gallery"), [("", True), ("Applications", False)])
def test_photos_at_the_foot_of_a_products_sheet_are_its_own_unless_a_heading_stands_over_them(
    heading: str, gallery: bool
) -> None:
    lines = [*sheet("Oak chair", "AX-10", 360, 60), *([line(heading, 40, 580, 12)] if heading else [])]
    foot = [picture(f"F{n}", (40 + 130 * n, 600, 160 + 130 * n, 720)) for n in range(4)]
    found = shown(*lines, pictures=[picture("M", (40, 60, 340, 360)), *foot])
    assert found == {"AX-10": ["M", *(["F0", "F1", "F2", "F3"] if gallery else [])]}


@pytest.mark.parametrize(("told", "second"), [(False, True), (True, False)])
def test_a_photo_under_the_text_of_some_products_is_theirs_but_for_one_with_a_text_of_its_own(
    told: bool, second: bool
) -> None:
    lines, pictures = [], []
    for n in range(6):
        x, y = 50 + 180 * (n % 3), 60 + 330 * (n // 3)
        pictures.append(picture(f"M{n}", (x, y, x + 160, y + 80)))
        lines += [line("Oak chair", x, y + 84, 11), line(f"Model: AX-{n}1", x, y + 99, 9)]
        lines += [line("Size: 40x50x60 cm", x, y + 112, 9), line("US$20.00", x, y + 126, 11)]
        if n % 2 == 0:
            pictures.append(picture(f"S{n}", (x, y + 146, x + 160, y + 226)))
            lines += [line("Pine bench", x, y + 232, 11)] if told else []
    found = shown(*lines, pictures=pictures)
    assert [found[f"AX-{n}1"] for n in (1, 3, 5)] == [["M1"], ["M3"], ["M5"]]
    assert [found[f"AX-{n}1"] for n in (0, 2, 4)] == [[f"M{n}", *([f"S{n}"] if second else [])] for n in (0, 2, 4)]


@pytest.mark.parametrize(("count", "each"), [(5, True), (2, False)])
def test_photos_in_a_column_beside_a_ruled_table_show_the_rows_that_they_are_level_with(count: int, each: bool) -> None:
    rows = [["Model", "Name", "Size", "Price"]]
    rows += [[f"AX-{n}1", f"Chair {n}", "40x50 cm", f"US$2{n}.00"] for n in range(5)]
    beside = [picture(f"P{n}", (380, 142 + 40 * n, 440, 178 + 40 * n)) for n in range(count)]
    found = shown(pictures=beside, tables=[table(rows, x=50, y=100, height=40)])
    assert found == {f"AX-{n}1": [f"P{n}"] if each else [] for n in range(5)}
