"""Rules for keeping are changed here, and in the admin."""

import logging
from collections.abc import Mapping

from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.asking import changing
from ingestion.keeping.models import KeepingRule
from ingestion.keeping.policies import DEFAULT_DAYS

log = logging.getLogger(__name__)


def set_rule(merchant: Merchant | None, days: Mapping[str, int | None], by: User) -> KeepingRule:
    """``merchant``: None for all. ``days`` by kind; 0: for good, None: as it holds for all. In force with the next
    sweep; what has gone does not come back."""
    columns = {f"{kind}_days": days.get(kind) for kind in DEFAULT_DAYS}
    with changing(by):
        row, _created = KeepingRule.objects.update_or_create(merchant=merchant, defaults=columns)
    log.info("keeping rule set", extra={"merchant_id": merchant.pk if merchant else None, "by": by.username, **columns})
    return row
