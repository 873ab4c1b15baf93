"""An example made from a corrected page: the part that shows its products, and only what is printed there (TA-T36)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from catalogsku.core.box import Box
from processing.engine.page import ParsedPage
from processing.llm.answers import ANSWERS
from processing.llm.prompts.taught import Corrected, products_taught
from tests.unit.understanding.pages import line, page, table

pytestmark = pytest.mark.req("TA-T36")
ROWS = [
    ["Model", "Name", "Price", "MOQ"],
    ["A-1", "Mug", "$5", "5"],
    ["A-2", "Cup", "$4", "5"],
    ["A-3", "Jug", "$4", "9"],
]
TABLE = page(tables=[table(ROWS)])
CARD = page(line("Model: C-107", 60, 320), line("Size: 40 x 40 cm", 60, 335), line("Our office", 60, 700))


def taught(shown: ParsedPage, *values: Mapping[str, str], boxes: Mapping[str, Box] | None = None) -> Any:
    return products_taught(shown, "A", [Corrected(one, boxes or {}) for one in values])


def places(found: Any) -> list[dict[str, str]]:
    answer = ANSWERS["read_page"].model_validate(json.loads(found.answer)).model_dump()
    return [{key: value["at"] for key, value in one["attributes"].items()} for one in answer["products"]]


def test_values_are_placed_by_the_row_of_their_product() -> None:
    found = taught(TABLE, {"model": "A-2", "product_name": "Cup", "price": "$4", "moq": "5"})
    assert places(found) == [{"model": "G1:2:0", "product_name": "G1:2:1", "price": "G1:2:2", "moq": "G1:2:3"}]
    assert found.proved == 1.0
    assert all(text in found.shown for text in ("Model", "MOQ", "A-2")), "the head and the row"
    assert "A-1" not in found.shown and "A-3" not in found.shown


def test_the_box_that_a_person_chose_comes_first() -> None:
    third = next(cell for cell in TABLE.tables[0].cells if (cell.row, cell.col) == (3, 2))
    assert places(taught(TABLE, {"price": "$4"}, boxes={"price": third.box})) == [{"price": "G1:3:2"}]


def test_what_is_not_printed_or_in_no_certain_place_is_not_taught() -> None:
    found = taught(TABLE, {"model": "A-1", "material": "oak", "price": "$5.50"})
    assert places(found) == [{"model": "G1:1:0"}] and found.proved == 0.333
    assert taught(TABLE, {"price": "$4"}) is None, "two rows have it"
    assert taught(TABLE, {"model": "Z-9"}) is None and taught(TABLE) is None


def test_text_beside_the_product_is_not_shown() -> None:
    found = taught(CARD, {"model": "C-107", "size": "40 x 40 cm"})
    assert (
        found.proved == 1.0
        and "C-107" in found.shown
        and found.shown.count("<block") == len({place for values in places(found) for place in values.values()})
    )


def test_at_most_three_products_are_taught() -> None:
    four = [{"model": text} for text in ("A-1", "A-2", "A-3", "Cup")]
    assert len(places(taught(TABLE, *four))) == 3
