"""Entry points of the operations page: held documents, stopped pages, queues, workers, periodic work (TA-D2)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from ingestion import queueing, selectors, watch
from ingestion.backups.selectors import last_backup
from ingestion.services import jobs

PAGES_A_PAGE = 50
CODE_LENGTH_MAX = 60


@require_GET
@allowed(Action.SUPERVISE)
def operations(request: SignedInRequest) -> HttpResponse:
    code = request.GET.get("code", "all")[:CODE_LENGTH_MAX]
    filters = watch.stopped_filters(request.user)
    paginator = Paginator(watch.stopped(request.user, code).select_related("job__merchant"), PAGES_A_PAGE)
    paginator.count = next((chip.count for chip in filters if chip.key == code), 0)  # counted already
    page: Any = paginator.get_page(request.GET.get("page"))
    page.object_list = watch.stopped_rows(page.object_list)
    return render(
        request,
        "ingestion/operations.html",
        {"nav": "ops", "page": page, "filters": filters, "filter": code, **_standing(request)},
    )


def _standing(request: SignedInRequest) -> dict[str, Any]:
    workers = watch.workers()
    turns = queueing.held_turns(request.user.merchant_ids())
    queues = watch.queues(request.user, turns)
    redis_up, messages_waiting = watch.redis_state()
    return {
        "held": watch.held_rows(request.user),
        "queues": queues,
        "turns": turns,
        "waiting": sum(queue.waiting for queue in queues),
        "in_hand": sum(queue.in_hand for queue in queues),
        "workers": workers,
        "live_workers": sum(worker.alive for worker in workers),
        "missing_units": watch.missing_units(workers),
        "periodic": watch.periodic_rows(),
        "disks": watch.disks(),
        "backup": last_backup(),
        "redis_up": redis_up,
        "messages_waiting": messages_waiting,
    }


@require_POST
@allowed(Action.SUPERVISE)
def retry_stopped(request: SignedInRequest) -> HttpResponse:
    """The page of the row whose button was pressed (`only`), else all of a code (`all`), else those that are ticked."""
    code = request.POST.get("code", "all")[:CODE_LENGTH_MAX]
    if "all" in request.POST:
        pages = watch.stopped(request.user, code)
    else:
        pages = selectors.stopped_pages(request.user).filter(pk__in=_numbers(request, "page"))
    sent = jobs.retry_stopped(pages, request.user.username)
    words = ngettext("%(n)s page goes through again", "%(n)s pages go through again", sent)
    (messages.success if sent else messages.warning)(request, words % {"n": sent})
    query = f"?{urlencode({'code': code})}" if code != "all" else ""
    return redirect(reverse("operations") + query)


@require_POST
@allowed(Action.SUPERVISE)
def requeue_held(request: SignedInRequest) -> HttpResponse:
    """The document of the row whose button was pressed (`only`), or all that are held (`all`)."""
    held = selectors.held_jobs(request.user)
    rows = held if "all" in request.POST else held.filter(uuid__in=_uuids(request))
    let_go = jobs.requeue_held(rows, request.user.username)
    words = ngettext("%(n)s document goes on", "%(n)s documents go on", let_go)
    (messages.success if let_go else messages.warning)(request, words % {"n": let_go})
    return redirect("operations")


def _numbers(request: SignedInRequest, name: str) -> list[int]:
    numbers = request.POST.getlist("only") or request.POST.getlist(name)
    return [int(value) for value in numbers[:PAGES_A_PAGE] if value.isascii() and value.isdecimal() and len(value) < 19]


def _uuids(request: SignedInRequest) -> list[UUID]:
    uuids = []
    for value in request.POST.getlist("only")[: watch.HELD_SHOWN]:
        try:
            uuids.append(UUID(value))
        except ValueError:
            continue
    return uuids
