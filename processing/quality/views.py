"""Entry points of reports over golden sets, and of what a change of configuration would do."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.profiles.models import RoutingTable, ThresholdProfile
from ingestion.files import stored_picture
from processing.quality import effects_shown, presenters, selectors
from processing.quality.services.effects import effect_of_profile, effect_of_routing

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


@require_POST
@allowed(Action.OPERATE)
def profile_effect(request: SignedInRequest, profile_id: int) -> HttpResponse:
    """What the values of the profile's form would have done; nothing is saved."""
    return _effect(request, get_object_or_404(ThresholdProfile, pk=profile_id), effect_of_profile)


@require_POST
@allowed(Action.OPERATE)
def routing_effect(request: SignedInRequest, routing_id: int) -> HttpResponse:
    return _effect(request, get_object_or_404(RoutingTable, pk=routing_id), effect_of_routing)


def _effect(request: SignedInRequest, row: Any, effect_of: Any) -> HttpResponse:
    """A part of the form's own page for its script, else a page. A reason is asked for only when it is saved."""
    model_admin = admin.site.get_model_admin(type(row))
    given = request.POST.copy()
    given["reason"] = str(given.get("reason") or "-")
    form = model_admin.get_form(request, row)(given, instance=row)
    context: dict[str, Any] = {"nav": "", "row": str(row)}
    if form.is_valid():
        context["effect"] = effects_shown.shown_effect(effect_of(form.instance))
    else:
        labels = {name: str(field.label) for name, field in form.fields.items()}
        context["errors"] = [
            f"{labels[name]}: {error}" if name in labels else str(error)
            for name, errors in form.errors.items()
            for error in errors
        ]
    return render(request, f"processing/{'_' if 'part' in request.GET else ''}config_effect.html", context)
