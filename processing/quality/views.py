"""Entry points of reports over golden sets."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import FileResponse, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from ingestion.files import stored_picture
from processing.quality import presenters, selectors

REPORTS_A_PAGE = 20


@require_GET
@allowed(Action.SEE_QUALITY)
def quality(request: SignedInRequest) -> HttpResponse:
    page: Any = Paginator(selectors.list_reports(), REPORTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = [presenters.report_row(report) for report in page.object_list]
    return render(request, "processing/quality.html", {"nav": "quality", "page": page})


@require_GET
@allowed(Action.SEE_QUALITY)
def quality_report(request: SignedInRequest, report_id: UUID) -> HttpResponse:
    report = selectors.get_report(report_id)
    before = selectors.report_before(report)
    context = presenters.report_context(report, before, request.GET.get("page"))
    return render(request, "processing/quality_report.html", {"nav": "quality", **context})


@require_GET
@allowed(Action.SEE_QUALITY)
def quality_picture(request: SignedInRequest, report_id: UUID, number: int) -> FileResponse:
    return stored_picture(selectors.report_picture(report_id, number))
