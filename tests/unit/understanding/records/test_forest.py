"""Trees applied all at once give what a walk over each of them gives."""

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.understanding.records.forest import Forest, Trees, pack, unpack

NAMES = ("a", "b", "c")
numbers = st.floats(-3, 3, allow_nan=False).map(lambda x: round(x, 3))
rows = st.lists(st.dictionaries(st.sampled_from((*NAMES, "unknown")), numbers), min_size=1, max_size=5)
shapes = st.recursive(numbers, lambda below: st.tuples(st.integers(0, 2), numbers, below, below), max_leaves=12)


def forest_of(shapes: list[object]) -> Forest:
    """Of a number for a leaf, and (feature, limit, left, right) for what asks."""
    trees = Trees([], [], [], [], [])
    for shape in shapes:
        start = len(trees.feature)
        trees.roots.append(start)
        waiting = [shape]
        for one in waiting:
            if isinstance(one, tuple):
                feature, limit, left, right = one
                _put(trees, feature, limit, start + len(waiting), 0.0)
                waiting += [left, right]
            else:
                _put(trees, -1, 0.0, 0, float(one))  # type: ignore[arg-type]
    return Forest(NAMES, trees)


def _put(trees: Trees, feature: int, limit: float, left: int, value: float) -> None:
    trees.feature.append(feature)
    trees.limit.append(limit)
    trees.left.append(left)
    trees.value.append(value)


def walked(shape: object, row: dict[str, float]) -> float:
    while isinstance(shape, tuple):
        feature, limit, left, right = shape
        shape = left if row.get(NAMES[feature], 0.0) <= limit else right
    return float(shape)  # type: ignore[arg-type]


@given(st.lists(shapes, min_size=1, max_size=4), rows)
def test_predicts_what_a_walk_over_the_trees_gives(shapes: list[object], rows: list[dict[str, float]]) -> None:
    wanted = [sum(walked(shape, row) for shape in shapes) for row in rows]
    assert forest_of(shapes).predict(rows) == pytest.approx(wanted)


@given(st.lists(shapes, min_size=1, max_size=4))
def test_what_was_packed_is_unpacked_as_it_was(shapes: list[object]) -> None:
    forest = forest_of(shapes)
    again = unpack(pack(forest))
    assert (again.names, again.trees) == (forest.names, forest.trees) and pack(again) == pack(forest)


def test_at_most_the_limit_goes_left() -> None:
    forest = forest_of([(1, 0.5, -1.0, 1.0)])
    assert forest.predict([{"b": 0.4}, {"b": 0.5}, {"b": 0.6}]) == [-1.0, -1.0, 1.0]


def test_a_feature_that_a_row_lacks_is_nothing_and_an_unknown_one_says_nothing() -> None:
    forest = forest_of([(0, -0.5, 1.0, 2.0), (2, 0.5, 10.0, 20.0)])
    assert forest.predict([{}, {"a": -1.0}, {"unknown": 9.0, "c": 1.0}]) == [12.0, 11.0, 22.0]


def test_bytes_that_hold_no_forest_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        unpack(zlib.compress(msgspec.msgpack.encode([NAMES, "no trees"])))
