"""What alternatives are worth to whoever has a page: products that need not be typed, and those that are none."""

from collections.abc import Callable, Sequence

from processing.engine.quality.match import Pair
from processing.engine.quality.truth import TruthSku
from processing.engine.result import Alternative, Sku

Match = Callable[[Sequence[TruthSku], Sequence[Sku]], tuple[Pair, ...]]


def judge_alternatives(
    missed: Sequence[TruthSku], alternatives: Sequence[Alternative], match: Match
) -> tuple[int, int]:
    """How many products the alternative offers that spares most, as people take one, and how many of them are
    ``missed`` ones; of the first where none spares any."""
    judged = [(len(one.skus), len(match(missed, one.skus))) for one in alternatives]
    return max(judged, key=lambda counts: counts[1], default=(0, 0))
