"""What a shadow finds otherwise on a page."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.quality.shadow import ChangedValue, Difference, PageProducts, difference

pytestmark = pytest.mark.req("X-SHADOW")
MUG = {"model": "A-1", "product_name": "Mug", "price": "$5"}
CUP = {"model": "A-2", "product_name": "Cup", "price": "$4"}


def page(*products: dict[str, str], page_type: str = "A") -> PageProducts:
    return PageProducts(page_type, products)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (page(CUP, MUG), Difference()),
        (page(MUG), Difference(lost=("A-2",))),
        (page(MUG, CUP, {"product_name": "Jug"}), Difference(gained=("Jug",))),
        (page({**MUG, "price": "$ 5"}, CUP), Difference()),
        (page({**MUG, "price": "$6"}, CUP), Difference(changed=(ChangedValue("A-1", "price", "$5", "$6"),))),
        (page({**MUG, "size": "9 cm"}, CUP), Difference(changed=(ChangedValue("A-1", "size", "", "9 cm"),))),
        (page({**MUG, "model": ""}, CUP), Difference(changed=(ChangedValue("A-1", "model", "A-1", ""),))),
        (page(MUG, CUP, page_type="B"), Difference(changed=(ChangedValue("", "page_type", "A", "B"),))),
        (page({**MUG, "model": "B-9", "product_name": "x"}, CUP), Difference(gained=("B-9",), lost=("A-1",))),
    ],
    ids=lambda value: "" if isinstance(value, PageProducts) else str(value)[:60],
)
def test_tells_products_and_values(after: PageProducts, found: Difference) -> None:
    assert difference(page(MUG, CUP), after) == found


def test_two_variants_of_one_name_are_paired_with_their_own() -> None:
    red, blue = ({"model": "A-1", "product_name": name} for name in ("Red", "Blue"))
    assert difference(page(red, blue), page(blue, red)).is_none
    assert difference(page(red, blue), page(blue)) == Difference(lost=("A-1",))


keys = st.sampled_from(["model", "product_name", "size"])
pages = st.lists(st.dictionaries(keys, st.sampled_from("ab"), min_size=1), max_size=6).map(lambda found: page(*found))


@given(pages, pages, st.randoms(use_true_random=False))
def test_no_product_is_told_twice_and_a_page_is_as_itself(a: PageProducts, b: PageProducts, chance: Random) -> None:
    there = difference(a, b)
    assert len(a.products) - len(there.lost) == len(b.products) - len(there.gained)
    assert difference(a, page(*chance.sample(a.products, len(a.products)))).is_none
