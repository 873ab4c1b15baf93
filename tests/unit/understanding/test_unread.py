"""Pages without any sign of products that may be ones nevertheless: photos with words, tables of codes, outlines."""

import msgspec
import pytest

from processing.engine.page import Features, Line, ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

pytestmark = pytest.mark.req("TA-CLS")
PROSE = "It keeps what is in it warm for a long time, whatever the weather outside may be."


def reason_to_ask(one: ParsedPage) -> str | None:
    """Of the page's type, where a person is asked about it."""
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert (result.page_type, result.skus) == ("D", ())
    asked = "page_type_uncertain" in [blocker.code for blocker in result.blockers]
    return str(result.classification["reason"]) if asked else None


def two_photos(*told: Line, side: float = 120.0) -> ParsedPage:
    shown = [picture(f"P{n}", (60 + 250 * n, 200 + 80 * n, 60 + 250 * n + side, 200 + 80 * n + side)) for n in range(2)]
    prose = [line(PROSE, 40, 600 + 14 * n, 10) for n in range(3)]
    return page(*told, *prose, pictures=shown, number=3)


NAME = line("Picnic basket", 70, 325, 10)


def test_photos_with_a_name_near_one_of_them_go_to_a_person() -> None:
    assert reason_to_ask(two_photos(NAME)) == "photos_with_words"
    assert reason_to_ask(two_photos(line("Picnic basket", 70, 500, 10))) is None
    assert reason_to_ask(two_photos(NAME, side=70.0)) is None


def test_a_code_in_brackets_is_no_part_of_the_name() -> None:
    assert reason_to_ask(two_photos(line("- Basket (1x20 pcs)", 70, 325, 10))) == "photos_with_words"


@pytest.mark.parametrize("told", ["Figure 3: The lid", "4.2 Closing the lid", "Production equipment", "Our advantages"])
def test_figures_and_what_a_company_shows_are_no_products(told: str) -> None:
    assert reason_to_ask(two_photos(line(told, 40, 60, 24), NAME)) is None


def test_a_weight_is_no_number_of_a_section() -> None:
    assert reason_to_ask(two_photos(line("1.9 kg", 400, 420, 10), NAME)) == "photos_with_words"


def small_photos(named: int) -> ParsedPage:
    shown = [picture(f"P{n}", (40 + 110 * n, 200 + 5 * n, 110 + 110 * n, 280 + 9 * n)) for n in range(5)]
    names = [line(name, 45 + 110 * n, 318, 8) for n, name in enumerate(("Bowl", "Vase", "Jug", "Plate", "Cup")[:named])]
    return page(*names, *(line(PROSE, 40, 500 + 14 * n, 10) for n in range(9)), pictures=shown, number=3)


def test_of_small_photos_most_must_have_a_name() -> None:
    assert reason_to_ask(small_photos(4)) == "photos_with_words"
    assert reason_to_ask(small_photos(2)) is None


def test_a_table_of_codes_goes_to_a_person() -> None:
    codes = [["Room", "North", "South"], ["small", "KT 18", "-"], ["wide", "KT 26", "NK 25"]]
    assert reason_to_ask(page(tables=[table(codes)], number=3)) == "table_of_codes"
    few = [["Room", "North", "South"], ["small", "KT 18", "-"], ["wide", "KT 18", "NK 25"]]
    assert reason_to_ask(page(tables=[table(few)], number=3)) is None
    assert reason_to_ask(page(line("Table 4: Pins", 50, 80), tables=[table(codes)], number=3)) is None


def test_a_page_of_outlines_with_hardly_a_word_goes_to_a_person() -> None:
    drawn = page(line("Season of the sea", 60, 60), number=3)
    many = msgspec.structs.replace(drawn, features=Features(drawings=1500))
    few = msgspec.structs.replace(drawn, features=Features(drawings=200))
    assert (reason_to_ask(many), reason_to_ask(few)) == ("print_in_outlines", None)


def one_photo(*told: str, side: float = 260.0) -> ParsedPage:
    lines = [line(text, 330, 120 + 24 * n, 12) for n, text in enumerate(told)]
    return page(*lines, line(PROSE, 40, 600, 10), pictures=[picture("P1", (40, 100, 40 + side, 100 + side))], number=3)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("HERMES", "Twelve panels", "$899"), True),
        (("HERMES", "Twelve panels", "899"), False),
        (("Golden rice", "North", "Moisture: Max 14%", "Crop: Latest", "Milling: Yes"), True),
        (("Golden rice", "Moisture: Max 14%", "Crop: Latest"), False),
        (("Golden House", "Tel: 0571-8888", "Address: Long Street 5", "E-mail: rice at gold"), False),
        (("About us", "Founded: by two brothers", "Halls: three of them", "Staff: many"), False),
    ],
)
def test_a_large_photo_with_a_price_or_facts_goes_to_a_person(told: tuple[str, ...], asked: bool) -> None:
    assert reason_to_ask(one_photo(*told)) == ("photo_with_price_or_facts" if asked else None)
    assert reason_to_ask(one_photo(*told, side=60.0)) is None
