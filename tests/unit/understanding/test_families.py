"""Families: what is printed once for several priced rows."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

FIRST = [
    line("K4410S/4410SL", 60, 100, 8), line("MIRA Lounge Chair", 180, 100, 8),
    line("W 32.5 | D 33 | H 29 in.", 180, 116, 8), line("Seat: Tight seat", 380, 116, 8),
    line("Construction: Webbing", 180, 132, 8), line("Shipping Weight 85 Cubic Feet 18.00", 380, 132, 8),
    line("STD", 190, 148, 8),
    line("K441SQ fabric / with nails", 60, 164, 8), line("$670", 190, 164, 8),
    line("441SLQ leather", 60, 180, 8), line("$1,060", 187, 180, 8),
]  # fmt: skip
SECOND = [
    line("P1562S", 60, 210, 8), line("ELLE Lounge Chair", 180, 210, 8), line("W 34 | D 37.5 | H 32 in.", 180, 226, 8),
    line("P1562SQ fabric", 60, 242, 8), line("$785", 190, 242, 8),
]  # fmt: skip


def understood(*lines: Line) -> PageResult:
    shown = [picture("P1", (60, 112, 110, 158))]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS", "TA-BR17", "GR-EVID")
def test_each_priced_row_is_a_product_with_what_its_family_has_in_common() -> None:
    result = understood(*FIRST, *SECOND)
    assert (result.page_type, result.classification["reason"]) == ("B", "priced_families")
    assert texts(result, "model") == ["K441SQ", "441SLQ", "P1562SQ"]
    assert texts(result, "product_name") == ["MIRA Lounge Chair"] * 2 + ["ELLE Lounge Chair"]
    assert texts(result, "price") == ["$670", "$1,060", "$785"]
    assert texts(result, "size") == ["W 32.5 | D 33 | H 29 in."] * 2 + ["W 34 | D 37.5 | H 32 in."]
    assert texts(result, "weight") == ["85", "85", None]
    assert texts(result, "material") == ["fabric", "leather", "fabric"]
    assert texts(result, "description") == ["with nails", None, None]
    customs = [{custom.name: custom.value for custom in sku.custom} for sku in result.skus]
    assert customs[0] == {"Seat": "Tight seat", "Construction": "Webbing", "Cubic Feet": "18.00"} and not customs[2]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P1"], ["P1"], []]


@pytest.mark.parametrize(
    ("taken", "put"),
    [
        (2, line("Ask for delivery", 180, 116, 8)),  # nothing is said of the family
        (9, line("441SLQ leather", 90, 180, 8)),  # begins elsewhere than the head
        (10, line("$1,060", 260, 180, 8)),  # in another column
    ],
)
def test_rows_that_do_not_stand_as_a_familys_go_to_a_person(taken: int, put: Line) -> None:
    result = understood(*FIRST[:taken], put, *FIRST[taken + 1 :])
    assert not result.skus and result.blockers


def test_a_price_outside_the_rows_shows_that_the_page_is_something_else() -> None:
    assert not understood(*FIRST, line("Freight $90", 380, 300, 8)).skus
    assert len(understood(*FIRST).skus) == 2
