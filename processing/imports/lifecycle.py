"""Where imports stand: states of the ledger's rows and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move
from processing.products.lifecycle import SkuStatus


class Delivery(TextChoices):
    """States of a row of the import ledger. STALE: failed for a day, and left to people."""

    PENDING = "PENDING", pgettext_lazy("import", "Waits")
    SENDING = "SENDING", pgettext_lazy("import", "On its way")
    UNKNOWN = "UNKNOWN", pgettext_lazy("import", "No answer yet")
    CONFIRMED = "CONFIRMED", pgettext_lazy("import", "Confirmed")
    ASSUMED = "ASSUMED", pgettext_lazy("import", "Taken, not confirmed")
    REFUSED = "REFUSED", pgettext_lazy("import", "Refused")
    STALE = "STALE", pgettext_lazy("import", "Given up")
    SUPERSEDED = "SUPERSEDED", pgettext_lazy("import", "Replaced by a newer one")


class ImportKind(TextChoices):
    """What a row of the ledger brings about. Compensations go out also where the job was cancelled."""

    PUT = "put", pgettext_lazy("import", "product")
    RESTORE = "restore", pgettext_lazy("import", "earlier product")
    DELETE = "delete", pgettext_lazy("import", "deletion")


D, S = Delivery, SkuStatus

IN_FLIGHT = (D.SENDING, D.UNKNOWN)


IMPORT = Lifecycle(
    "import",
    [
        Move(D.PENDING, "unchanged", D.CONFIRMED),
        Move(D.PENDING, "claimed", D.SENDING),
        *(Move(s, "superseded", D.SUPERSEDED) for s in (D.PENDING, D.REFUSED, D.STALE)),
        *(Move(s, "confirmed", D.CONFIRMED) for s in (D.SENDING, D.UNKNOWN, D.ASSUMED)),
        *(Move(s, "assumed", D.ASSUMED) for s in (D.SENDING, D.UNKNOWN)),
        *(Move(s, "refused", D.REFUSED) for s in (D.PENDING, D.SENDING)),
        *(Move(s, "not_sent", D.PENDING) for s in (D.SENDING, D.UNKNOWN)),
        Move(D.SENDING, "conflict", D.PENDING),
        Move(D.SENDING, "answer_lost", D.UNKNOWN),
        *(Move(s, "too_old", D.STALE) for s in (D.PENDING, D.UNKNOWN, D.REFUSED)),
        *(Move(s, "retried", D.PENDING) for s in (D.REFUSED, D.STALE, D.ASSUMED)),
        Move(D.STALE, "retried", D.UNKNOWN),
    ],
    field="state",
    live=False,
    audited="not",  # the ledger is its own history: every generation, its attempts, and what the target answered
)


# Ledger state -> SKU state (PL-C3): the SKU's status follows its newest ledger row.
SKU_OF_DELIVERY: dict[str, SkuStatus] = {
    D.PENDING: S.BOUND,
    D.SENDING: S.IMPORTING,
    D.UNKNOWN: S.IMPORTING,
    D.CONFIRMED: S.IMPORTED,
    D.ASSUMED: S.IMPORTED,
    D.REFUSED: S.IMPORT_FAILED,
    D.STALE: S.IMPORT_FAILED,
}
