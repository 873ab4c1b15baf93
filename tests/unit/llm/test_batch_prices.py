"""What questions cost in batches, and which model they go to."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.llm.routing import batches_first
from processing.models import LanguageModel


def model(percent: int | None, cached: int | None = None) -> LanguageModel:
    return LanguageModel(
        price_in_micro=1_500_000, price_out_micro=7_500_000, price_cached_micro=cached, batch_percent=percent
    )


@pytest.mark.parametrize(
    ("cached", "expected"),
    [(None, 750_000), (150_000, 600_000 + 15_000), (1_400_000, 750_000)],
    ids=["no price of its own", "a tenth", "dearer than half"],
)
def test_cached_tokens_cost_the_smaller_of_both_prices(cached: int | None, expected: int) -> None:
    told = model(50, cached).cost_micro(1_000_000, 0, 0 if cached is None else 200_000, batched=True)
    assert told == (expected if cached != 150_000 else 800_000 * 75 // 100 + 200_000 * 15 // 100)


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 10**6), st.integers(1, 100))
def test_a_batch_costs_its_share_rounded_up_and_never_more_than_at_once(
    tokens_in: int, tokens_out: int, tokens_cached: int, percent: int
) -> None:
    one = model(percent, 150_000)
    at_once = one.cost_micro(tokens_in, tokens_out, tokens_cached)
    batched = one.cost_micro(tokens_in, tokens_out, tokens_cached, batched=True)
    assert batched <= at_once
    plain = one.cost_micro(tokens_in, tokens_out)
    assert one.cost_micro(tokens_in, tokens_out, batched=True) == pytest.approx(plain * percent / 100, abs=1)
    assert model(None, 150_000).cost_micro(tokens_in, tokens_out, tokens_cached, batched=True) == at_once


def test_what_may_wait_goes_to_models_with_batches_first_and_the_order_stays_else() -> None:
    models = {name: SimpleNamespace(has_batches=name in "bd") for name in "abcd"}
    assert batches_first("abcd", models, batched=True) == ["b", "d", "a", "c"]
    assert batches_first("abcd", models, batched=False) == ["a", "b", "c", "d"]
