"""What the page about one document says of it beside its pages: figures, pace, reasons, problems, route, activity."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from django.db import connection
from django.db.models import (
    Q,
)
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogsku.core.models import Transition
from catalogsku.core.templatetags.ui import duration
from ingestion import presentation
from ingestion.lifecycle import (
    JobStatus,
    PageStatus,
    SkipReason,
)
from ingestion.models import Job, Page
from ingestion.page_groups import groups_of, pace, took
from ingestion.phases import phases
from ingestion.presentation import Event, Groups
from ingestion.reasons import DIMENSIONS, PENALTIES, ROUTE_REASONS, reason_sentence
from ingestion.selectors import tile_rows, waiting_words
from ingestion.standing import standing

EVENTS_SHOWN = 100
# What upper apps know of a document, as further entries of ``figures``: one query each.
MORE_FIGURES: list[Callable[[Job], dict[str, str]]] = []


def figures(job: Job, groups: Groups | None = None) -> dict[str, Any]:
    """The numbers of the job page, named as its elements name them; in the active language."""
    groups = groups or groups_of(job)
    stands, total = standing(job, groups), groups.total
    figures_shown: dict[str, Any] = {
        "v": job.version + groups.versions,
        "status": job.status,
        "shape": _shape(job, groups),
        "status_word": stands.word,
        "status_icon": stands.icon,
        "status_tone": stands.tone,
        "reason": waiting_words(job, groups) or stands.reason,
        "skus": str(groups.skus) if total else "",
        "skus_detail": "",
        "without_people": stands.without_people,
        "without_people_detail": stands.without_people_detail,
        **rate(job, groups),
    }
    for phase in phases(job, groups):
        figures_shown |= {
            f"phase.{phase.key}.{name}": value
            for name, value in asdict(phase).items()
            if name not in ("key", "icon", "name")
        }
    figures_shown |= {f"filter.{entry.key}": str(entry.count) for entry in presentation.page_filters(groups)}
    for more in MORE_FIGURES:
        figures_shown |= more(job)
    return figures_shown


def _shape(job: Job, groups: Groups) -> str:
    """What the job page consists of: where it differs from what is shown, leaf values do not do and all is fetched."""
    models = (job.models_state, job.models_pages, job.models_estimated_micro, groups.unpriced > 0, groups.batched > 0)
    parts = (job.status, job.failure_code, job.held_reason, job.import_hold, groups.total, *models)
    return "|".join(str(part) for part in (*parts, groups.counts["failed"] > 0, groups.skus > 0))


def rate(job: Job, groups: Groups) -> dict[str, str]:
    """The pace and the time that is left, in words; what it took once machines have nothing left."""
    left, past = pace(job, groups), took(job, groups)
    name = _("Took") if past else _("Time left")
    per_s, seconds = left or past or (0.0, 0.0)
    if not per_s:
        return {"rate": "", "eta": "", "eta_name": name}
    return {"rate": _("%(n)s pages/min") % {"n": f"{per_s * 60:.0f}"}, "eta": duration(seconds), "eta_name": name}


def reasons(job: Job, limit: int = 8) -> list[tuple[str, str, int]]:
    """(code, sentence, pages) of what people are needed for, most frequent first."""
    waiting = (PageStatus.HUMAN_QUEUED, PageStatus.HUMAN_PROCESSING)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT b->>'code', count(DISTINCT p.id), min(p.number)"
            " FROM ingestion_page p, jsonb_array_elements(p.blockers) b"
            " WHERE p.job_id = %s AND p.status = ANY(%s) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s",
            [job.pk, list(waiting), limit],
        )
        return [(code, reason_sentence(code), count) for code, count, _first in cursor.fetchall()]


def problems(job: Job, limit: int = 8) -> list[tuple[int, str, str]]:
    """(page number, sentence, address) of pages that failed."""
    stopped = Q(status__in=(PageStatus.AI_FAILED, PageStatus.DEAD_LETTER)) | Q(skip_reason=SkipReason.SLA)
    rows = Page.objects.filter(stopped | Q(import_state__in=("failed", "stale")), job=job).order_by("number")[:limit]
    rows_shown = []
    for page in rows:
        sentence = (presentation.page_reasons(page) or [_("Delivery was refused")])[0]
        rows_shown.append((page.number, sentence, f"{reverse('job', args=[job.uuid])}#page-{page.number}"))
    return rows_shown


def route_report(job: Job) -> dict[str, Any] | None:
    """Why the document goes its way: score, thresholds, dimensions, penalties; None before it is evaluated."""
    why = job.route_reason
    if not why:
        return None
    thresholds = why.get("thresholds", {})
    penalties = [str(PENALTIES[p["rule"]]) % {"weight": f"{p['weight']:.2f}"} for p in why.get("penalties", [])]
    return {
        "c_doc": job.c_doc,
        "sentences": [str(ROUTE_REASONS[code]) % thresholds for code in why["codes"] if code in ROUTE_REASONS]
        + penalties,
        "dimensions": [(str(label), why.get("dimensions", {}).get(key)) for key, label in DIMENSIONS.items()],
        "sampled": why.get("sampled", 0),
        "model": why.get("model", ""),
        "failed": bool(why.get("failures")),
        "reused": why.get("reused", False),
    }


def activity(job: Job, limit: int = EVENTS_SHOWN) -> list[Event]:
    """The latest moves of the job and its pages, newest first (LX-ONEURL)."""
    rows = list(Transition.objects.filter(job_id=job.pk, entity__in=("job", "page")).order_by("-id")[:limit])
    numbers = dict(
        Page.objects.filter(pk__in=[r.entity_id for r in rows if r.entity == "page"]).values_list("pk", "number")
    )
    events = []
    for row in rows:
        if row.entity == "job":
            look, text = presentation.JOBS[row.target], str(JobStatus(row.target).label)
        else:
            look = presentation.TILES[row.target]
            text = _("Page %(n)s: %(what)s") % {
                "n": numbers.get(row.entity_id, "?"),
                "what": PageStatus(row.target).label,
            }
        events.append(Event(row.at, look.icon, text))
    return events


def sync(job: Job) -> dict[str, Any]:
    """The whole region as leaf values: what a socket gets first, and the page polls while its socket is down."""
    rows = [tile.as_row() for tile in tile_rows(job, Page.objects.all())]
    return {"type": "sync", "rows": rows, "figures": figures(job)}


def changes(job_id: int, page_ids: Sequence[int]) -> dict[str, Any]:
    """These pages and the job's figures as leaf values; for sockets whose right to the job has been checked."""
    job = Job.objects.get(pk=job_id)
    rows = [tile.as_row() for tile in tile_rows(job, Page.objects.filter(pk__in=page_ids))]
    return {"type": "rows", "rows": rows, "figures": figures(job)}
