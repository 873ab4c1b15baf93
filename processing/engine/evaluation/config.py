"""Weights, thresholds and prescan rules of the evaluation, as frozen into a job from its profile (TA-CDOC, TA-P1-6)."""

import msgspec

from processing.engine.evaluation.scores import DIMENSIONS

_WEIGHTS = (0.20, 0.15, 0.20, 0.10, 0.15, 0.20)


class Thresholds(msgspec.Struct, frozen=True):
    """AUTO from ``a`` up, HUMAN_ALL below ``b``; ``pv`` decides single pages of HYBRID. b < pv < a (INV-01)."""

    a: float = 0.90
    pv: float = 0.70
    b: float = 0.40

    def __post_init__(self) -> None:
        if not 0.0 <= self.b < self.pv < self.a <= 1.0:
            raise ValueError("thresholds must rise from b over pv to a (INV-01)")


class PrescanRules(msgspec.Struct, frozen=True):
    """What the prescan takes off C_doc; ``score_variance_threshold``: page scores that differ more force HYBRID."""

    all_blank_reject: bool = True
    ocr_rate_penalty_threshold: float = 0.1
    ocr_rate_penalty_weight: float = 0.15
    no_images_penalty_weight: float = 0.10
    min_text_chars_for_blank: int = 10
    score_variance_threshold: float = 0.05


class EvaluationConfig(msgspec.Struct, frozen=True):
    """Raises ValueError where the weights do not sum to 1 (INV-02) or name another dimension."""

    weights: dict[str, float] = msgspec.field(default_factory=lambda: dict(zip(DIMENSIONS, _WEIGHTS, strict=True)))
    thresholds: Thresholds = Thresholds()
    prescan: PrescanRules = PrescanRules()
    sample_limit: int = 40

    def __post_init__(self) -> None:
        if set(self.weights) != set(DIMENSIONS):
            raise ValueError("weights must name the six dimensions")
        if abs(sum(self.weights.values()) - 1.0) > 0.001 or min(self.weights.values()) < 0:
            raise ValueError("weights must sum to 1 (INV-02)")
