"""Rows of pages: what was read and found, how documents were judged, traces, examples, and rules for asking models."""

from processing.pages.models.asking import ASK_FIRST_ABOVE_MICRO_USD, AskingRule, AskModels
from processing.pages.models.content import Evaluation, PageAlternatives, PageContent, RuleResult
from processing.pages.models.examples import AnnotationExample
from processing.pages.models.trace import TraceBundle, TraceReason

__all__ = [
    "ASK_FIRST_ABOVE_MICRO_USD",
    "AnnotationExample",
    "AskModels",
    "AskingRule",
    "Evaluation",
    "PageAlternatives",
    "PageContent",
    "RuleResult",
    "TraceBundle",
    "TraceReason",
]
