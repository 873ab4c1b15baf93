"""Entry points of tasks: the list of pages that wait for a person, and the workbench on one of them."""

from typing import Any
from uuid import UUID

import msgspec
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_POST

from annotation import around_shown, first_hand, page_past, print_shown, queue_shown, selectors, workbench_shown
from annotation.commands import run_command
from annotation.events import SHOWN_MAX, whole_for
from annotation.services import dispatch
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.profiles.services import work_rules

TASKS_A_PAGE = 50
PRINT_KEPT_S = 3600


@require_GET
@allowed(Action.SEE_TASKS)
def tasks(request: SignedInRequest) -> HttpResponse:
    kind = request.GET.get("show", "all")
    filters = selectors.task_filters(request.user)
    paginator = Paginator(selectors.list_tasks(request.user, kind), TASKS_A_PAGE)
    paginator.count = next((chip.count for chip in filters if chip.key == kind), 0)  # counted already
    page: Any = paginator.get_page(request.GET.get("page"))
    page.object_list = selectors.task_rows(page.object_list)
    context = {"nav": "tasks", "page": page, "filters": filters, "filter": kind}
    rules = work_rules()
    if may(request.user, Action.SUPERVISE):
        context |= queue_shown.bar(request.user, rules)
    return render(request, "annotation/tasks.html", {**context, "limit_s": rules.skip_after_min * 60})


@require_GET
@allowed(Action.SEE_TASKS)
def tasks_sync(request: SignedInRequest) -> HttpResponse:
    """What the socket's sync says, for a page whose socket is down: of each ?task=, with ?alone=1 of nothing else."""
    try:
        asked = msgspec.convert(request.GET.getlist("task")[:SHOWN_MAX], list[UUID])
    except msgspec.ValidationError:
        return HttpResponseBadRequest()
    return JsonResponse(whole_for(request.user, asked, "alone" in request.GET))


@require_POST
@allowed(Action.SEE_TASKS)
def work_command(request: SignedInRequest) -> HttpResponse:
    text = request.body if request.content_type == "application/json" else b""  # a form's body has been read by now
    status, answer = run_command(request.user, text)
    return JsonResponse(answer, status=status)


@require_GET
@allowed(Action.SEE_TASKS)
def task(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """The workbench; with ?claim=1 its script takes the task at once."""
    found = workbench_shown.get_task(request.user, task_id)
    context = {
        "nav": "tasks",
        "task": found,
        "job": found.job,
        "page": found.page,
        "bench": workbench_shown.bench(request.user, found),
        "first_hand": first_hand.first_hand(found),
        **workbench_shown.choices(),
    }
    return render(request, "annotation/workbench.html", context)


@require_GET
@allowed(Action.SEE_TASKS)
def task_print(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """What is printed on the page; as long-lived as its picture."""
    answer = JsonResponse(print_shown.printed(workbench_shown.get_task(request.user, task_id)))
    patch_cache_control(answer, private=True, max_age=PRINT_KEPT_S)
    return answer


@require_GET
@allowed(Action.SEE_TASKS)
def task_around(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    found = workbench_shown.get_task(request.user, task_id)
    return render(request, "annotation/_bench_around.html", around_shown.around(found))


@require_GET
@allowed(Action.SEE_TASKS)
def task_past(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    found = workbench_shown.get_task(request.user, task_id)
    context = {
        "events": page_past.page_past(found),
        "decisions": page_past.last_decisions(request.user),
        "may_revert": may(request.user, Action.SUPERVISE),
    }
    return render(request, "annotation/_bench_past.html", context)


@require_GET
@allowed(Action.SEE_TASKS)
def task_next(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """Files of the task that this person would get after this one: fetched ahead, while this one is worked on."""
    present = workbench_shown.get_task(request.user, task_id)
    following = dispatch.offer(request.user).task
    files = workbench_shown.files_of(following) if following and following != present else []
    return JsonResponse({"files": files})
