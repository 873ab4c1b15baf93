"""Entry points of results: the table of SKUs, one SKU beside its page, pictures, and downloads."""

from pathlib import PurePath
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.streamed import in_blocks, in_steps
from ingestion import selectors as documents
from ingestion.files import stored_picture
from processing.exports import result_file
from processing.exports import selectors as export_selectors
from processing.exports.formats import TYPES, writer_of
from processing.exports.models import ExportKind
from processing.exports.tables import streamed
from processing.imports.presenters import imports_of_sku
from processing.products import presenters, selectors

DOCUMENTS_A_PAGE = 20
SKUS_A_PAGE = 50
JSON = "json"


@require_GET
@allowed(Action.SEE_RESULTS)
def all_results(request: SignedInRequest) -> HttpResponse:
    jobs = documents.list_jobs(request.user)
    page: Any = Paginator(jobs, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = documents.job_cards(page.object_list)
    context = {"nav": "results", "page": page, "can_export": may(request.user, Action.EXPORT)}
    return render(request, "processing/all_results.html", context)


@require_GET
@allowed(Action.SEE_RESULTS)
def results(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job = documents.get_job(request.user, job_id)
    show, q = request.GET.get("show", "all"), request.GET.get("q", "").strip()[:100]
    number = request.GET.get("page_number", "")
    only = int(number) if number.isdecimal() and len(number) < 6 else None
    page: Any = Paginator(selectors.list_skus(job, show, q, only), SKUS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.sku_rows(job, page.object_list)
    context = {
        "nav": "results",
        "job": documents.job_head(job),
        "page": page,
        "columns": presenters.columns(job),
        "filters": presenters.sku_filters(job),
        "filter": show if show in presenters.GROUPS else "all",
        "q": q,
        "page_number": only,
        "waiting": selectors.pages_waiting(job),
        "can_export": may(request.user, Action.EXPORT),
    }
    return render(request, "processing/results.html", context)


@require_GET
@allowed(Action.SEE_RESULTS)
def sku(request: SignedInRequest, job_id: UUID, sku_id: str) -> HttpResponse:
    """One SKU beside its page; with `field` only the proof of that value."""
    found = selectors.get_sku(request.user, job_id, sku_id)
    key = request.GET.get("field", "")
    context = {"job": found.job, "job_uuid": job_id, **presenters.sku_context(found.job, found, key)}
    if not key:
        shown = {**context, "imports": imports_of_sku(found)}
        return render(request, "processing/_sku.html", shown)
    if context["value"] is None:
        raise Http404
    return render(request, "processing/_evidence.html", context)


@require_GET
@allowed(Action.SEE_RESULTS)
def picture(request: SignedInRequest, job_id: UUID, image_id: str) -> FileResponse:
    return stored_picture(selectors.get_image(request.user, job_id, image_id).storage_key)


@require_GET
@allowed(Action.EXPORT)
def export(request: SignedInRequest, job_id: UUID, kind: str) -> HttpResponseBase:
    """The document's SKUs as they stand, at once: result.json, CSV or XLSX. What takes longer is stored."""
    job = documents.get_job(request.user, job_id)
    if kind == JSON:
        body: Any = in_steps(result_file.stream(job))
    elif kind in (ExportKind.CSV, ExportKind.XLSX):
        writer = writer_of(kind, with_pictures=False)
        body = in_blocks(streamed(writer, export_selectors.job_table(job)))
    else:
        raise Http404
    response = StreamingHttpResponse(body, content_type=TYPES[ExportKind(kind)])
    name = f"{PurePath(job.source_name).stem}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "no-store"
    return response
