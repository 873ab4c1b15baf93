"""Watching the disk of the storage (TA-DISK): told above 0.75, cleaned above 0.85; above 0.95 nothing new begins.

What goes is asked for in an order, and no longer than needed: first what is left over, then what can be made again,
then what is kept for a time that is over. Results, and sources whose days are not over, never go for the sake of room.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from catalogsku.core import metrics, storage
from ingestion.keeping.services import expiring
from ingestion.services import receiving

log = logging.getLogger(__name__)

TOUCHED_S = 600.0  # a file that was written to lately belongs to work that goes on
EMPTYING_S = 20.0


@dataclass(frozen=True)
class Step:
    """``make_room`` gives how much went: files, folders or documents."""

    order: int
    name: str
    make_room: Callable[[], int]


STEPS: dict[str, Step] = {}


def makes_room(order: int, name: str) -> Callable[[Callable[[], int]], Callable[[], int]]:
    """Steps of the apps above register here; the lower order goes first."""

    def register(function: Callable[[], int]) -> Callable[[], int]:
        STEPS[name] = Step(order, name, function)
        return function

    return register


def in_order() -> list[Step]:
    return sorted(STEPS.values(), key=lambda step: step.order)


@makes_room(10, "uploads")
def clear_uploads() -> int:
    """Those that have expired, and what lies about of ended ones; uploads under way keep what they have."""
    return sum(receiving.clean_uploads(TOUCHED_S).values())


@makes_room(50, "documents")
def empty_documents() -> int:
    """Sources and pictures of pages whose days are over."""
    return sum(expiring.empty_documents(EMPTYING_S).values())


def watch_disk() -> dict[str, int]:
    """What went, by step; a step that fails leaves the others alone."""
    ratio = storage.disk_usage_ratio()
    if ratio <= settings.DISK_WARN_RATIO:
        return {}
    log.warning("the disk of the storage fills up", extra={"disk_usage_ratio": round(ratio, 3)})
    gone: dict[str, int] = {}
    for step in in_order():
        if storage.disk_usage_ratio() <= settings.DISK_CLEAN_RATIO:
            return gone
        gone[step.name] = _make_room(step)
    if storage.disk_usage_ratio() > settings.DISK_CLEAN_RATIO:
        log.warning("what may go has gone: an operator has to make room", extra={"gone": gone})
    return gone


def _make_room(step: Step) -> int:
    try:
        gone = step.make_room()
    except Exception:
        log.exception("no room was made", extra={"step": step.name})
        return 0
    metrics.DISK_CLEANED.labels(step.name).inc(gone)
    return gone
