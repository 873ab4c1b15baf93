"""Sending waiting work to the units: a window of each active job, shared fairly between merchants.

The message is a hint; `dispatched_at` keeps it from being sent twice within 20 s, the claim makes doubles harmless.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from catalogsku.core import messages, work
from ingestion.lifecycle import WORKABLE, JobStage, JobStatus, PageStage
from ingestion.models import Job, Page

LOOK_BACK_PAGES = 10
OCR_WEIGHT = 4
DISPATCH_LOCK = 0x5C2


@dataclass(frozen=True)
class StageWork:
    """Who does a stage: the actor, its unit, and how many neighbouring pages go into one message."""

    actor: str
    unit: str
    chunk: int = 1


JOB_STAGES = {
    JobStage.INSPECT: StageWork("inspect_job", "cpu"),
    JobStage.PRESCAN: StageWork("prescan_job", "cpu"),
    JobStage.EVALUATE: StageWork("evaluate_job", "llm"),
}
# Understanding first: what has been read becomes visible before more is read.
PAGE_STAGES = {
    PageStage.UNDERSTAND_RULES: StageWork("understand_pages", "cpu", 8),
    PageStage.READ: StageWork("read_pages", "cpu", 8),
}


def active_pages() -> QuerySet[Page]:
    """Pages that machines may claim now: of workable jobs that nobody holds; while evaluating only the sampled ones."""
    return Page.objects.filter(job__status__in=WORKABLE, job__held_reason="").exclude(
        Q(job__status=JobStatus.EVALUATING) & (Q(sampled=False) | ~Q(stage=PageStage.READ))
    )


def active_jobs() -> QuerySet[Job]:
    """Jobs whose own stages machines may claim; a job is evaluated once its sampled pages have been read."""
    unread = Page.objects.filter(job=OuterRef("pk"), sampled=True, stage=PageStage.READ)
    return Job.objects.filter(held_reason="").filter(
        Q(stage__in=[JobStage.INSPECT, JobStage.PRESCAN], status=JobStatus.UPLOADED)
        | (Q(stage=JobStage.EVALUATE, status=JobStatus.EVALUATING) & ~Exists(unread))
    )


def ready_pages(stage: str) -> QuerySet[Page]:
    """Waiting pages of a stage; to be understood, the ten pages before it must not wait to be read."""
    ready = work.waiting(active_pages().filter(stage=stage))
    if stage == PageStage.READ:
        return ready
    unread_before = Page.objects.filter(
        job=OuterRef("job"),
        stage=PageStage.READ,
        number__gte=OuterRef("number") - LOOK_BACK_PAGES,
        number__lt=OuterRef("number"),
    )
    return ready.filter(~Exists(unread_before))


def dispatch_job(job_id: int) -> int:
    """Send what of the job is ready, as far as its window allows; the number of pages and job stages sent."""
    sent = _dispatch_own_stage(job_id)
    for stage, doing in PAGE_STAGES.items():
        sent += _dispatch_pages(job_id, stage, doing)
    return sent


def _dispatch_own_stage(job_id: int) -> int:
    with transaction.atomic():
        job = work.waiting(active_jobs().filter(pk=job_id)).select_for_update(of=("self",), skip_locked=True).first()
        if job is None:
            return 0
        Job.objects.filter(pk=job.pk).update(dispatched_at=Now())
        messages.send_after_commit(JOB_STAGES[JobStage(job.stage)].actor, job.pk)
    return 1


def _dispatch_pages(job_id: int, stage: str, doing: StageWork) -> int:
    if not Page.objects.filter(job_id=job_id, stage=stage, worker__isnull=True).exists():
        return 0
    with transaction.atomic():
        _one_at_a_time(job_id)
        room = _room(job_id, stage, doing)
        if room <= 0:
            return 0
        ready = list(
            ready_pages(stage)
            .filter(job_id=job_id)
            .order_by("-sampled", "number")
            .select_for_update(of=("self",), skip_locked=True)
            .only("pk", "number", "losses", "failures", "prescan")[: room + 1]
        )
        size = _chunk_size(job_id, doing)
        if len(ready) > room or _more_follow(job_id, stage):  # whole chunks only; the rest with what comes
            ready = ready[: min(room, len(ready)) // size * size]
        Page.objects.filter(pk__in=[page.pk for page in ready]).update(dispatched_at=Now())
        for chunk in chunk_pages(ready, size):
            messages.send_after_commit(doing.actor, chunk)
    return len(ready)


def _one_at_a_time(job_id: int) -> None:
    """Several would each see a part of what is ready, and cut it into chunks that are no neighbours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [DISPATCH_LOCK, job_id])


def _room(job_id: int, stage: str, doing: StageWork) -> int:
    """How many more pages may be sent: the job's window, or its merchant's share where that is less."""
    window = 2 * work.live_threads(doing.unit) * doing.chunk
    of_job = work.in_hand(Page.objects.filter(job_id=job_id, stage=stage)).count()
    of_merchant = work.in_hand(Page.objects.filter(_same_merchant(job_id), stage=stage)).count()
    return min(window - of_job, _merchant_share(window, doing.chunk) - of_merchant)


def _more_follow(job_id: int, stage: str) -> bool:
    """Whether pages that are being read will soon be ready for ``stage`` too."""
    return stage != PageStage.READ and work.in_hand(Page.objects.filter(job_id=job_id, stage=PageStage.READ)).exists()


def _chunk_size(job_id: int, doing: StageWork) -> int:
    """What is left of a job is cut finer where whole chunks would leave threads without any."""
    threads = max(work.live_threads(doing.unit), 1)
    whole = 2 * threads * doing.chunk
    left = Page.objects.filter(job_id=job_id, stage__in=list(PAGE_STAGES)).values("pk")[:whole].count()
    return max(1, min(doing.chunk, -(-left // (2 * threads))))


def chunk_pages(pages: Sequence[Page], size: int) -> list[list[int]]:
    """Page ids in runs of neighbours worth at most ``size``; pages to recognise weigh four, suspects go alone."""
    chunks: list[list[int]] = []
    weight = size
    for page in sorted(pages, key=lambda p: (is_suspect(p), p.number)):
        alone = is_suspect(page)
        own = size if alone else OCR_WEIGHT if page.prescan.get("needs_ocr") else 1
        if not chunks or weight + own > size:
            chunks.append([])
            weight = 0
        chunks[-1].append(page.pk)
        weight += own
    return chunks


def is_suspect(page: Page) -> bool:
    """A page that has failed, or lost its worker three times: it goes last and alone."""
    return page.failures > 0 or page.losses >= work.ALONE_AFTER_LOSSES


def _same_merchant(job_id: int) -> Q:
    return Q(
        job__in=Job.objects.filter(merchant__in=Job.objects.filter(pk=job_id).values("merchant"), status__in=WORKABLE)
    )


def _merchant_share(window: int, chunk: int) -> int:
    """At least a chunk, so that nobody gets nothing where there are many."""
    merchants = Job.objects.filter(status__in=WORKABLE - {JobStatus.FULL_IMPORTED}).filter(
        Exists(Page.objects.filter(job=OuterRef("pk")).exclude(stage=PageStage.NONE))
    )
    return max(window // max(merchants.values("merchant").distinct().count(), 1), chunk)


def jobs_with_work() -> list[int]:
    """Jobs with something ready, in the order in which they are served: new ones first, then by merchant and job with
    the fewest pages in hand, oldest on a tie."""
    own = Q(pk__in=work.waiting(active_jobs()).values("pk"))
    pages = Exists(work.waiting(active_pages()).filter(job=OuterRef("pk")))
    in_hand = dict(
        work.in_hand(Page.objects.filter(worker__isnull=False)).values_list("job").annotate(pages=Count("pk"))
    )
    jobs = list(Job.objects.filter(own | pages).values("pk", "merchant_id", "status"))
    of_merchant: dict[int, int] = {}
    for job in jobs:
        of_merchant[job["merchant_id"]] = of_merchant.get(job["merchant_id"], 0) + in_hand.get(job["pk"], 0)
    new = (JobStatus.UPLOADED, JobStatus.EVALUATING)
    jobs.sort(key=lambda j: (j["status"] not in new, of_merchant[j["merchant_id"]], in_hand.get(j["pk"], 0), j["pk"]))
    return [job["pk"] for job in jobs]
