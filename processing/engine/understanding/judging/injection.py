"""A page that speaks to a machine that reads it: a finding, and a person for it where that is sure (LA-GUARD)."""

from processing.engine.guard.inspect import REVIEW_FROM, STRICT_FROM, Hit, inspect
from processing.engine.page import ParsedPage
from processing.engine.result import Blocker, Finding

CODE = "injection_suspected"
_QUOTE_CHARS = 80


def suspicions(page: ParsedPage) -> tuple[tuple[Finding, ...], tuple[Blocker, ...]]:
    """Findings of score 0.7 and more; the surest of 0.9 and more is the page's blocker."""
    hits = [hit for hit in inspect(page).hits if hit.score >= STRICT_FROM]
    findings = tuple(Finding(CODE, "warning", _params(hit)) for hit in hits)
    return findings, tuple(Blocker(CODE, _params(hit)) for hit in hits[:1] if hit.score >= REVIEW_FROM)


def _params(hit: Hit) -> dict[str, str | int | float]:
    """``box``: x0 y0 x1 y1 in points."""
    quote = hit.quote if len(hit.quote) <= _QUOTE_CHARS else hit.quote[: _QUOTE_CHARS - 1] + "\u2026"
    box = " ".join(f"{side:g}" for side in hit.box or ())
    return {"pattern": hit.pattern, "score": hit.score, "quote": quote, "box": box, "where": hit.where, "how": hit.how}
