"""Delivering a page's SKUs, and the ledger's sweep."""

from catalogsku.core import messages
from catalogsku.core.presence import current_worker
from processing.models import ImportRecord
from processing.services import ledger


def deliver_page(page_id: int) -> int:
    """Send what of the page may go out, then have the page settled; the number sent."""
    sent = ledger.deliver(ImportRecord.objects.filter(page=page_id), current_worker())
    messages.send("settle_page", page_id)
    return sent


def sweep_ledger() -> dict[str, int]:
    """Imports whose message was lost, whose back-off is over, or whose answer never came."""
    pages = ledger.due_pages()
    for page_id in pages:
        messages.send("deliver_page", page_id)
    return {"resent": len(pages), "settled": ledger.settle_unknown()}
