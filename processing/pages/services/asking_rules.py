"""A merchant's own rule for asking models is changed here, and in the admin."""

import logging

from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.asking import changing
from processing.pages.models import AskingRule

log = logging.getLogger(__name__)


def set_rule(merchant: Merchant, ask_models: str, above_micro_usd: int, by: User) -> AskingRule:
    """In force for documents that are priced from now on; those that ask already go on asking."""
    columns = {"ask_models": ask_models, "ask_first_above_micro_usd": above_micro_usd}
    with changing(by):
        row, _created = AskingRule.objects.update_or_create(merchant=merchant, defaults=columns)
    log.info("asking rule set", extra={"merchant_id": merchant.pk, "by": by.username, **columns})
    return row
