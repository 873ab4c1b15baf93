"""A thread's turn: the next piece of work of its unit, done by the service of its stage and kind of document."""

import time
from collections.abc import Callable
from typing import Any

from structlog.contextvars import bound_contextvars

from catalogsku.core.metrics import TURN_SECONDS
from ingestion.kinds import CATALOGUE
from ingestion.lifecycle import JobStage, PageStage
from ingestion.models import Job
from ingestion.services import dispatch, turns
from processing.pages.services import checking, consulting, evaluating, reading, understanding

Service = Callable[[Any], None]
# What a file is and what stands on its pages is found out alike, whatever kind of document it is.
READING: dict[str, Service] = {
    JobStage.INSPECT: checking.inspect_job,
    JobStage.PRESCAN: checking.prescan_job,
    PageStage.READ: reading.read_pages,
}
# By kind; an app that brings one enters its services where its actors are.
DO: dict[str, dict[str, Service]] = {
    CATALOGUE.key: {
        **READING,
        JobStage.EVALUATE: evaluating.evaluate_job,
        PageStage.UNDERSTAND_RULES: understanding.understand_pages,
        PageStage.UNDERSTAND: consulting.consult_models,
    },
}


def take_turn(unit: str) -> bool:
    """False where nothing of the unit waits; else the next thread is woken before this one begins, if more does."""
    turn = turns.next_turn(unit)
    if turn is None:
        return False
    if not turn.is_last:
        dispatch.ring(unit)
    began_s = time.monotonic()
    kind, about = _about(turn)
    with bound_contextvars(**about):
        DO[kind][turn.stage](turn.subject)
    TURN_SECONDS.labels(turn.stage).observe(time.monotonic() - began_s)
    return True


def _about(turn: turns.Turn) -> tuple[str, dict[str, Any]]:
    """The document's kind, and what the log says in each line: the work, and the request that made the document, as if
    it had sent this."""
    kind, request_id, user_id = Job.objects.values_list("kind", "request_id", "uploader").get(pk=turn.job_id)
    subject = {"page_ids": turn.subject} if isinstance(turn.subject, list) else {}
    made_by = {"request_id": request_id} if request_id else {}
    return kind, {"job_id": turn.job_id, "user_id": user_id, "stage": turn.stage, **subject, **made_by}
