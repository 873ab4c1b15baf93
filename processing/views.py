"""Entry points of results (SKU table, one SKU beside its page, pictures, downloads), of what models said of a document
and its pages, of reports over golden sets, and of prompts tried out on a page."""

from pathlib import PurePath
from typing import Any
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound
from catalogsku.core.streamed import in_blocks, in_steps
from catalogsku.profiles.models import PromptVersion
from ingestion import selectors as documents
from ingestion.files import stored_picture
from ingestion.models import Job
from processing import selectors
from processing.exports import result_file
from processing.exports import selectors as export_selectors
from processing.exports.formats import TYPES, writer_of
from processing.exports.models import ExportKind
from processing.exports.tables import streamed
from processing.imports import presenters
from processing.pages import presenters as asked_shown
from processing.pages.services import trying
from processing.products import presenters as presentation
from processing.quality import presenters as reports_shown

DOCUMENTS_A_PAGE = 20
SKUS_A_PAGE = 50
REPORTS_A_PAGE = 20
JOBS_TO_TRY = 50
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
    page.object_list = selectors.sku_rows(job, page.object_list)
    context = {
        "nav": "results",
        "job": documents.job_head(job),
        "page": page,
        "columns": selectors.columns(job),
        "filters": selectors.sku_filters(job),
        "filter": show if show in presentation.GROUPS else "all",
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
    context = {"job": found.job, "job_uuid": job_id, **selectors.sku_context(found.job, found, key)}
    if not key:
        shown = {**context, "imports": presenters.imports_of_sku(found)}
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


@require_GET
@allowed(Action.SEE_JOBS)
def evaluation(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """How the document was judged: score by score, by whom, why, and for how much (TA-P1-11)."""
    job = documents.get_job(request.user, job_id)
    context = asked_shown.evaluation_context(job, selectors.evaluation_of(job))
    return render(request, "processing/evaluation.html", {"nav": "documents", **context})


@require_GET
@allowed(Action.SEE_JOBS)
def page_models(request: SignedInRequest, job_id: UUID, number: int) -> HttpResponse:
    """What models were asked about one page, shown in its dialog."""
    page = documents.get_page(request.user, job_id, number)
    context = asked_shown.page_context(page, selectors.evaluation_of(page.job))
    return render(request, "processing/_page_models.html", context)


@require_GET
@allowed(Action.SEE_QUALITY)
def quality(request: SignedInRequest) -> HttpResponse:
    page: Any = Paginator(selectors.list_reports(), REPORTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = [reports_shown.report_row(report) for report in page.object_list]
    return render(request, "processing/quality.html", {"nav": "quality", "page": page})


@require_GET
@allowed(Action.SEE_QUALITY)
def quality_report(request: SignedInRequest, report_id: UUID) -> HttpResponse:
    report = selectors.get_report(report_id)
    before = selectors.report_before(report)
    context = reports_shown.report_context(report, before, request.GET.get("page"))
    return render(request, "processing/quality_report.html", {"nav": "quality", **context})


@require_GET
@allowed(Action.SEE_QUALITY)
def quality_picture(request: SignedInRequest, report_id: UUID, number: int) -> FileResponse:
    return stored_picture(selectors.report_picture(report_id, number))


class TryForm(forms.Form):
    job = forms.ModelChoiceField(Job.objects.none(), label=_("Document"))
    number = forms.IntegerField(label=_("Page"), min_value=1, max_value=100_000, initial=1)
    language = forms.ChoiceField(label=_("Language"), choices=[("zh", _("Chinese")), ("en", _("English"))])
    confirm = forms.BooleanField(label=_("Send it to a model; this costs money"), required=False)

    def __init__(self, request: SignedInRequest) -> None:
        super().__init__(request.POST or None)
        newest = documents.list_jobs(request.user).values("pk")[:JOBS_TO_TRY]
        self.fields["job"] = forms.ModelChoiceField(
            Job.objects.filter(pk__in=newest).order_by("-pk"), label=_("Document")
        )


@require_http_methods(["GET", "POST"])
@allowed(Action.OPERATE)
def prompt_try(request: SignedInRequest, prompt_id: int) -> HttpResponse:
    """What this version would send for a page that was read; confirmed, also what a model answers."""
    prompt = get_object_or_404(PromptVersion, pk=prompt_id)
    form, trial, answer, can_send = TryForm(request), None, None, trying.can_send()
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            trial = trying.prepare_trial(prompt, given["job"], given["number"], given["language"])
        except NotFound:
            form.add_error("number", _("This page has not been read."))
        if trial is not None and given["confirm"] and can_send:
            answer = trying.send_trial(trial)
    context = {"prompt": prompt, "form": form, "trial": trial, "answer": answer, "can_send": can_send}
    return render(request, "processing/prompt_try.html", context)
