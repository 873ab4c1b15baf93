"""How SKUs are shown: labels of attributes, who said a value, and what keeps a SKU from being delivered."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy

from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.words import ATTRIBUTES
from ingestion.models import Job, Page
from ingestion.presentation import Filter, picture_address
from ingestion.reasons import sentences
from processing.engine.result import BASE_KEYS
from processing.products import selectors
from processing.products.lifecycle import ImageRole, SkuStatus
from processing.products.measures import printed, unit_elsewhere
from processing.products.models import Image, Sku
from processing.products.services.decisions import SAID

# Columns of the results table beside model and name, unless a person has chosen others.
COLUMNS = ("size", "material", "color", "price", "currency", "moq")
WARNINGS = {
    "missing_specifications": gettext_lazy("No specification printed"),
    "missing_identity": gettext_lazy("No model or name printed"),
    "auto_accepted": gettext_lazy("Accepted automatically: no person came to it in time"),
}


@dataclass(frozen=True)
class Look:
    icon: str
    tone: str


STATES: dict[str, Look] = {
    SkuStatus.EXTRACTED: Look("running", "acc"),
    SkuStatus.VALID: Look("binding", "person"),
    SkuStatus.PARTIAL: Look("spec", "person"),
    SkuStatus.INVALID: Look("flag", "person"),
    SkuStatus.CONFIRMED: Look("check", "done"),
    SkuStatus.REJECTED: Look("slash", "ink2"),
    SkuStatus.BOUND: Look("bolt-line", "machine"),
    SkuStatus.IMPORTING: Look("deliver", "acc"),
    SkuStatus.IMPORTED: Look("checks", "done"),
    SkuStatus.IMPORT_FAILED: Look("refused", "fault"),
    SkuStatus.SUPERSEDED: Look("history", "ink2"),
}
GROUPS = {
    "all": gettext_lazy("All"),
    "delivered": pgettext_lazy("sku", "Delivered"),
    "ready": pgettext_lazy("sku", "Ready"),
    "open": gettext_lazy("To check"),
    "failed": gettext_lazy("Failed"),
}
WAITS_WITH_ITS_PAGE = Look("person", "person")
GROUP_ICONS = {"all": "", "delivered": "checks", "ready": "bolt-line", "open": "person", "failed": "flag"}
GROUP_TONES = {"delivered": "done", "ready": "machine", "open": "person", "failed": "fault"}


@dataclass(frozen=True)
class Said:
    """That a person corrected a value where results are shown; ``id`` of the correction, ``user`` of the person.
    ``insisted``: it is right by their word, whatever the page prints."""

    id: str
    by: str
    user: int
    at: datetime
    why: str
    insisted: bool


@dataclass(frozen=True)
class ValueCell:
    """``text``: as printed, of a price on request its words. ``unit``: or currency, where it is printed elsewhere."""

    key: str
    label: str
    text: str | None
    source: str
    mark_icon: str
    mark_word: str
    mark_tone: str
    evidence: dict[str, Any] | None
    unit: str = ""
    said: Said | None = None


@dataclass(frozen=True)
class PictureLink:
    url: str
    role_word: str
    confidence: float


@dataclass(frozen=True)
class SkuRow:
    """One SKU in the table, and in the panel beside its page. ``currency``: of its price, wherever that is printed."""

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
    currency: str = ""


def labels(schema: CategorySchema) -> dict[str, str]:
    """Attribute labels in the active language, the category's own among them."""
    chinese = (get_language() or "").startswith("zh")
    own = {
        entry["key"]: entry.get("label_zh" if chinese else "label_en") or entry["key"]
        for entry in schema.resolved_attributes
    }
    return {**{key: str(ATTRIBUTES[key]) for key in BASE_KEYS}, **own}


def value_cells(sku: Sku, names: dict[str, str], columns: Collection[str] | None = None) -> list[ValueCell]:
    """``columns``: keys of the attributes that are shown; None for all."""
    checked = sku.status == SkuStatus.CONFIRMED
    keys: list[str] = [
        *(key for key in names if key in sku.attributes),
        *(key for key in sku.attributes if key not in names),
    ]
    if columns is not None:
        keys = [key for key in keys if key in columns]
    return [_cell(sku, key, names.get(key, key), checked=checked) for key in keys]


def _cell(sku: Sku, key: str, label: str, *, checked: bool) -> ValueCell:
    text = printed(sku.attributes, sku.normalized, key)
    source = sku.attribute_source.get(key, "direct")
    evidence = sku.evidence.get(key)
    if text is None:
        icon, word, tone = "dash", pgettext("value", "not on this page"), "ink3"
    elif checked:
        icon, word, tone = "check", pgettext("value", "checked"), "done"
    elif source == "person":
        icon, word, tone = "pencil", pgettext("value", "by a person"), "done"
    elif source.endswith("_inherited"):
        icon, word, tone = "inherited", pgettext("value", "inherited"), "ink2"
    elif evidence and evidence.get("match", 1.0) < 1.0:
        icon, word, tone = "dot", f"{evidence['match']:.2f}", "person"
    else:
        icon, word, tone = (
            "ruler",
            pgettext("value", "rules %(confidence)s") % {"confidence": f"{sku.confidence:.2f}"},
            "machine",
        )
    unit = unit_elsewhere(text, key, sku.attributes, sku.evidence)
    return ValueCell(key, label, text, source, icon, word, tone, evidence, unit, _said(sku, key))


def _said(sku: Sku, key: str) -> Said | None:
    said = sku.decisions.get(SAID, {}).get(key)
    if said is None:
        return None
    at = datetime.fromisoformat(said["at"])
    return Said(said["id"], said["by"], said["user"], at, said["why"], said.get("insisted", False))


def sku_row(
    sku: Sku,
    names: dict[str, str],
    picture_url: Callable[[Image], str],
    *,
    by_page: bool = True,
    columns: Collection[str] | None = None,
) -> SkuRow:
    """``picture_url(image)`` gives the address of a picture. ``by_page``: it waits with its page, as the results of a
    document count it; the catalogue of all documents counts by the products alone. ``columns``: as of value_cells."""
    look, word = STATES[sku.status], str(SkuStatus(sku.status).label)
    if by_page and selectors.group_of(sku.status, sku.page.status) != selectors.GROUP_OF[sku.status]:
        look, word = WAITS_WITH_ITS_PAGE, str(GROUPS["open"])
    pictures = [
        PictureLink(picture_url(binding.image), str(ImageRole(binding.role).label), binding.confidence)
        for binding in sorted(sku.pictures.all(), key=lambda b: b.rank)
    ]
    return SkuRow(
        sku_id=sku.sku_id,
        revision=sku.revision,
        page_number=sku.page.number,
        status=sku.status,
        word=word,
        icon=look.icon,
        tone=look.tone,
        validity=sku.validity,
        confidence=sku.confidence,
        name=sku.attributes.get("product_name"),
        model=sku.attributes.get("model"),
        values=value_cells(sku, names, columns),
        custom=[(c["name"], c["value"]) for c in sku.custom_attributes],
        picture_url=pictures[0].url if pictures else "",
        pictures=pictures,
        box=sku.box,
        quality_warning=sku.quality_warning,
        warning_word=str(WARNINGS.get(sku.quality_warning or "", "")),
        blockers=sentences(sku.blockers),
        currency=str(sku.normalized.get("price", {}).get("currency") or ""),
    )


def sku_rows(job: Job, skus: Sequence[Sku]) -> list[SkuRow]:
    names = labels(job.schema)
    return [sku_row(sku, names, lambda image: picture_url(job, image)) for sku in skus]


def sku_filters(job: Job) -> list[Filter]:
    rows = Sku.objects.filter(job=job, superseded=False).order_by().values_list("status", "page__status")
    counts = dict.fromkeys(GROUPS, 0)
    for status, page_status, n in rows.annotate(n=Count("pk")):
        counts["all"] += n
        group = selectors.group_of(status, page_status)
        if group in counts:
            counts[group] += n
    return [
        Filter(key, str(label), GROUP_ICONS[key], counts[key], GROUP_TONES.get(key, "ink2"))
        for key, label in GROUPS.items()
    ]


def picture_url(job: Job, image: Image) -> str:
    return reverse("picture", args=[job.uuid, image.image_id])


def sku_context(job: Job, sku: Sku, key: str = "") -> dict[str, Any]:
    """One SKU beside its page; ``key`` picks the value whose proof is shown, on the page where it stands."""
    row = sku_rows(job, [sku])[0]
    value = next((cell for cell in row.values if cell.key == key), None)
    page = sku.page
    if value and value.evidence and value.evidence["page_number"] != page.number:
        page = Page.objects.filter(job=job, number=value.evidence["page_number"]).first() or page
    return {
        "sku": row,
        "value": value,
        "page_image_url": picture_address(job.uuid, page),
        "page_width_pt": page.width_pt,
        "page_height_pt": page.height_pt,
    }
