"""What people are told of that is no move of a row becomes deliveries at once, in the transaction that tells them."""

from collections.abc import Mapping
from typing import Any

from ingestion.notices.kinds import Kind


def hear_notice(kind: Kind, about: str, merchant_id: int | None, facts: Mapping[str, Any]) -> None:
    """A budget of the installation is no merchant's business."""
    if kind == Kind.BUDGET and merchant_id is not None:
        from processing.webhooks.services.outbox import write_at_once  # what few processes need

        percent = int(facts["percent"])
        event = "budget.spent" if percent >= 100 else "budget.nearly_spent"
        write_at_once(event, merchant_id, {"day": about, "percent": percent})
