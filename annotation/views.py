"""Entry points of tasks: the plain list of pages that wait for a person."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from annotation import selectors
from annotation.commands import run_command
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action

TASKS_A_PAGE = 50


@require_GET
@allowed(Action.SEE_TASKS)
def tasks(request: SignedInRequest) -> HttpResponse:
    kind = request.GET.get("show", "all")
    page: Any = Paginator(selectors.list_tasks(request.user, kind), TASKS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = selectors.task_rows(page.object_list)
    context = {"nav": "tasks", "page": page, "filters": selectors.task_filters(request.user), "filter": kind}
    return render(request, "annotation/tasks.html", context)


@require_POST
@allowed(Action.SEE_TASKS)
def work_command(request: SignedInRequest) -> HttpResponse:
    status, answer = run_command(request.user, request.body)
    return JsonResponse(answer, status=status)
