"""Asking for screenshots: a page is read from a small drawing, and drawn large once somebody looks at it."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence

from catalogsku.core import messages, storage
from ingestion.keeping.selectors import source_went
from ingestion.models import Page

# Of a message: about a second's work.
PAGES_A_MESSAGE = 32
# Whoever waits asks each second: by one process a page is not asked for again within so many seconds, nor more than so
# many pages of a merchant. What a worker has drawn is found drawn by the next message.
AGAIN_AFTER_S = 10.0
MOST_OF_A_MERCHANT = 20


def ask_for(page_ids: Sequence[int]) -> None:
    """Once the transaction has committed."""
    for at in range(0, len(page_ids), PAGES_A_MESSAGE):
        messages.send_after_commit("draw_screenshots", list(page_ids[at : at + PAGES_A_MESSAGE]))


class _Lately:
    """What this process has asked for, the earliest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: OrderedDict[int, tuple[float, int]] = OrderedDict()

    def takes(self, page_id: int, merchant_id: int) -> bool:
        """False where the page, or too many of the merchant, have been asked for just now."""
        now_s = time.monotonic()
        with self._lock:
            while self._asked and next(iter(self._asked.values()))[0] < now_s - AGAIN_AFTER_S:
                self._asked.popitem(last=False)
            of_merchant = sum(merchant == merchant_id for _, merchant in self._asked.values())
            if page_id in self._asked or of_merchant >= MOST_OF_A_MERCHANT:
                return False
            self._asked[page_id] = now_s, merchant_id
            return True


_lately = _Lately()


def is_coming(page: Page) -> bool:
    """Whether a page without a screenshot can still be drawn; it is asked for then. False where it stays as it is."""
    if not page.preview_key or source_went(page.job) or not storage.has_file(page.job.source_key):
        return False
    if _lately.takes(page.pk, page.job.merchant_id):
        messages.send("draw_screenshots", [page.pk])
    return True
