"""Calls of models that end without an answer: given up, lost with their worker, or forgotten by it."""

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import metrics
from catalogsku.core.work import DEAD_WORKER_S
from processing.llm import money
from processing.llm.models import CallState, ModelCall

# A call is lost for its worker this long after the model's own time limit.
OVERDUE_S = 60
LONGEST_S = 300
UNSENT_S = 120
SWEPT_AT_ONCE = 200
_ABANDONED = f"""NOT EXISTS (SELECT FROM core_worker w WHERE w.id = processing_modelcall.worker
        AND w.seen_at > statement_timestamp() - interval '{DEAD_WORKER_S} s')
    OR created_at < statement_timestamp() - interval '{UNSENT_S} s' AND sent_at IS NULL
    OR sent_at < statement_timestamp() - interval '1 s' * ({OVERDUE_S} + coalesce(
        (SELECT timeout_s FROM processing_languagemodel m WHERE m.name = processing_modelcall.model), {LONGEST_S}))"""


def lose_abandoned(limit: int = SWEPT_AT_ONCE) -> dict[str, int]:
    """Calls of dead workers, and calls that their worker has forgotten: the sweep's round."""
    call_ids = list(_abandoned().order_by("pk").values_list("pk", flat=True)[:limit])
    ended = 0
    for call_id in call_ids:
        with transaction.atomic(durable=True):
            ended += lose_if_abandoned(call_id)
    return {"ended": ended}


def _abandoned() -> "QuerySet[ModelCall]":
    rows = ModelCall.objects.filter(state=CallState.SENT).annotate(is_abandoned=RawSQL(_ABANDONED, ()))
    return rows.filter(is_abandoned=True)


def lose_if_abandoned(call_id: int) -> bool:
    """In the caller's transaction. What was sent costs its upper bound, what was not costs nothing."""
    row = _abandoned().filter(pk=call_id).select_for_update(no_key=True, skip_locked=True).first()
    if row is None:
        return False
    if row.sent_at is None:
        end(row, CallState.FAILED, "worker_lost", 0)
    else:
        end(row, CallState.LOST, "worker_lost", row.reserved_micro)
    return True


def end(row: ModelCall, state: CallState, code: str, settled_micro: int) -> None:
    """Of a row in one of OPEN, locked, that got no answer."""
    money.settle(row.merchant_id, row.day, reserved_micro=row.reserved_micro, settled_micro=settled_micro)
    columns = {"state": state, "error_code": code[:60], "settled_micro": settled_micro, "answered_at": Now()}
    ModelCall.objects.filter(pk=row.pk).update(**columns)
    metrics.after_commit(metrics.MODEL_CALLS, model=row.model, operation=row.operation, outcome=state.lower())
    metrics.after_commit(metrics.MODEL_COST, settled_micro / money.MICRO, model=row.model, operation=row.operation)
