"""Where records of studies stand: states and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move, News


class RecordStatus(TextChoices):
    """FOUND: a machine has said what it can; REVIEW: people look; the last two are theirs alone."""

    WAITING = "WAITING", pgettext_lazy("record", "Waiting")
    FOUND = "FOUND", pgettext_lazy("record", "Values found")
    REVIEW = "REVIEW", pgettext_lazy("record", "To be reviewed")
    APPROVED = "APPROVED", pgettext_lazy("record", "Approved")
    REJECTED = "REJECTED", pgettext_lazy("record", "Rejected")


R = RecordStatus
RECORD_ENDED = frozenset({R.APPROVED, R.REJECTED})
_SETTLE = News("settle_job", per="job")


RECORD = Lifecycle(
    "record",
    [
        Move(R.WAITING, "found", R.FOUND),
        Move(R.FOUND, "offered", R.REVIEW),
        Move(R.WAITING, "given_up", R.REVIEW),  # nothing could be found: people begin with nothing
        Move(R.REVIEW, "approved", R.APPROVED, _SETTLE),
        Move(R.REVIEW, "rejected", R.REJECTED, _SETTLE),
        *(Move(ended, "reopened", R.REVIEW, _SETTLE) for ended in (R.APPROVED, R.REJECTED)),
    ],
)
