"""Entry points for operators: models (how their gates stand, what is spent, setting a gate), imports (what became of
them, sending them again), and stopping a document.
"""

from typing import Any, Literal
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Conflict
from ingestion import selectors as documents
from ingestion.models import Job
from ingestion.problems import sentence
from processing import watch
from processing.imports import presenters
from processing.imports.services import delivering, holds
from processing.llm import gate
from processing.llm.presenters import code_word, usd
from processing.llm.services.probes import probe
from processing.models import LanguageModel
from processing.services.cancelling import cancel

IMPORTS_A_PAGE = 50
RETRIED_AT_ONCE = 1000

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


@require_POST
@allowed(Action.OPERATE)
def model_probe(request: SignedInRequest) -> HttpResponse:
    """One tiny question, answered while the person waits; what becomes of it is said in words."""
    try:
        found = probe(request.POST.get("model", "")[:60], request.user.username)
    except LanguageModel.DoesNotExist:
        messages.warning(request, _("There is no such model or state."))
        return redirect("models")
    if found.code:
        why = {"model": found.model, "why": code_word(found.code), "said": found.detail or found.code}
        messages.warning(request, _("%(model)s does not answer: %(why)s (%(said)s)") % why)
    else:
        how = {"model": found.model, "s": f"{found.latency_ms / 1000:.1f}", "cost": usd(found.cost_micro)}
        messages.success(request, _("%(model)s answers: %(s)s s, %(cost)s") % how)
    return redirect("models")


@require_GET
@allowed(Action.SUPERVISE)
def imports(request: SignedInRequest) -> HttpResponse:
    """Of all documents: what was refused, given up, is not confirmed, differs, or is on its way."""
    return render(request, "processing/imports.html", {"nav": "ops", **_imports(request, None)})


@require_GET
@allowed(Action.SEE_RESULTS)
def job_imports(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """The newest import of each SKU of one document."""
    job = documents.get_job(request.user, job_id)
    held = {"by_operator": job.import_held_by, "by_edition": job.import_hold and not job.import_held_by}
    context = {"nav": "results", "job": documents.job_head(job), "held": held, **_imports(request, job)}
    return render(request, "processing/imports.html", context)


@require_POST
@allowed(Action.CANCEL_JOB)
def job_cancel(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    found = documents.get_job(request.user, job_id)
    try:
        done = cancel(found, request.user.username)
        words = ngettext("Cancelled, %(n)s page stopped", "Cancelled, %(n)s pages stopped", done.pages)
        messages.success(request, words % {"n": done.pages})
        if flying := done.imports_in_flight + done.model_calls_in_flight:
            words = ngettext(
                "%(n)s call is still on its way: it ends and is written down",
                "%(n)s calls are still on their way: they end and are written down", flying,
            )  # fmt: skip
            messages.info(request, words % {"n": flying})
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", found.uuid)


@require_POST
@allowed(Action.SUPERVISE)
def imports_try(request: SignedInRequest) -> HttpResponse:
    """The secret of a held target was mended: one of its imports goes out at once, and the others after it."""
    name = request.POST.get("target", "")[:20]
    tried = holds.try_now(presenters.list_holds(request.user).filter(target=name))
    if tried:
        messages.success(request, _("%(target)s is tried again") % {"target": name})
    else:
        messages.warning(request, _("This target is not held."))
    return redirect("imports")


def _imports(request: SignedInRequest, job: Job | None) -> dict[str, Any]:
    show, found = request.GET.get("show", "all"), presenters.find_imports(request.user, job)
    page: Any = Paginator(found.of(show), IMPORTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.imports_with(page.object_list)
    return {
        "page": page,
        "filters": presenters.import_filters(found),
        "filter": show if show in presenters.GROUPS else "all",
        "can_retry": may(request.user, Action.SUPERVISE),
        "holds": presenters.hold_rows(request.user) if job is None else [],
    }


@require_POST
@allowed(Action.SUPERVISE)
def imports_retry(request: SignedInRequest) -> HttpResponse:
    """The row whose button was pressed (`only`; `confirm`: it has arrived), or `all` that failed or differ."""
    given = request.POST.get("job", "")
    job = documents.get_job(request.user, UUID(given)) if _is_uuid(given) else None
    chosen = _chosen(request, job)
    if request.POST.get("confirm"):
        done = delivering.confirm_by_hand(chosen, request.user.username)
        words = ngettext("%(n)s import counts as arrived", "%(n)s imports count as arrived", done)
    else:
        done = delivering.retry_imports(chosen, request.user.username)
        words = ngettext("%(n)s import goes out again", "%(n)s imports go out again", done)
    (messages.success if done else messages.warning)(request, words % {"n": done})
    return redirect("job_imports", job.uuid) if job is not None else redirect("imports")


def _chosen(request: SignedInRequest, job: Job | None) -> list[int]:
    """Ids, within what the person may see."""
    if "all" in request.POST:
        found = presenters.find_imports(request.user, job)
        failed = {pk for group in presenters.FAILED_OR_DIFFERS for pk in found.of(group)}
        return sorted(failed, reverse=True)[:RETRIED_AT_ONCE]
    number = request.POST.get("only") or request.POST.get("confirm") or ""
    is_number = number.isascii() and number.isdecimal() and len(number) < 19
    return presenters.the_import(request.user, job, int(number)) if is_number else []


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
