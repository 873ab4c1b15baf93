"""What analysts found on pages becomes rows: results, traces, and who goes on with the page."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalogsku.core import crash_points, work
from ingestion.models import Job, Page
from ingestion.services.pages import LOOKED_AT, page_is_wanted, record_together
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.result import PageResult
from processing.pages.models import PageContent, RuleResult, TraceReason
from processing.pages.services import tracing
from processing.pages.services.recording import record_results
from processing.pages.signals import pages_recorded
from processing.sandboxed import sandboxes

log = logging.getLogger(__name__)


Trace = tuple[TraceReason, str]


@dataclass(frozen=True)
class Evidence:
    """What pages are understood from; ``pages`` by number, packed, the ten before the first among them. ``impersonal``:
    those on which no personal data was found."""

    pages: dict[int, bytes]
    facts: dict[str, Any]
    config: dict[str, Any]
    impersonal: frozenset[int] = frozenset()

    def bundle(
        self,
        number: int,
        *,
        result: bytes = b"",
        error: dict[str, Any] | None = None,
        answers: dict[str, Any] | None = None,
    ) -> tracing.Bundle:
        """Without personal data."""
        pages = {n: self.pages[n] for n in range(number - LOOK_BACK_PAGES, number + 1) if n in self.pages}
        bundle = tracing.Bundle(number, pages, self.facts, self.config, result, error, answers=answers)
        return tracing.masked(bundle, pages.keys() - self.impersonal)


@dataclass(frozen=True)
class Understood:
    """``raw``: the result as JSON; ``answers``: what models said of the page, where they were asked."""

    claim: work.Claim
    number: int
    result: PageResult
    raw: bytes
    content: PageContent
    answers: dict[str, Any] | None = None


def record_understood(job: Job, understood: Sequence[Understood], evidence: Evidence) -> None:
    """Keep the traces, then record all in one transaction."""
    traces = _kept_traces(job, understood, evidence)
    record_together(understood, lambda entries: _record(job, entries, traces))


def _kept_traces(job: Job, entries: Sequence[Understood], evidence: Evidence) -> dict[int, Trace]:
    """The files of those traces that are kept, by page number; their rows follow with the results."""
    traces: dict[int, Trace] = {}
    with sandboxes.work_folder() as folder:
        for entry in entries:
            if reason := tracing.reason_to_keep(job, entry.number, entry.result):
                bundle = evidence.bundle(entry.number, result=entry.raw, answers=entry.answers)
                traces[entry.number] = (reason, tracing.keep_file(job, bundle, folder))
    return traces


def _record(job: Job, entries: Sequence[Understood], traces: dict[int, Trace]) -> None:
    crash_points.reached("understand.before_record")
    with work.recording_all(Page, [entry.claim for entry in entries], LOOKED_AT) as pages:
        wanted = [e for e in entries if page_is_wanted(pages.get(e.claim.id))]
        if wanted:
            record_results(job, [(pages[e.claim.id], e.result, e.content) for e in wanted])
            tracing.record_traces(job, [(e.claim.id, *traces[e.number]) for e in wanted if e.number in traces])
            RuleResult.objects.filter(page__in=[e.claim.id for e in wanted]).delete()
            looked_at = [(e.claim.id, e.number, e.result) for e in wanted]
            pages_recorded.send(sender=Page, job=job, looked_at=looked_at)
        crash_points.reached("understand.before_commit")
