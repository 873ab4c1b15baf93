"""Entry points of reports: making one from the results of a document, and what came of one's own."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.problems import sentence
from annotation.reports import presenters, services
from annotation.reports.models import SkuReport
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Refused
from ingestion import selectors as documents
from ingestion.models import Job

REPORTS_A_PAGE = 50


class ReportForm(forms.Form):
    kind = forms.ChoiceField(choices=SkuReport.Kind.choices)
    text = forms.CharField(max_length=400)
    sku_id = forms.CharField(max_length=40, required=False)
    page_number = forms.IntegerField(min_value=1, max_value=100_000, required=False)


@require_POST
@allowed(Action.REPORT)
def sku_report(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job, form = documents.get_job(request.user, job_id), ReportForm(request.POST)
    if not form.is_valid():
        return _answer(request, job, _("A report says what it is about, and what is wrong."))
    cleaned = form.cleaned_data
    try:
        made = services.report(
            request.user,
            job_id,
            cleaned["kind"],
            cleaned["text"],
            sku_id=cleaned["sku_id"],
            number=cleaned["page_number"],
        )
    except Refused as refusal:
        return _answer(request, job, sentence(refusal.code, refusal.params))
    said = _("Reported: a person looks at page %(number)s.") % {"number": made.page.number}
    return _answer(request, job, said, made=True)


def _answer(request: SignedInRequest, job: Job, said: str, *, made: bool = False) -> HttpResponse:
    """In the place of the form, so that the list stays as it is; without scripts as a message on the next page."""
    if "HX-Request" in request.headers:
        return render(request, "processing/_report_said.html", {"said": said, "tone": "done" if made else "person"})
    (messages.success if made else messages.warning)(request, said)
    return redirect("reports") if made else redirect("results", job.uuid)


@require_GET
@allowed(Action.REPORT)
def reports(request: SignedInRequest) -> HttpResponse:
    page: Any = Paginator(presenters.list_reports(request.user), REPORTS_A_PAGE).get_page(request.GET.get("page"))
    listed = list(page.object_list)
    page.object_list = presenters.report_rows(request.user, listed)
    answer = render(request, "annotation/reports.html", {"nav": "results", "page": page})
    services.mark_seen(request.user, [row.pk for row in listed])
    return answer
