"""May models be asked about a document? Its pages wait in the stage PRICE until the rules have done with all of them;
then what it would cost is kept with it, and the merchant's setting or a person lets the pages go, or leaves them.

What is left to people goes through the rules once more, exactly as without a key.
"""

from collections.abc import Callable
from enum import StrEnum

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from catalogsku.core import crash_points, live, work
from catalogsku.core.errors import Conflict
from catalogsku.core.moves import move
from ingestion.kinds import KINDS
from ingestion.lifecycle import JOB_MODELS, SETTLED, STAGES_OF_RULES, JobStage, ModelsState, PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.settle import settle_job

SYSTEM = "system"
LOOKED_AT = 500


class Verdict(StrEnum):
    """What the merchant's setting says to an estimate. RULES: no model is asked, the rules' results stand."""

    GO = "go"
    ASK = "ask"
    RULES = "rules"


# What models would cost for these pages of the document in micro-USD, and what the merchant's setting says to that.
Price = Callable[[Job, list[int]], tuple[int, Verdict]]


def settle_price(job_id: int, price: Price) -> ModelsState | None:
    """Bring the waiting pages of a document on: what was decided is done, else it is priced and, by the verdict,
    decided or asked. None where nothing was to be done yet. Safe to repeat, on any number of instances at once."""
    with transaction.atomic():
        job = Job.objects.select_for_update(no_key=True).filter(_may_be_priced(), pk=job_id).first()
        if job is None:
            return None
        state = _settled(job, price)
        crash_points.reached("price.before_commit")
    if state is not None:
        dispatch.dispatch_job(job_id)
    return state


def settle_whole(job: Job, pages: int, micro: int, verdict: Verdict) -> ModelsState:
    """The same for a document that models are asked about as a whole, by whoever has that stage of it in hand and its
    row locked: GO where it may be asked about now. ASKING: a person's word has the stage done again. What was decided
    before holds."""
    if job.models_state in (ModelsState.GO, ModelsState.LEFT):
        return ModelsState(job.models_state)
    if verdict is Verdict.RULES:
        return _withdrawn(job) or ModelsState.NONE
    _told(job, pages, micro)
    if verdict is Verdict.GO:
        _decide(job, ModelsState.GO, "allowed", SYSTEM)
        return ModelsState.GO
    _decide(job, ModelsState.ASKING, "priced", SYSTEM)
    return ModelsState.ASKING


def _may_be_priced() -> Q:
    """By its pages; what is asked about as a whole has nothing waiting among them."""
    by_pages = [key for key, kind in KINDS.items() if JobStage.ASK not in kind.stages]
    return Q(status__in=SETTLED, stage=JobStage.NONE, kind__in=by_pages)


def _settled(job: Job, price: Price) -> ModelsState | None:
    waiting = _waiting(Page.objects.filter(job=job))
    if job.models_state in (ModelsState.GO, ModelsState.LEFT) and job.models_decided_by != SYSTEM:
        return ModelsState(job.models_state) if _send_on(job, ModelsState(job.models_state)) else None
    if Page.objects.filter(job=job, stage__in=STAGES_OF_RULES).exists():
        return None
    ids = list(waiting.order_by("pk").values_list("pk", flat=True))
    if not ids:
        return _withdrawn(job)
    if job.models_state == ModelsState.ASKING and job.models_pages == len(ids):
        return None
    micro, verdict = price(job, ids)
    if job.models_state == ModelsState.GO and verdict is Verdict.GO:  # pages that came later; the first price stands
        _send_on(job, ModelsState.GO)
        return ModelsState.GO
    _told(job, len(ids), micro)
    if verdict is Verdict.ASK:
        _decide(job, ModelsState.ASKING, "priced", SYSTEM)
        return ModelsState.ASKING
    if verdict is Verdict.RULES:  # nobody has decided anything: what comes later is looked at anew
        _send_on(job, ModelsState.LEFT)
        return _withdrawn(job) or ModelsState.NONE
    _decide(job, ModelsState.GO, "allowed", SYSTEM)
    _send_on(job, ModelsState.GO)
    return ModelsState.GO


def _told(job: Job, pages: int, micro: int) -> None:
    job.models_pages, job.models_estimated_micro = pages, micro
    Job.objects.filter(pk=job.pk).update(
        models_pages=pages, models_estimated_micro=micro, models_priced_at=Now(), **Job.visible_change()
    )
    live.hint_after_commit(job.pk)


def _withdrawn(job: Job) -> ModelsState | None:
    if job.models_state != ModelsState.ASKING:
        return None
    _decide(job, ModelsState.NONE, "withdrawn", SYSTEM)
    return ModelsState.NONE


def _decide(job: Job, to: ModelsState, trigger: str, actor: str) -> bool:
    """The caller holds the job's row. The document's own state follows in the same transaction."""
    changes = {"models_decided_by": actor} if to in (ModelsState.GO, ModelsState.LEFT) else {}
    reason = {"pages": job.models_pages, "estimated_micro": job.models_estimated_micro}
    rows = Job.objects.filter(pk=job.pk)
    moved = move(JOB_MODELS, rows, to=to, trigger=trigger, actor=actor, reason=reason, changes=changes)
    settle_job(job.pk)
    return bool(moved)


def _waiting(pages: QuerySet[Page]) -> QuerySet[Page]:
    return pages.filter(stage=PageStage.PRICE, worker__isnull=True)


def _send_on(job: Job, decided: ModelsState) -> int:
    """To the models, or to the rules once more, which now record them. How many pages went. A document that is asked
    about as a whole has what the rules found already."""
    if JobStage.ASK in KINDS[job.kind].stages:
        if decided == ModelsState.GO:
            idle = Job.objects.filter(pk=job.pk, stage=JobStage.NONE, status__in=SETTLED)
            idle.update(stage=JobStage.ASK, **work.CLEARED, **Job.visible_change())
        return job.models_pages or 0
    pages = _waiting(Page.objects.filter(job=job))
    work.lock(pages)
    stage = PageStage.UNDERSTAND if decided == ModelsState.GO else PageStage.UNDERSTAND_RULES
    return pages.update(stage=stage, not_before=None, dispatched_at=None, **Page.visible_change())


@transaction.atomic
def answer(job: Job, actor: str, *, go: bool) -> int:
    """A person's word about a document that asks; how many pages go on. Raises Conflict where nothing is asked (any
    more)."""
    held = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    decided, trigger = (ModelsState.GO, "allowed") if go else (ModelsState.LEFT, "left")
    if held.models_state != ModelsState.ASKING:
        raise Conflict("models_not_asked")
    sent = _send_on(held, decided)
    if not _decide(held, decided, trigger, actor):
        raise Conflict("models_not_asked")
    Job.objects.filter(pk=job.pk).update(resumed_at=Now())  # machines had nothing to do with it until now
    return sent


def unpriced_jobs() -> list[int]:
    """Documents with pages to be brought on whose moment was lost, at most 500 of each kind."""
    pages = Page.objects.filter(job=OuterRef("pk"))
    by_rules = Exists(pages.filter(stage__in=STAGES_OF_RULES))
    have_waiting = _waiting(Page.objects.exclude(stage=PageStage.NONE)).values("job")
    decided = Q(models_state__in=[ModelsState.GO, ModelsState.LEFT]) & ~Q(models_decided_by=SYSTEM)
    due = Job.objects.filter(_may_be_priced(), decided | ~by_rules, pk__in=have_waiting)
    due = due.exclude(models_state=ModelsState.ASKING)
    count = Count("pages", filter=Q(pages__stage=PageStage.PRICE, pages__worker__isnull=True))
    asking = Job.objects.filter(_may_be_priced(), ~by_rules, models_state=ModelsState.ASKING)
    moved_on = asking.annotate(waiting=count).exclude(waiting=F("models_pages"))
    return sorted({job_id for rows in (due, moved_on) for job_id in rows.values_list("pk", flat=True)[:LOOKED_AT]})
