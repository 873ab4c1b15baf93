"""Where exports stand: states and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move


class ExportStatus(TextChoices):
    """A file on its way to somebody. EXPIRED: it was kept for its days, and is gone."""

    WAITING = "WAITING", pgettext_lazy("export", "Being prepared")
    DONE = "DONE", pgettext_lazy("export", "Ready")
    FAILED = "FAILED", pgettext_lazy("export", "Failed")
    EXPIRED = "EXPIRED", pgettext_lazy("export", "No longer kept")


EXPORT = Lifecycle(
    "export",
    [
        Move(ExportStatus.WAITING, "made", ExportStatus.DONE),
        Move(ExportStatus.WAITING, "failed", ExportStatus.FAILED),
        Move(ExportStatus.DONE, "expired", ExportStatus.EXPIRED),
    ],
    live=False,
    audited="not",  # the row says by whom, when and what
)
