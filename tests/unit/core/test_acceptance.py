"""How many of the pages that machines passed over people look at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.acceptance import Claims, checks_due

pytestmark = pytest.mark.req("X-SKIPCHECK")
few = st.integers(0, 60)


@pytest.mark.parametrize(
    ("claims", "due"),
    [
        (Claims(doubtful=0), 0),
        (Claims(doubtful=1), 1),
        (Claims(doubtful=90), 2),
        (Claims(waiting=1, doubtful=90), 1),
        (Claims(waiting=2, doubtful=90), 0),
        (Claims(confirmed=1, waiting=1, doubtful=90), 0),
        (Claims(confirmed=2, doubtful=90), 0),
        (Claims(confirmed=2, refuted=1, doubtful=90), 3),
        (Claims(confirmed=3, refuted=1, doubtful=90), 0),
        (Claims(refuted=2, doubtful=90), 2),
        (Claims(refuted=2, waiting=1, doubtful=90), 0),
        (Claims(refuted=20, doubtful=7), 7),
    ],
)
def test_two_are_looked_at_and_more_while_products_are_found_on_them(claims: Claims, due: int) -> None:
    assert checks_due(claims, 2) == due


@given(st.builds(Claims, few, few, few, few))
def test_nothing_is_checked_where_the_profile_says_none(claims: Claims) -> None:
    assert checks_due(claims, 0) == 0


@given(st.lists(st.booleans(), max_size=80), st.integers(1, 9))
def test_checks_end_and_all_pages_are_seen_where_machines_are_always_wrong(pages: list[bool], first: int) -> None:
    """``pages``: whether each has products, the least certain first."""
    looked_at = 0
    for _ in range(len(pages) + 1):
        seen = pages[:looked_at]
        due = checks_due(Claims(seen.count(False), seen.count(True), 0, len(pages) - looked_at), first)
        if not due:
            break
        looked_at += due
    else:
        raise AssertionError("the checks do not end")
    assert looked_at <= len(pages) and looked_at >= min(first, len(pages))
    if all(pages):
        assert looked_at == len(pages)
    if not any(pages):
        assert looked_at == min(first, len(pages))
