"""Entry points of reports over golden sets, and of what a change of configuration would do."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Conflict, Refused
from catalogsku.profiles.models import RoutingTable, ThresholdProfile
from ingestion.files import stored_picture
from processing.problems import sentence
from processing.quality import effects_shown, presenters, runs_shown, selectors
from processing.quality.services.effects import Effect, effect_of_profile, effect_of_routing
from processing.quality.services.histories import known_history
from processing.quality.services.runs import ask_for_run

REPORTS_A_PAGE = 20


@require_GET
@allowed(Action.SEE_QUALITY)
def quality(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only what changes by itself."""
    context: dict[str, Any] = {"nav": "quality", **runs_shown.runs_context(request.user)}
    if request.headers.get("X-Fragment") == "region":
        return render(request, "processing/_eval_runs.html", context)
    page: Any = Paginator(selectors.list_reports(), REPORTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = [presenters.report_row(report) for report in page.object_list]
    return render(request, "processing/quality.html", {**context, "page": page})


@require_POST
@allowed(Action.OPERATE)
def quality_run(request: SignedInRequest) -> HttpResponse:
    """A worker measures the set; one run is asked for at a time here."""
    chosen = (request.POST.get("golden", "")[:100], request.POST.get("profile", "")[:80])
    try:
        ask_for_run(request.user, *chosen, most=1)
    except (Conflict, Refused) as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    else:
        messages.success(request, _("The evaluation has been started. Its report appears here."))
    return redirect("quality")


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

    def effect_of(row: ThresholdProfile) -> Effect:
        return effect_of_profile(row, known_history(row.key))

    return _effect(request, get_object_or_404(ThresholdProfile, pk=profile_id), effect_of)


@require_POST
@allowed(Action.OPERATE)
def routing_effect(request: SignedInRequest, routing_id: int) -> HttpResponse:
    return _effect(request, get_object_or_404(RoutingTable, pk=routing_id), effect_of_routing)


def _effect(request: SignedInRequest, row: Any, effect_of: Any) -> HttpResponse:
    """A part of the form's own page for its script, else a page. A reason is asked for only when it is saved."""
    model_admin = admin.site.get_model_admin(type(row))
    posted = request.POST.copy()
    posted["reason"] = str(posted.get("reason") or "-")
    form = model_admin.get_form(request, row)(posted, instance=row)
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
