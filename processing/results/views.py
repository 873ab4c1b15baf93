"""Entry points of results: the table of SKUs, one SKU beside its page, pictures, and downloads."""

from pathlib import PurePath
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Refused
from catalogsku.core.streamed import in_blocks, in_steps
from ingestion import selectors as documents
from ingestion.files import stored_picture
from ingestion.page_groups import groups_of
from processing.catalogue.selectors import get_merchant
from processing.corrections.selectors import allows_at_once, is_correctable
from processing.exports import result_file
from processing.exports.formats import TYPES
from processing.exports.listed import marked
from processing.exports.models import ExportKind
from processing.exports.services.exporting import contents_of
from processing.imports.presenters import imports_of_sku
from processing.lists import presenters as lists
from processing.lists.columns import ALWAYS, ListColumn
from processing.lists.models import ListName
from processing.lists.selectors import (
    BY_PAGE,
    DocumentList,
    catalogue_columns,
    document_columns,
    listed_skus,
)
from processing.lists.services import keep_columns
from processing.problems import PROBLEMS, sentence
from processing.products import presenters, selectors
from processing.products.also_in import also_in
from processing.products.models import Sku
from processing.results.presenters import also_in_shown

DOCUMENTS_A_PAGE = 20
SKUS_A_PAGE = 50
JSON = "json"


class ColumnsForm(forms.Form):
    """Of which list: of a document, or of a merchant's catalogue."""

    job = forms.UUIDField(required=False)
    merchant = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


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
    """A filter that there cannot be is answered with 400 and its code; one that a form adds goes into the address."""
    job = documents.get_job(request.user, job_id)
    if address := lists.added(request.GET):
        return redirect(reverse("results", args=[job_id]) + address)
    columns = document_columns(job, request.user)
    known, shown = columns.known, columns.shown(presenters.COLUMNS)
    groups = groups_of(job)
    wanted, refused = DocumentList(), None
    try:
        wanted = DocumentList.read(request.GET, known)
    except Refused as refusal:
        refused = refusal
    rows = listed_skus(job, wanted, known) if refused is None else Sku.objects.none()
    page: Any = Paginator(rows, SKUS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.sku_rows(job, page.object_list)
    context = {
        "nav": "results",
        "job": documents.job_head(job, groups),
        "page": page,
        "columns": [_head(column, request.GET) for column in shown],
        "always": {key: _head(known[key], request.GET) for key in ALWAYS},
        "by_page": _head(ListColumn(BY_PAGE, gettext("Page")), request.GET),
        "filters": presenters.sku_filters(job),
        "filter": wanted.show,
        "q": wanted.q,
        "page_number": wanted.page_number,
        "wanted": wanted,
        "listed": wanted.address,
        "refused": refused and {"code": refused.code, "words": sentence(refused.code, refused.params)},
        "waiting": groups.waiting,
        "can_export": may(request.user, Action.EXPORT),
        **lists.tools_context(ListName.DOCUMENT, known, shown, wanted.where, request.GET),
    }
    return render(request, "processing/results.html", context, status=PROBLEMS[refused.code][0] if refused else 200)


def _head(column: ListColumn, address: QueryDict) -> lists.Head:
    return lists.head(column, address, "sort", column.key, f"-{column.key}")


@require_POST
@allowed(Action.SEE_RESULTS)
def list_columns(request: SignedInRequest) -> HttpResponse:
    """The columns that a person wants to see in a list: of the documents of a merchant, or of its catalogue."""
    form = ColumnsForm(request.POST)
    if not form.is_valid():
        raise Http404
    cleaned, address = form.cleaned_data, request.POST.get("address", "")
    if not (cleaned["job"] or cleaned["merchant"]):
        return redirect("catalogue")
    back = f"?{QueryDict(address).urlencode()}" if address else ""
    job = documents.get_job(request.user, cleaned["job"]) if cleaned["job"] else None
    merchant = job.merchant if job else get_merchant(request.user, cleaned["merchant"])
    assert merchant is not None  # it was named
    known = (document_columns(job) if job else catalogue_columns(merchant.pk)).known
    keys = [] if "usual" in request.POST else request.POST.getlist("columns")
    try:
        keep_columns(request.user, merchant, ListName.DOCUMENT if job else ListName.CATALOGUE, keys, known)
    except Refused as refusal:
        messages.warning(request, sentence(refusal.code, refusal.params))
    return redirect((reverse("results", args=[job.uuid]) if job else reverse("catalogue")) + back)


@require_GET
@allowed(Action.SEE_RESULTS)
def sku(request: SignedInRequest, job_id: UUID, sku_id: str) -> HttpResponse:
    """One SKU beside its page; with `field` only the proof of that value."""
    row = selectors.get_sku(request.user, job_id, sku_id)
    key = request.GET.get("field", "")
    context = {"job": row.job, "job_uuid": job_id, **presenters.sku_context(row.job, row, key)}
    if not key:
        at_once = may(request.user, Action.CORRECT) and allows_at_once(row.job.merchant_id) and is_correctable(row)
        shown = {**context, "imports": imports_of_sku(row), "at_once": at_once}
        return render(request, "processing/_sku.html", shown)
    if context["value"] is None:
        raise Http404
    return render(request, "processing/_evidence.html", context)


@require_GET
@allowed(Action.SEE_RESULTS)
def sku_also_in(request: SignedInRequest, job_id: UUID, sku_id: str) -> HttpResponse:
    """Where else its pictures stand, in all documents of the merchant; looked for when its dialog is open."""
    found = also_in(request.user, selectors.get_sku(request.user, job_id, sku_id))
    context = {"documents": also_in_shown(found), "more": found.more, "known": found.known}
    return render(request, "processing/_also_in.html", context)


@require_GET
@allowed(Action.SEE_RESULTS)
def picture(request: SignedInRequest, job_id: UUID, image_id: str) -> FileResponse:
    return stored_picture(selectors.get_image(request.user, job_id, image_id).storage_key)


@require_GET
@allowed(Action.EXPORT)
def export(request: SignedInRequest, job_id: UUID, kind: str) -> HttpResponseBase:
    """What was found in the document as it stands, at once: CSV, XLSX and its result file; of what a list shows its
    rows as JSON. What takes longer is stored."""
    job = documents.get_job(request.user, job_id)
    contents = contents_of(job)
    if kind not in (JSON, ExportKind.CSV, ExportKind.XLSX):
        raise Http404
    try:
        wanted = contents.address(job.merchant, job, request.GET.urlencode())
    except Refused as refused:
        problem = {"said": sentence(refused.code, refused.params), "code": refused.code}
        return render(request, "processing/export_refused.html", problem, status=PROBLEMS[refused.code][0])
    if kind == JSON and not wanted:
        body: Any = in_steps(result_file.stream(job))
    else:
        body = in_blocks(contents.at_once(job, kind, wanted))
    response = StreamingHttpResponse(body, content_type=TYPES[ExportKind(kind)])
    name = f"{PurePath(job.source_name).stem}{marked(wanted)}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "no-store"
    return response
