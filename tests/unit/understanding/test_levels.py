"""Photos beside the products of a list without a frame."""

import pytest

from catalogsku.core.box import Box
from processing.engine.understanding.pictures.levels import level_products
from tests.unit.understanding.pages import picture

NAMES = ["Pea soup", "Noodle soup", "Fish soup", "Bean stew", "Rice bowl"]
ROWS: dict[int, Box] = {n: (60.0, 100.0 + 50 * n, 440.0, 130.0 + 50 * n) for n in range(4)}


@pytest.mark.parametrize(
    ("box", "row"),
    [
        ((460, 145, 540, 205), 1),
        ((5, 145, 55, 205), 1),
        ((460, 100, 540, 300), None),  # along several of them
        ((200, 145, 300, 205), None),  # over them
    ],
)
def test_the_product_of_a_stretch_is_that_of_the_photo_in_it(box: Box, row: int | None) -> None:
    assert level_products(ROWS, [picture("P1", box)]).get("P1") == row


def test_products_beside_each_other_are_no_list() -> None:
    beside = {0: ROWS[0], 1: (460.0, 100.0, 540.0, 130.0), 2: ROWS[1]}
    assert level_products(beside, [picture("P1", (460, 145, 540, 205))]) == {}
