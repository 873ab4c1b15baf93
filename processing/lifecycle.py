"""Where SKUs, pictures and imports stand: states and the moves between them."""

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
    """States of a row of the import ledger."""

    PENDING = "PENDING"
    SENDING = "SENDING"
    UNKNOWN = "UNKNOWN"
    CONFIRMED = "CONFIRMED"
    ASSUMED = "ASSUMED"
    REFUSED = "REFUSED"
    SUPERSEDED = "SUPERSEDED"


S, P, D = SkuStatus, ImageStatus, Delivery

DELIVERABLE_ROLES = frozenset({ImageRole.PRODUCT_MAIN, ImageRole.DETAIL, ImageRole.SCENE, ImageRole.SIZE_CHART})
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
        *(Move(s, "sending", S.IMPORTING) for s in (S.BOUND, S.IMPORT_FAILED)),
        *(Move(s, "delivered", S.IMPORTED) for s in (S.BOUND, S.IMPORTING)),
        Move(S.IMPORTING, "not_sent", S.BOUND),
        Move(S.IMPORTING, "refused", S.IMPORT_FAILED),
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
        *(Move(s, "superseded", D.SUPERSEDED) for s in (D.PENDING, D.REFUSED)),
        *(Move(s, "confirmed", D.CONFIRMED) for s in (D.SENDING, D.UNKNOWN, D.ASSUMED)),
        *(Move(s, "assumed", D.ASSUMED) for s in (D.SENDING, D.UNKNOWN)),
        Move(D.SENDING, "refused", D.REFUSED),
        *(Move(s, "not_sent", D.PENDING) for s in (D.SENDING, D.UNKNOWN)),
        Move(D.SENDING, "answer_lost", D.UNKNOWN),
        Move(D.REFUSED, "retried", D.PENDING),
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
}
