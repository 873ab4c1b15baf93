"""Products that may have got another code."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.editions import renaming
from processing.engine.editions.products import RENAMED, Product, difference, match_products, rank
from processing.engine.editions.renaming import propose_renamings

pytestmark = pytest.mark.req("X-DIFF")


def product(model: str, name: str = "Oak chair", size: str = "400x500x800", **told: Any) -> Product:
    attributes = {
        "model": model,
        "product_name": name,
        "size": size,
        "price": told.get("price"),
        **told.pop("more", {}),
    }
    given = {"page": 1, "price": "", **told}
    return Product(key=model, model=model, name=name, attributes=attributes, **given)


def pairs(gone: list[Product], new: list[Product]) -> list[tuple[str, str]]:
    return [(one.earlier, one.later) for one in propose_renamings(gone, new)]


def test_alike_in_everything_but_the_code_is_proposed() -> None:
    assert pairs([product("S103")], [product("S105")]) == [("S103", "S105")]
    assert pairs([product("S103", price="9.00")], [product("S105", price="11.00")]) == [("S103", "S105")]
    assert pairs([product("S103", "Chair S103")], [product("S105", "Chair S105")]) == [("S103", "S105")]
    assert pairs([product("S103", "Oak chair, brown")], [product("S105", "Oak chair brown")]) == [("S103", "S105")]


@pytest.mark.parametrize(
    "other",
    [
        product("S105", size="410x500x800"),
        product("S105", "Walnut table"),
        product("S105", "Oak chair", ""),
        product("S105", more={"material": "Steel"}),
    ],
    ids=["another size", "another name", "less is said", "more is said"],
)
def test_another_product_is_not(other: Product) -> None:
    assert pairs([product("S103")], [other]) == []


def test_a_name_alone_is_too_little_and_with_the_same_price_or_pictures_enough() -> None:
    before, after = product("S103", size=""), product("S105", size="")
    assert pairs([before], [after]) == []
    priced = [one._replace(price="9.00", currency="USD") for one in (before, after)]
    assert pairs(priced[:1], priced[1:]) == [("S103", "S105")]
    shown = [one._replace(pictures=frozenset({"a"})) for one in (before, after)]
    assert pairs(shown[:1], shown[1:]) == [("S103", "S105")]
    assert (
        pairs([Product("-", 1, "S1", "", {"model": "S1"}, "9")], [Product("+", 1, "S2", "", {"model": "S2"}, "9")])
        == []
    )


def test_of_several_that_fit_equally_none_is_proposed() -> None:
    assert pairs([product("S103")], [product("S105"), product("S106")]) == []
    assert pairs([product("S103"), product("S104")], [product("S105")]) == []
    assert pairs([product("S103", price="9")], [product("S105", price="9"), product("S106", price="8")]) == [
        ("S103", "S105")
    ], "the same price decides"
    assert pairs([product("S103")], [product("S105"), product("S106", page=2)]) == [("S103", "S105")], (
        "so does the page"
    )


def test_a_change_of_size_within_a_series_does_not_shift_it() -> None:
    gone = [product(f"S{n}", size=f"{n}00x500") for n in range(1, 9)]
    new = [product(f"T{n}", size=f"{n}00x500") for n in range(2, 10)]
    assert sorted(pairs(gone, new)) == [(f"S{n}", f"T{n}") for n in range(2, 9)]


def test_very_many_are_held_beside_each_other_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renaming, "PAIRS_MAX", 3)
    gone = [product("S1", page=1), product("S2", "Steel table", page=2)]
    new = [product("T1", page=1), product("T2", "Steel table", page=3)]
    assert pairs(gone, new) == [("S1", "T1")]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12")), max_size=8), st.integers(0, 8))
def test_nothing_is_proposed_twice(told: list[tuple[str, str]], split: int) -> None:
    made = [product(f"M{n}", name * 6, size) for n, (name, size) in enumerate(told)]
    found = pairs(made[:split], made[split:])
    assert len({a for a, _ in found}) == len({b for _, b in found}) == len(found)
    assert pairs(made[:split], made[split:]) == found


def test_what_a_person_took_is_one_renamed_product() -> None:
    before, after = product("S103", price="9.00"), product("S105", price="10.80")
    (pair,) = match_products([before], [after], {"S105": "S103"})
    assert pair == (before, after)
    found = difference(*pair, renamed=True)
    assert (found.kind, {key for key, _, _ in found.fields}) == (RENAMED, {"model", "price"})
    assert found.price_change == pytest.approx(0.2) and rank(found)[0] == 0
    assert rank(difference(before, product("S105", price="9.00"), renamed=True)) == (1, 0.0)
    assert match_products([before], [after], {"S105": "gone meanwhile"}) == [(None, after), (before, None)]
