"""What the results show; every read begins with what the person may see. Reports over golden sets are nobody's own."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet
from django.urls import reverse

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion.lifecycle import PageStatus
from ingestion.models import Job, Page
from ingestion.presentation import Filter
from processing.products import presenters
from processing.products.models import Image, Sku, SkuImage
from processing.products.presenters import SkuRow


def active_skus(job: Job) -> QuerySet[Sku]:
    """The job's SKUs as they stand, in page order."""
    pictures = SkuImage.objects.select_related("image").order_by("rank")
    return (
        Sku.objects.filter(job=job, superseded=False)
        .select_related("page")
        .prefetch_related(Prefetch("pictures", queryset=pictures))
        .order_by("page__number", "sku_id")
    )


def list_skus(job: Job, show: str = "all", q: str = "", page: int | None = None) -> QuerySet[Sku]:
    """``show``: a group of presentation.GROUPS; ``q``: part of model, name or SKU id; ``page``: a page number."""
    rows = active_skus(job)
    states = [status for status, look in presenters.STATES.items() if look.group == show]
    rows = rows.filter(status__in=states) if states else rows
    rows = rows.filter(page__number=page) if page else rows
    if q:
        rows = rows.filter(
            Q(attributes__model__icontains=q) | Q(attributes__product_name__icontains=q) | Q(sku_id__icontains=q)
        )
    return rows


def sku_rows(job: Job, skus: Sequence[Sku]) -> list[SkuRow]:
    names = presenters.labels(job.schema)
    return [presenters.sku_row(sku, names, lambda image: picture_url(job, image)) for sku in skus]


def sku_filters(job: Job) -> list[Filter]:
    by_status = dict(
        Sku.objects.filter(job=job, superseded=False).order_by().values_list("status").annotate(n=Count("pk"))
    )
    counts = dict.fromkeys(presenters.GROUPS, 0)
    for status, n in by_status.items():
        counts["all"] += n
        group = presenters.STATES[status].group
        if group in counts:
            counts[group] += n
    return [
        Filter(key, str(label), presenters.GROUP_ICONS[key], counts[key], presenters.GROUP_TONES.get(key, "ink2"))
        for key, label in presenters.GROUPS.items()
    ]


def columns(job: Job) -> list[tuple[str, str]]:
    names = presenters.labels(job.schema)
    return [(key, names[key]) for key in presenters.COLUMNS]


def get_sku(actor: User, job_id: UUID, sku_id: str) -> Sku:
    """The active revision. Raises NotFound where it is missing or another merchant's."""
    rows = Sku.objects.visible_to(actor).filter(job__uuid=job_id, sku_id=sku_id, superseded=False)
    sku = rows.select_related("job__schema", "page").prefetch_related("pictures__image").first()
    if sku is None:
        raise NotFound("not_found")
    return sku


def get_image(actor: User, job_id: UUID, image_id: str) -> Image:
    """Raises NotFound where it is missing or another merchant's."""
    image = Image.objects.visible_to(actor).filter(job__uuid=job_id, image_id=image_id).first()
    if image is None:
        raise NotFound("not_found")
    return image


def picture_url(job: Job, image: Image) -> str:
    return reverse("picture", args=[job.uuid, image.image_id])


def pages_waiting(job: Job) -> int:
    return Page.objects.filter(job=job, status__in=(PageStatus.HUMAN_QUEUED, PageStatus.HUMAN_PROCESSING)).count()


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
        "page_image_url": reverse("page_image", args=[job.uuid, page.number]) if page.screenshot_key else "",
        "page_width_pt": page.width_pt,
        "page_height_pt": page.height_pt,
    }


def result_etag(job: Job) -> str:
    """Names the version of the document's result: any visible change of the document or of a page gives another."""
    latest = Page.objects.filter(job=job).order_by("-changed").values_list("changed", "version").first()
    skus = Sku.objects.filter(job=job).order_by("-pk").values_list("pk", flat=True).first()
    return f'"{job.version}-{latest[0] if latest else 0}-{latest[1] if latest else 0}-{skus or 0}"'
