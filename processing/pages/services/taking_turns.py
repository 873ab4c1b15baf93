"""A thread's turn: the next piece of work of its unit, done by the service of its stage."""

import time
from collections.abc import Callable
from typing import Any

from structlog.contextvars import bound_contextvars

from catalogsku.core.metrics import TURN_SECONDS
from ingestion.lifecycle import JobStage, PageStage
from ingestion.models import Job
from ingestion.services import dispatch, turns
from processing.pages.services import checking, consulting, evaluating, reading, understanding

DO: dict[str, Callable[[Any], None]] = {
    JobStage.INSPECT: checking.inspect_job,
    JobStage.PRESCAN: checking.prescan_job,
    JobStage.EVALUATE: evaluating.evaluate_job,
    PageStage.READ: reading.read_pages,
    PageStage.UNDERSTAND_RULES: understanding.understand_pages,
    PageStage.UNDERSTAND: consulting.consult_models,
}


def take_turn(unit: str) -> bool:
    """False where nothing of the unit waits; else the next thread is woken before this one begins, if more does."""
    turn = turns.next_turn(unit)
    if turn is None:
        return False
    if not turn.is_last:
        dispatch.ring(unit)
    began_s = time.monotonic()
    with bound_contextvars(**_about(turn)):
        DO[turn.stage](turn.subject)
    TURN_SECONDS.labels(turn.stage).observe(time.monotonic() - began_s)
    return True


def _about(turn: turns.Turn) -> dict[str, Any]:
    """What the log says in each line: the work, and the request that made its document, as if it had sent this."""
    request_id, user_id = Job.objects.values_list("request_id", "uploader").get(pk=turn.job_id)
    subject = {"page_ids": turn.subject} if isinstance(turn.subject, list) else {}
    made_by = {"request_id": request_id} if request_id else {}
    return {"job_id": turn.job_id, "user_id": user_id, "stage": turn.stage, **subject, **made_by}
