"""Where batches of questions stand: states and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move


class BatchState(TextChoices):
    """Where a batch of questions stands. EXPIRED: its provider's time ran out; REFUSED: it was never taken, or failed
    as a whole; of both the questions without an answer are asked at once."""

    COLLECTED = "COLLECTED", pgettext_lazy("batch", "Being collected")
    SENDING = "SENDING", pgettext_lazy("batch", "On its way")
    SENT = "SENT", pgettext_lazy("batch", "Sent")
    ANSWERED = "ANSWERED", pgettext_lazy("batch", "Answered")
    EXPIRED = "EXPIRED", pgettext_lazy("batch", "Expired")
    REFUSED = "REFUSED", pgettext_lazy("batch", "Refused")
    CANCELLED = "CANCELLED", pgettext_lazy("batch", "Cancelled")


B = BatchState
BATCH_ENDED = frozenset({B.ANSWERED, B.EXPIRED, B.REFUSED, B.CANCELLED})


BATCH = Lifecycle(
    "batch",
    [
        Move(B.COLLECTED, "closed", B.SENDING),
        Move(B.SENDING, "sent", B.SENT),
        Move(B.SENDING, "refused", B.REFUSED),
        Move(B.SENT, "answered", B.ANSWERED),
        Move(B.SENT, "expired", B.EXPIRED),
        Move(B.SENT, "refused", B.REFUSED),
        *(Move(s, "cancelled", B.CANCELLED) for s in (B.COLLECTED, B.SENT)),
    ],
    field="state",
    job_column="id",
    live=False,
    audited="not",  # its row has the times, and each question is a row of the ledger
)
