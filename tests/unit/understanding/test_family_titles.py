"""The family of a table's variants as the headline of their page."""

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

ROWS = [
    ["Code", "Height", "Width", "Pipes"],
    ["RD4015S-8", "600", "427", "8"],
    ["RD4015S-16", "600", "851", "16"],
    ["RD4015D-8", "900", "427", "8"],
]
NAME = line("Single and double panel", 50, 655, 16)
DETAIL_TITLE = line("Profile", 660, 110, 12)
PHOTO, DETAIL = picture("P1", (50, 50, 560, 560)), picture("P2", (660, 150, 830, 320))
SECOND = picture("P3", (870, 140, 1040, 320))


def spread(*lines: Line, pictures: tuple[Picture, ...] = (PHOTO, DETAIL, SECOND)) -> PageResult:
    whole = page(*lines, tables=[table(ROWS, x=650, y=400)], pictures=pictures, size=(1190, 842))
    return understand_page(whole, (), DocumentFacts(), BY_RULES)


def test_a_headline_that_begins_all_codes_is_their_series_and_the_line_at_it_their_name() -> None:
    result = spread(line("RD40/15", 50, 600, 46), NAME, DETAIL_TITLE)
    assert texts(result, "model") == [row[0] for row in ROWS[1:]]
    assert texts(result, "series") == ["RD40/15"] * 3 and texts(result, "product_name") == [NAME.text] * 3


def test_the_photos_of_a_page_headed_by_the_family_show_all_its_variants() -> None:
    result = spread(line("RD40/15", 50, 600, 46), NAME)
    assert [[binding.picture for binding in sku.bindings] for sku in result.skus] == [["P1"]] * 3


def test_another_headline_names_no_family() -> None:
    result = spread(line("RX40/15", 50, 600, 46), NAME)
    assert "RX40/15" not in texts(result, "series") and NAME.text not in texts(result, "product_name")
    assert not any(sku.bindings for sku in result.skus)


def test_a_family_in_the_print_of_the_text_is_no_headline() -> None:
    result = spread(line("RD40/15", 50, 640, 8), NAME)
    assert NAME.text not in texts(result, "product_name")
