"""What exports hold and what the panel shows of them; every read begins with what the person may see."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import F, Func, Prefetch, QuerySet, Value
from django.db.models.functions import Collate, Length

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import NotFound
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job
from processing.exports import listed
from processing.exports.columns import Column, Entry, Table, columns_of, unarranged
from processing.exports.models import Export, ExportLayout
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku, SkuImage

AT_ONCE = 500
# As delivery.changes.order_of.
_ORDER = (
    Collate(Func(F("sku_id"), Value("_"), Value(1), function="split_part"), "C"),
    Length("sku_id"),
    Collate("sku_id", "C"),
)
_READ = (
    *("sku_id", "revision", "status", "validity", "confidence", "quality_warning", "attributes", "normalized"),
    *("custom_attributes",),
    *("page__number", "job__uuid", "job__source_name", "job__category"),
)


def exported_skus(merchant_id: int, job: Job | None, *, full_only: bool = False) -> QuerySet[Sku]:
    """The active SKUs but those that people rejected, or only those that are ``full``.

    Over all documents each sku_id once, from the newest document of its file, as the import ledger has it. In the order
    of ``delivery.changes``.
    """
    rows = Sku.objects.filter(superseded=False)
    if job is not None:
        rows = rows.filter(job=job)
    else:
        newest = rows.filter(job__merchant=merchant_id).order_by("sku_id", "-job_id").distinct("sku_id")
        rows = Sku.objects.filter(pk__in=newest.values("pk"))
    pictures = SkuImage.objects.select_related("image").only(
        "sku_id", "rank", "image__image_id", "image__storage_key", "image__width_px", "image__height_px"
    )
    return (
        (rows.filter(validity="full") if full_only else rows)
        .exclude(status=SkuStatus.REJECTED)
        .select_related("page", "job")
        .only(*_READ)
        .prefetch_related(Prefetch("pictures", queryset=pictures))
        .order_by(*_ORDER)
    )


def iterate(rows: QuerySet[Sku]) -> Iterator[Sku]:
    """Some at a time, from one statement: what changes meanwhile is not half in it."""
    return rows.iterator(AT_ONCE)


def known_columns(merchant_id: int) -> dict[str, Column]:
    """Every column that a SKU of the merchant can have."""
    used = Job.objects.filter(merchant=merchant_id).order_by().values("schema").distinct()
    return columns_of(CategorySchema.objects.filter(pk__in=used).order_by("pk"))


def job_table(job: Job, wanted: str = "") -> Table:
    """One document as it stands, with the columns that nobody has arranged. ``wanted``: as ``listed.canonical``."""
    known = columns_of([job.schema])
    columns = [known[key] for key in unarranged(known, one_document=True)]
    rows = listed.only_listed(exported_skus(job.merchant_id, job), job.merchant_id, job, wanted)
    entries = (Entry(sku.sku_id, sku) for sku in iterate(rows))
    return Table(columns, entries, wanted=wanted, wanted_words=listed.words(job.merchant_id, job, wanted))


def chosen_columns(known: dict[str, Column], keys: Sequence[str]) -> list[Column]:
    """A key that no document of the merchant has now is an empty column: whoever reads the file goes on."""
    return [known.get(key) or Column(key, key, key, lambda entry: None) for key in keys]


# --- what the panel and programs ask for ----------------------------------------------------------


def merchants_of(actor: User) -> QuerySet[Merchant]:
    rows = Merchant.objects.filter(is_active=True).order_by("name")
    ids = actor.merchant_ids()
    return rows if ids is None else rows.filter(pk__in=ids)


def get_merchant(actor: User, merchant_id: int | None) -> Merchant:
    """Without an id the person's own. Raises NotFound where it is missing or not to be seen."""
    merchant = actor.own_merchant() if merchant_id is None else merchants_of(actor).filter(pk=merchant_id).first()
    if merchant is None:
        raise NotFound("not_found")
    return merchant


def list_layouts(merchant: Merchant) -> QuerySet[ExportLayout]:
    return ExportLayout.objects.filter(merchant=merchant).order_by("name")


def get_layout(actor: User, layout_id: UUID) -> ExportLayout:
    """Raises NotFound where it is missing or another merchant's."""
    layout = ExportLayout.objects.visible_to(actor).select_related("merchant").filter(uuid=layout_id).first()
    if layout is None:
        raise NotFound("not_found")
    return layout


def list_exports(actor: User, merchant: Merchant | None = None, job: Job | None = None) -> QuerySet[Export]:
    """The newest first; of one document those of it alone."""
    rows = Export.objects.visible_to(actor).defer("held").select_related("layout", "asked_by", "job").order_by("-pk")
    if job is not None:
        return rows.filter(merchant=job.merchant_id, job=job)
    return rows.filter(merchant=merchant, job=None) if merchant is not None else rows


def get_export(actor: User, export_id: UUID) -> Export:
    """Raises NotFound where it is missing or another merchant's."""
    export = list_exports(actor).select_related("merchant").filter(uuid=export_id).first()
    if export is None:
        raise NotFound("not_found")
    return export


def base_of(export: Export) -> Export | None:
    """The last export of the same layout and reach that somebody fetched."""
    same = {"layout": export.layout_id, "job": export.job_id, "full_only": export.full_only, "wanted": export.wanted}
    rows = Export.objects.filter(**same, pk__lt=export.pk)
    return rows.filter(fetched_at__isnull=False, held__isnull=False).order_by("-pk").first()
