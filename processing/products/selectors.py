"""Products of documents; every read begins with what the person may see."""

from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion.lifecycle import PAGES_WITH_PEOPLE
from ingestion.models import Job, Page
from processing.products.lifecycle import SkuStatus
from processing.products.models import Image, Sku, SkuImage

# Under which filter a product stands.
GROUP_OF: dict[str, str] = {
    SkuStatus.EXTRACTED: "ready",
    SkuStatus.VALID: "open",
    SkuStatus.PARTIAL: "open",
    SkuStatus.INVALID: "open",
    SkuStatus.CONFIRMED: "ready",
    SkuStatus.REJECTED: "rejected",
    SkuStatus.BOUND: "ready",
    SkuStatus.IMPORTING: "ready",
    SkuStatus.IMPORTED: "delivered",
    SkuStatus.IMPORT_FAILED: "failed",
    SkuStatus.SUPERSEDED: "rejected",
}


def group_of(status: str, page_status: str) -> str:
    """The filter that a SKU belongs to: what would go out is to be checked as long as its page waits for a person."""
    group = GROUP_OF[status]
    return "open" if group == "ready" and page_status in PAGES_WITH_PEOPLE else group


def _in_group(show: str) -> Q:
    """As ``group_of``."""
    waits = Q(page__status__in=PAGES_WITH_PEOPLE)
    own, ready = (Q(status__in=[s for s, group in GROUP_OF.items() if group == name]) for name in (show, "ready"))
    if show == "ready":
        return ready & ~waits
    return own | (ready & waits) if show == "open" else own


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
    """In page order; as ``narrowed``."""
    return narrowed(active_skus(job), show, q, page)


def narrowed(rows: QuerySet[Sku], show: str = "all", q: str = "", page: int | None = None) -> QuerySet[Sku]:
    """``show``: a group of GROUP_OF; ``q``: part of model, name or SKU id; ``page``: a page number."""
    rows = rows.filter(_in_group(show)) if show in GROUP_OF.values() else rows
    rows = rows.filter(page__number=page) if page else rows
    if q:
        rows = rows.filter(
            Q(attributes__model__icontains=q) | Q(attributes__product_name__icontains=q) | Q(sku_id__icontains=q)
        )
    return rows


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


def result_etag(job: Job) -> str:
    """Names the version of the document's result: any visible change of the document or of a page gives another."""
    latest = Page.objects.filter(job=job).order_by("-changed").values_list("changed", "version").first()
    skus = Sku.objects.filter(job=job).order_by("-pk").values_list("pk", flat=True).first()
    return f'"{job.version}-{latest[0] if latest else 0}-{latest[1] if latest else 0}-{skus or 0}"'
