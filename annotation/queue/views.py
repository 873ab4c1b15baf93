"""Entry points of tasks: the list of pages that wait for a person, and the workbench on one of them."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.queue import presenters, selectors
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.profiles.services import work_rules

TASKS_A_PAGE = 50


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
        context |= presenters.bar(request.user, rules)
    return render(request, "annotation/tasks.html", {**context, "limit_s": rules.skip_after_min * 60})
