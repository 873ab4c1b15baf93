"""Questions that may wait: put aside into the open batch of their model in place of being sent.

Their rows stand in the ledger as BATCHED, reserved at the batch's price, and their bytes in storage; sending them and
taking their answers is services.batches. Each function is a short transaction of its own.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import metrics, storage
from catalogsku.core.moves import move
from catalogsku.core.presence import current_worker
from catalogsku.core.structs import ready
from ingestion.lifecycle import PageStage
from processing.llm import calls, money
from processing.llm.lifecycle import BATCH, BatchState
from processing.llm.models import BatchStage, CallState, LanguageModel, ModelBatch, ModelCall
from processing.llm.plan import CallPlan
from processing.llm.port import BATCHED, NotAnswered
from processing.llm.providers.port import Prompt

NOW = RawSQL("statement_timestamp()", ())  # for moves
# What base64 makes of the images of a question, beside its text.
BASE64 = 4 / 3
# A page whose question this is, and that waits for its answer.
ASKED_STAGES = (PageStage.UNDERSTAND, PageStage.BATCH)


def put_aside(
    facts: calls.Facts, model: LanguageModel, plan: CallPlan, keep: int, prompt: Callable[[], Prompt]
) -> None:
    """Raises NotAnswered(batched) with the row of the question; it may be that of another page that asks the same.

    Returns where it must be asked at once, or was: it has been, or its batch ended without an answer.
    """
    if (call_id := _waiting(facts)) is None:
        if _is_settled(facts):
            return
        if not plan.take(keep):
            metrics.MODEL_CALL_LIMIT.inc()
            raise NotAnswered("call_limit")
        call_id = _joined(facts, model, msgspec.msgpack.encode(prompt()))
    raise NotAnswered(BATCHED, retry_after_s=0.0, call_id=call_id)


def _waiting(facts: calls.Facts) -> int | None:
    rows = ModelCall.objects.filter(merchant=facts.merchant_id, request_key=facts.request_key)
    return rows.filter(state=CallState.BATCHED).values_list("pk", flat=True).first()


def _is_settled(facts: calls.Facts) -> bool:
    """It is being asked, was answered, or came back from a batch without an answer."""
    rows = ModelCall.objects.filter(merchant=facts.merchant_id, request_key=facts.request_key)
    in_hand = Q(state=CallState.SENT) | Q(state=CallState.ANSWERED, answer__isnull=False)
    came_back = Q(batch__isnull=False, page=facts.page_id, state__in=[CallState.FAILED, CallState.LOST])
    return rows.filter(in_hand | came_back).exists()


def _joined(facts: calls.Facts, model: LanguageModel, question: bytes) -> int:
    """In the open batch; the row's id, or that of the same question which another worker has put there just now."""
    worker_id = current_worker().pk
    while True:
        batch, _made = ModelBatch.objects.get_or_create(
            merchant_id=facts.merchant_id,
            model=model.name,
            state=BatchState.COLLECTED,
            defaults={"provider": model.provider},
        )
        _store(question_key(batch, facts.request_key), question)
        try:
            call_id = _insert(batch, facts, worker_id, round(len(question) * BASE64))
        except money.BudgetSpent as over:
            metrics.MODEL_OVER_BUDGET.labels(over.scope).inc()
            raise NotAnswered(f"over_budget_{over.scope}") from None
        except calls.SameRequest:
            call_id = _waiting(facts)
        if call_id is not None:
            return call_id
        storage.delete_file(question_key(batch, facts.request_key))


def _insert(batch: ModelBatch, facts: calls.Facts, worker_id: int, size_bytes: int) -> int | None:
    """None where the batch has been closed meanwhile."""
    with transaction.atomic(durable=True):
        if not (held := _open(batch.pk)):
            return None
        call_id = calls.insert(facts, worker_id, batch.pk)
        held.size_bytes += size_bytes
        held.save(update_fields=["size_bytes"])
        if held.size_bytes >= settings.MODEL_BATCH_BYTES or _count(batch.pk) >= settings.MODEL_BATCH_QUESTIONS:
            _close(batch.pk)
    return call_id


def _open(batch_id: int) -> ModelBatch | None:
    """Locked: nothing joins or leaves it until the transaction ends."""
    rows = ModelBatch.objects.select_for_update(no_key=True)
    return rows.filter(pk=batch_id, state=BatchState.COLLECTED).first()


def _count(batch_id: int) -> int:
    return ModelCall.objects.filter(batch=batch_id).count()


def close(batch_id: int, *, cancelled: bool = False) -> int:
    """Nothing joins it any more: it is to be sent, or withdrawn whole. How many questions it has left."""
    with transaction.atomic(durable=True):
        if _open(batch_id) is None:
            return 0
        unwanted = ModelCall.objects.filter(batch=batch_id, state=CallState.BATCHED)
        if not cancelled:
            unwanted = unwanted.filter(_nobody_waits())
        for call_id in list(unwanted.order_by("pk").values_list("pk", flat=True)):
            calls.take_back(call_id)
        return _close(batch_id)


def withdraw_unwanted() -> int:
    """Questions of batches that are still open about which nobody waits any more: the document was cancelled, the page
    is another's by now. Their reservations go back; how many there were."""
    rows = ModelCall.objects.filter(_nobody_waits(), state=CallState.BATCHED, batch__state=BatchState.COLLECTED)
    withdrawn = 0
    for call_id, batch_id in list(rows.order_by("pk").values_list("pk", "batch")):
        with transaction.atomic(durable=True):
            withdrawn += _open(batch_id) is not None and calls.take_back(call_id)
    return withdrawn


def _nobody_waits() -> Q:
    return Q(page__isnull=True) | ~Q(page__stage__in=ASKED_STAGES)


def _close(batch_id: int) -> int:
    """In the caller's transaction. From here on each question counts as one that may have left."""
    rows = ModelBatch.objects.filter(pk=batch_id)
    questions = ModelCall.objects.filter(batch=batch_id, state=CallState.BATCHED).update(sent_at=Now())
    if not questions:
        changes = {"stage": BatchStage.NONE, "ended_at": NOW}
        move(BATCH, rows, to=BatchState.CANCELLED, trigger="cancelled", changes=changes)
    else:
        changes = {"stage": BatchStage.SEND, "closed_at": NOW}
        move(BATCH, rows, to=BatchState.SENDING, trigger="closed", changes=changes)
    return questions


# --- what the questions are -----------------------------------------------------------------------


def question_key(batch: ModelBatch, request_key: str) -> str:
    return f"{batch.folder}/{request_key}"


def _store(key: str, question: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(question)
        file.flush()
        storage.put_file(key, Path(file.name))


def questions_of(batch: ModelBatch) -> dict[str, Prompt]:
    """Those that have no answer yet, by the id of their row. Raises FileNotFoundError where storage has lost one."""
    rows = ModelCall.objects.filter(batch=batch, state=CallState.BATCHED).order_by("pk")
    questions = {}
    for call_id, request_key in rows.values_list("pk", "request_key"):
        with storage.open_file(question_key(batch, request_key)) as file:
            questions[str(call_id)] = msgspec.msgpack.decode(file.read(), type=ready(Prompt))
    return questions
