"""A document is the next edition of an earlier one: recognised by its pages, said so by a person, and taken back.

While an edition is open nothing of it goes out: the job is held until the merchant has seen what changed (X-DIFF).
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Now

from catalogsku.core import messages, metrics
from catalogsku.core.errors import Conflict, NotFound
from catalogsku.profiles.services import BASE_CATEGORY, DEFAULT_PROFILE, dictionaries_for, profile_for, schema_for
from ingestion.lifecycle import SETTLED, JobStatus
from ingestion.models import Job, Page
from ingestion.services.jobs import rerun_pages
from processing.editions.models import UNSETTLED, Edition, EditionState, Origin
from processing.editions.services import carrying
from processing.engine.editions.families import family_of
from processing.engine.editions.pages import Pair, Share, Sheet, match_pages, share_of
from processing.products.models import Sku

log = logging.getLogger(__name__)

CANDIDATES = 5
NO_CATEGORY = ("", BASE_CATEGORY)
ENDED = (JobStatus.CANCELLED, JobStatus.REJECTED)


@transaction.atomic
def recognise(job: Job, prescans: Sequence[Mapping[str, Any]]) -> None:
    """Before the job has pages: find out whose next edition it is, hold its imports, and keep the contents of the pages
    that are the same under its own file. A document that a person has named is taken as that. Twice changes nothing.
    """
    known = Edition.objects.filter(job=job).first()
    if known is not None and (known.pages or known.state != EditionState.OPEN):
        return
    later = [Sheet(p["number"], p["fingerprint"], p["likeness"]) for p in prescans if p["fingerprint"]]
    declared = _seen(job.edition_of) if job.edition_of is not None else None
    best = _compared(declared, later) if declared is not None else _best(job, later)
    if best is None:
        return
    earlier, pairs, share = best
    edition = _open(job, earlier, Origin.DECLARED if declared is not None else Origin.RECOGNISED, pairs, share)
    _inherit_category(job, earlier)
    carrying.copy_contents(job, edition)
    log.info("edition found", extra={"job_id": job.pk, "earlier_id": earlier.pk, "share": edition.share})


def _inherit_category(job: Job, earlier: Job) -> None:
    """Where nobody has named one for the new edition; with its schema, its words and, where none was named
    either, its profile."""
    if job.category not in NO_CATEGORY or earlier.category in NO_CATEGORY:
        return
    job.category, job.schema = earlier.category, schema_for(earlier.category)
    if job.profile.key == DEFAULT_PROFILE:
        job.profile = profile_for(earlier.category)
    job.dictionaries = dictionaries_for(job.merchant_id, job.category)
    job.save(update_fields=["category", "schema", "profile", "dictionaries"])


def _seen(job: Job) -> Job:
    """The document itself, or, where it is an edition that nobody has seen yet, the one before it."""
    while (edition := Edition.objects.filter(job=job, state__in=UNSETTLED).first()) is not None:
        job = edition.predecessor
    return job


@transaction.atomic
def declare(job: Job, earlier: Job, actor: str) -> Edition:
    """A person says so, before or after the pages were read; those that no machine has begun with are carried over.

    Raises Conflict (job_ended, edition_same_file, edition_order, edition_open, edition_closed).
    """
    job = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    _refuse(job, earlier)
    later = sheets_of(job)
    _, pairs, share = _compared(earlier, later)
    edition = _open(job, earlier, Origin.DECLARED, pairs, share, actor)
    if later:
        carrying.copy_contents(job, edition)
        carrying.carry_results(job.pk)
        messages.send_after_commit("compare_edition", job.pk)
    return edition


def _refuse(job: Job, earlier: Job) -> None:
    state = Edition.objects.filter(job=job).values_list("state", flat=True).first()
    if state in (*UNSETTLED, EditionState.APPROVED):
        raise Conflict("edition_open" if state == EditionState.OPEN else "edition_closed")
    if job.status in ENDED or earlier.status in ENDED:
        raise Conflict("job_ended")
    if (job.merchant_id, job.kind) != (earlier.merchant_id, earlier.kind):
        raise NotFound("not_found")
    if job.file_sha256 == earlier.file_sha256:
        raise Conflict("edition_same_file")
    if earlier.pk >= job.pk:
        raise Conflict("edition_order")
    if Edition.objects.filter(job=earlier, state__in=UNSETTLED).exists():
        raise Conflict("edition_unseen", name=earlier.source_name)


@transaction.atomic
def undo(job: Job, actor: str) -> None:
    """It is a document of its own: pages that were carried over go through the machines, and nothing holds its imports.

    Raises Conflict(edition_closed) once it has been approved, or where there is none.
    """
    job = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    rows = Edition.objects.filter(job=job, state=EditionState.OPEN)
    if not rows.update(state=EditionState.UNDONE, actor=actor, decided_at=Now()):
        raise Conflict("edition_closed")
    Job.objects.filter(pk=job.pk).update(edition_of=None, **Job.visible_change())
    Sku.objects.filter(job=job).exclude(predecessor="").update(predecessor="", left_out=False)
    carried = Page.objects.filter(job=job, carried=True)
    numbers = list(carried.values_list("number", flat=True))
    carried.update(carried=False)
    if numbers and job.status not in ENDED:
        rerun_pages(job, numbers, actor)
    messages.send_after_commit("release_imports", job.pk)
    metrics.after_commit(metrics.EDITIONS, outcome="undone")


def abandon(job: Job, actor: str) -> None:
    """Its document is cancelled: nobody approves it any more, and carrying it out stops. The caller holds the job."""
    decision = {"state": EditionState.UNDONE, "actor": actor, "decided_at": Now(), "lease_until": None}
    if Edition.objects.filter(job=job, state__in=UNSETTLED).update(**decision):
        metrics.after_commit(metrics.EDITIONS, outcome="undone")


def sheets_of(job: Job) -> list[Sheet]:
    """The job's pages as they are compared; those that nothing tells apart are left out."""
    rows = Page.objects.filter(job=job).exclude(fingerprint="").order_by("number")
    return [
        Sheet(number, fingerprint, likeness, skus > 0)
        for number, fingerprint, likeness, skus in rows.values_list("number", "fingerprint", "likeness", "sku_count")
    ]


def _open(job: Job, earlier: Job, origin: str, pairs: Sequence[Pair], share: Share, actor: str = "") -> Edition:
    columns = {
        "predecessor": earlier,
        "origin": origin,
        "state": EditionState.OPEN,
        "pages": [list(pair) for pair in pairs],
        "share": round(min(share.of_earlier, share.of_later), 4),
        "actor": actor,
        "compared": None,
        "digest": "",
        "tally": {},
        "decided_at": None,
    }
    edition, _ = Edition.objects.update_or_create(job=job, defaults=columns)
    Job.objects.filter(pk=job.pk).update(edition_of=earlier, import_hold=True, **Job.visible_change())
    metrics.after_commit(metrics.EDITIONS, outcome=str(origin))
    return edition


def _compared(earlier: Job, later: Sequence[Sheet]) -> tuple[Job, list[Pair], Share]:
    sheets = sheets_of(earlier)
    pairs = match_pages(sheets, later)
    return earlier, pairs, share_of(sheets, later, pairs)


def _best(job: Job, later: Sequence[Sheet]) -> tuple[Job, list[Pair], Share] | None:
    """The document that shares most; of several the newest."""
    compared = [_compared(earlier, later) for earlier in _candidates(job, later)]
    family = family_of(job.source_name)
    editions = [
        candidate
        for candidate in compared
        if candidate[2].is_edition(same_family=bool(family) and family_of(candidate[0].source_name) == family)
    ]
    return max(editions, key=lambda candidate: (candidate[2].pages, candidate[0].pk), default=None)


def _candidates(job: Job, later: Sequence[Sheet]) -> list[Job]:
    """Earlier documents of the merchant with the most pages that look alike. An edition that nobody has seen yet is
    none: its products are not known to targets under the ids that they will have."""
    likenesses = {sheet.likeness for sheet in later if sheet.likeness}
    if not likenesses:
        return []
    of_merchant = {"job__merchant": job.merchant_id, "job__kind": job.kind}
    pages = Page.objects.filter(
        **of_merchant, likeness__in=likenesses, job__lt=job.pk, job__status__in=SETTLED
    ).exclude(Q(job__file_sha256=job.file_sha256) | Q(job__edition__state__in=UNSETTLED))
    counted = pages.values("job").annotate(n=Count("likeness", distinct=True)).order_by("-n", "-job")
    ids = [row["job"] for row in counted[:CANDIDATES]]
    return list(Job.objects.filter(pk__in=ids))
