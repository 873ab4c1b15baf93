"""Pages and products of two editions beside each other."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.editions.families import family_of
from processing.engine.editions.pages import ALIKE, BETWEEN, SAME, Pair, Sheet, match_pages, reusable, share_of
from processing.engine.editions.products import Product, difference, match_products, rank

pytestmark = pytest.mark.req("X-DIFF")


def book(names: str, *, sells: str = "") -> list[Sheet]:
    """A letter a page; ``sells``: those with products, of all where empty. A capital is a page of the same look."""
    return [Sheet(n, name, name.lower(), not sells or name in sells) for n, name in enumerate(names, 1)]


def pairs(before: str, after: str) -> list[tuple[str, str, str]]:
    found = match_pages(book(before), book(after))
    return [(before[pair.earlier - 1], after[pair.later - 1], pair.how) for pair in found]


def test_inserted_and_removed_pages_shift_the_others() -> None:
    assert pairs("abcdef", "abxcef") == [(n, n, SAME) for n in "abcef"]


def test_a_page_that_moved_is_found() -> None:
    assert {(a, b) for a, b, how in pairs("abcd", "dabc") if how == SAME} == {(n, n) for n in "abcd"}


def test_a_page_of_the_same_look_is_found_and_not_taken_for_the_same() -> None:
    assert pairs("abc", "aBc") == [("a", "a", SAME), ("b", "B", ALIKE), ("c", "c", SAME)]


def test_what_stands_between_the_same_neighbours_is_shown_side_by_side() -> None:
    assert ("b", "x", BETWEEN) in pairs("abc", "axc")
    assert not [found for found in pairs("abbc", "axc") if found[2] == BETWEEN]


@given(st.text("abcdefgh", max_size=12), st.text("abcdefgh", max_size=12))
def test_no_page_is_matched_twice_and_the_same_are_equal(before: str, after: str) -> None:
    found = match_pages(book(before), book(after))
    assert len({pair.later for pair in found}) == len({pair.earlier for pair in found}) == len(found)
    for pair in found:
        if pair.how == SAME:
            assert before[pair.earlier - 1] == after[pair.later - 1]
    same = sum(min(before.count(letter), after.count(letter)) for letter in set(before))
    assert sum(pair.how == SAME for pair in found) == same


def is_edition(before: str, after: str, sells: str, *, same_family: bool = False) -> bool:
    earlier, later = book(before, sells=sells), book(after)
    return share_of(earlier, later, match_pages(earlier, later)).is_edition(same_family=same_family)


def test_an_edition_shares_most_of_its_product_pages() -> None:
    assert is_edition("tabcdefz", "tabcxefz", "abcdef")
    assert is_edition("tabcdefz", "tABCDEFz", "abcdef")  # every price is another


def test_cover_and_back_page_make_no_edition() -> None:
    """Also of a short catalogue, where they are most of it."""
    assert not is_edition("tabcdefz", "tghijklz", "abcdef")
    assert not is_edition("tiaz", "tigz", "a")
    assert not is_edition("tiaz", "tigz", "a", same_family=True)


def test_an_excerpt_is_no_edition() -> None:
    assert not is_edition("tabcdefghijz", "abc", "abcdefghij")
    assert not is_edition("abc", "abcdefghij", "abc")


def test_few_common_pages_need_the_name_of_the_file_too() -> None:
    assert not is_edition("ta", "tA", "a")
    assert is_edition("ta", "tA", "a", same_family=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Home_Living 2025 v2.pdf", "home-living-2026.PDF"),
        ("青禾家居2025年春季版.pdf", "青禾家居2026年新版.pdf"),
        ("Catalogue (3).pdf", "catalogue.pdf"),
    ],
)
def test_names_of_one_family(one: str, other: str) -> None:
    assert family_of(one) == family_of(other) != ""


def test_names_of_two_families() -> None:
    assert family_of("Sofas 2025.pdf") != family_of("Lamps 2025.pdf")
    assert family_of("2025.pdf") == ""


def test_a_page_is_used_again_only_with_what_its_values_came_from() -> None:
    found = [Pair(1, 1, ALIKE), Pair(2, 2, SAME), Pair(3, 3, SAME), Pair(5, 4, SAME), Pair(6, 5, SAME)]
    assert [p.later for p in reusable(found, {}, {})] == [2, 3, 5, 6]
    assert [p.later for p in reusable(found, {3: {1}}, {})] == [2, 5, 6]  # a brand of the cover, which has changed
    assert [p.later for p in reusable(found, {4: {2}}, {})] == [2, 3, 5, 6]
    assert [p.later for p in reusable(found, {}, {4: 3})] == [2, 3, 6]  # a page was put into the middle of the table
    assert [p.later for p in reusable(found, {}, {5: 4})] == [2, 3, 5, 6]


def product(key: str, model: str = "", name: str = "", page: int = 1, **told: Any) -> Product:
    price = told.pop("price", "")
    attributes = {"model": model or None, "product_name": name or None, "price": price or None, **told.pop("more", {})}
    return Product(key, page, model, name, attributes, price, told.pop("currency", "CNY"), **told)


def matched(earlier: list[Product], later: list[Product]) -> set[tuple[str, str]]:
    return {(a.key if a else "", b.key if b else "") for a, b in match_products(earlier, later)}


@pytest.mark.req("TA-SKUSTABLE")
def test_products_are_matched_by_identity_and_never_by_place() -> None:
    earlier = [product("o1", "A-1"), product("o2", "A-2"), product("o3", name="Stool"), product("o4", "A-4")]
    later = [
        product("n1", "A-2"),
        product("n2", "a 1".replace(" ", "-")),
        product("n3", name="Stool"),
        product("n4", "B-4"),
    ]
    assert matched(earlier, later) == {("o2", "n1"), ("o1", "n2"), ("o3", "n3"), ("", "n4"), ("o4", "")}


def test_the_same_model_on_its_own_page_comes_first() -> None:
    earlier = [product("o1", "A-1", page=1), product("o2", "A-1", page=2)]
    later = [product("n1", "A-1", page=2), product("n2", "A-1", page=0)]
    assert matched(earlier, later) == {("o2", "n1"), ("o1", "n2")}


def test_what_was_carried_over_is_known() -> None:
    twins = [product("o1", "A-1"), product("o2", "A-1")]
    later = [product("n1", "A-1", predecessor="o2"), product("n2", "A-1", predecessor="o1")]
    assert matched(twins, later) == {("o2", "n1"), ("o1", "n2")}


def test_prices_come_first_the_largest_change_before_the_smaller_ones() -> None:
    small = difference(product("o1", "A", price="100"), product("n1", "A", price="105"))
    large = difference(product("o2", "B", price="100"), product("n2", "B", price="60"))
    money = difference(
        product("o3", "C", price="100"), product("n3", "C", price="100", currency="USD", more={"currency": "USD"})
    )
    words = difference(product("o4", "D"), product("n4", "D", more={"color": "oak"}))
    added, removed = difference(None, product("n5", "E")), difference(product("o6", "F"), None)
    same = difference(product("o7", "G", price="1"), product("n7", "G", price="1"))
    assert small.price_change == pytest.approx(0.05)
    assert large.price_change == pytest.approx(-0.4)
    assert money.price_change is None
    assert sorted([same, removed, added, words, money, small, large], key=rank) == [
        large,
        small,
        money,
        words,
        added,
        removed,
        same,
    ]


def test_another_picture_is_a_change_and_spaces_are_none() -> None:
    before = product("o", "A", more={"size": "10  x 20"}, pictures=frozenset({"1"}))
    after = product("n", "A", more={"size": "10 x 20"}, pictures=frozenset({"2"}))
    assert difference(before, after).fields == (("pictures", "1", "1"),)
    assert difference(before, after._replace(pictures=before.pictures)).kind == "unchanged"
