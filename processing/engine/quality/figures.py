"""The formulas: numbers in, one figure out; None where the figure cannot be computed."""

from collections import Counter
from collections.abc import Mapping, Sequence

# Below these counts chance decides calibration and ranking: a single wrong SKU would make or break the gate.
LEAST_SKUS_FOR_ECE = 20
LEAST_OF_EACH_FOR_AUC = 5
BINS = 10

Confusion = Mapping[str, Mapping[str, int]]
# Confidence of a SKU or page, and whether it was right.
Judged = Sequence[tuple[float, bool]]


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def accuracy(confusion: Confusion) -> float | None:
    return ratio(sum(row.get(kind, 0) for kind, row in confusion.items()), _total(confusion))


def kappa(confusion: Confusion) -> float | None:
    """Cohen's kappa (1960): (p_o - p_e) / (1 - p_e); None where all pages have one and the same type in both."""
    total, observed = _total(confusion), accuracy(confusion)
    if observed is None:
        return None
    kinds = {*confusion, *(kind for row in confusion.values() for kind in row)}
    column_totals = {kind: sum(row.get(kind, 0) for row in confusion.values()) for kind in kinds}
    expected = sum(sum(confusion.get(kind, {}).values()) * column_totals[kind] for kind in kinds) / total**2
    return (observed - expected) / (1 - expected) if expected < 1 else None


def _total(confusion: Confusion) -> int:
    return sum(sum(row.values()) for row in confusion.values())


def calibration_error(judged: Judged, least: int = LEAST_SKUS_FOR_ECE) -> float | None:
    """Expected calibration error: mean of |share right - mean confidence| over ten equal bins, by their size."""
    if len(judged) < max(1, least):
        return None
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        bins.setdefault(bin_of(confidence), []).append((confidence, right))
    gaps = (abs(sum(right for _, right in part) - sum(sure for sure, _ in part)) for part in bins.values())
    return sum(gaps) / len(judged)


def bin_of(confidence: float) -> int:
    return min(BINS - 1, int(confidence * BINS))


def auc(judged: Judged, least: int = LEAST_OF_EACH_FOR_AUC) -> float | None:
    """Chance that a right one has more confidence than a wrong one, half for equal (Mann-Whitney)."""
    right = [confidence for confidence, is_right in judged if is_right]
    wrong = [confidence for confidence, is_right in judged if not is_right]
    if min(len(right), len(wrong)) < max(1, least):
        return None
    ranks = _mean_ranks([*right, *wrong])
    above = sum(ranks[confidence] for confidence in right) - len(right) * (len(right) + 1) / 2
    return above / (len(right) * len(wrong))


def _mean_ranks(values: list[float]) -> dict[float, float]:
    """Ranks from 1, equal values sharing the mean of theirs."""
    ranks, below = {}, 0
    for value, same in sorted(Counter(values).items()):
        ranks[value] = below + (same + 1) / 2
        below += same
    return ranks
