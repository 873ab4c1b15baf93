"""A merchant's own rule for corrections is changed here, and in the admin."""

import logging

from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.asking import changing
from processing.corrections.models import CorrectionRule

log = logging.getLogger(__name__)


def set_rule(merchant: Merchant, by: User, *, at_once: bool) -> CorrectionRule:
    """In force with the next correction."""
    with changing(by):
        row, _created = CorrectionRule.objects.update_or_create(merchant=merchant, defaults={"at_once": at_once})
    log.info("correction rule set", extra={"merchant_id": merchant.pk, "by": by.username, "at_once": at_once})
    return row
