"""Entry points of the page about models for operators: how their gates stand, what is spent; and setting a gate."""

from typing import Literal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from processing import watch
from processing.llm import gate
from processing.models import LanguageModel

STATES: dict[str, Literal["open", "closed"]] = {"open": "open", "closed": "closed"}


@require_GET
@allowed(Action.SUPERVISE)
def models(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only what changes by itself."""
    name = "_models_region" if request.headers.get("X-Fragment") == "region" else "models"
    context = {"nav": "ops", **watch.models_context(request.user)}
    return render(request, f"processing/{name}.html", context)


@require_POST
@allowed(Action.OPERATE)
def model_gate(request: SignedInRequest) -> HttpResponse:
    """The gate of a model is the same for all merchants: `open` lets no call through until it is `closed` again."""
    name, state = request.POST.get("model", "")[:60], STATES.get(request.POST.get("state", ""))
    if state is None or not LanguageModel.objects.filter(name=name).exists():
        messages.warning(request, _("There is no such model or state."))
        return redirect("models")
    gate.set_state(name, state, request.user.username)
    words = _("%(model)s is asked nothing until it is let through again") if state == "open" else _(
        "%(model)s is asked again")  # fmt: skip
    messages.success(request, words % {"model": name})
    return redirect("models")
