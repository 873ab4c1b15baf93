"""Which found SKU is which of the truth's, page by page and one to one (TA-T49)."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from catalogsku.core.box import overlap_ratio
from catalogsku.core.text import squash
from processing.engine.assignment import best_assignment
from processing.engine.quality.likeness import NAMES_ALIKE, loose, names_alike
from processing.engine.quality.truth import TruthSku
from processing.engine.result import Sku


class Pair(msgspec.Struct, frozen=True):
    """Indices into the truth's and the found SKUs of one page, and by what they were matched."""

    truth: int
    sku: int
    by: Literal["model", "name"]


# How sure it is that both are one product: 0 (they are not) to 1.
Certainty = Callable[[TruthSku, Sku], float]


def match_page(truths: Sequence[TruthSku], skus: Sequence[Sku]) -> tuple[Pair, ...]:
    """SKUs of the same normalised model first; of the rest those whose product names are at least 0.85 alike."""
    return match_by(truths, skus, _same_model, _same_name)


def match_by(
    truths: Sequence[TruthSku], skus: Sequence[Sku], same_model: Certainty, same_name: Certainty
) -> tuple[Pair, ...]:
    """By the model first; by the name of the rest.

    Among several possible partners the best assignment over the page decides: more pairs before certainty, certainty
    before agreement in other values and in place. The same for any order of ``skus`` but for equal ones.
    """
    by_model = _assigned(truths, skus, range(len(truths)), range(len(skus)), same_model)
    rest = [n for n in range(len(truths)) if n not in {t for t, _ in by_model}]
    left = [n for n in range(len(skus)) if n not in {s for _, s in by_model}]
    by_name = _assigned(truths, skus, rest, left, same_name)
    pairs = [Pair(t, s, "model") for t, s in by_model] + [Pair(t, s, "name") for t, s in by_name]
    return tuple(sorted(pairs, key=lambda pair: pair.truth))


def _assigned(
    truths: Sequence[TruthSku],
    skus: Sequence[Sku],
    rows: Sequence[int],
    columns: Sequence[int],
    certainty: Certainty,
) -> list[tuple[int, int]]:
    weights = {}
    for t in rows:
        for s in columns:
            if sure := certainty(truths[t], skus[s]):
                # One pair more outweighs what all others could gain by it: likeness and agreement are at most 1.1.
                weights[t, s] = 2.0 * len(truths) + sure + 0.1 * _agreement(truths[t], skus[s])
    return best_assignment(weights)


def _same_model(truth: TruthSku, sku: Sku) -> float:
    value = sku.attributes.get("model")
    if value is None or not (model := squash(value.text)):
        return 0.0
    return 1.0 if any(model == squash(text) for text in truth.texts("model")) else 0.0


def _same_name(truth: TruthSku, sku: Sku) -> float:
    value = sku.attributes.get("product_name")
    if value is None:
        return 0.0
    alike = max((names_alike(text, value.text) for text in truth.texts("product_name")), default=0.0)
    return alike if alike >= NAMES_ALIKE else 0.0


def _agreement(truth: TruthSku, sku: Sku) -> float:
    """0 to 1: share of the asked values that agree, and whether the found box lies in the truth's."""
    right = sum(
        key in sku.attributes and any(loose(sku.attributes[key].text) == loose(text) for text in truth.texts(key))
        for key in truth.asked
    )
    share = right / len(truth.asked) if truth.asked else 0.0
    place = overlap_ratio(truth.card_bbox, sku.box) if truth.card_bbox else 0.0
    return 0.8 * share + 0.2 * place
