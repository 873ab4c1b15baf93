"""Where SKUs, pictures, imports and exports stand: states and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move


class SkuStatus(TextChoices):
    EXTRACTED = "EXTRACTED", pgettext_lazy("sku", "Read")
    VALID = "VALID", pgettext_lazy("sku", "Waits for its picture")
    PARTIAL = "PARTIAL", pgettext_lazy("sku", "Without specification")
    INVALID = "INVALID", pgettext_lazy("sku", "Without identity")
    CONFIRMED = "CONFIRMED", pgettext_lazy("sku", "Checked")
    REJECTED = "REJECTED", pgettext_lazy("sku", "Rejected")
    BOUND = "BOUND", pgettext_lazy("sku", "Ready")
    IMPORTING = "IMPORTING", pgettext_lazy("sku", "Being delivered")
    IMPORTED = "IMPORTED", pgettext_lazy("sku", "Delivered")
    IMPORT_FAILED = "IMPORT_FAILED", pgettext_lazy("sku", "Delivery refused")
    SUPERSEDED = "SUPERSEDED", pgettext_lazy("sku", "Replaced")


class ImageStatus(TextChoices):
    EXTRACTED = "EXTRACTED"
    QUALITY_ASSESSED = "QUALITY_ASSESSED"
    ROLE_CLASSIFIED = "ROLE_CLASSIFIED"
    DELIVERABLE = "DELIVERABLE"
    NOT_DELIVERABLE = "NOT_DELIVERABLE"


class ImageRole(TextChoices):
    PRODUCT_MAIN = "PRODUCT_MAIN", pgettext_lazy("picture", "product")
    DETAIL = "DETAIL", pgettext_lazy("picture", "detail")
    SCENE = "SCENE", pgettext_lazy("picture", "scene")
    SIZE_CHART = "SIZE_CHART", pgettext_lazy("picture", "size chart")
    LOGO = "LOGO", pgettext_lazy("picture", "logo")
    DECORATION = "DECORATION", pgettext_lazy("picture", "decoration")


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


class ExportStatus(TextChoices):
    """A file on its way to somebody. EXPIRED: it was kept for its days, and is gone."""

    WAITING = "WAITING", pgettext_lazy("export", "Being prepared")
    DONE = "DONE", pgettext_lazy("export", "Ready")
    FAILED = "FAILED", pgettext_lazy("export", "Failed")
    EXPIRED = "EXPIRED", pgettext_lazy("export", "No longer kept")


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


class ImportKind(TextChoices):
    """What a row of the ledger brings about. Compensations go out also where the job was cancelled."""

    PUT = "put", pgettext_lazy("import", "product")
    RESTORE = "restore", pgettext_lazy("import", "earlier product")
    DELETE = "delete", pgettext_lazy("import", "deletion")


class HookState(TextChoices):
    """States of one event on its way to one receiver of webhooks."""

    WAITING = "WAITING", pgettext_lazy("webhook", "Waits")
    DELIVERED = "DELIVERED", pgettext_lazy("webhook", "Delivered")
    FAILED = "FAILED", pgettext_lazy("webhook", "Given up")


S, P, D, H = SkuStatus, ImageStatus, Delivery, HookState

DELIVERABLE_ROLES = frozenset({ImageRole.PRODUCT_MAIN, ImageRole.DETAIL, ImageRole.SCENE, ImageRole.SIZE_CHART})
# A person decides about these before they go on.
SKU_WAITS = frozenset({S.VALID, S.PARTIAL, S.INVALID})
IN_FLIGHT = (D.SENDING, D.UNKNOWN)

SKU = Lifecycle(
    "sku",
    [
        Move(S.EXTRACTED, "validated", S.VALID),
        Move(S.EXTRACTED, "validated", S.PARTIAL),
        Move(S.EXTRACTED, "validated", S.INVALID),
        *(Move(s, "confirmed", S.CONFIRMED) for s in (S.PARTIAL, S.INVALID)),
        *(Move(s, "rejected", S.REJECTED) for s in (S.PARTIAL, S.INVALID, S.IMPORT_FAILED)),
        *(Move(s, "bound", S.BOUND) for s in (S.VALID, S.CONFIRMED, S.PARTIAL)),
        *(Move(s, "sending", S.IMPORTING) for s in (S.BOUND, S.IMPORT_FAILED, S.IMPORTED)),
        *(Move(s, "delivered", S.IMPORTED) for s in (S.BOUND, S.IMPORTING, S.IMPORT_FAILED)),
        *(Move(s, "not_sent", S.BOUND) for s in (S.IMPORTING, S.IMPORT_FAILED)),
        *(Move(s, "refused", S.IMPORT_FAILED) for s in (S.BOUND, S.IMPORTING)),
        *(Move(s, "superseded", S.SUPERSEDED) for s in SkuStatus if s != S.SUPERSEDED),
    ],
    audited="page",
)

IMAGE = Lifecycle(
    "image",
    [
        Move(P.EXTRACTED, "assessed", P.QUALITY_ASSESSED),
        Move(P.QUALITY_ASSESSED, "classified", P.ROLE_CLASSIFIED),
        Move(P.ROLE_CLASSIFIED, "decided", P.DELIVERABLE),
        Move(P.ROLE_CLASSIFIED, "decided", P.NOT_DELIVERABLE),
        *(Move(s, "corrected", P.ROLE_CLASSIFIED) for s in (P.DELIVERABLE, P.NOT_DELIVERABLE)),
    ],
    live=False,
)

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
