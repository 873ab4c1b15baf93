"""What a merchant allows, and what may be corrected at once."""

from processing.corrections.models import CorrectionRule
from processing.products.models import Sku
from processing.products.services.decisions import TAKEN


def allows_at_once(merchant_id: int) -> bool:
    """By the merchant's own rule; nothing without one."""
    return CorrectionRule.objects.filter(merchant=merchant_id, at_once=True).exists()


def is_correctable(sku: Sku) -> bool:
    """It goes out, or did; what waits for a person is for people who do tasks."""
    return sku.status in TAKEN
