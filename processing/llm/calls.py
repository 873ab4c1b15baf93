"""The ledger of model calls, which keeps the answers: begin, send, and what came of it.

Each function is a short transaction of its own, never open during a call. A row is one call: a further try of the same
request begins again. What is unknown is charged at its upper bound until the answer arrives after all (LA-BUDGET).
Trouble of the database is raised as it is: it is the machine's, and the page is put back for it.
"""

import logging
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Max
from django.db.models.functions import Now

from catalogsku.core import metrics
from catalogsku.core.models import Transition
from catalogsku.core.presence import current_worker
from ingestion.keeping.policies import Kind
from ingestion.keeping.selectors import is_over
from processing.llm import money
from processing.llm.abandoned import end, lose_if_abandoned
from processing.llm.models import BudgetScope, CallState, ModelCall

REUSED_DAYS = 30
FORGOTTEN_AT_ONCE = 5000
# Somebody else is asking the same.
LOOK_AGAIN_S = 3.0
# How long an answer waits for a database that is away.
PAUSES_S = (0.1, 1.0, 3.0, 6.0)
# The provider refused for the number of calls, not for what was asked.
TURNED_AWAY = "http_429"
# Its batch ended before it was answered.
BATCH_ENDED = "batch_ended"
UNCOUNTED = (TURNED_AWAY, BATCH_ENDED)
# Without an answer yet.
OPEN = (CallState.SENT, CallState.BATCHED)
_UNANSWERED = {
    "settled_micro": 0, "images_truncated": 0, "finish": "", "parse_method": "", "needs_review": False,
    "error_code": "",
}  # fmt: skip
# A reservation need not reach the disk by itself (LA-PERF): nothing leaves before ``sending``, whose commit waits for
# the disk and takes all that was committed before it along. One that a dying server forgets was never sent: ``sending``
# finds no row.
_UNFLUSHED = "set_config('synchronous_commit', 'off', true)"
_LOOK = f"""
    SELECT id, state, answered_at < statement_timestamp() - interval '{REUSED_DAYS} days', answer,
        tokens_in, tokens_out, settled_micro, latency_ms, image_tokens, images_truncated, finish,
        coalesce(tokens_cached, 0)
    FROM processing_modelcall WHERE merchant_id = %s AND request_key = %s
        AND (state = 'SENT' OR state = 'ANSWERED' AND answer IS NOT NULL)"""
_PARSED = f"""
    UPDATE processing_modelcall SET parse_method = %s, needs_review = %s WHERE id = %s RETURNING model, {_UNFLUSHED}"""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Facts:
    """What a call is for, and the most that it can cost. ``request_key``: SHA-256 (hex) of the exact request."""

    merchant_id: int
    operation: str
    model: str
    prompt_version: str
    request_key: str
    upper_bound_micro: int
    job_id: int | None = None
    page_id: int | None = None
    category: str = ""
    bucket: str = ""
    attempt: int = 1
    downgrade_reason: str = ""
    injection: float = 0.0


@dataclass(frozen=True)
class Usage:
    """What an answer took; ``cost_micro``: LanguageModel.cost_micro of its tokens, ``latency_ms`` None in a batch."""

    tokens_in: int
    tokens_out: int
    cost_micro: int
    latency_ms: int | None
    image_tokens: int = 0
    images_truncated: int = 0
    finish: str = ""
    tokens_cached: int = 0


@dataclass(frozen=True)
class Kept:
    """The same request was answered before: nothing is called, nothing paid."""

    call_id: int
    text: str
    usage: Usage


@dataclass(frozen=True)
class Sent:
    """Reserved; ``sending`` comes right before the request goes out."""

    call_id: int


@dataclass(frozen=True)
class Waiting:
    """A live worker is asking the same in this moment: its answer will be kept."""

    retry_after_s: float


@dataclass(frozen=True)
class OverBudget:
    """Nothing was changed; another model may still fit."""

    scope: BudgetScope


class Fate(StrEnum):
    """What is known of a call that brought no answer."""

    UNSENT = "unsent"  # it never left: costs nothing
    REFUSED = "refused"  # the provider said no: costs nothing
    UNKNOWN = "unknown"  # it may have been served: costs its upper bound


def begin(facts: Facts) -> Kept | Sent | Waiting | OverBudget:
    """The kept answer of this request, or a reservation in both budgets and a row for the call to come."""
    worker_id = current_worker().pk
    try:
        with transaction.atomic(durable=True):
            begun = _existing(facts) or Sent(insert(facts, worker_id))
    except money.BudgetSpent as over:
        metrics.MODEL_OVER_BUDGET.labels(over.scope).inc()
        return OverBudget(over.scope)
    except SameRequest:
        return Waiting(LOOK_AGAIN_S)
    if isinstance(begun, Kept):
        metrics.MODEL_CALLS.labels(facts.model, facts.operation, "kept").inc()
    return begun


class SameRequest(Exception):
    """Another worker has begun the same request since it was looked for."""


def _existing(facts: Facts) -> Kept | Waiting | None:
    """What there is of the request. What a dead worker has left is lost, what is too old or broken forgotten."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, [facts.merchant_id, facts.request_key])
        row = cursor.fetchone()
    if row is None:
        return None
    call_id, state, is_old, answer, *usage = row
    if state == CallState.SENT:
        return None if lose_if_abandoned(call_id) else Waiting(LOOK_AGAIN_S)
    text = None if is_old else _unpacked(call_id, answer)
    if text is None:
        ModelCall.objects.filter(pk=call_id).update(answer=None)
        return None
    return Kept(call_id, text, Usage(*usage))


def _unpacked(call_id: int, answer: bytes) -> str | None:
    """None where the bytes are damaged: then the model is asked again."""
    try:
        return zlib.decompress(answer).decode()
    except (zlib.error, UnicodeDecodeError):
        log.error("kept answer unreadable", extra={"call_id": call_id})
        return None


def insert(facts: Facts, worker_id: int, batch_id: int | None = None) -> int:
    """A row of the ledger with its reservation, in the caller's transaction. Raises SameRequest, money.BudgetSpent."""
    day = money.reserve(facts.merchant_id, facts.upper_bound_micro)
    row_values: dict[str, Any] = {
        **_UNANSWERED,
        "state": CallState.SENT if batch_id is None else CallState.BATCHED,
        "batch_id": batch_id,
        "merchant_id": facts.merchant_id,
        "job_id": facts.job_id,
        "page_id": facts.page_id,
        "category": facts.category[:60],
        "operation": facts.operation,
        "model": facts.model,
        "prompt_version": facts.prompt_version[:80],
        "bucket": facts.bucket[:40],
        "attempt": facts.attempt,
        "request_key": facts.request_key,
        "day": day,
        "reserved_micro": facts.upper_bound_micro,
        "downgrade_reason": facts.downgrade_reason[:60],
        "injection": facts.injection,
        "worker": worker_id,
    }
    names, values = ", ".join(row_values), ", ".join(["%s"] * len(row_values))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO processing_modelcall ({names}) VALUES ({values}) ON CONFLICT DO NOTHING"
            f" RETURNING id, {_UNFLUSHED}",
            list(row_values.values()),
        )
        row = cursor.fetchone()
    if row is None:
        raise SameRequest
    call_id: int = row[0]
    return call_id


def sending(call_id: int) -> bool:
    """To be called right before the request leaves; where it is False, the row was taken away: do not send.

    From here on the call costs its upper bound until something better is known.
    """
    unsent = ModelCall.objects.filter(pk=call_id, state=CallState.SENT, sent_at__isnull=True)
    return bool(unsent.update(sent_at=Now()))


def withdraw(call_id: int) -> None:
    """Nothing will be sent (the gate refused): the reservation goes back and no row remains. Idempotent."""
    with transaction.atomic(durable=True):
        take_back(call_id)


def take_back(call_id: int) -> bool:
    """``withdraw`` in the caller's transaction; False for what has left already."""
    row = _locked(call_id)
    if row is None or row.state not in OPEN or row.sent_at is not None:
        return False
    money.settle(row.merchant_id, row.day, reserved_micro=row.reserved_micro, settled_micro=0)
    row.delete()
    return True


def answered(call_id: int, text: str, usage: Usage) -> None:
    """Commit answer and cost, before anybody parses the answer. Idempotent.

    Also after the call was taken for lost: then the upper bound is corrected to the true cost. The text is kept unless
    the same request was begun again meanwhile. A database that is away is waited for some seconds.
    """
    _waiting_for_the_database(lambda: _answered(call_id, text, usage))


def _answered(call_id: int, text: str, usage: Usage) -> None:
    with transaction.atomic(durable=True):
        row = _locked(call_id)
        if row is None or row.state == CallState.ANSWERED:
            return
        if row.sent_at is None:
            raise ValueError(f"call {call_id} was answered but never marked as sent")
        was_open = row.state in OPEN
        money.settle(
            row.merchant_id,
            row.day,
            reserved_micro=row.reserved_micro if was_open else 0,
            settled_micro=usage.cost_micro - row.settled_micro,
        )
        _write_answer(row, text, usage, certainly_kept=row.state == CallState.SENT)
        metrics.after_commit(metrics.MODEL_CALLS, model=row.model, operation=row.operation, outcome="answered")
        _count_usage(row, usage)


def _write_answer(row: ModelCall, text: str, usage: Usage, *, certainly_kept: bool) -> None:
    rows = ModelCall.objects.filter(pk=row.pk)
    columns = {
        "state": CallState.ANSWERED,
        "settled_micro": usage.cost_micro,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "tokens_cached": usage.tokens_cached,
        "image_tokens": usage.image_tokens,
        "images_truncated": usage.images_truncated,
        "latency_ms": usage.latency_ms,
        "finish": usage.finish[:30],
        "error_code": "",
        "answered_at": Now(),
    }
    packed = zlib.compress(text.encode("utf-8", "replace"))
    if certainly_kept:
        rows.update(**columns, answer=packed)
        return
    try:
        with transaction.atomic():
            rows.update(**columns, answer=packed)
    except IntegrityError:  # the same request was begun again: that call will keep its own answer
        rows.update(**columns)


def _count_usage(row: ModelCall, usage: Usage) -> None:
    named = {"model": row.model, "operation": row.operation}
    metrics.after_commit(metrics.MODEL_TOKENS, usage.tokens_in - usage.tokens_cached, **named, kind="in")
    metrics.after_commit(metrics.MODEL_TOKENS, usage.tokens_cached, **named, kind="cached")
    metrics.after_commit(metrics.MODEL_TOKENS, usage.tokens_out, **named, kind="out")
    metrics.after_commit(metrics.MODEL_COST, usage.cost_micro / money.MICRO, **named)
    if usage.latency_ms is not None:
        metrics.observe_after_commit(metrics.MODEL_SECONDS, usage.latency_ms / 1000, **named)
    if row.reserved_micro:
        used = usage.cost_micro / row.reserved_micro
        metrics.observe_after_commit(metrics.MODEL_RESERVATION_USED, used, model=row.model)


def failed(call_id: int, code: str, fate: Fate) -> None:
    """No answer came, for ``code``; ``fate`` says what it costs. A call that is settled already stays as it is."""
    _waiting_for_the_database(lambda: _failed(call_id, code, fate))


def _failed(call_id: int, code: str, fate: Fate) -> None:
    with transaction.atomic(durable=True):
        row = _locked(call_id)
        if row is None or row.state not in OPEN:
            return
        if fate == Fate.UNKNOWN and row.sent_at is not None:
            end(row, CallState.LOST, code, row.reserved_micro)
        else:
            end(row, CallState.FAILED, code, 0)


def parsed(call_id: int, method: str, *, needs_review: bool) -> None:
    """How the answer was made into data; a note that a dying server may forget."""
    with connection.cursor() as cursor:
        cursor.execute(_PARSED, [method[:30], needs_review, call_id])
        row = cursor.fetchone()
    if row is not None:
        metrics.MODEL_PARSED.labels(row[0], method).inc()


def for_page(page_id: int) -> int:
    """Calls made for a page, retries among them, since a person sent it again (PL-C13).

    Kept answers are none, nor is what a provider turned away for the number of calls, or a batch brought back unasked.
    """
    reruns = Transition.objects.filter(entity="page", entity_id=page_id, trigger="rerun")
    since = reruns.aggregate(at=Max("at"))["at"]
    calls = ModelCall.objects.filter(page=page_id, sent_at__isnull=False).exclude(error_code__in=UNCOUNTED)
    return (calls if since is None else calls.filter(sent_at__gte=since)).count()


def forget_old_answers() -> dict[str, int]:
    """Answers whose merchant's days are over lose their bytes; what they have cost stays written down."""
    old = ModelCall.objects.filter(is_over(Kind.ANSWERS, "answered_at", "merchant"), answer__isnull=False)
    ids = list(old.order_by("answered_at").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return {"answers": ModelCall.objects.filter(pk__in=ids).update(answer=None)}


def _waiting_for_the_database(write: Callable[[], None]) -> None:
    """A call takes long enough for PostgreSQL to restart in it, and its answer is paid for. ``write`` is idempotent."""
    for pause_s in PAUSES_S:
        try:
            return write()
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(pause_s)
    return write()


def _locked(call_id: int) -> ModelCall | None:
    return ModelCall.objects.select_for_update(no_key=True).defer("answer").filter(pk=call_id).first()
