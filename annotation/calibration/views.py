"""Entry points of calibration: what people did with pages, and the thresholds that follow from it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.calibration import presenters
from annotation.calibration.services import deciding
from annotation.problems import sentence
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core import messages as broker
from catalogsku.core.errors import ProductError
from catalogsku.profiles.gate import PROBLEMS as OF_PROFILES


class DecisionForm(forms.Form):
    """``why``: to do without a report on golden sets, or why it is declined."""

    do = forms.ChoiceField(choices=[("accept", ""), ("override", ""), ("decline", "")])
    why = forms.CharField(max_length=deciding.WHY_MOST_CHARS, required=False)


@require_GET
@allowed(Action.SEE_QUALITY)
def calibration(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only what changes by itself."""
    context = presenters.calibration_context(request.user, request.GET.get("profile", "")[:60])
    name = "_calibration" if request.headers.get("X-Fragment") == "region" else "calibration"
    return render(request, f"annotation/{name}.html", {"nav": "quality", **context})


@require_POST
@allowed(Action.OPERATE)
def calibration_run(request: SignedInRequest) -> HttpResponse:
    """A worker does it: what the thresholds would have done may take some seconds."""
    broker.send("calibrate_now")
    messages.success(request, _("The calibration has been started. Its record appears here."))
    return redirect("calibration")


@require_POST
@allowed(Action.OPERATE)
def calibration_decide(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    form = DecisionForm(request.POST)
    try:
        if form.is_valid():
            _decide(request, proposal_id, form.cleaned_data)
        else:
            messages.error(request, _("Nothing was decided: say what, and why in at most 200 characters."))
    except ProductError as refused:
        messages.error(request, _refusal(refused))
    return redirect("calibration")


def _decide(request: SignedInRequest, proposal_id: int, given: dict[str, Any]) -> None:
    if given["do"] == "decline":
        deciding.decline(request.user, proposal_id, given["why"])
        messages.success(request, _("Declined. It is not proposed again for a month."))
    elif given["do"] == "override" and not given["why"].strip():
        messages.error(request, _("Say why it shall hold without a report on golden sets; the reason is kept."))
    else:
        override = given["why"] if given["do"] == "override" else ""
        made = deciding.accept(request.user, proposal_id, override).made
        assert made is not None
        holds = _("%(profile)s holds for documents from now on.")
        waits = _("%(profile)s has it. It holds once its report on golden sets has passed and it is activated.")
        messages.success(request, (holds if override else waits) % {"profile": made.words})


def _refusal(refused: ProductError) -> str:
    if refused.code in OF_PROFILES:
        return str(OF_PROFILES[refused.code][1]) % refused.params
    return sentence(refused.code, refused.params)
