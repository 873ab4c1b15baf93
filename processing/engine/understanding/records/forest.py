"""Regression trees applied: what the fitted models of this package are (tests/fit says how they are made)."""

import zlib
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np


class Trees(msgspec.Struct, frozen=True, array_like=True):
    """Nodes of all trees one after the other. ``feature``: what the node asks, -1 for a leaf; ``limit``: at most this
    goes to ``left``, else to the node behind that; ``value``: of a leaf. ``roots``: the first node of each tree."""

    feature: list[int]
    limit: list[float]
    left: list[int]
    value: list[float]
    roots: list[int]


class Packed(msgspec.Struct, frozen=True, array_like=True):
    names: list[str]
    trees: Trees


class Forest:
    """The sum of its trees. ``names``: of the features, in the order in which nodes count them; one that a row does
    not have is 0 there. Nodes are kept as arrays: as lists they took 6 MB of each process."""

    def __init__(self, names: Sequence[str], trees: Trees) -> None:
        self.names = tuple(names)
        self._roots, self._feature, self._left = (
            np.array(numbers, dtype=np.int32) for numbers in (trees.roots, trees.feature, trees.left)
        )
        self._limit, self._value = np.array(trees.limit, dtype=np.float64), np.array(trees.value, dtype=np.float64)

    @property
    def trees(self) -> Trees:
        """As they are packed."""
        return Trees(*(a.tolist() for a in (self._feature, self._limit, self._left, self._value, self._roots)))

    def predict(self, rows: Sequence[Mapping[str, float]]) -> list[float]:
        """One number for each row."""
        x = np.array([[row.get(name, 0.0) for name in self.names] for row in rows])
        at = np.tile(self._roots, (len(rows), 1))
        line = np.arange(len(rows))[:, None]
        while True:
            feature = self._feature[at]
            inner = feature >= 0
            if not inner.any():
                return [float(total) for total in self._value[at].sum(axis=1)]
            right = x[line, np.maximum(feature, 0)] > self._limit[at]
            at = np.where(inner, self._left[at] + right, at)


def pack(forest: Forest) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(Packed(list(forest.names), forest.trees)), 9)


def unpack(data: bytes) -> Forest:
    packed = msgspec.msgpack.decode(zlib.decompress(data), type=Packed)
    return Forest(packed.names, packed.trees)
