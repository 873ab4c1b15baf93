"""Webhooks in the form of the Standard Webhooks specification: events, bodies, signatures, pace. Pure."""

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.utils.translation import gettext_lazy as _
from standardwebhooks import Webhook

PING = "ping"
SECRET_PREFIX, SECRET_BYTES = "whsec_", 32
# From one attempt to the next, in seconds: ten attempts within a day.
DELAYS_S = (10, 60, 300, 900, 3600, 7200, 14400, 28800, 28800)
RETRY_FOR_S = 24 * 3600
JITTER = 0.2
MOST_WANTED_S = 3600  # of a Retry-After
PAUSE_S, MOST_PAUSE_S = 5, 600

# Entity and state of the audit rows that each event stands for; none where it is written at once (receivers.py).
EVENTS: dict[str, tuple[Any, frozenset[tuple[str, str]]]] = {
    "job.accepted": (_("a document was accepted"), frozenset({("job", "EVALUATING")})),
    "job.evaluated": (_("a document was judged"), frozenset({("job", "EVALUATED")})),
    "job.needs_people": (
        _("a document waits for people"), frozenset({("job", "PARTIAL_IMPORTED"), ("job", "DEGRADED_HUMAN")})
    ),
    "job.needs_go": (_("a document waits for a word on whether models are asked"),
                     frozenset({("job", "AWAITING_GO")})),
    "job.completed": (_("a document is finished"), frozenset({("job", "FULL_IMPORTED")})),
    "job.partly_failed": (_("a document is finished, but for pages that failed"),
                          frozenset({("job", "PARTIAL_FAILED")})),
    "job.failed": (_("a document was refused or could not be judged"),
                   frozenset({("job", "REJECTED"), ("job", "EVAL_FAILED")})),
    "job.cancelled": (_("a document was cancelled"), frozenset({("job", "CANCELLED")})),
    "import.held": (_("the imports of a document are held"), frozenset({("job_imports", "HELD")})),
    "page.completed": (_("a page was read, or checked by a person"),
                       frozenset({("page", "AI_COMPLETED"), ("page", "HUMAN_COMPLETED")})),
    "page.needs_people": (_("a page waits for people"), frozenset({("page", "HUMAN_QUEUED")})),
    "page.skipped": (_("a page is blank or was skipped"), frozenset({("page", "BLANK"), ("page", "SKIPPED")})),
    "page.failed": (_("a page was given up"), frozenset({("page", "DEAD_LETTER")})),
    "page.imported": (_("the products of a page were delivered"),
                      frozenset({("page_import", "confirmed"), ("page_import", "assumed")})),
    "page.import_failed": (_("a product of a page was not taken"),
                           frozenset({("page_import", "failed"), ("page_import", "stale")})),
    "task.escalated": (_("what a page asks of people went to leads"), frozenset({("task", "ESCALATED")})),
    "task.completed": (_("people have done what a page asked of them"), frozenset({("task", "COMPLETED")})),
    "task.reopened": (_("what a page asked of people is open again"), frozenset({("task", "CREATED")})),
    "study.approved": (_("a study was approved"), frozenset({("record", "APPROVED")})),
    "study.reopened": (_("an approved study is open again"), frozenset({("record", "REVIEW")})),
    "budget.nearly_spent": (_("the merchant's budget for models is nearly spent"), frozenset()),
    "budget.spent": (_("the merchant's budget for models is spent"), frozenset()),
}  # fmt: skip
_BY_STATE = {state: name for name, (_words, states) in EVENTS.items() for state in states}
# Moves into these states that tell nothing new: a task handed back or closed without a change, work taken up again.
_QUIET = frozenset(
    {
        ("page", "HUMAN_PROCESSING", "HUMAN_QUEUED"), ("page", "HUMAN_QUEUED", "AI_COMPLETED"),
        ("page_import", "assumed", "confirmed"), ("job", "EVAL_FAILED", "EVALUATING"),
        ("job", "AWAITING_GO", "DEGRADED_HUMAN"),
        ("task", "PROCESSING", "CREATED"), ("task", "PROCESSING", "ESCALATED"),
        *(("task", "", state) for state in ("CREATED", "ESCALATED", "COMPLETED")),  # notes on one that has not moved
        *(("record", state, "REVIEW") for state in ("", "WAITING", "FOUND", "REJECTED")),  # before it was approved
        *(("job", "ORPHANED", state) for state in ("EVALUATING", "PARTIAL_IMPORTED", "DEGRADED_HUMAN")),
    }
)  # fmt: skip
STATES = tuple(sorted(_BY_STATE))
# What is told of entities whose rows live in an app or feature above, by their ids; that one puts it here. What is left
# out of the answer is not told of at all.
TELLERS: dict[str, Callable[[Collection[int]], Mapping[int, Mapping[str, Any]]]] = {}


def event_of(entity: str, source: str, target: str) -> str | None:
    """The event that a move is; None where it is none."""
    return None if (entity, source, target) in _QUIET else _BY_STATE.get((entity, target))


def body_of(kind: str, at: str, data: Mapping[str, Any]) -> str:
    """What is sent, and signed: the same text in every attempt. ``at``: ISO 8601."""
    return msgspec.json.encode({"type": kind, "timestamp": at, "data": data}).decode()


def message_id(uuid: UUID) -> str:
    """What the receiver knows the event by, in every attempt."""
    return f"msg_{uuid.hex}"


def secret_of(key: bytes) -> str:
    """As its owner gets it."""
    return SECRET_PREFIX + base64.b64encode(key).decode()


def signed_headers(message_id: str, timestamp_s: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """One signature a valid secret, so that the receiver may change its own at any moment."""
    at = datetime.fromtimestamp(timestamp_s, UTC)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp_s),
        "webhook-signature": " ".join(Webhook(secret).sign(message_id, at, body.decode()) for secret in secrets),
    }


@dataclass(frozen=True)
class Attempt:
    """One request and what came of it. ``code`` None: no answer, for the reason in ``error``."""

    code: int | None
    duration_ms: int
    answer: str = ""
    error: str = ""
    wanted_s: float | None = None  # how long the receiver wants to be left alone

    @property
    def is_taken(self) -> bool:
        return self.code is not None and 200 <= self.code < 300

    @property
    def is_gone(self) -> bool:
        """The receiver wants nothing more, ever."""
        return self.code == 410


def delay_s(attempts: int, chance: float, wanted_s: float | None = None) -> float:
    """Until the next attempt, after so many. ``chance`` from 0 to 1 spreads it by a fifth to either side."""
    planned = DELAYS_S[min(attempts, len(DELAYS_S)) - 1] * (1 + JITTER * (2 * chance - 1))
    return max(planned, min(wanted_s or 0, MOST_WANTED_S))


def pause_s(failures: int) -> float:
    """For which a receiver is sent nothing at all, after so many failures in a row."""
    return float(min(PAUSE_S * 2 ** min(failures - 1, 20), MOST_PAUSE_S))
