"""Exports of studies: of one, or of all that were read by one template (LX-SYS)."""

from collections.abc import Callable, Iterator
from typing import IO, Any

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.translation import ngettext

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import Refused
from ingestion.lifecycle import JobStatus
from ingestion.models import Job
from processing.exports import selectors
from processing.exports.columns import unarranged
from processing.exports.models import Export, ExportKind
from processing.exports.services.exporting import Contents, Wish
from processing.exports.tables import streamed
from processing.studies import presenters
from processing.studies.columns import COLUMNS, columns_of
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Record
from processing.studies.selectors import named_template
from processing.studies.tables import Selection, write_csv, write_json

REACH = "template"
GONE = (JobStatus.REJECTED, JobStatus.CANCELLED)


def _write_workbook(out: IO[bytes], selection: Selection) -> Iterator[None]:
    from processing.studies.workbook import write_workbook  # what few processes need

    yield from write_workbook(out, selection)


WRITERS: dict[str, Callable[[IO[bytes], Selection], Iterator[None]]] = {
    ExportKind.CSV: write_csv,
    ExportKind.XLSX: _write_workbook,
    ExportKind.JSON: write_json,
}


def wanted(merchant: Merchant, job: Job | None, wish: Wish) -> str:
    """Of all studies "template=KEY", of one nothing. Raises Refused(export_kind, export_of_products,
    unknown_template)."""
    if wish.kind not in WRITERS:
        raise Refused("export_kind", what=wish.kind.upper(), known=", ".join(kind.upper() for kind in WRITERS))
    key = QueryDict(wish.listed).get(REACH, "") if job is None else ""
    is_filtered = wish.listed and (job is not None or wish.listed != urlencode({REACH: key}))
    if wish.layout is not None or wish.with_pictures or wish.is_delta or wish.full_only or is_filtered:
        raise Refused("export_of_products")
    if job is None and named_template(merchant, key) is None:
        raise Refused("unknown_template", what=key[:60], known=", ".join(keys_used(merchant)))
    return wish.listed


def address(merchant: Merchant, job: Job | None, address: str) -> str:
    """As ``wanted``, of an address. Raises Refused(export_of_products, unknown_template)."""
    return wanted(merchant, job, Wish(ExportKind.XLSX, listed=address))


def words(merchant_id: int, job: Job | None, address: str) -> list[str]:
    key = QueryDict(address).get(REACH, "")
    template = named_template(Merchant(pk=merchant_id), key) if key else None
    return [presenters.name_of(template)] if template else []


def marked(address: str) -> str:
    key = QueryDict(address).get(REACH, "")
    return f" ({key})" if key else ""


def counted(n: int) -> str:
    return ngettext("%(n)s value", "%(n)s values", n) % {"n": n}


def keys_used(merchant: Merchant) -> list[str]:
    """Of templates that the merchant's studies were read by."""
    rows = Record.objects.filter(job__merchant=merchant).order_by("template_version__template__key")
    return list(rows.values_list("template_version__template__key", flat=True).distinct())


def write(export: Export, out: IO[bytes]) -> dict[str, Any]:
    """``skus`` of the row counts values."""
    columns = selectors.chosen_columns(COLUMNS, export.columns)
    selection = Selection(rows_of(export.merchant, export.job, export.wanted), export.headings, columns)
    for _ in WRITERS[export.kind](out, selection):
        pass
    return {"skus": selection.values}


def at_once(job: Job, kind: str, address: str) -> Iterator[bytes]:
    """Raises Refused(export_of_products)."""
    if address:
        raise Refused("export_of_products")
    columns = selectors.chosen_columns(COLUMNS, unarranged(COLUMNS, one_document=True))
    writer: Any = WRITERS[kind]  # of the same form, of what studies are written from
    selection: Any = Selection(rows_of(job.merchant, job, ""), columns=columns)
    return streamed(writer, selection)


def rows_of(merchant: Merchant, job: Job | None, address: str) -> "QuerySet[Record]":
    """Without parts that were left out; over many documents without those that were refused or cancelled."""
    rows: QuerySet[Record] = Record.objects.filter(superseded=False).exclude(status=RecordStatus.REJECTED)
    if job is not None:
        rows = rows.filter(job=job)
    else:
        template = named_template(merchant, QueryDict(address).get(REACH, ""))
        rows = rows.filter(job__merchant=merchant, template_version__template=template).exclude(job__status__in=GONE)
    return rows.select_related("job").order_by("job_id", "pk")


CONTENTS = Contents(
    fields=columns_of,
    write=write,
    wanted=wanted,
    reach=REACH,
    at_once=at_once,
    address=address,
    words=words,
    marked=marked,
    counted=counted,
    form="processing/_study_export_form.html",
    screen="studies",
)
