"""Watching the disk of the storage (TA-DISK): told above 0.75, cleaned above 0.85; above 0.95 nothing new begins."""

import logging

from django.conf import settings

from catalogsku.core import storage
from ingestion.services import receiving

log = logging.getLogger(__name__)

TOUCHED_S = 600.0  # a file that was written to lately belongs to work that goes on


def watch_disk() -> dict[str, int]:
    """Uploads under way keep what they have; the work folders of processing are cleaned by its own sweep."""
    ratio = storage.disk_usage_ratio()
    if ratio <= settings.DISK_WARN_RATIO:
        return {}
    log.warning("the disk of the storage fills up", extra={"disk_usage_ratio": round(ratio, 3)})
    return receiving.clean_uploads(TOUCHED_S) if ratio > settings.DISK_CLEAN_RATIO else {}
