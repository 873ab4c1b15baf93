"""From page scores to C_doc and the route: AUTO, HYBRID or HUMAN_ALL (TA-CDOC)."""

import statistics
from collections.abc import Sequence

import msgspec

from processing.engine.evaluation.config import EvaluationConfig
from processing.engine.evaluation.page_score import overall
from processing.engine.evaluation.scores import DIMENSIONS, PageScore

AUTO, HYBRID, HUMAN_ALL = "AUTO", "HYBRID", "HUMAN_ALL"


class PrescanFacts(msgspec.Struct, frozen=True):
    """What the prescan counted over the whole document. ``text_pages``: with a text layer or recognised text."""

    non_blank_pages: int
    text_pages: int
    image_count: int
    all_blank: bool = False

    @property
    def ocr_rate(self) -> float:
        """Share of non-blank pages that give text."""
        return self.text_pages / self.non_blank_pages if self.non_blank_pages else 0.0


class Penalty(msgspec.Struct, frozen=True):
    """What a prescan rule takes off C_doc, and the numbers why."""

    rule: str
    weight: float
    reason: dict[str, float]


class Evaluation(msgspec.Struct, frozen=True):
    """The decision with everything that led to it (TA-P1-11).

    ``dimensions``: means over the pages that could be judged, None where no page could. ``degrade_reason`` is set
    exactly for HUMAN_ALL (INV-11). ``page_scores``: page number to overall score.
    """

    c_doc: float
    route: str
    reason_codes: tuple[str, ...]
    degrade_reason: str | None
    dimensions: dict[str, float | None]
    penalties: tuple[Penalty, ...]
    variance: float
    page_scores: dict[int, float]
    pages: tuple[PageScore, ...]
    config: EvaluationConfig


def evaluate(scores: Sequence[PageScore], prescan: PrescanFacts, config: EvaluationConfig) -> Evaluation:
    """C_doc = clamp(sum of weight x dimension - penalties), each weight times the share of pages that it could judge.

    Where every page has every dimension this is the plain weighted sum; a dimension that few pages have counts little.
    """
    pages = tuple(sorted(scores, key=lambda score: score.number))
    penalties = tuple(find_penalties(prescan, config))
    dimensions = {name: _mean([page.dimensions.get(name) for page in pages]) for name in DIMENSIONS}
    judged = {name: sum(page.dimensions.get(name) is not None for page in pages) for name in DIMENSIONS}
    scaled = {name: config.weights[name] * judged[name] for name in DIMENSIONS}
    raw = overall(dimensions, scaled) - sum(penalty.weight for penalty in penalties)
    c_doc = round(max(0.0, min(1.0, raw)), 4)
    page_scores = {page.number: round(overall(page.dimensions, config.weights), 4) for page in pages}
    variance = round(statistics.variance(page_scores.values()), 6) if len(page_scores) > 1 else 0.0
    route, codes, degraded = decide_route(c_doc, variance, prescan, config)
    return Evaluation(c_doc, route, codes, degraded, dimensions, penalties, variance, page_scores, pages, config)


def find_penalties(prescan: PrescanFacts, config: EvaluationConfig) -> list[Penalty]:
    rules, penalties = config.prescan, []
    if prescan.ocr_rate < rules.ocr_rate_penalty_threshold:
        reason = {"ocr_rate": round(prescan.ocr_rate, 4), "threshold": rules.ocr_rate_penalty_threshold}
        penalties.append(Penalty("ocr_rate_low", rules.ocr_rate_penalty_weight, reason))
    if prescan.image_count == 0:
        penalties.append(Penalty("no_images", rules.no_images_penalty_weight, {"image_count": 0.0}))
    return [penalty for penalty in penalties if penalty.weight > 0]


def decide_route(
    c_doc: float, variance: float, prescan: PrescanFacts, config: EvaluationConfig
) -> tuple[str, tuple[str, ...], str | None]:
    """Route, reason codes and degrade reason; variance lowers AUTO to HYBRID and changes nothing else (TA-DIMS).

    A document of blank pages is looked at by a person, or, where the profile says so, ends with nothing found.
    """
    if prescan.all_blank:
        rejected = config.prescan.all_blank_reject
        return (HUMAN_ALL, ("all_blank",), "prescan_reject") if rejected else (AUTO, ("all_blank",), None)
    if c_doc < config.thresholds.b:
        return HUMAN_ALL, ("c_doc_below_b",), "low_confidence"
    if c_doc < config.thresholds.a:
        return HYBRID, ("c_doc_between_b_and_a",), None
    if variance > config.prescan.score_variance_threshold:
        return HYBRID, ("c_doc_from_a_up", "variance_above_threshold"), None
    return AUTO, ("c_doc_from_a_up",), None


def _mean(values: Sequence[float | None]) -> float | None:
    judged = [value for value in values if value is not None]
    return round(sum(judged) / len(judged), 4) if judged else None
