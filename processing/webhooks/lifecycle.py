"""Where events of webhooks stand on their way to a receiver: states and moves."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move


class HookState(TextChoices):
    """States of one event on its way to one receiver of webhooks."""

    WAITING = "WAITING", pgettext_lazy("webhook", "Waits")
    DELIVERED = "DELIVERED", pgettext_lazy("webhook", "Delivered")
    FAILED = "FAILED", pgettext_lazy("webhook", "Given up")


H = HookState

WEBHOOK = Lifecycle(
    "webhook",
    [
        Move(H.WAITING, "delivered", H.DELIVERED),
        Move(H.WAITING, "given_up", H.FAILED),
        *(Move(s, "replayed", H.WAITING) for s in (H.DELIVERED, H.FAILED)),
    ],
    field="state",
    live=False,
    audited="not",  # each row carries the log of its attempts
)
