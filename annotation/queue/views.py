"""Entry points of tasks: the list of pages that wait for a person, and the workbench on one of them."""

from uuid import uuid4

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.queue import filtering, presenters, selectors
from annotation.queue.services import supervising
from annotation.tasks.models import HumanTask
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.profiles.services import work_rules

TASKS_A_PAGE = 50


@require_GET
@allowed(Action.SEE_TASKS)
def tasks(request: SignedInRequest) -> HttpResponse:
    """What waits, narrowed down as the address says, those due first; the pages of a document together."""
    rules, wanted = work_rules(), filtering.read(request.GET)
    rows = filtering.narrow(HumanTask.objects.visible_to(request.user), wanted, request.user, rules)
    filters = selectors.task_filters(request.user, rows)
    queue = filtering.queue_of(request.user, wanted, rules)
    after = request.GET.get("after", "")
    page, following = filtering.step(queue, after, TASKS_A_PAGE)
    context = {
        "nav": "tasks",
        "groups": presenters.by_document(selectors.task_rows(page), wanted),
        "shown": len(page),
        "listed": next((chip.count for chip in filters if chip.key == wanted.show), 0),
        "after": after,
        "next": following,
        "filters": [(chip, wanted.address(show=chip.key)) for chip in filters],
        "wanted": wanted,
        "began": clock.now().isoformat(),
        "limit_s": rules.skip_after_min * 60,
        **filtering.choices(request.user),
    }
    if may(request.user, Action.SUPERVISE):
        context |= presenters.bar(request.user, rules) | {"act": uuid4(), "at_once": supervising.AT_ONCE}
    return render(request, "annotation/tasks.html", context)
