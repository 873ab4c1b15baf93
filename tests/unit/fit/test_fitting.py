"""What is fitted is the same each time, is what LightGBM made, and has not seen the maker that it is asked about."""

import json
from random import Random
from typing import Any

import pytest

lightgbm = pytest.importorskip("lightgbm")

import msgspec  # noqa: E402
import numpy as np  # noqa: E402

from processing.engine.understanding.records.forest import Forest, Trees, unpack  # noqa: E402
from processing.engine.understanding.records.propose import NONE, RULES  # noqa: E402
from processing.engine.understanding.records.score import Weights  # noqa: E402
from tests.fit import fitting, trees  # noqa: E402
from tests.fit.examples import Example, Option  # noqa: E402
from tests.fit.fitting import Weighed, fit_weights, folds  # noqa: E402

WAYS = (NONE, RULES, "grid.ruled")


def option(way: str, chance: Random) -> Option:
    """Worth what one of its features says."""
    priced, noise = chance.random(), chance.random()
    told = frozenset() if way == NONE else frozenset((way,))
    return Option(way, {"priced": priced, "noise": noise, f"way.{way}": 1.0}, priced, priced > 0.7, told, 10 * priced)


def made_up(makers: int = 24, pages: int = 2, seed: int = 1) -> list[Weighed]:
    chance = Random(seed)
    return [
        Weighed(Example(f"maker {n}", page, tuple(option(way, chance) for way in WAYS)), 1.0)
        for n in range(makers)
        for page in range(1, pages + 1)
    ]


@pytest.fixture
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_KINDS", tuple((5, kind) for _, kind in trees._KINDS))


def test_the_same_examples_give_the_same_bytes(few_trees: None) -> None:
    once = fit_weights(made_up())
    assert fit_weights(made_up()) == once
    assert fit_weights(made_up(seed=2)) != once


def test_what_is_fitted_tells_good_from_bad(few_trees: None) -> None:
    scorer = unpack(msgspec.msgpack.decode(fit_weights(made_up()), type=Weights).scorer)
    bad, good = scorer.predict([{"priced": 0.1, "noise": 0.5}, {"priced": 0.9, "noise": 0.5}])
    assert good > bad + 0.05


@pytest.mark.parametrize("n", range(len(trees._KINDS)))
@pytest.mark.parametrize(
    "least",
    [
        0.0,
        -2.0,
    ],
)
def test_exported_trees_predict_what_lightgbm_predicts(n: int, least: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of forest, on rows that it has seen and on others."""
    boosters: list[Any] = []
    train = lightgbm.train

    def kept(*args: Any, **options: Any) -> Any:
        boosters.append(train(*args, **options))
        return boosters[-1]

    monkeypatch.setattr(trees.lightgbm, "train", kept)
    monkeypatch.setattr(trees, "_KINDS", (trees._KINDS[n],))
    chance = Random(n)
    rows = [{key: round(chance.uniform(least, 2), 3) for key in "abcd" if chance.random() > 0.2} for _ in range(300)]
    wanted = [row.get("a", 0.0) * row.get("b", 0.0) + (row.get("c", 0.0) > 0.5) for row in rows]
    forest = trees.fit(rows[:200], wanted[:200], [1.0] * 200)
    (booster,) = boosters
    assert forest.predict(rows) == pytest.approx(booster.predict(trees.matrix(rows, forest.names)), abs=5e-6)
    assert len({round(one, 4) for one in forest.predict(rows)}) > 10


def test_a_forest_is_the_mean_of_its_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"a": float(n), "b": float(n % 3)} for n in range(100)]
    wanted = [float(n) / 100 for n in range(100)]
    kinds = tuple((5, kind) for _, kind in trees._KINDS)
    each = []
    for kind in kinds:
        monkeypatch.setattr(trees, "_KINDS", (kind,))
        each.append(trees.fit(rows, wanted, [1.0] * 100).predict(rows))
    monkeypatch.setattr(trees, "_KINDS", kinds)
    assert trees.fit(rows, wanted, [1.0] * 100).predict(rows) == pytest.approx(np.mean(each, axis=0), abs=1e-4)


def test_folds_share_out_whole_makers() -> None:
    makers = {f"maker {n}" for n in range(21)}
    shared = folds(makers, 8)
    assert sorted(maker for fold in shared for maker in fold) == sorted(makers)
    assert {len(fold) for fold in shared} == {2, 3} and folds(makers, 8) == shared


def test_trust_is_fitted_on_choices_of_scorers_that_had_not_seen_the_maker(monkeypatch: pytest.MonkeyPatch) -> None:
    given = made_up()
    seen: dict[int, set[str]] = {}
    judged: list[str] = []

    class Scorer(Forest):
        def predict(self, rows: Any) -> list[float]:
            judged.append(json.dumps(sorted(seen[id(self)])))
            return [row["priced"] for row in rows]

    scorers = []

    def fitted(given: list[Weighed]) -> Forest:
        scorers.append(Scorer((), Trees([], [], [], [], [])))
        seen[id(scorers[-1])] = {one.example.maker for one in given}
        return scorers[-1]

    monkeypatch.setattr(fitting, "_scorer", fitted)
    chosen = list(fitting._chosen_at_first_sight(given))
    assert sorted((one.example.maker, one.example.page_number) for one, _, _ in chosen) == sorted(
        (one.example.maker, one.example.page_number) for one in given
    )
    assert len(judged) == len(given)
    makers = {one.example.maker for one in given}
    for (one, row, right), known in zip(chosen, judged, strict=True):
        assert one.example.maker not in json.loads(known) and len(json.loads(known)) >= len(makers) - 3
        assert right is (row["score"] > 0.7) and "ahead" in row


def test_many_pages_of_one_maker_weigh_no_more_than_a_few() -> None:
    of_one = made_up(makers=1, pages=30)
    weights = fitting._weights([*of_one, *made_up(makers=3, pages=1)[1:]])
    assert sum(weights[:30]) == pytest.approx(3.0) and weights[30:] == [1.0, 1.0]
