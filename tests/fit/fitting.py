"""Scorer and trust from examples. Trust is fitted on choices by scorers that had not seen the page's maker."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import msgspec

from processing.engine.understanding.records.forest import Forest, pack
from processing.engine.understanding.records.score import Weights, best_of, rules_at, trust_row
from tests.fit.examples import Example
from tests.fit.trees import fit

_FOLDS = 8
# Pages of one maker say less each: together no more than so many.
_MOST_PAGES = 3


@dataclass(frozen=True)
class Weighed:
    """``weight``: of the set that the example is from."""

    example: Example
    weight: float


def fit_weights(given: Sequence[Weighed]) -> bytes:
    """Packed, as the analyst reads them."""
    scorer = _scorer(given)
    chosen = list(_chosen_at_first_sight(given))
    rows = [row for _, row, _ in chosen]
    trust = fit(rows, [float(right) for _, _, right in chosen], _weights([one for one, _, _ in chosen]))
    return msgspec.msgpack.encode(Weights(pack(scorer), pack(trust)))


def _scorer(given: Sequence[Weighed]) -> Forest:
    rows = [option.features for one in given for option in one.example.options]
    worth = [option.worth for one in given for option in one.example.options]
    each = [weight / len(one.example.options) ** 0.5 for one, weight in zip(given, _weights(given), strict=True)]
    weights = [weight for one, weight in zip(given, each, strict=True) for _ in one.example.options]
    return fit(rows, worth, weights)


def _weights(given: Sequence[Weighed]) -> list[float]:
    pages = Counter(one.example.maker for one in given)
    return [one.weight * min(1.0, _MOST_PAGES / pages[one.example.maker]) for one in given]


def _chosen_at_first_sight(given: Sequence[Weighed]) -> Iterator[tuple[Weighed, Mapping[str, float], bool]]:
    for left_out in folds({one.example.maker for one in given}, _FOLDS):
        scorer = _scorer([one for one in given if one.example.maker not in left_out])
        for one in given:
            if one.example.maker in left_out:
                options = one.example.options
                scores = scorer.predict([option.features for option in options])
                best = best_of([o.products for o in options], [o.values for o in options], scores, rules_at(options))
                row = trust_row([o.products for o in options], [o.features for o in options], scores, best)
                yield one, row, options[best].right


def folds(makers: Set[str], count: int) -> list[frozenset[str]]:
    order = sorted(makers)
    random.Random(1).shuffle(order)
    return [frozenset(order[n::count]) for n in range(count)]
