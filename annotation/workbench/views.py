"""Entry points of the workbench on one task, and of the commands of people without a socket."""

from collections.abc import Callable
from uuid import UUID

import msgspec
from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_POST

from annotation.queue.services import dispatch
from annotation.tasks.models import HumanTask
from annotation.workbench import around, first_hand, past, presenters, printed
from annotation.workbench.commands import run_command
from annotation.workbench.events import SHOWN_MAX, whole_for
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from ingestion.kinds import CATALOGUE
from processing.studies.kind import STUDY

PRINT_KEPT_S = 3600


@require_GET
@allowed(Action.SEE_TASKS)
def tasks_sync(request: SignedInRequest) -> HttpResponse:
    """What the socket's sync says, for a page whose socket is down: of each ?task=, with ?alone=1 of nothing else."""
    try:
        task_ids = msgspec.convert(request.GET.getlist("task")[:SHOWN_MAX], list[UUID])
    except msgspec.ValidationError:
        return HttpResponseBadRequest()
    return JsonResponse(whole_for(request.user, task_ids, "alone" in request.GET))


@require_POST
@allowed(Action.SEE_TASKS)
def work_command(request: SignedInRequest) -> HttpResponse:
    text = request.body if request.content_type == "application/json" else b""  # a form's body has been read by now
    status, answer = run_command(request.user, text)
    return JsonResponse(answer, status=status)


@require_GET
@allowed(Action.SEE_TASKS)
def task(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """The screen of its document's kind; with ?claim=1 its script takes the task at once."""
    human_task = presenters.get_task(request.user, task_id)
    return SCREENS[human_task.job.kind](request, human_task)


def _page_bench(request: SignedInRequest, human_task: HumanTask) -> HttpResponse:
    context = {
        "nav": "tasks",
        "task": human_task,
        "job": human_task.job,
        "page": human_task.page,
        "bench": presenters.bench(request.user, human_task),
        "first_hand": first_hand.first_hand(human_task),
        **presenters.choices(),
    }
    return render(request, "annotation/workbench.html", context)


def _study(request: SignedInRequest, human_task: HumanTask) -> HttpResponse:
    """A study is decided on as a whole, and by several people at once: it has no task of its own."""
    return redirect(STUDY.screen, human_task.job.uuid)


# By kind; an app that brings one enters its own where its addresses are.
SCREENS: dict[str, Callable[[SignedInRequest, HumanTask], HttpResponse]] = {
    CATALOGUE.key: _page_bench,
    STUDY.key: _study,
}


@require_GET
@allowed(Action.SEE_TASKS)
def task_print(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """What is printed on the page; as long-lived as its picture."""
    answer = JsonResponse(printed.printed(presenters.get_task(request.user, task_id)))
    patch_cache_control(answer, private=True, max_age=PRINT_KEPT_S)
    return answer


@require_GET
@allowed(Action.SEE_TASKS)
def task_around(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    human_task = presenters.get_task(request.user, task_id)
    return render(request, "annotation/_bench_around.html", around.around(human_task))


@require_GET
@allowed(Action.SEE_TASKS)
def task_past(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    human_task = presenters.get_task(request.user, task_id)
    context = {
        "events": past.page_past(human_task),
        "decisions": past.last_decisions(request.user),
        "may_revert": may(request.user, Action.SUPERVISE),
    }
    return render(request, "annotation/_bench_past.html", context)


@require_GET
@allowed(Action.SEE_TASKS)
def task_next(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    """Files of the task that this person would get after this one: fetched ahead, while this one is worked on."""
    present = presenters.get_task(request.user, task_id)
    following = dispatch.offer(request.user).task
    files = presenters.files_of(following) if following and following != present else []
    return JsonResponse({"files": files})
