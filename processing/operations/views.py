"""Entry points for operators: models (how their gates stand, what is spent, setting a gate), and stopping documents."""

from typing import Literal
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Conflict
from ingestion import selectors as documents
from ingestion.problems import sentence
from processing.llm import gate
from processing.llm.models import LanguageModel
from processing.llm.presenters import code_word, usd
from processing.llm.services.probes import probe
from processing.operations import presenters
from processing.operations.services.cancelling import cancel

STATES: dict[str, Literal["open", "closed"]] = {"open": "open", "closed": "closed"}


@require_GET
@allowed(Action.SUPERVISE)
def models(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only what changes by itself."""
    name = "_models_region" if request.headers.get("X-Fragment") == "region" else "models"
    context = {"nav": "ops", **presenters.models_context(request.user)}
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
    words = (
        _("%(model)s is asked nothing until it is let through again")
        if state == "open"
        else _("%(model)s is asked again")
    )
    messages.success(request, words % {"model": name})
    return redirect("models")


@require_POST
@allowed(Action.OPERATE)
def model_probe(request: SignedInRequest) -> HttpResponse:
    """One tiny question, answered while the person waits; what becomes of it is said in words."""
    try:
        probed = probe(request.POST.get("model", "")[:60], request.user.username)
    except LanguageModel.DoesNotExist:
        messages.warning(request, _("There is no such model or state."))
        return redirect("models")
    if probed.code:
        why = {"model": probed.model, "why": code_word(probed.code), "said": probed.detail or probed.code}
        messages.warning(request, _("%(model)s does not answer: %(why)s (%(said)s)") % why)
    else:
        how = {"model": probed.model, "s": f"{probed.latency_ms / 1000:.1f}", "cost": usd(probed.cost_micro)}
        messages.success(request, _("%(model)s answers: %(s)s s, %(cost)s") % how)
    return redirect("models")


@require_POST
@allowed(Action.CANCEL_JOB)
def job_cancel(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job = documents.get_job(request.user, job_id)
    try:
        done = cancel(job, request.user.username)
        words = ngettext("Cancelled, %(n)s page stopped", "Cancelled, %(n)s pages stopped", done.pages)
        messages.success(request, words % {"n": done.pages})
        if flying := done.imports_in_flight + done.model_calls_in_flight:
            words = ngettext(
                "%(n)s call is still on its way: it ends and is written down",
                "%(n)s calls are still on their way: they end and are written down",
                flying,
            )
            messages.info(request, words % {"n": flying})
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", job.uuid)
