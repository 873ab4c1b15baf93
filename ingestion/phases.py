"""The strip of a document's phases, from the upload to what people do."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from catalogsku.core.templatetags.ui import megabytes
from ingestion.kinds import KINDS, Kind
from ingestion.lifecycle import JobStage, JobStatus, ModelsState, PageStage
from ingestion.models import Job
from ingestion.presentation import Groups


@dataclass(frozen=True)
class Phase:
    """``share``: 0 to 1 of its work; ``state``: done, running, waiting or people."""

    key: str
    icon: str
    name: str
    figure: str
    unit: str
    state: str
    share: float


def phases(job: Job, groups: Groups) -> list[Phase]:
    """Those that the document's kind goes through. Of a stopped document nothing runs, and what it did not reach stays
    open."""
    kind = KINDS[job.kind]
    goes_through = {
        "evaluate": JobStage.EVALUATE in kind.stages,
        "understand": PageStage.UNDERSTAND in kind.stages,
        "extract": JobStage.EXTRACT in kind.stages,
        "ask": JobStage.ASK in kind.stages,
        "deliver": kind.by_pages,
    }
    return [phase for phase in _phases(job, groups, kind) if goes_through.get(phase.key, True)]


def _phases(job: Job, groups: Groups, kind: Kind) -> list[Phase]:
    is_paged, evaluates = kind.by_pages, JobStage.EVALUATE in kind.stages
    total, filled = groups.total, groups.total - groups.blank
    stopped = job.status in (JobStatus.REJECTED, JobStatus.CANCELLED)
    checked = job.checked_at is not None and job.status != JobStatus.REJECTED
    evaluated = bool(job.route) if evaluates else checked
    read = filled - groups.unread
    people = groups.counts["people"]
    pages = str(job.total_pages or "") if checked else ""
    confidence = f"{job.c_doc:.2f}" if job.c_doc is not None else ""
    sent = groups.sent / filled if groups.skus else 0.0
    delivered = f"{groups.delivered} / {groups.skus} SKU" if groups.skus else ""
    is_theirs = people or (not is_paged and job.status == JobStatus.PARTIAL_IMPORTED)
    waits = "people" if is_theirs else "done" if job.completion_source else "waiting"
    return [
        Phase("receive", "receive", _("Receive"), megabytes(job.source_bytes), "", "done", 1.0),
        Phase(
            "check",
            "shield",
            _("Check"),
            pages,
            ngettext("page", "pages", job.total_pages or 0) if pages else "",
            *_bar(float(checked), started=not stopped),
        ),
        Phase(
            "evaluate",
            "gauge",
            _("Evaluate"),
            confidence,
            pgettext("unit", "confidence") if confidence else "",
            *_bar(float(evaluated), started=checked and not stopped),
        ),
        _counted("read", "eye", _("Read"), read, filled, started=total > 0 and not stopped),
        _counted(
            "understand", "bolt-line", _("Understand"), groups.understood, filled, started=evaluated and not stopped
        ),
        *_of_the_whole(job, groups, stopped=stopped),
        Phase("deliver", "deliver", _("Deliver"), delivered, "", *_bar(sent, started=groups.delivered > 0)),
        Phase(
            "people",
            "person",
            _("People"),
            str(people) if people else "",
            _("waiting") if people else "",
            waits,
            float(bool(is_theirs)),
        ),
    ]


def _of_the_whole(job: Job, groups: Groups, *, stopped: bool) -> tuple[Phase, Phase]:
    """What follows the pages, where a kind takes something from a document as a whole and models are asked about it."""
    is_read = groups.total > 0 and not groups.with_machines and not stopped
    is_extracted = is_read and job.stage in (JobStage.ASK, JobStage.NONE)
    asks, may_not = job.models_state == ModelsState.ASKING, job.models_state in (ModelsState.NONE, ModelsState.LEFT)
    is_asked = is_extracted and job.stage == JobStage.NONE and not asks
    state, share = ("people", 1.0) if is_extracted and asks else _bar(float(is_asked), started=is_extracted)
    said = _("waits for a go-ahead") if state == "people" else _("not asked") if is_asked and may_not else ""
    return (
        Phase("extract", "search", _("Find values"), "", "", *_bar(float(is_extracted), started=is_read)),
        Phase("ask", "bolt-line", _("Ask models"), "", said, state, share),
    )


def _counted(key: str, icon: str, name: str, done: int, total: int, *, started: bool) -> Phase:
    share = done / total if total and started else 0.0
    return Phase(key, icon, name, f"{done} / {total}" if started and total else "", "", *_bar(share, started=started))


def _bar(share: float, *, started: bool) -> tuple[str, float]:
    return ("done" if share >= 1.0 else "running" if started else "waiting"), round(min(share, 1.0), 4)
