"""A page's status and import state as pure functions of its machine work, its tasks and its imports (PL-C2)."""

from collections.abc import Collection

from annotation.tasks.lifecycle import OPEN, TaskStatus
from ingestion.lifecycle import ImportState, PageStatus
from processing.imports.lifecycle import IN_FLIGHT, Delivery


def import_state(ledger: Collection[str]) -> ImportState:
    """From the newest ledger rows' states of the page's active SKUs; without any there is nothing left to send."""
    states = set(ledger)
    if states & {Delivery.PENDING, *IN_FLIGHT}:
        return ImportState.PENDING
    if Delivery.STALE in states:
        return ImportState.STALE
    if Delivery.REFUSED in states:
        return ImportState.FAILED
    return ImportState.ASSUMED if Delivery.ASSUMED in states else ImportState.CONFIRMED


def page_status(status: str, tasks: Collection[str]) -> PageStatus:
    """``tasks``: states of the page's work tasks, oldest first. Only pages that machines have left follow them."""
    settled = {
        PageStatus.AI_COMPLETED,
        PageStatus.HUMAN_QUEUED,
        PageStatus.HUMAN_PROCESSING,
        PageStatus.HUMAN_COMPLETED,
    }
    if status not in settled or not tasks:
        return PageStatus(status)
    if TaskStatus.PROCESSING in tasks:
        return PageStatus.HUMAN_PROCESSING
    if any(task in OPEN for task in tasks):
        return PageStatus.HUMAN_QUEUED
    if status in (PageStatus.AI_COMPLETED, PageStatus.HUMAN_COMPLETED):
        return PageStatus(status)
    completed = TaskStatus.COMPLETED in tasks
    return PageStatus.HUMAN_COMPLETED if completed else PageStatus.SKIPPED
