"""How SKUs are shown: labels of attributes, who said a value, and what keeps a SKU from being delivered."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy

from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.words import ATTRIBUTES
from ingestion.reasons import sentences
from processing.engine.result import BASE_KEYS
from processing.products.lifecycle import ImageRole, SkuStatus
from processing.products.models import Sku

# Columns of the results table beside model and name.
COLUMNS = ("size", "material", "color", "price", "moq")
WARNINGS = {
    "missing_specifications": gettext_lazy("No specification printed"),
    "missing_identity": gettext_lazy("No model or name printed"),
    "auto_accepted": gettext_lazy("Accepted automatically: no person came to it in time"),
}


@dataclass(frozen=True)
class Look:
    icon: str
    tone: str
    group: str


STATES: dict[str, Look] = {
    SkuStatus.EXTRACTED: Look("running", "acc", "ready"),
    SkuStatus.VALID: Look("binding", "person", "open"),
    SkuStatus.PARTIAL: Look("spec", "person", "open"),
    SkuStatus.INVALID: Look("flag", "person", "open"),
    SkuStatus.CONFIRMED: Look("check", "done", "ready"),
    SkuStatus.REJECTED: Look("slash", "ink2", "rejected"),
    SkuStatus.BOUND: Look("bolt-line", "machine", "ready"),
    SkuStatus.IMPORTING: Look("deliver", "acc", "ready"),
    SkuStatus.IMPORTED: Look("checks", "done", "delivered"),
    SkuStatus.IMPORT_FAILED: Look("refused", "fault", "failed"),
    SkuStatus.SUPERSEDED: Look("history", "ink2", "rejected"),
}
GROUPS = {
    "all": gettext_lazy("All"),
    "delivered": pgettext_lazy("sku", "Delivered"),
    "ready": pgettext_lazy("sku", "Ready"),
    "open": gettext_lazy("To check"),
    "failed": gettext_lazy("Failed"),
}
GROUP_ICONS = {"all": "", "delivered": "checks", "ready": "bolt-line", "open": "person", "failed": "flag"}
GROUP_TONES = {"delivered": "done", "ready": "machine", "open": "person", "failed": "fault"}


@dataclass(frozen=True)
class ValueCell:
    key: str
    label: str
    text: str | None
    source: str
    mark_icon: str
    mark_word: str
    mark_tone: str
    evidence: dict[str, Any] | None


@dataclass(frozen=True)
class PictureLink:
    url: str
    role_word: str
    confidence: float


@dataclass(frozen=True)
class SkuRow:
    """One SKU in the table, and in the panel beside its page."""

    sku_id: str
    revision: int
    page_number: int
    status: str
    word: str
    icon: str
    tone: str
    validity: str
    confidence: float
    name: str | None
    model: str | None
    values: list[ValueCell]
    custom: list[tuple[str, str]]
    picture_url: str
    pictures: list[PictureLink]
    box: list[float]
    quality_warning: str | None
    warning_word: str
    blockers: list[str]


def labels(schema: CategorySchema) -> dict[str, str]:
    """Attribute labels in the active language, the category's own among them."""
    chinese = (get_language() or "").startswith("zh")
    own = {
        entry["key"]: entry.get("label_zh" if chinese else "label_en") or entry["key"]
        for entry in schema.resolved_attributes
    }
    return {**{key: str(ATTRIBUTES[key]) for key in BASE_KEYS}, **own}


def value_cells(sku: Sku, names: dict[str, str]) -> list[ValueCell]:
    checked = sku.status == SkuStatus.CONFIRMED
    keys: list[str] = [
        *(key for key in names if key in sku.attributes),
        *(key for key in sku.attributes if key not in names),
    ]
    return [_cell(sku, key, names.get(key, key), sku.attributes[key], checked=checked) for key in keys]


def _cell(sku: Sku, key: str, label: str, text: str | None, *, checked: bool) -> ValueCell:
    source = sku.attribute_source.get(key, "direct")
    evidence = sku.evidence.get(key)
    if text is None:
        icon, word, tone = "dash", pgettext("value", "not on this page"), "ink3"
    elif checked:
        icon, word, tone = "check", pgettext("value", "checked"), "done"
    elif source in ("section_inherited", "page_inherited", "document_inherited"):
        icon, word, tone = "inherited", pgettext("value", "inherited"), "ink2"
    elif evidence and evidence.get("match", 1.0) < 1.0:
        icon, word, tone = "dot", f"{evidence['match']:.2f}", "person"
    else:
        icon, word, tone = (
            "ruler",
            pgettext("value", "rules %(confidence)s") % {"confidence": f"{sku.confidence:.2f}"},
            "machine",
        )
    return ValueCell(key, label, text, source, icon, word, tone, evidence)


def sku_row(sku: Sku, names: dict[str, str], picture_url: Any) -> SkuRow:
    """``picture_url(image)`` gives the address of a picture."""
    look = STATES[sku.status]
    pictures = [
        PictureLink(picture_url(binding.image), str(ImageRole(binding.role).label), binding.confidence)
        for binding in sorted(sku.pictures.all(), key=lambda b: b.rank)
    ]
    return SkuRow(
        sku_id=sku.sku_id, revision=sku.revision, page_number=sku.page.number, status=sku.status,
        word=sku.get_status_display(), icon=look.icon, tone=look.tone, validity=sku.validity, confidence=sku.confidence,
        name=sku.attributes.get("product_name"), model=sku.attributes.get("model"), values=value_cells(sku, names),
        custom=[(c["name"], c["value"]) for c in sku.custom_attributes],
        picture_url=pictures[0].url if pictures else "", pictures=pictures, box=sku.box,
        quality_warning=sku.quality_warning,
        warning_word=str(WARNINGS.get(sku.quality_warning or "", "")), blockers=sentences(sku.blockers),
    )  # fmt: skip
