"""The quality gate: which figures must be reached before a change goes in (TA-T49, GR-GATE)."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from processing.engine.quality.figures import LEAST_OF_EACH_FOR_AUC, LEAST_SKUS_FOR_ECE
from processing.engine.quality.totals import Figures


class Limits(msgspec.Struct, frozen=True):
    """F1 and human share by TA-T49, agreement and calibration by GR-GATE."""

    least_f1: float = 0.7
    most_human_share: float = 0.40
    least_kappa: float = 0.8
    most_calibration_error: float = 0.10
    least_auc: float = 0.75


class GateLine(msgspec.Struct, frozen=True):
    """One figure beside its limit. ``why`` says why it could not be computed."""

    figure: str
    bound: Literal["at least", "at most"]
    limit: float
    value: float | None
    verdict: Literal["passed", "failed", "not computable"]
    why: str = ""


def judge_gate(figures: Figures, limits: Limits | None = None) -> tuple[GateLine, ...]:
    """A figure that cannot be computed stops nobody, but a run that judged no page fails: it has shown nothing."""
    at = limits or Limits()
    no_pages = "no page was judged"
    few = f"{figures.skus_right + figures.skus_wrong} SKUs were found, {LEAST_SKUS_FOR_ECE} are needed"
    one_sided = (
        f"{figures.skus_right} right and {figures.skus_wrong} wrong SKUs were found,"
        f" {LEAST_OF_EACH_FOR_AUC} of each are needed"
    )
    lines = (
        _line("f1", "at least", at.least_f1, figures.f1, "the truth has no SKU, and none was found"),
        _line("human_share", "at most", at.most_human_share, figures.human_share, no_pages),
        _line("page_type_kappa", "at least", at.least_kappa, figures.page_type_kappa, "all pages have one type"),
        _line("calibration_error", "at most", at.most_calibration_error, figures.calibration_error, few),
        _line("auc", "at least", at.least_auc, figures.auc, one_sided),
    )
    if figures.counts.pages:
        return lines
    return (GateLine("pages", "at least", 1, 0, "failed", no_pages), *lines)


def gate_passed(lines: Sequence[GateLine]) -> bool:
    return not any(line.verdict == "failed" for line in lines)


def _line(figure: str, bound: Literal["at least", "at most"], limit: float, value: float | None, why: str) -> GateLine:
    if value is None:
        return GateLine(figure, bound, limit, None, "not computable", why)
    reached = value >= limit if bound == "at least" else value <= limit
    return GateLine(figure, bound, limit, value, "passed" if reached else "failed")
