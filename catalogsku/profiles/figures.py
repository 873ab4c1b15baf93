"""The figures that a threshold profile keeps as JSON: what each may be, and what holds where one is missing or is none.

Pure. A person's entry is refused with its faults; what an older version has values is completed with the defaults.
"""

import math
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from catalogsku.core.acceptance import CHECKED_FIRST, DOUBTFUL_BELOW


class Figure(NamedTuple):
    """``least`` to ``most``; a whole number where the default is one, yes or no where the default is one of them."""

    default: float | bool
    least: float = 0.0
    most: float = 1.0
    is_needed: bool = True

    def accepts(self, value: object) -> bool:
        if isinstance(self.default, bool) or isinstance(value, bool):
            return isinstance(self.default, bool) and isinstance(value, bool)
        if not isinstance(value, int if isinstance(self.default, int) else int | float):
            return False
        return math.isfinite(value) and self.least <= value <= self.most

    @property
    def kind(self) -> str:
        return "switch" if isinstance(self.default, bool) else "whole" if isinstance(self.default, int) else "number"


class Fault(NamedTuple):
    """``code``: not_an_object, missing, unknown, or the kind of figure that ``key`` must be: switch, whole, number."""

    code: str
    key: str = ""
    least: float = 0.0
    most: float = 0.0


Figures = Mapping[str, Figure]

# Default weights of the six dimensions (TA-DIMS): tables and their text carry a catalogue, pictures come next. As text,
# so that their sum is exact.
WEIGHTS: dict[str, str] = {
    "text_readability": "0.20",
    "layout_quality": "0.15",
    "table_structure": "0.20",
    "image_quality": "0.10",
    "image_text_relation": "0.15",
    "product_density": "0.20",
}

# TA-P1-6; the variance threshold forces HYBRID (TA-CDOC).
PRESCAN_RULES: Figures = {
    "all_blank_reject": Figure(True),
    "ocr_rate_penalty_threshold": Figure(0.1),
    "ocr_rate_penalty_weight": Figure(0.15),
    "no_images_penalty_weight": Figure(0.10),
    "min_text_chars_for_blank": Figure(10, most=10_000),
    "score_variance_threshold": Figure(0.05),
}
CLASSIFICATION: Figures = {
    "page_type_min_confidence": Figure(0.7),
    "no_product_skip_confidence": Figure(0.7),
    "product_score": Figure(3, most=100, is_needed=False),
    "skips_checked": Figure(CHECKED_FIRST, most=1_000, is_needed=False),
    "skip_doubtful_below": Figure(DOUBTFUL_BELOW, is_needed=False),
}
# How pictures are bound (TA-T84) and what makes a page's result doubtful (TA-RULES); a profile says what differs.
LIMITS: Figures = {
    "gap_l1": Figure(200.0, most=2_000, is_needed=False),
    "gap_l2": Figure(100.0, most=2_000, is_needed=False),
    "gap_l3": Figure(150.0, most=2_000, is_needed=False),
    "gap_l4": Figure(80.0, most=2_000, is_needed=False),
    "ambiguous_below": Figure(0.2, is_needed=False),
    "max_candidates": Figure(3, 1, 10, is_needed=False),
    "max_skus": Figure(50, 1, 5_000, is_needed=False),
    "max_skus_table_page": Figure(200, 1, 5_000, is_needed=False),
    "invalid_share": Figure(0.3, is_needed=False),
    "missing_fields_share": Figure(0.5, is_needed=False),
    "small_main_share": Figure(0.5, is_needed=False),
    "min_short_edge_px": Figure(640, most=10_000, is_needed=False),
    "error_factor": Figure(0.7, is_needed=False),
    "coverage_min": Figure(0.7, is_needed=False),
}


def defaults(figures: Figures) -> dict[str, float | bool]:
    """What a new profile begins with."""
    return {key: figure.default for key, figure in figures.items() if figure.is_needed}


def faults_of(values: object, figures: Figures) -> list[Fault]:
    """Of what a person or program wants to store; none where it may be values."""
    if not isinstance(values, dict):
        return [Fault("not_an_object")]
    missing = [Fault("missing", key) for key, figure in figures.items() if figure.is_needed and key not in values]
    wrong = [
        Fault(figures[key].kind, key, figures[key].least, figures[key].most)
        for key, value in values.items()
        if key in figures and not figures[key].accepts(value)
    ]
    return [*missing, *wrong, *(Fault("unknown", str(key)[:60]) for key in values if key not in figures)]


def completed(values: object, figures: Figures) -> dict[str, float | bool]:
    """Every figure: the given one where it is one, else its default."""
    usable = values if isinstance(values, dict) else {}
    return {
        key: usable[key] if key in usable and figure.accepts(usable[key]) else figure.default
        for key, figure in figures.items()
    }


def faults_of_weights(values: object) -> list[Fault]:
    """As ``faults_of``, and not_one where their sum is not 1 (INV-02). A weight is a number, or one written as text."""
    if not isinstance(values, dict):
        return [Fault("not_an_object")]
    missing = [Fault("missing", key) for key in WEIGHTS if key not in values]
    wrong = [
        Fault("number", key, 0.0, 1.0) for key, value in values.items() if key in WEIGHTS and _weight(value) is None
    ]
    unknown = [Fault("unknown", str(key)[:60]) for key in values if key not in WEIGHTS]
    faults = [*missing, *wrong, *unknown]
    return faults or ([] if sum(Decimal(str(value)) for value in values.values()) == 1 else [Fault("not_one")])


def completed_weights(values: object) -> dict[str, float]:
    """The given ones where they can be used, else the defaults: they weigh against each other."""
    usable: Mapping[str, Any] = WEIGHTS if faults_of_weights(values) or not isinstance(values, dict) else values
    return {key: float(usable[key]) for key in WEIGHTS}


def _weight(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        weight = Decimal(str(value))
    except InvalidOperation:
        return None
    return weight if weight.is_finite() and 0 <= weight <= 1 else None
