"""Entry points of editions: what a new one changes, saying that it is one or is none, approving it; holding imports."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound, ProductError
from ingestion import selectors as documents
from ingestion.models import Job
from ingestion.problems import sentence
from ingestion.services import jobs
from processing.editions import presenters
from processing.editions.models import ChangeKind
from processing.editions.services import approving, recognising

CHANGES_A_PAGE = 50


@require_GET
@allowed(Action.SEE_RESULTS)
def edition(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """With the header X-Fragment only how far it is, which changes by itself."""
    job = documents.get_job(request.user, job_id)
    row = presenters.edition_of(job)
    context: dict[str, Any] = {"nav": "documents", "job": documents.job_head(job)}
    context["can_decide"] = may(request.user, Action.APPROVE) and documents.can_be_decided(job)
    if row is None:
        context["predecessors"] = presenters.predecessors(request.user, job)
        return render(request, "processing/edition_none.html", context)
    context["head"] = presenters.edition_head(job, row)
    if request.headers.get("X-Fragment") == "region":
        return render(request, "processing/_edition_head.html", context | {"seen": request.GET.get("seen", "")})
    show = request.GET.get("show", "all")
    page: Any = Paginator(presenters.list_changes(row, show), CHANGES_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.change_rows(job, page.object_list)
    shown = show if show in presenters.SHOWN else "all"
    renamings, more = presenters.renaming_rows(job, row) if context["head"].is_open else ([], 0)
    details = {
        "page": page,
        "filters": presenters.change_filters(row),
        "filter": shown,
        "seen": row.digest,
        "renamings": renamings,
        "more_renamings": more,
        "removed": row.tally.get(ChangeKind.REMOVED, 0),
        "noted_together": row.together,  # type: ignore[attr-defined]
        "can_act": context["can_decide"] and context["head"].is_open,
    }
    return render(request, "processing/edition.html", context | details)


@require_GET
@allowed(Action.SEE_RESULTS)
def edition_change(request: SignedInRequest, job_id: UUID, key: str) -> HttpResponse:
    """One change with both pages side by side, shown in a dialog."""
    job = documents.get_job(request.user, job_id)
    row = presenters.edition_of(job)
    if row is None:
        raise NotFound("not_found")
    context = presenters.change_context(job, row, presenters.get_change(row, key))
    return render(request, "processing/_edition_change.html", context)


@require_POST
@allowed(Action.APPROVE)
def edition_declare(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        earlier = documents.get_job(request.user, _uuid(request.POST.get("edition_of", "")))
        recognising.declare(job, earlier, request.user.username)
        return _("It is an edition of %(name)s; nothing of it goes out until you approve") % {
            "name": earlier.source_name
        }

    return _done(request, job, act)


@require_POST
@allowed(Action.APPROVE)
def edition_undo(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        recognising.undo(job, request.user.username)
        return _("It is a document of its own; pages that were taken over go through again")

    return _done(request, job, act)


@require_POST
@allowed(Action.APPROVE)
def edition_choose(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``goes`` 1 or 0, for the ``key`` or for all of a ``kind``."""
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        kind = request.POST.get("kind", "")
        goes, keys = request.POST.get("goes") == "1", request.POST.getlist("key")
        n = approving.choose(job, goes=goes, keys=keys, kind=kind if kind in ChangeKind.values else "")
        return ngettext("%(n)s change noted", "%(n)s changes noted", n) % {"n": n}

    return _done(request, job, act)


@require_POST
@allowed(Action.APPROVE)
def edition_choose_undo(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """The last word on all changes of a kind."""
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        n = approving.take_back_choice(job)
        return ngettext("%(n)s change is as before", "%(n)s changes are as before", n) % {"n": n}

    return _done(request, job, act)


@require_POST
@allowed(Action.APPROVE)
def edition_rename(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``taken`` 1: the products ``earlier`` and ``later`` are one under another code; 0: they are two."""
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        taken = request.POST.get("taken") == "1"
        pair = request.POST.get("earlier", ""), request.POST.get("later", "")
        approving.say_renamed(job, *pair, taken=taken, actor=request.user.username)
        return _("It is one product under another code") if taken else _("They are two products")

    return _done(request, job, act)


@require_POST
@allowed(Action.APPROVE)
def edition_approve(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    job = documents.get_job(request.user, job_id)

    def act() -> str:
        approving.approve(job, request.POST.get("seen", ""), request.user.username)
        return _("Approved: the changes go out now")

    return _done(request, job, act)


def _done(request: SignedInRequest, job: Job, act: Callable[[], str]) -> HttpResponse:
    """Back to where the person was in the list."""
    try:
        messages.success(request, act())
    except ProductError as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    place = {key: value for key in ("show", "page") if (value := request.POST.get(key, ""))}
    query = f"?{urlencode(place)}" if place else ""
    return redirect(reverse("edition", args=[job.uuid]) + query)


def _uuid(text: str) -> UUID:
    """Raises NotFound."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFound("not_found") from None


@require_POST
@allowed(Action.SUPERVISE)
def imports_hold(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``act`` hold or let_go: an operator stops what a document sends, or lets it go on."""
    job = documents.get_job(request.user, job_id)
    rows = Job.objects.filter(pk=job.pk)
    if request.POST.get("act") == "hold":
        done, words = jobs.hold_imports(rows, request.user.username), _("Nothing of this document goes out now")
    else:
        done, words = jobs.let_imports_go(rows), _("The imports of this document go on")
    (messages.success if done else messages.warning)(request, words if done else _("Nothing had to be changed"))
    return redirect("job_imports", job.uuid)
