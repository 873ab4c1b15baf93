"""The merchant has seen an edition's changes: which of them go out, and what becomes of products that are gone.

Approval writes down the decision, ``carry_out`` the line of each product; the imports themselves are opened by
``release``, which also serves imports that an operator held (docs/protocols.md P3).
"""

from collections.abc import Collection
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from catalogsku.core import live, messages, metrics
from catalogsku.core.errors import Conflict, NotFound
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, JobStatus, PageStage
from ingestion.models import Job, Page
from ingestion.notices.kinds import Kind
from ingestion.notices.services.telling import end
from processing.editions.models import (
    UNSETTLED,
    ChangeKind,
    Edition,
    EditionChange,
    EditionRenaming,
    EditionState,
    RenamingState,
)
from processing.editions.services import comparing, continuing
from processing.imports.services import compensating, ledger
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku

PAGES_A_MESSAGE = 8
SKUS_TOGETHER = 500
# Of whoever carries an edition out, from step to step; a message of which nothing has come by LATE_S is lost.
LEASE_S, LATE_S = 60, 10
ENDED = (JobStatus.CANCELLED, JobStatus.REJECTED)


def pages_open(job: Job) -> int:
    """Pages that machines or people still have: their products are not known."""
    return Page.objects.filter(job=job, status__in=[*PAGES_WITH_MACHINES, *PAGES_WITH_PEOPLE]).count()


@transaction.atomic
def choose(job: Job, *, goes: bool, keys: Collection[str] = (), kind: str = "") -> int:
    """Take these changes in or leave them out, or all of a kind; how many. Raises Conflict(edition_closed)."""
    edition = _open(job)
    rows = EditionChange.objects.filter(edition=edition)
    if not kind:
        return rows.filter(key__in=keys).update(goes=goes, noted_together=False)
    rows.filter(noted_together=True).update(noted_together=False)
    rows.filter(kind=kind, goes=not goes).update(goes=goes, noted_together=True)
    return rows.filter(kind=kind).count()


@transaction.atomic
def take_back_choice(job: Job) -> int:
    """Undo the last word on all changes of a kind; what was decided before it, or singly since, stays. How many.

    Raises Conflict(edition_closed).
    """
    rows = EditionChange.objects.filter(edition=_open(job), noted_together=True)
    return rows.update(goes=~F("goes"), noted_together=False)


@transaction.atomic
def say_renamed(job: Job, earlier: str, later: str, *, taken: bool, actor: str) -> None:
    """Whether the two are one product under another code; the changes are compared with that at once. Twice is once.

    Raises Conflict(edition_closed), NotFound(not_found) for a pair that was not proposed or is no more.
    """
    edition = _open(job)
    rows = EditionRenaming.objects.filter(edition=edition)
    pair = rows.filter(earlier=earlier, later=later).first()
    state = RenamingState.TAKEN if taken else RenamingState.LEFT
    others = rows.filter(Q(earlier=earlier) | Q(later=later), state=RenamingState.TAKEN)
    if pair is None or (taken and others.exclude(pk=pair.pk).exists()):
        raise NotFound("not_found")
    if pair.state != state:
        rows.filter(pk=pair.pk).update(state=state, actor=actor)
        comparing.compare_edition(job.pk)


@transaction.atomic
def approve(job: Job, seen: str, actor: str) -> None:
    """Only written down here: of twenty thousand products the rest takes a while. ``seen``: the digest of the changes
    that the person looked at.

    Raises Conflict: edition_closed, edition_not_ready (``pages`` still in work), edition_moved_on, edition_overtaken.
    """
    edition = _open(job)
    if pages := pages_open(job):
        raise Conflict("edition_not_ready", pages=pages)
    if edition.digest != seen or edition.compared is None:
        messages.send_after_commit("compare_edition", job.pk)
        raise Conflict("edition_moved_on")
    taken = (EditionState.APPROVING, EditionState.APPROVED)
    if Edition.objects.filter(predecessor=edition.predecessor, state__in=taken, job__gt=job.pk).exists():
        raise Conflict("edition_overtaken")
    decision = {"state": EditionState.APPROVING, "actor": actor, "decided_at": Now()}
    Edition.objects.filter(pk=edition.pk).update(**decision)
    Job.objects.filter(pk=job.pk).update(**Job.visible_change())
    messages.send_after_commit("carry_out_edition", job.pk)


def _open(job: Job) -> Edition:
    Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    rows = Edition.objects.select_for_update(no_key=True, of=("self",)).filter(job=job, state=EditionState.OPEN)
    edition = rows.select_related("job", "predecessor").first()
    if edition is None or edition.job.status in ENDED:
        raise Conflict("edition_closed")
    return edition


def carry_out(job_id: int) -> bool:
    """What was approved takes effect, in steps, each its own transaction; after a crash it goes on.

    False where there is nothing to do, or somebody else does it; or where pages have changed since the merchant looked:
    then somebody has to look again.
    """
    if not _take(_waiting().filter(pk=job_id)):
        return False
    edition = Edition.objects.select_related("job", "predecessor").get(pk=job_id)
    try:
        compared = comparing.compare(edition)
        has_begun = Sku.objects.filter(job=job_id).exclude(downstream_id="").exists()
        if has_begun or (not pages_open(edition.job) and comparing.digest_of(compared) == edition.digest):
            return _draw_lines(edition, compared) and _take_back(edition) and _finish(edition)
        _look_again(edition)
        return False
    finally:
        Edition.objects.filter(pk=job_id).update(lease_until=None)


def _take(rows: "QuerySet[Edition]") -> bool:
    return rows.update(lease_until=Now() + timedelta(seconds=LEASE_S)) > 0


def _approved() -> "QuerySet[Edition]":
    """Approved, and not carried out yet."""
    ended = Job.objects.filter(pk=OuterRef("pk"), status__in=ENDED)
    return Edition.objects.filter(~Exists(ended), state=EditionState.APPROVING)


def _waiting() -> "QuerySet[Edition]":
    """Of these, the ones that nobody has in hand."""
    return _approved().filter(Q(lease_until=None) | Q(lease_until__lte=Now()))


def _draw_lines(edition: Edition, compared: comparing.Compared) -> bool:
    left_out = set(edition.changes.filter(goes=False).values_list("key", flat=True))
    for at in range(0, len(compared.differences), SKUS_TOGETHER):
        with transaction.atomic():
            if not _take(_approved().filter(pk=edition.pk)):
                return False
            continuing.continue_products(edition, compared, compared.differences[at : at + SKUS_TOGETHER], left_out)
    return True


def _take_back(edition: Edition) -> bool:
    """Products that are gone and that the merchant does not want to keep."""
    rows = edition.changes.filter(kind=ChangeKind.REMOVED, goes=True, earlier__isnull=False).order_by("pk")
    ids = list(rows.values_list("earlier", flat=True))
    for at in range(0, len(ids), SKUS_TOGETHER):
        gone = list(Sku.objects.filter(pk__in=ids[at : at + SKUS_TOGETHER]).order_by("pk"))
        for sku in gone:
            sku.left_out = False  # an edition before may have left it out: the target still has what was there before
        with transaction.atomic():
            if not _take(_approved().filter(pk=edition.pk)):
                return False
            compensating.remove(edition.predecessor, gone)
    return True


@transaction.atomic
def _finish(edition: Edition) -> bool:
    _lock(edition)
    if not _approved().filter(pk=edition.pk).update(state=EditionState.APPROVED):
        return False
    Job.objects.filter(pk=edition.pk).update(**Job.visible_change())
    messages.send_after_commit("release_imports", edition.pk)
    metrics.after_commit(metrics.EDITIONS, outcome="approved")
    live.hint_after_commit(edition.pk)
    return True


@transaction.atomic
def _look_again(edition: Edition) -> None:
    """``decided_at`` stays: it tells the merchant that the approval did not hold."""
    _lock(edition)
    _approved().filter(pk=edition.pk).update(state=EditionState.OPEN)
    Job.objects.filter(pk=edition.pk).update(**Job.visible_change())
    messages.send_after_commit("compare_edition", edition.pk)
    live.hint_after_commit(edition.pk)


def _lock(edition: Edition) -> None:
    """The job before its edition, as everybody does who takes both."""
    Job.objects.select_for_update(no_key=True).get(pk=edition.pk)


def send_approved() -> int:
    """Ring for what a lost message or a crash has left: the sweep's find."""
    late = _waiting().filter(decided_at__lt=Now() - timedelta(seconds=LATE_S)).order_by("pk")
    ids = list(late.values_list("pk", flat=True))
    for job_id in ids:
        messages.send("carry_out_edition", job_id)
    return len(ids)


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
    end((Kind.HELD,), [job_id])
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
    """Held jobs that no operator holds, and of which no edition waits: the sweep's find."""
    waiting = Edition.objects.filter(job=OuterRef("pk"), state__in=UNSETTLED)
    unread = (*ENDED, JobStatus.UPLOADED)  # whether it is an edition is found out when its pages are first seen
    return Job.objects.filter(~Exists(waiting), import_hold=True, import_held_by="").exclude(status__in=unread)


def unsent() -> Q:
    """SKUs that may go out and have not: of pages that machines have done with and nobody has to look at."""
    of_page = Q(page__needs_review=False) | ~Q(page__blockers__contains=[{"sku": None}])
    own = Q(superseded=False, left_out=False, status=SkuStatus.BOUND, blockers=[], imports__isnull=True)
    return of_page & own & Q(page__stage=PageStage.NONE)


def release_all(limit: int = 20) -> int:
    return sum(release(job_id) for job_id in releasable().order_by("pk").values_list("pk", flat=True)[:limit])
