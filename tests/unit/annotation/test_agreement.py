"""How far two people agree: counted by item, against what the machine had said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.people.agreement import Counts, compare

MACHINE = {("a", "price"): "3", ("a", "model"): "M", ("b", "price"): "5", ("b", "model"): "N"}


@pytest.mark.req("X-VERDICT")
def test_every_item_is_counted_by_what_both_did_to_it() -> None:
    first = {**MACHINE, ("a", "price"): "4", ("b", "price"): "6", ("b", "model"): "X"}
    second = {**MACHINE, ("a", "price"): "4", ("b", "price"): "7", ("a", "model"): "MM"}
    found = compare(MACHINE, first, second)
    assert found.counts == Counts(kept=0, changed=1, missed=1, needless=1, otherwise=1)
    assert found.by_field == {"model": (2, 0), "price": (2, 1)}
    assert found.counts.score == 0.25


@pytest.mark.req("X-VERDICT")
def test_a_product_that_one_of_them_has_not_is_an_item_of_each() -> None:
    found = compare({}, {("c", "product"): True, ("c", "model"): "P"}, {})
    assert found.counts == Counts(needless=2) and found.counts.score == 0.0


def test_doing_nothing_on_a_page_with_one_mistake_scores_nothing() -> None:
    machine = {("a", str(n)): "x" for n in range(100)}
    truth = {**machine, ("a", "7"): "y"}
    assert compare(machine, machine, truth).counts.score == 0.0
    assert compare(machine, truth, truth).counts.score == 1.0


@pytest.mark.req("X-VERDICT")
def test_kappa_is_that_of_the_textbook() -> None:
    """Cohen 1960: 20 and 15 alike of 50, 5 and 10 not: observed 0.7, by chance 0.5."""
    assert Counts(kept=15, changed=20, missed=10, needless=5).kappa == pytest.approx(0.4)
    assert Counts().kappa is None and Counts(kept=9).kappa == 1.0
    assert Counts(missed=5, needless=5).kappa == pytest.approx(-1.0)


WORDS = st.dictionaries(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), st.sampled_from("123"), max_size=6)


@given(WORDS, WORDS, WORDS)
def test_counts_are_complete_and_agreement_has_no_order(machine: dict, first: dict, second: dict) -> None:  # type: ignore[type-arg]
    there, back = compare(machine, first, second).counts, compare(machine, second, first).counts
    assert there.items == len({*machine, *first, *second})
    assert (there.agreed, there.missed, there.otherwise) == (back.agreed, back.needless, back.otherwise)
    assert (there.kappa is None) == (there.items == 0) and 0 <= there.score <= 1
