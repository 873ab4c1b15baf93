"""The merchant has seen an edition's changes: which of them go out, and what becomes of products that are gone.

Approval writes down the decision and the line of each product; the imports themselves are opened by ``release``, which
also serves imports that an operator held (PROTOCOLS P3).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from catalogsku.core import bulk, messages, metrics
from catalogsku.core.errors import Conflict
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, JobStatus, PageStage
from ingestion.models import Job, Page
from processing.delivery.targets import target_of
from processing.engine.editions.products import UNCHANGED
from processing.lifecycle import IMPORT, SKU, Delivery, ImportKind, SkuStatus
from processing.models import ChangeKind, Edition, EditionChange, EditionState, ImportRecord, Sku
from processing.services import comparing, compensating, ledger

PAGES_A_MESSAGE = 8
SKUS_TOGETHER = 500
ENDED = (JobStatus.CANCELLED, JobStatus.REJECTED)


def pages_open(job: Job) -> int:
    """Pages that machines or people still have: their products are not known."""
    return Page.objects.filter(job=job, status__in=[*PAGES_WITH_MACHINES, *PAGES_WITH_PEOPLE]).count()


@transaction.atomic
def choose(job: Job, *, goes: bool, keys: Collection[str] = (), kind: str = "") -> int:
    """Take these changes in or leave them out, or all of a kind; how many. Raises Conflict(edition_closed)."""
    edition = _open(job)
    rows = EditionChange.objects.filter(edition=edition)
    rows = rows.filter(kind=kind) if kind else rows.filter(key__in=keys)
    return rows.update(goes=goes)


@transaction.atomic
def approve(job: Job, seen: str, actor: str) -> None:
    """``seen``: the digest of the changes that the person looked at.

    Raises Conflict: edition_closed, edition_not_ready (``pages`` still in work), edition_moved_on, edition_overtaken.
    """
    edition = _open(job)
    if pages := pages_open(job):
        raise Conflict("edition_not_ready", pages=pages)
    found = comparing.compare(edition)
    if edition.digest != seen or comparing.digest_of(found) != seen:
        messages.send_after_commit("compare_edition", job.pk)
        raise Conflict("edition_moved_on")
    later = Edition.objects.filter(predecessor=edition.predecessor, state=EditionState.APPROVED, job__gt=job.pk)
    if later.exists():
        raise Conflict("edition_overtaken")
    left_out = set(edition.changes.filter(goes=False).values_list("key", flat=True))
    _draw_lines(edition, list(_lines(found, left_out)))
    _take_back(edition)
    told = {"state": EditionState.APPROVED, "actor": actor, "decided_at": Now()}
    Edition.objects.filter(pk=edition.pk).update(**told)
    Job.objects.filter(pk=job.pk).update(**Job.visible_change())
    messages.send_after_commit("release_imports", job.pk)
    metrics.after_commit(metrics.EDITIONS, outcome="approved")


def _open(job: Job) -> Edition:
    Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    rows = Edition.objects.select_for_update(no_key=True, of=("self",)).filter(job=job, state=EditionState.OPEN)
    edition = rows.select_related("job", "predecessor").first()
    if edition is None or edition.job.status in ENDED:
        raise Conflict("edition_closed")
    return edition


@dataclass(frozen=True)
class _Line:
    """A product and the one that it continues; ``apart``: the merchant leaves it out."""

    sku: Sku
    before: Sku | None
    same: bool
    apart: bool

    @property
    def is_there(self) -> bool:
        """It may be that targets hold it as it is."""
        return self.same and self.before is not None and self.before.status == SkuStatus.IMPORTED


def _lines(found: comparing.Compared, left_out: Collection[str]) -> Iterator[_Line]:
    old, new = (Sku.objects.select_related("page").in_bulk(list(ids.values())) for ids in (found.earlier, found.later))
    for one in found.differences:
        if one.later is not None:
            sku, same = new[found.later[one.later.key]], one.kind == UNCHANGED
            before = old[found.earlier[one.earlier.key]] if one.earlier else None
            apart = sku.sku_id in left_out or (same and before is not None and before.left_out)
            yield _Line(sku, before, same, apart)


def _draw_lines(edition: Edition, lines: Sequence[_Line]) -> None:
    """Each product continues the earlier one, under the id that targets know; the same ones count as delivered."""
    # Some went out under their own ids before anybody said that this is an edition: there they are one too many.
    sent = set(ImportRecord.objects.filter(job=edition.job).values_list("sku", flat=True))
    twice = [line.sku for line in lines if line.sku.pk in sent and (line.before is not None or line.apart)]
    compensating.remove(edition.job, twice)
    rows = [
        {
            "id": line.sku.pk, "left_out": line.apart, "predecessor": line.before.sku_id if line.before else "",
            "downstream_id": line.before.key if line.before else "",
        }
        for line in lines
    ]  # fmt: skip
    bulk.update_rows(Sku, rows, Sku.visible_sql())
    done = _count_as_delivered(edition.job, [(one.before, one.sku) for one in lines if one.before and one.is_there])
    for sku in twice:
        sku.refresh_from_db()
    edition.job.import_hold = False  # of this object alone: rows are opened, and wait for the job's own row
    ledger.open_imports(edition.job, [sku for sku in twice if sku.pk not in done])


def _count_as_delivered(job: Job, pairs: Sequence[tuple[Sku, Sku]]) -> set[int]:
    """Where the target holds the earlier one for certain: a generation of the same bytes, which needs no call.

    The ids of those SKUs of ``pairs`` for which it was so.
    """
    target, _ = target_of(job.merchant_id)
    known = ledger.standings(target, job.merchant_id, [before.key for before, _ in pairs])
    held = {key: one for key, one in known.items() if one.certain is not None and not one.in_flight}
    certain = {
        row.sku_key: row
        for row in ImportRecord.objects.filter(pk__in=[one.certain.pk for one in held.values() if one.certain])
        if row.kind != ImportKind.DELETE
    }
    rows, skus = [], []
    for before, sku in pairs:
        row, standing = certain.get(before.key), held.get(before.key)
        if row is None or standing is None or standing.last is None or standing.last.pk != row.pk:
            continue
        skus.append(sku.pk)
        rows.append({
            "target": target, "merchant_id": job.merchant_id, "job_id": job.pk, "page_id": sku.page_id,
            "sku_id": sku.pk, "sku_key": before.key, "generation": standing.generation, "attempt": 0, "conflicts": 0,
            "payload": bytes(row.payload), "payload_hash": row.payload_hash, "external_id": row.external_id,
            "kind": row.kind, "state": IMPORT.check_path(Delivery.PENDING, Delivery.CONFIRMED), "uncertain": False,
            "drift": "",
        })  # fmt: skip
    bulk.insert_rows(ImportRecord, rows)
    if skus:
        move(SKU, Sku.objects.filter(pk__in=skus), to=SkuStatus.IMPORTED, trigger="delivered")
    return set(skus)


def _take_back(edition: Edition) -> None:
    """Products that are gone and that the merchant does not want to keep."""
    rows = edition.changes.filter(kind=ChangeKind.REMOVED, goes=True, earlier__isnull=False).select_related("earlier")
    gone = [change.earlier for change in rows if change.earlier is not None]
    for sku in gone:
        sku.left_out = False  # an edition before may have left it out: the target still has what was there before that
    compensating.remove(edition.predecessor, gone)


def release(job_id: int) -> int:
    """Open the imports of a job that nothing holds any more, then let them out; how many were opened.

    In steps, each its own transaction: nothing goes out before the last one, and after a crash it goes on.
    """
    opened = 0
    while (step := _release_step(job_id)) > 0:
        opened += step
    return opened


@transaction.atomic
def _release_step(job_id: int) -> int:
    job = releasable().select_for_update(no_key=True, of=("self",)).filter(pk=job_id).first()
    if job is None:
        return 0
    due = Sku.objects.filter(unsent(), job=job).select_related("page").order_by("pk")
    skus = list(due[:SKUS_TOGETHER])
    if skus:
        _in_turn(job, {sku.key.partition("_")[0] for sku in skus})
        job.import_hold = False  # of this object alone: rows are opened, and wait for the job's own row
        ledger.open_imports(job, skus)
        passed = [sku.pk for sku in skus]
        if Sku.objects.filter(unsent(), pk__in=passed).exists():  # a later edition speaks for them
            Sku.objects.filter(unsent(), pk__in=passed).update(left_out=True)
        return len(skus)
    Job.objects.filter(pk=job_id).update(import_hold=False, **Job.visible_change())
    pages = list(
        Page.objects.filter(job=job_id, imports__isnull=False).order_by("pk").values_list("pk", flat=True).distinct()
    )
    for at in range(0, len(pages), PAGES_A_MESSAGE):
        messages.send_after_commit("deliver_pages", pages[at : at + PAGES_A_MESSAGE])
    held = Page.objects.filter(job=job_id, import_state="pending").order_by("pk").values_list("pk", flat=True)
    messages.send_after_commit("settle_pages", list(held))
    messages.send_after_commit("settle_job", job_id)
    return 0


def _in_turn(job: Job, hashes: Collection[str]) -> None:
    """As recording does: documents of the same file number their imports one after the other."""
    with connection.cursor() as cursor:
        for hash8 in sorted(hashes):
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [0x5C1, f"{job.merchant_id}/{hash8}"])


def releasable() -> "QuerySet[Job]":
    """Held jobs that no operator holds, and of which no edition waits to be approved: the sweep's find."""
    waiting = Edition.objects.filter(job=OuterRef("pk"), state=EditionState.OPEN)
    unread = (*ENDED, JobStatus.UPLOADED)  # whether it is an edition is found out when its pages are first seen
    return Job.objects.filter(~Exists(waiting), import_hold=True, import_held_by="").exclude(status__in=unread)


def unsent() -> Q:
    """SKUs that may go out and have not: of pages that machines have done with and nobody has to look at."""
    of_page = Q(page__needs_review=False) | ~Q(page__blockers__contains=[{"sku": None}])
    own = Q(superseded=False, left_out=False, status=SkuStatus.BOUND, blockers=[], imports__isnull=True)
    return of_page & own & Q(page__stage=PageStage.NONE)


def release_all(limit: int = 20) -> int:
    return sum(release(job_id) for job_id in releasable().order_by("pk").values_list("pk", flat=True)[:limit])
