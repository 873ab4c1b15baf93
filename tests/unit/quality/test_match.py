"""Which found SKU is which of the truth's."""

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.assignment import best_assignment
from processing.engine.quality.likeness import loose, names_alike, same_label, same_picture
from processing.engine.quality.match import match_page
from processing.engine.result import Sku
from tests.unit.quality.made import sku, truth, truth_sku

pytestmark = pytest.mark.req("TA-T49")


def matched(wanted: list[dict[str, object]], found: list[Sku]) -> list[tuple[int, int, str]]:
    return [(pair.truth, pair.sku, pair.by) for pair in match_page(truth(*wanted).skus, found)]


def test_the_same_model_whatever_its_case_width_dash_and_spaces() -> None:
    found = [sku(model="ax‑100 b"), sku(model="ＡＸ-101")]
    assert matched([truth_sku(model="AX-101"), truth_sku(model="AX-100B")], found) == [(0, 1, "model"), (1, 0, "model")]


def test_an_accepted_model_is_the_model() -> None:
    assert matched([truth_sku(model="A2/4", accept={"model": ["A2"]})], [sku(model="A2")]) == [(0, 0, "model")]


def test_names_at_least_85_hundredths_alike_where_no_model_is_the_same() -> None:
    wanted = [truth_sku(model="X1", product_name="Round tea table")]
    assert matched(wanted, [sku(model="X7", product_name="Round tea tab1e")]) == [(0, 0, "name")]
    assert matched(wanted, [sku(model="X7", product_name="Round sofa table")]) == []
    assert matched(wanted, [sku(model="X7")]) == []


def test_a_model_goes_before_a_name() -> None:
    wanted = [truth_sku(model="X1", product_name="Stool"), truth_sku(model="X2", product_name="Stool")]
    found = [sku(model="X2", product_name="Stool"), sku(product_name="Stool")]
    assert matched(wanted, found) == [(0, 1, "name"), (1, 0, "model")]


def test_one_to_one_even_where_everything_fits_everything() -> None:
    wanted = [truth_sku(model="X1")] * 2
    assert len(matched(wanted, [sku(model="X1")])) == 1
    assert len(matched(wanted[:1], [sku(model="X1")] * 3)) == 1


def test_variants_of_one_model_are_told_apart_by_their_values() -> None:
    wanted = [truth_sku(model="X1", color=color) for color in ("red", "green", "blue")]
    found = [sku(model="X1", color=color) for color in ("blue", "red", "green")]
    assert matched(wanted, found) == [(0, 1, "model"), (1, 2, "model"), (2, 0, "model")]


def test_equal_ones_are_told_apart_by_their_place() -> None:
    wanted = [truth_sku(model="X1", card_bbox=[0, y, 100, y + 50]) for y in (0, 100)]
    found = [sku(model="X1", box=(0, 110, 90, 140)), sku(model="X1", box=(0, 10, 90, 40))]
    assert matched(wanted, found) == [(0, 1, "model"), (1, 0, "model")]


def test_the_best_assignment_and_not_the_first_that_fits() -> None:
    """The first name is most like the second's partner; taking it greedily would lose a pair."""
    wanted = [truth_sku(product_name="Cherry Pressure Cooker L"), truth_sku(product_name="Cherry Pressure Cooker")]
    found = [sku(product_name="Cherry Pressure Cooker"), sku(product_name="Cherry Pressure Cooker XXL")]
    assert matched(wanted, found) == [(0, 1, "name"), (1, 0, "name")]


@given(st.integers(0, 10**6))
def test_the_order_in_which_skus_come_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    wanted = [truth_sku(model=f"M{n % 3}", size=str(n)) for n in range(6)]
    found = [sku(model=f"M{n % 3}", size=str(n if n < 4 else n + 9)) for n in range(6)]
    order = chance.sample(range(6), 6)
    again = matched(wanted, [found[n] for n in order])
    assert [(t, order[f]) for t, f, _ in again] == [(n, n) for n in range(6)]


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 4)), st.floats(0, 1), max_size=14))
def test_no_assignment_weighs_more(weights: dict[tuple[int, int], float]) -> None:
    pairs = best_assignment(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    best = max(
        sum(weights.get((row, column), 0.0) for row, column in enumerate(columns))
        for columns in permutations(range(5), 4)
    )
    assert sum(weights[pair] for pair in pairs) == pytest.approx(best)


def test_texts_forgive_only_space() -> None:
    assert loose(" 棉麻  白蜡木\n 900 mm ") == "棉麻白蜡木 900 mm"
    assert loose("600mm") != loose("600 mm") and loose("A") != loose("a")
    assert same_label("Size（mm）:", "size (MM)") and not same_label("Size", "Sizes")


@given(st.text("abc-", max_size=8), st.text("abc-", max_size=8))
def test_likeness_is_of_the_whole_range_and_symmetric(a: str, b: str) -> None:
    assert 0 <= names_alike(a, b) <= 1 and names_alike(a, b) == names_alike(b, a)
    assert (names_alike(a, b) == 1) == (a == b != "")


def test_likeness_counts_edits_over_the_longer_name() -> None:
    assert names_alike("abcdefghij", "abcdefghiX") == pytest.approx(0.9)
    assert names_alike("abcdefghij", "bacdefghij") == pytest.approx(0.8)


def test_pictures_are_the_same_by_half_their_union_or_inside_each_other() -> None:
    a = (0.0, 0.0, 100.0, 100.0)
    assert same_picture(a, (0, 0, 100, 60)) and same_picture(a, (30, 0, 130, 100))
    assert not same_picture(a, (40, 0, 140, 100))
    assert same_picture(a, (20, 20, 80, 80)), "a crop without its margin"
    assert not same_picture(a, (20, 20, 60, 60)), "a detail of it"
    assert not same_picture(a, (0, 0, 600, 800)), "the whole page"
    assert not same_picture(a, (200, 0, 300, 100))
