"""Entry points of the documents and job pages: authorise, one selector or service call, render."""

from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.core.errors import Conflict
from catalogsku.profiles.models import CategorySchema
from ingestion import job_page, models_shown, page_groups, personal_data, presentation, selectors
from ingestion.first_steps import first_steps
from ingestion.kinds import CATALOGUE
from ingestion.models import Job
from ingestion.phases import phases
from ingestion.problems import sentence
from ingestion.services import jobs, opening, permission
from ingestion.standing import standing
from ingestion.verdicts import file_limits

CARDS_A_PAGE = 20
MIB = 1 << 20
PASSWORD_LENGTH_MAX = 200


@require_GET
@allowed(Action.SEE_JOBS)
def documents(request: SignedInRequest) -> HttpResponse:
    """The list; with the header X-Fragment only its rows and counts, for the page that keeps itself fresh."""
    show, q = request.GET.get("show", "all"), request.GET.get("q", "").strip()[:100]
    page: Any = Paginator(selectors.list_jobs(request.user, show, q), CARDS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = selectors.job_cards(page.object_list)
    context = {
        "nav": "documents",
        "page": page,
        "filters": selectors.job_filters(request.user),
        "filter": show if show in selectors.JOB_FILTERS else "all",
        "q": q,
    }
    if request.headers.get("X-Fragment") == "rows":
        return render(request, "ingestion/_documents_fresh.html", context)
    if not page.object_list and show == "all" and not q:
        context["steps"] = first_steps(request.user)
    return render(request, "ingestion/documents.html", context | _intake(request.user))


def _intake(user: User) -> dict[str, Any]:
    if not may(user, Action.UPLOAD):
        return {"can_upload": False}
    label = "label_zh" if (get_language() or "").startswith("zh") else "label_en"
    merchant = user.own_merchant()
    percent = models_shown.batch_percent(merchant.pk) if merchant is not None else None
    return {
        "can_upload": True,
        "not_urgent": models_shown.not_urgent(percent) if percent is not None else "",
        "offered": opening.offered(merchant.pk) if merchant is not None else [],
        "catalogue": CATALOGUE,
        "earlier": selectors.earlier_editions(user),
        "categories": list(CategorySchema.objects.filter(active=True).order_by("pk").values_list("key", label)),
        "limits": {
            "max_bytes": settings.UPLOAD_MAX_BYTES,
            "max_mb": settings.UPLOAD_MAX_BYTES // MIB,
            "chunk_bytes": settings.UPLOAD_CHUNK_BYTES,
            "max_pages": file_limits().pages_max,
        },
    }


@require_GET
@allowed(Action.SEE_JOBS)
def job(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    document = selectors.get_job(request.user, job_id)
    return render(request, "ingestion/job.html", {"nav": "documents"} | _live_region(request.user, document))


@require_GET
@allowed(Action.SEE_JOBS)
def job_region(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """A part of the job page alone: the tiles `from` a page on, its `side` panels, or all that is live."""
    document = selectors.get_job(request.user, job_id)
    if start := request.GET.get("from", ""):
        tiles, more = selectors.tiles(document, int(start) if start.isdecimal() and len(start) < 10 else 1)
        return render(
            request, "ingestion/_tiles.html", {"job": selectors.job_head(document), "tiles": tiles, "more_from": more}
        )
    if request.GET.get("part") == "side":
        return render(request, "ingestion/_job_side.html", _side(document))
    context = _live_region(request.user, document)
    response = render(request, "ingestion/_job_live.html", context)
    response["X-Job-Shape"] = context["figures"]["shape"]
    return response


def _live_region(user: User, document: Job) -> dict[str, Any]:
    groups = page_groups.groups_of(document)
    tiles, more = selectors.tiles(document)
    return {
        "job": selectors.job_head(document, groups),
        "phases": phases(document, groups),
        "filters": presentation.page_filters(groups),
        "figures": job_page.figures(document, groups),
        "tiles": tiles,
        "more_from": more,
        "edge": selectors.edge(document),
        "models": models_shown.models_shown(
            document, groups, models_shown.spent_micro([document.pk]).get(document.pk, 0)
        ),
        "asking": models_shown.asking_words(document, document.models_pages or 0),
        "can": {
            "cancel": may(user, Action.CANCEL_JOB) and selectors.can_cancel(document),
            "retry": may(user, Action.RETRY) and groups.counts["failed"] > 0,
            "retry_page": may(user, Action.RETRY),
            "results": may(user, Action.SEE_RESULTS) and groups.skus > 0,
            "export": may(user, Action.EXPORT) and groups.skus > 0,
            "password": may(user, Action.UPLOAD),
            "read_copy": may(user, Action.READ_COPY),
            "ask_models": may(user, Action.UPLOAD),
        },
    }


def _side(document: Job) -> dict[str, Any]:
    return {
        "job": document,
        "stands": standing(document, page_groups.groups_of(document)),
        "notes": selectors.notes(document),
        "personal": personal_data.shown_by(document),
        "route_report": job_page.route_report(document),
        "reasons": job_page.reasons(document),
        "problems": job_page.problems(document),
        "activity": job_page.activity(document),
    }


@require_GET
@allowed(Action.SEE_JOBS)
def job_sync(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """What the socket's `sync` says, for a page whose socket is down."""
    message = job_page.sync(selectors.get_job(request.user, job_id))
    text = msgspec.json.encode({**message, "seq": 0, "at": clock.now().isoformat()})
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": "no-store"})


@require_POST
@allowed(Action.RETRY)
def job_retry(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    return _rerun(request, job_id, None)


@require_POST
@allowed(Action.RETRY)
def page_rerun(request: SignedInRequest, job_id: UUID, number: int) -> HttpResponse:
    return _rerun(request, job_id, [number])


def _rerun(request: SignedInRequest, job_id: UUID, numbers: list[int] | None) -> HttpResponse:
    document = selectors.get_job(request.user, job_id)
    try:
        sent = jobs.rerun_pages(document, numbers, request.user.username)
        words = ngettext("%(n)s page goes through again", "%(n)s pages go through again", sent)
        messages.success(request, words % {"n": sent})
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", document.uuid)


@require_POST
@allowed(Action.UPLOAD)
def job_models(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """The button that was pressed (`go`): "yes" lets models be asked, "no" leaves the pages to people."""
    document = selectors.get_job(request.user, job_id)
    said = {"yes": True, "no": False}.get(request.POST.get("go", ""))
    try:
        if said is None:
            messages.warning(request, _("Say whether models are asked"))
        else:
            sent = permission.answer(document, request.user.username, go=said)
            words = models_shown.asking_words(document, sent)
            messages.success(request, words.went if said else words.stayed)
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", document.uuid)


@require_POST
@allowed(Action.UPLOAD)
def job_password(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    document = selectors.get_job(request.user, job_id)
    password = request.POST.get("password", "")
    try:
        if not 1 <= len(password) <= PASSWORD_LENGTH_MAX:
            messages.warning(request, _("A password is needed"))
        else:
            jobs.give_password(document, password, request.user.username)
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", document.uuid)
