"""What differs between two exports: exact over whatever was added, changed and removed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processing.exports.changes import Packer, compare, order_of, unpacked

IDS = st.builds(
    lambda file, page, place: f"{file}_p{page:02d}_{place:03d}",
    st.sampled_from(["0a1b2c3d", "ffffffff", "0a1b2c3d4"]),
    st.integers(1, 120),
    st.integers(1, 3),
)
STATES = st.dictionaries(IDS, st.integers(1, 4), max_size=40)


def in_order(state: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(state.items(), key=lambda one: order_of(one[0]))


@pytest.mark.req("TA-JSON")
@settings(max_examples=50)
@given(STATES, STATES)
def test_tells_exactly_what_differs(before: dict[str, int], now: dict[str, int]) -> None:
    found = list(compare(in_order(before), ((sku_id, row, row) for sku_id, row in in_order(now))))
    kinds = {one.sku_id: one.kind for one in found}
    assert len(kinds) == len(found) == len(before.keys() | now.keys()), "each once"
    for sku_id, kind in kinds.items():
        if sku_id not in now:
            assert kind == "removed"
        elif sku_id not in before:
            assert kind == "added"
        else:
            assert kind == ("" if before[sku_id] == now[sku_id] else "changed")
    replayed = {key: row for key, row in before.items() if kinds[key] != "removed"}
    assert {**replayed, **{one.sku_id: one.row for one in found if one.kind in ("added", "changed")}} == now


@settings(max_examples=20)
@given(STATES)
def test_what_is_held_comes_back_as_it_was(state: dict[str, int]) -> None:
    packer = Packer()
    for sku_id, row in in_order(state):
        packer.add(sku_id, row)
    assert list(unpacked(packer.packed())) == in_order(state)


def test_pages_come_in_the_order_of_their_numbers() -> None:
    ids = ["ffffffff_p01_001", "0a1b2c3d_p100_001", "0a1b2c3d_p99_001"]
    assert sorted(ids, key=order_of) == ids[::-1]
