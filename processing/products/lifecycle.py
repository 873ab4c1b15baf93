"""Where SKUs and pictures stand: states and the moves between them."""

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


class Repeats(TextChoices):
    """Why a picture names another as the first of it (TA-BR28)."""

    SAME_FILE = "same_file", pgettext_lazy("picture", "same file")
    SAME_LOOK = "same_look", pgettext_lazy("picture", "looks the same")


S, P = SkuStatus, ImageStatus

DELIVERABLE_ROLES = frozenset({ImageRole.PRODUCT_MAIN, ImageRole.DETAIL, ImageRole.SCENE, ImageRole.SIZE_CHART})
# Signs of the house and ornaments: of no product, however often they stand in a document.
MARK_ROLES = frozenset({ImageRole.LOGO, ImageRole.DECORATION})


# A person decides about these before they go on.
SKU_WAITS = frozenset({S.VALID, S.PARTIAL, S.INVALID})


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
