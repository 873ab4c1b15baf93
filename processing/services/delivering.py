"""Delivering pages' SKUs, and the ledger's sweep."""

from collections.abc import Sequence

from catalogsku.core import crash_points, messages
from catalogsku.core.presence import current_worker
from processing.models import ImportRecord
from processing.services import ledger

PAGES_A_MESSAGE = 8
TOGETHER = 200  # imports in one call of the target


def deliver_pages(page_ids: Sequence[int]) -> int:
    """Send what of the pages may go out, then have them settled; the number of imports sent."""
    rows = ImportRecord.objects.filter(page__in=page_ids)
    total, sent = 0, TOGETHER
    while sent == TOGETHER:  # a full batch: there may be more
        sent = ledger.deliver(rows, current_worker(), TOGETHER)
        total += sent
        crash_points.reached("import.recorded")
    messages.send("settle_pages", list(page_ids))
    return total


def sweep_ledger() -> dict[str, int]:
    """Imports whose message was lost, whose back-off is over, or whose answer never came."""
    pages = ledger.due_pages()
    for at in range(0, len(pages), PAGES_A_MESSAGE):
        messages.send("deliver_pages", pages[at : at + PAGES_A_MESSAGE])
    return {"resent": len(pages), "settled": ledger.settle_unknown()}
