"""Making, cancelling and taking up jobs."""

import hashlib
import uuid
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from structlog.contextvars import bind_contextvars, get_contextvars

from catalogsku.accounts.models import User
from catalogsku.core import messages, secrets, work
from catalogsku.core.errors import Conflict, NotFound
from catalogsku.core.moves import move
from catalogsku.profiles.services import dictionaries_for, profile_for, prompts_for, routing_now, schema_for
from ingestion import kinds
from ingestion.keeping.selectors import source_went
from ingestion.lifecycle import (
    JOB,
    JOB_MODELS,
    PAGE,
    JobStage,
    JobStatus,
    ModelsState,
    PageStage,
    PageStatus,
    SkipReason,
    Urgency,
)
from ingestion.models import Job, Page
from ingestion.notices.kinds import Kind
from ingestion.notices.services.telling import end, tell_held
from ingestion.services import opening

RETRIED_AT_ONCE = 1000


@dataclass(frozen=True)
class Source:
    """A received file in storage, and how it was called."""

    name: str
    key: str
    bytes: int
    sha256: str
    head_sha256: str = ""


def create_job(
    user: User | None,
    merchant_id: int,
    source: Source,
    *,
    idempotency_key: str,
    kind: kinds.Kind = kinds.CATALOGUE,
    template: str = "",
    category: str = "",
    profile_key: str = "",
    edition_of: Job | None = None,
    urgency: str = Urgency.NOW,
) -> tuple[Job, bool]:
    """The job of that key, new or already there (LX-IDEM), and whether it is new; freezes kind, template, profile,
    schema, routing table, prompts and dictionaries. As the next edition of an earlier one nothing of it goes out by
    itself. Raises what ``opening.template_of`` raises."""
    if edition_of is not None and edition_of.file_sha256 == source.sha256:
        edition_of = None
    with transaction.atomic():
        profile, address = profile_for(category, profile_key or None), uuid.uuid4()
        prompts, bucket = prompts_for(address, kind.questions)
        job, created = Job.objects.get_or_create(
            merchant_id=merchant_id,
            idempotency_key=idempotency_key,
            defaults={
                "uuid": address,
                "uploader": user,
                "kind": kind.key,
                "template": opening.template_of(kind, merchant_id, template),
                "category": category,
                "source_name": source.name,
                "source_key": source.key,
                "source_bytes": source.bytes,
                "file_sha256": source.sha256,
                "head_sha256": source.head_sha256,
                "hash8": free_hash8(merchant_id, source.sha256),
                "profile": profile,
                "schema": schema_for(category),
                "routing": routing_now(),
                "prompts": prompts,
                "dictionaries": dictionaries_for(merchant_id, category),
                "bucket": bucket,
                "stage": JobStage.INSPECT,
                "edition_of": edition_of,
                "urgency": urgency,
                "request_id": str(get_contextvars().get("request_id", ""))[:64],
                "import_hold": edition_of is not None,
            },
        )
        # The log lines of the request that made it, and of all the work that follows, name both.
        bind_contextvars(job_id=job.pk, **({"user_id": user.pk} if user else {}))
        if created:
            opening.begin(job)
            messages.send_after_commit("dispatch_job", job.pk)
    return job, created


def free_hash8(merchant_id: int, sha256: str) -> str:
    """The digits that this file's SKU ids begin with: its own first eight, or others where a different file of the
    merchant has them (TA-SKUKEY). Call in a transaction; the merchant is locked until it ends."""
    lock_files(merchant_id)
    attempt, candidate = 0, sha256[:8]
    while Job.objects.filter(merchant_id=merchant_id, hash8=candidate).exclude(file_sha256=sha256).exists():
        attempt += 1
        candidate = hashlib.sha256(f"{sha256}{attempt}".encode()).hexdigest()[:8]
    return candidate


def lock_files(merchant_id: int) -> None:
    """Until the transaction ends no document of the merchant is made, and none of its files is deleted, elsewhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [0x5C0, merchant_id])


def locked_with_files(pk: int) -> Job | None:
    """The document, locked until the transaction ends, after the files of its merchant; None where it is gone."""
    merchants = Job.objects.filter(pk=pk).values_list("merchant", flat=True)
    for merchant_id in merchants:
        lock_files(merchant_id)
    return Job.objects.select_for_update().filter(pk=pk).first() if merchants else None


def earlier_job(merchant_id: int, sha256: str, kind: str, template: str) -> Job | None:
    """The latest job of the merchant on the same bytes, of this kind and template, that was not refused or
    cancelled."""
    dropped = (JobStatus.CANCELLED, JobStatus.REJECTED)
    return (
        Job.objects.filter(merchant_id=merchant_id, file_sha256=sha256, kind=kind, template=template)
        .exclude(status__in=dropped)
        .order_by("-pk")
        .first()
    )


@transaction.atomic
def cancel_job(job: Job, actor: str) -> int:
    """Stop the job: nothing of it is claimed any more, its waiting pages are skipped. Returns the pages stopped.

    Raises Conflict where it has ended already. Imports in flight finish and are recorded.
    """
    stopped = move(
        JOB,
        Job.objects.filter(pk=job.pk),
        to=JobStatus.CANCELLED,
        trigger="cancelled",
        actor=actor,
        changes={"stage": JobStage.NONE, "password": None, **work.CLEARED},
    )
    if not stopped:
        raise Conflict("job_ended")
    Job.objects.filter(pk=job.pk).update(finished_at=Now())
    move(JOB_MODELS, Job.objects.filter(pk=job.pk), to=ModelsState.LEFT, trigger="cancelled", actor=actor)
    all_pages = Page.objects.filter(job=job)
    work.lock(all_pages)
    pages = move(
        PAGE,
        all_pages,
        to=PageStatus.SKIPPED,
        trigger="cancelled",
        actor=actor,
        changes={"skip_reason": SkipReason.CANCELLED, "needs_review": False},
    )
    # What a worker still has in hand is dropped when it comes back: its token is gone.
    all_pages.exclude(stage=PageStage.NONE).update(stage=PageStage.NONE, **work.CLEARED)
    messages.send_after_commit("close_tasks", job.pk)
    return len(pages)


def refuse_without_source(job: Job) -> None:
    """Raises Conflict(source_gone) where the file has gone by the rule of its merchant."""
    if source_went(job):
        raise Conflict("source_gone")


@transaction.atomic
def give_password(job: Job, password: str, actor: str) -> None:
    """Take the password a refused file needs, kept encrypted until the file is read, and check the file again.

    Raises Conflict: no_password_asked, source_gone.
    """
    refuse_without_source(job)
    moved = move(
        JOB,
        Job.objects.filter(pk=job.pk, failure_code__in=("password_needed", "password_wrong")),
        to=JobStatus.UPLOADED,
        trigger="password_given",
        actor=actor,
        changes={"stage": JobStage.INSPECT, "failure_code": "", "finished_at": None},
    )
    if not moved:
        raise Conflict("no_password_asked")
    Job.objects.filter(pk=job.pk).update(password=secrets.encrypt(password), failures=0, not_before=None)


@transaction.atomic
def rerun_pages(job: Job, numbers: list[int] | None, actor: str) -> int:
    """Send pages back to the machines: the named ones, or (None) all that failed. Returns how many went.

    Raises Conflict where the job is cancelled or refused, NotFound where none of the numbers is a page of it.
    """
    if Job.objects.filter(pk=job.pk, status__in=(JobStatus.CANCELLED, JobStatus.REJECTED)).exists():
        raise Conflict("job_ended")
    pages = Page.objects.filter(job=job)
    if numbers is None:
        pages = pages.filter(status=PageStatus.DEAD_LETTER)
    elif not pages.filter(number__in=numbers).exists():
        raise NotFound("no_such_page")
    else:
        pages = pages.filter(number__in=numbers)
    return _send_again(job.pk, pages, actor)


def _send_again(job_id: int, pages: QuerySet[Page], actor: str) -> int:
    Job.objects.filter(pk=job_id).update(machine_s=0)  # who sends pages again grants the time for them
    moved = move(
        PAGE,
        pages,
        to=PageStatus.AI_QUEUED,
        trigger="rerun",
        actor=actor,
        changes={
            **work.RECORDED,
            "stage": PageStage.READ,
            "blockers": [],
            "needs_review": False,
            "skip_reason": "",
            "import_state": "none",
        },
    )
    if moved:  # their open tasks end
        messages.send_after_commit("settle_pages", [row.id for row in moved])
    messages.send_after_commit("settle_job", job_id)
    return len(moved)


def retry_stopped(pages: QuerySet[Page], actor: str, limit: int = RETRIED_AT_ONCE) -> int:
    """Send dead letters of any documents back to the machines, document by document; how many went (TA-D2).

    Pages that are in another state by now are left alone, as are those of documents that were cancelled.
    """
    ended = (JobStatus.CANCELLED, JobStatus.REJECTED)
    stopped = pages.filter(status=PageStatus.DEAD_LETTER).exclude(job__status__in=ended)
    by_job: dict[int, list[int]] = {}
    for job_id, page_id in stopped.values_list("job_id", "pk")[:limit]:
        by_job.setdefault(job_id, []).append(page_id)
    sent = 0
    for job_id, ids in sorted(by_job.items()):
        with transaction.atomic():
            Job.objects.select_for_update(no_key=True).get(pk=job_id)
            sent += _send_again(job_id, Page.objects.filter(pk__in=ids, status=PageStatus.DEAD_LETTER), actor)
    return sent


def requeue_held(rows: QuerySet[Job], actor: str) -> int:
    """Let held documents go on; how many there were. Those that are held no more are left alone."""
    held = list(rows.exclude(held_reason="").order_by("pk"))
    for job in held:
        requeue_job(job, actor)
    return len(held)


@transaction.atomic
def requeue_job(job: Job, actor: str) -> None:
    """Lift an operator's hold and everything that made work wait; dispatch at once."""
    Job.objects.filter(pk=job.pk).update(
        held_reason="",
        resumes=[],
        not_before=None,
        dispatched_at=None,
        failures=0,
        last_error=None,
        **Job.visible_change(),
    )
    end((Kind.STOPPED,), [job.pk])
    waiting = Page.objects.filter(job=job, worker__isnull=True).exclude(stage=PageStage.NONE)
    work.lock(waiting)
    waiting.update(not_before=None, dispatched_at=None)
    resume_status(job.pk, actor)
    messages.send_after_commit("dispatch_job", job.pk)


@transaction.atomic
def hold_imports(rows: QuerySet[Job], actor: str) -> int:
    """Nothing of these documents goes out until it is let go again; what is on its way ends. How many were held."""
    rows = rows.filter(import_held_by="").exclude(status__in=(JobStatus.CANCELLED, JobStatus.REJECTED))
    free = rows.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    held = Job.objects.filter(pk__in=list(free))
    held.update(import_hold=True, import_held_by=actor[:150], **Job.visible_change())
    return tell_held(held)


@transaction.atomic
def let_imports_go(rows: QuerySet[Job]) -> int:
    """Lift the hold of an operator; how many there were. The imports follow by message, those of an edition only once
    it is approved: the hold itself is taken off by who opens them."""
    held = list(
        rows.exclude(import_held_by="").select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    )
    Job.objects.filter(pk__in=held).update(import_held_by="", **Job.visible_change())
    for job_id in held:
        messages.send_after_commit("release_imports", job_id)
    return len(held)


def resume_status(job_id: int, actor: str = "system") -> None:
    """Bring an orphaned job back to the state its work says; call in a transaction."""
    from ingestion.services.settle import status_of

    row = Job.objects.select_for_update(no_key=True).get(pk=job_id)
    if row.status != JobStatus.ORPHANED:
        return
    if row.stage in (JobStage.INSPECT, JobStage.PRESCAN):
        to = JobStatus.UPLOADED
    elif row.stage == JobStage.EVALUATE:
        to = JobStatus.EVALUATING
    else:
        to = status_of(row)
    move(JOB, Job.objects.filter(pk=job_id), to=to, trigger="resumed", actor=actor)
