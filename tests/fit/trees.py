"""Regression trees by LightGBM, in the shape in which the analyst applies them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from processing.engine.understanding.records.forest import Forest, Trees

# One thread: two wait for each other beside other work, five times as long. Kinds of forests, with the trees of
# each. They err differently, so that their mean is better (docs/quality.md).
_COMMON = {"objective": "regression", "bagging_freq": 1, "max_bin": 63, "seed": 7, "num_threads": 1,
           "deterministic": True, "force_row_wise": True, "verbose": -1}  # fmt: skip
_KINDS: tuple[tuple[int, dict[str, Any]], ...] = (
    (150, {"learning_rate": 0.06, "num_leaves": 15, "min_data_in_leaf": 8, "bagging_fraction": 0.8,
           "feature_fraction": 0.5, "lambda_l2": 2.0}),
    (150, {"learning_rate": 0.08, "num_leaves": 20, "min_data_in_leaf": 5, "bagging_fraction": 0.8,
           "feature_fraction": 0.4, "lambda_l2": 1.0, "extra_trees": True}),
    (60, {"boosting": "rf", "num_leaves": 120, "min_data_in_leaf": 3, "bagging_fraction": 0.7,
          "feature_fraction": 0.4, "extra_trees": True}),
)  # fmt: skip


def matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows])


def fit(rows: Sequence[Mapping[str, float]], wanted: Sequence[float], weights: Sequence[float]) -> Forest:
    """The mean of several forests. The same rows give the same trees."""
    names = sorted({name for row in rows for name in row})
    x = matrix(rows, names)
    made: list[tuple[dict[str, Any], float]] = []
    for count, kind in _KINDS:
        data = lightgbm.Dataset(x, np.array(wanted), weight=np.array(weights))
        dumped = lightgbm.train({**_COMMON, **kind}, data, num_boost_round=count).dump_model()
        mean = count if kind.get("boosting") == "rf" else 1
        made += [(tree["tree_structure"], 1.0 / (len(_KINDS) * mean)) for tree in dumped["tree_info"]]
    return Forest(tuple(names), _trees(made))


def _trees(made: Sequence[tuple[dict[str, Any], float]]) -> Trees:
    trees = Trees([], [], [], [], [])
    for root, share in made:
        trees.roots.append(len(trees.feature))
        _add(trees, root, share)
    return trees


def _add(trees: Trees, root: dict[str, Any], share: float) -> None:
    """Breadth first, so that the two below a node stand side by side."""
    waiting: list[dict[str, Any]] = [root]
    for node in _growing(waiting):
        leaf = "leaf_value" in node
        trees.feature.append(-1 if leaf else int(node["split_feature"]))
        trees.limit.append(0.0 if leaf else _short(float(node["threshold"])))
        trees.value.append(round(float(node["leaf_value"]) * share, 7) if leaf else 0.0)
        trees.left.append(0 if leaf else trees.roots[-1] + len(waiting))
        if not leaf:
            waiting += [node["left_child"], node["right_child"]]


def _short(limit: float) -> float:
    """Six digits; of one that parts 0 from what is just below it, the sign is what counts."""
    return round(limit, 6) or limit


def _growing(waiting: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    at = 0
    while at < len(waiting):
        yield waiting[at]
        at += 1
