"""Pages that introduce one thing under a large title, by a photo and items, and that no rule can read."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

ITEMS = ("• One processor of the G5420 kind", "• Memory of up to 2666 MT/s", "• 4 ports for the network", "• Small")
TEXT = "The chassis holds all modules that a laboratory needs and saves it further ones."


def flyer(title: str, items: tuple[str, ...] = ITEMS, side: float = 240, count: int = 1) -> ParsedPage:
    shown = [picture(f"P{n}", (300, 120 + 150 * n, 300 + side, 120 + 0.6 * side + 150 * n)) for n in range(count)]
    told = [line(text, 50, 360 + 14 * n, 8) for n, text in enumerate(items)]
    return page(line(title, 50, 60, 22), *told, *[line(TEXT, 200, 500 + 15 * n, 9) for n in range(8)], pictures=shown)


def goes_to_a_person(one: ParsedPage) -> bool:
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert (result.page_type, result.skus) == ("D", ())
    return bool(result.blockers)


@pytest.mark.req("TA-CLS")
def test_a_title_over_a_photo_and_items_with_numbers_goes_to_a_person() -> None:
    assert goes_to_a_person(flyer("Rack Server G10"))
    assert not goes_to_a_person(flyer("Rack Server G10", ITEMS[:2]))
    assert not goes_to_a_person(flyer("Rack Server G10", side=60))
    assert not goes_to_a_person(flyer("Rack Server G10", count=0))


@pytest.mark.parametrize("title", ["About us", "Our advantages", "Production line", "Certificates", "公司简介"])
def test_what_a_company_says_of_itself_introduces_no_thing(title: str) -> None:
    assert not goes_to_a_person(flyer(title))


@pytest.mark.req("TA-CLS")
def test_a_page_headed_as_an_introduction_of_a_product_goes_to_a_person() -> None:
    for title in ("产品介绍Product Introduction：", "Product details", "产品简介"):
        assert goes_to_a_person(flyer(title, ()))
        assert not goes_to_a_person(flyer(title, (), count=0))
    headed = DocumentFacts(running_lines=("productdetails",))
    assert understand_page(flyer("Product details", ()), (), headed, BY_RULES).blockers
    assert not goes_to_a_person(flyer("Company introduction", ()))
    assert not goes_to_a_person(flyer("企业简介", ()))


def bulleted(*names: str, count: int = 4, more: tuple[str, ...] = ()) -> PageResult:
    """Names beside photos in two columns, the second lines of a name under its first word."""
    lines, photos = [], []
    for n, name in enumerate(names):
        x, y = 40.0 + 280 * (n % 2), 60.0 + 150 * (n // 2)
        photos.append(picture(f"P{n}", (x, y, x + 100, y + 90 + 10 * n)))
        lines += [line(part, x + 110, y + 40 + 14 * k) for k, part in enumerate(name.split("\n"))]
    lines += [line(text, 60, 620 + 14 * n) for n, text in enumerate(more)]
    return understand_page(page(*lines, pictures=photos[:count]), (), DocumentFacts(), BY_RULES)


WARES = (
    "- Toilet brush with\nwhite base",
    "- Black knife (40 packs x\n50 pcs)",
    "- Vinyl gloves\n(100 x 10 packs)",
    "- Plate\n18 cm",
)


def test_without_a_photo_for_each_name_or_told_of_the_works_they_are_none() -> None:
    assert bulleted(*WARES, count=3).skus == ()
    assert bulleted(*WARES[:3], WARES[2]).skus == ()
    assert bulleted(*WARES, more=("Production line",)).skus == ()


@pytest.mark.req("TA-CLS")
def test_photos_over_a_table_of_what_things_are_made_of_and_can_do_go_to_a_person() -> None:
    photos = [picture(f"P{n}", (50 + 250 * n, 80, 280 + 250 * n, 250)) for n in range(2)]
    rows = [("Item", "Specification"), ("Material", "Food grade PP"), ("Feature", "Leak proof, tight lid, stackable")]
    told = table(rows, y=400, widths=200)
    assert goes_to_a_person(page(tables=(told,), pictures=photos))
    assert not goes_to_a_person(page(tables=(told,)))
    assert not goes_to_a_person(page(tables=(table([*rows[:1], *rows[2:]], y=400, widths=200),), pictures=photos))
    company = [line("Material: Food grade PP", 50, 400), line("Feature: Leak proof, tight lid, stackable", 50, 420)]
    assert not goes_to_a_person(page(*company, pictures=photos))


SHEET = (("Wall thickness", "2.0 mm"), ("Plank height", "180 mm"), ("Stacked height", "1.8 m"), ("Alloy", "6063-T6"))


def sheet(heading: str, y: float = 60, sheets: int = 4) -> ParsedPage:
    told = [
        line(text, 50 + 200 * col, 400 + 18 * n, 9)
        for n, row in enumerate(SHEET[:sheets])
        for col, text in enumerate(row)
    ]
    return page(line(heading, 50, y, 9), line("Gates and Demountable Barriers", 50, 80, 20), *told)


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize("heading", ["P R O D U C T  S P E C I F I C A T I O N", "产品规格书", "Product data sheet"])
def test_a_sheet_of_a_product_that_is_not_understood_goes_to_a_person(heading: str) -> None:
    assert goes_to_a_person(sheet(heading))
    assert not goes_to_a_person(sheet(heading, y=600))
    assert not goes_to_a_person(sheet(heading, sheets=2))
    assert not goes_to_a_person(sheet("Technical notes"))


@pytest.mark.req("TA-CLS")
def test_a_heading_of_specifications_beside_a_photo_is_one_products() -> None:
    """Wherever it stands; what it heads need not look like measures."""
    heading = line("T E C H N I C A L  S P E C I F I C A T I O N S", 50, 600, 9)
    told = [line("Drive Hydraulic", 50, 620, 9), line("Cavities 1 / 2", 50, 634, 9)]
    title, photo = line("Semi-automatic Sealing Press", 50, 80, 20), picture("P1", (300, 200, 540, 400))
    assert goes_to_a_person(page(title, heading, *told, pictures=[photo]))
    assert not goes_to_a_person(page(title, heading, *told))
    assert not goes_to_a_person(page(title, *told, pictures=[photo]))
