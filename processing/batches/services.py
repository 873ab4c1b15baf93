"""Batches of questions: closed, sent, looked at, their answers written into the ledger, and the pages brought on.

A page goes on by the answer that the ledger keeps, as if it had been asked at once. Whoever dies in between loses
nothing: the batch's own name is committed before it leaves, and looked for before it is sent again.
"""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import crash_points, live, messages, metrics, storage, work
from catalogsku.core.errors import Conflict
from catalogsku.core.moves import move
from catalogsku.core.presence import current_worker
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import pages
from processing.llm import batched, calls
from processing.llm.lifecycle import BATCH, BATCH_ENDED, BatchState
from processing.llm.models import BatchStage, CallState, LanguageModel, ModelBatch, ModelCall
from processing.llm.providers import provider_named
from processing.llm.providers.port import (
    BadOutput,
    BatchAnswer,
    Batches,
    ModelError,
    Permanent,
    RateLimited,
    RawAnswer,
    RemoteBatch,
    cached_of,
)
from processing.llm.sending import Asked, with_keys
from processing.pages.models import RuleResult

log = logging.getLogger(__name__)

LOOKED_AT_EVERY_S = 120.0
# After so long a batch that was sent is in the provider's list, or was never taken.
LISTED_AFTER_S = 120.0
# A batch takes some megabytes up or down.
TIMEOUT_S = 240.0
PUT_BACK_S, PUT_BACK_MOST_S = 30.0, 1800.0
# The goal of all providers is a day.
OVERDUE_S = 26 * 3600
SWEPT_AT_ONCE = 500
ENDS: dict[str, tuple[BatchState, str]] = {
    "done": (BatchState.ANSWERED, "answered"),
    "expired": (BatchState.EXPIRED, "expired"),
    "failed": (BatchState.REFUSED, "refused"),
    "cancelled": (BatchState.CANCELLED, "cancelled"),
}


def sweep_batches() -> dict[str, int]:
    """One round: close what is due, take back what nobody waits for, bring pages on, wake who sends and looks. Safe on
    any number of instances at once."""
    freed = len(work.reap(ModelBatch).freed)
    withdrawn, closed = batched.withdraw_unwanted(), close_due()
    due = list(work.waiting(ModelBatch.objects.all()).values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    ModelBatch.objects.filter(pk__in=due).update(dispatched_at=Now())
    for batch_id in due:
        messages.send("tend_batch", batch_id)
    return {"freed": freed, "withdrawn": withdrawn, "closed": closed, "rung": len(due), "woken": wake_pages()}


def close_due() -> int:
    """Open batches that have waited for more questions long enough."""
    since = Now() - timedelta(minutes=settings.MODEL_BATCH_MINUTES)
    due = ModelBatch.objects.filter(state=BatchState.COLLECTED, created_at__lte=since)
    return sum(batched.close(batch_id) > 0 for batch_id in due.order_by("pk").values_list("pk", flat=True))


def wake_pages() -> int:
    """Pages of which the question waits no more: answered, brought back, or withdrawn."""
    waits = ModelCall.objects.filter(state=CallState.BATCHED).values("pk")
    held = RuleResult.objects.filter(page=OuterRef("pk"), waits_for__in=waits)
    rows = Page.objects.filter(stage=PageStage.BATCH, worker__isnull=True).exclude(Exists(held))
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    return pages.take_up_batched(ids) if ids else 0


def tend(batch_id: int) -> None:
    """Send it, or see how it stands: whichever is due."""
    due = Q(not_before__isnull=True) | Q(not_before__lte=Now())
    rows = ModelBatch.objects.filter(due, pk=batch_id)
    for stage, do in ((BatchStage.POLL, _look), (BatchStage.SEND, _send)):  # what was sent just now is looked at later
        for claim in work.claim(rows, stage, current_worker()):
            with work.holding([claim]):
                _tended(do, claim)


def _tended(do: "Callable[[ModelBatch, work.Claim], None]", claim: work.Claim) -> None:
    batch = ModelBatch.objects.get(pk=claim.id)
    try:
        do(batch, claim)
    except ModelError as error:
        log.warning("batch put back", extra={"batch": str(batch.name), "code": error.code, "detail": error.detail})
        named = error.retry_after_s if isinstance(error, RateLimited) else None
        _put_back(batch, claim, error.code, named)
    except Exception:
        log.exception("batch put back", extra={"batch": str(batch.name)})
        _put_back(batch, claim, "internal_error")
    except BaseException:  # a shutdown or a time limit
        work.release(ModelBatch, [claim])
        raise


def _put_back(batch: ModelBatch, claim: work.Claim, code: str, delay_s: float | None = None) -> None:
    """It is tried as long as it takes: its questions are paid for, or about to be."""
    growing_s = min(PUT_BACK_S * 2 ** min(batch.failures, 10), PUT_BACK_MOST_S)
    held = ModelBatch.objects.filter(pk=claim.id, claim_token=claim.token)
    held.update(failures=min(batch.failures + 1, 1000), last_error={"code": code})
    work.release(ModelBatch, [claim], delay_s=growing_s if delay_s is None else delay_s)


def _asked(batch: ModelBatch, ask: "Callable[[Batches, str], Asked]") -> Asked:
    batches = provider_named(batch.provider).batches
    if batches is None:
        raise Permanent("no_batches", batch.provider)
    return with_keys(batch.provider, lambda key: ask(batches, key))


# --- sending -------------------------------------------------------------------------------------


def _send(batch: ModelBatch, claim: work.Claim) -> None:
    name = str(batch.name)
    if batch.attempted_at is not None:
        remote_id = _asked(batch, lambda to, key: to.find(name, api_key=key, timeout_s=TIMEOUT_S))
        if remote_id is not None:
            _record_sent(claim, remote_id)
            return
        if not ModelBatch.objects.filter(pk=batch.pk, attempted_at__lt=Now() - timedelta(seconds=LISTED_AFTER_S)):
            work.release(ModelBatch, [claim], delay_s=LISTED_AFTER_S / 2)
            return
    try:
        questions = batched.questions_of(batch)
    except FileNotFoundError as error:
        log.error("questions of a batch are gone", extra={"batch": name, "error": str(error)})
        _end(batch, claim, BatchState.REFUSED, "refused", "questions_gone")
        return
    held = ModelBatch.objects.filter(pk=batch.pk, claim_token=claim.token)
    if not held.update(attempted_at=Now()):  # from here on it may have left
        return
    crash_points.reached("batch.before_send")
    try:
        remote_id = _asked(
            batch, lambda to, key: to.send(batch.model, name, questions, api_key=key, timeout_s=TIMEOUT_S)
        )
    except Permanent as error:
        log.warning("batch refused", extra={"batch": name, "code": error.code, "detail": error.detail})
        _end(batch, claim, BatchState.REFUSED, "refused", error.code)
        return
    crash_points.reached("batch.after_send")
    _record_sent(claim, remote_id)


def _record_sent(claim: work.Claim, remote_id: str) -> None:
    with work.recording(ModelBatch, claim) as row:
        if row is None:
            return
        soon = RawSQL("statement_timestamp() + make_interval(secs => %s)", (LOOKED_AT_EVERY_S,))
        changes = {
            **work.RECORDED,
            "stage": BatchStage.POLL,
            "remote_id": remote_id,
            "sent_at": batched.NOW,
            "not_before": soon,
        }
        move(BATCH, ModelBatch.objects.filter(pk=row.pk), to=BatchState.SENT, trigger="sent", changes=changes)
        metrics.after_commit(metrics.MODEL_BATCHES, model=row.model, outcome="sent")
        rows = Job.objects.filter(pk__in=ModelCall.objects.filter(batch=row).values("job"))
        rows.update(**Job.visible_change())  # their pages say when it was sent
        for job_id in rows.values_list("pk", flat=True):
            live.hint_after_commit(job_id)


# --- answers -------------------------------------------------------------------------------------


def _look(batch: ModelBatch, claim: work.Claim) -> None:
    try:
        remote = _asked(batch, lambda to, key: to.look(batch.remote_id, batch.model, api_key=key, timeout_s=TIMEOUT_S))
    except Permanent as error:
        if error.code != "http_404":
            raise
        # The provider has forgotten it: whether it was answered, and billed, nobody can say.
        _end(batch, claim, BatchState.EXPIRED, "expired", "batch_gone", calls.Fate.UNKNOWN)
        return
    if remote.state == "running":
        if batch.cancel_asked_at is not None:
            _asked(batch, lambda to, key: to.cancel(batch.remote_id, api_key=key, timeout_s=TIMEOUT_S))
        ModelBatch.objects.filter(pk=claim.id, claim_token=claim.token).update(failures=0, last_error=None)
        work.release(ModelBatch, [claim], delay_s=LOOKED_AT_EVERY_S)
        return
    _take_answers(batch, remote)
    crash_points.reached("batch.answers_taken")
    _end(batch, claim, *ENDS[remote.state], "" if remote.state == "done" else remote.detail[:60] or remote.state)


def _take_answers(batch: ModelBatch, remote: RemoteBatch) -> None:
    """One transaction each; those that are there already are left alone."""
    model = LanguageModel.objects.filter(name=batch.model).first()
    waiting = ModelCall.objects.filter(batch=batch, state=CallState.BATCHED).values_list("pk", "reserved_micro")
    reserved = {str(call_id): micro for call_id, micro in waiting}
    for batch_answer in remote.answers:
        if batch_answer.key in reserved:
            _take(int(batch_answer.key), batch_answer, model, reserved[batch_answer.key])
            crash_points.reached("batch.answer_taken")


def _take(call_id: int, batch_answer: BatchAnswer, model: LanguageModel | None, reserved_micro: int) -> None:
    """As sending.booked takes an answer, or what came in place of one."""
    if batch_answer.answer is not None:
        said: RawAnswer | BadOutput = batch_answer.answer
        text, finish, image_tokens = (
            batch_answer.answer.text,
            str(batch_answer.answer.finish),
            batch_answer.answer.image_tokens,
        )
        is_counted = bool(said.tokens_in or said.tokens_out)
        cost_micro = _cost_micro(model, said) if model is not None and is_counted else reserved_micro
    elif not isinstance(batch_answer.error, BadOutput):
        calls.failed(
            call_id,
            batch_answer.error.code if batch_answer.error is not None else calls.BATCH_ENDED,
            calls.Fate.REFUSED,
        )
        return
    elif batch_answer.error.code == "unreadable_body":  # what it cost stood in there, and there is nothing to keep
        calls.failed(call_id, batch_answer.error.code, calls.Fate.UNKNOWN)
        return
    else:
        said, text, finish, image_tokens = batch_answer.error, "", batch_answer.error.code, 0
        cost_micro = _cost_micro(model, said) if model is not None else reserved_micro
    usage = calls.Usage(
        said.tokens_in, said.tokens_out, cost_micro, None, image_tokens, finish=finish, tokens_cached=cached_of(said)
    )
    calls.answered(call_id, text, usage)


def _cost_micro(model: LanguageModel, said: RawAnswer | BadOutput) -> int:
    return model.cost_micro(said.tokens_in, said.tokens_out, cached_of(said), batched=True)


def _end(
    batch: ModelBatch,
    claim: work.Claim,
    state: BatchState,
    trigger: str,
    code: str,
    fate: calls.Fate = calls.Fate.REFUSED,
) -> None:
    """Questions without an answer are brought back, to be asked at once; then the batch ends, and its bytes go."""
    left = ModelCall.objects.filter(batch=batch, state=CallState.BATCHED).order_by("pk")
    for call_id in list(left.values_list("pk", flat=True)):
        calls.failed(call_id, calls.BATCH_ENDED, fate)
    with work.recording(ModelBatch, claim) as row:
        if row is None:
            return
        changes = {**work.RECORDED, "stage": BatchStage.NONE, "error_code": code[:60], "ended_at": batched.NOW}
        move(BATCH, ModelBatch.objects.filter(pk=row.pk), to=state, trigger=trigger, changes=changes)
        metrics.after_commit(metrics.MODEL_BATCHES, model=row.model, outcome=state.lower())
    storage.delete_folder(batch.folder)
    wake_pages()
    _forget(batch)


def _forget(batch: ModelBatch) -> None:
    if not batch.remote_id:
        return
    try:
        _asked(batch, lambda to, key: to.forget(batch.remote_id, api_key=key, timeout_s=TIMEOUT_S))
    except ModelError as error:  # it forgets by itself, after some weeks
        log.info("batch not forgotten", extra={"batch": str(batch.name), "code": error.code})


# --- operators -----------------------------------------------------------------------------------


def open_batches() -> "QuerySet[ModelBatch]":
    return ModelBatch.objects.exclude(state__in=BATCH_ENDED)


def overdue() -> "QuerySet[ModelBatch]":
    """Batches that were closed so long ago that they should have ended."""
    return open_batches().filter(closed_at__lt=Now() - timedelta(seconds=OVERDUE_S))


def cancel(batch: ModelBatch) -> bool:
    """An open one is withdrawn at no cost, True; of one that was sent the provider is asked to stop, and what it has
    answered by then is paid and kept, False. Raises Conflict(batch_ended) for one that is neither.

    The pages are then asked at once, at the full price.
    """
    if batch.state == BatchState.COLLECTED:
        batched.close(batch.pk, cancelled=True)
        storage.delete_folder(batch.folder)
        wake_pages()
        return True
    with transaction.atomic():
        rows = ModelBatch.objects.filter(pk=batch.pk, state__in=[BatchState.SENDING, BatchState.SENT])
        if not rows.update(cancel_asked_at=Now(), not_before=None, **ModelBatch.visible_change()):
            raise Conflict("batch_ended")
    return False
