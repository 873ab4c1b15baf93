"""Entry points of supervision: a lead's decisions about ticked tasks, closed tasks, what people do, and comments."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.people.presenters import figures
from annotation.people.services import golden
from annotation.problems import sentence
from annotation.queue import presenters, selectors
from annotation.queue.services import reverting, supervising
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError

TASKS_A_PAGE = 50


class DecisionForm(forms.Form):
    """Which decision, and what each of them needs; ``closed``: it was taken on the page of closed tasks."""

    do = forms.CharField(max_length=12)
    person = forms.CharField(max_length=150, required=False)
    minutes = forms.IntegerField(required=False)
    priority = forms.CharField(max_length=12, required=False)
    reason = forms.CharField(max_length=400, required=False)
    closed = forms.BooleanField(required=False)


@require_POST
@allowed(Action.SUPERVISE)
def supervise(request: SignedInRequest) -> HttpResponse:
    form, tasks = DecisionForm(request.POST), _ticked(request)
    if not form.is_valid() or form.cleaned_data["do"] not in DECISIONS or not tasks:
        messages.warning(request, _("Tick the tasks that this is about."))
        return redirect("tasks_closed" if "closed" in request.POST else "tasks")
    given = form.cleaned_data
    try:
        changed = DECISIONS[given["do"]](request.user, tasks, given)
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
    else:
        words = ngettext("%(n)s task changed", "%(n)s tasks changed", changed) % {"n": changed}
        (messages.success if changed else messages.warning)(request, words)
    return redirect("tasks_closed" if given["closed"] else "tasks")


def _ticked(request: SignedInRequest) -> list[UUID]:
    """Nothing where one of them is no id."""
    try:
        return msgspec.convert(request.POST.getlist("task")[: supervising.AT_ONCE], list[UUID])
    except msgspec.ValidationError:
        return []


def _assign(actor: User, tasks: list[UUID], given: dict[str, Any]) -> int:
    return supervising.assign(actor, tasks, supervising.person_named(given["person"]))


def _each(step: Callable[[User, UUID, dict[str, Any]], object]) -> "Decision":
    def decide(actor: User, tasks: list[UUID], given: dict[str, Any]) -> int:
        for uuid in tasks:
            step(actor, uuid, given)
        return len(tasks)

    return decide


Decision = Callable[[User, list[UUID], dict[str, Any]], int]
DECISIONS: dict[str, Decision] = {
    "assign": _assign,
    "release": lambda actor, tasks, given: supervising.release(actor, tasks),
    "postpone": lambda actor, tasks, given: supervising.postpone(actor, tasks, given["minutes"] or 0),
    "priority": lambda actor, tasks, given: supervising.set_priority(actor, tasks, given["priority"]),
    "skip": lambda actor, tasks, given: supervising.skip(actor, tasks, given["reason"]),
    "retry": _each(lambda actor, uuid, given: supervising.retry_by_models(actor, uuid)),
    "revert": _each(lambda actor, uuid, given: reverting.revert_task(actor, uuid, given["reason"])),
    "golden": _each(lambda actor, uuid, given: golden.make_golden(actor, uuid)),
}


@require_GET
@allowed(Action.SUPERVISE)
def closed(request: SignedInRequest) -> HttpResponse:
    """What people and the rules have closed, the latest first, to be reverted."""
    page: Any = Paginator(selectors.closed_tasks(request.user), TASKS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.closed_rows(page.object_list)
    return render(request, "annotation/closed.html", {"nav": "tasks", "page": page})


@require_GET
@allowed(Action.SEE_TASKS)
def following(request: SignedInRequest) -> HttpResponse:
    """The task that this person would be given now, with the reason; the queue fetches it once it is shown."""
    return render(request, "annotation/_next.html", presenters.next_card(request.user))


@require_GET
@allowed(Action.SEE_TASKS)
def people(request: SignedInRequest) -> HttpResponse:
    """Leads see their people, everybody else their own figures."""
    return render(request, "annotation/people.html", {"nav": "tasks", **figures(request.user)})


@require_POST
@allowed(Action.SEE_TASKS)
def comment(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    try:
        supervising.comment(request.user, task_id, request.POST.get("text", ""), uuid4())
    except NotFound:
        raise
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
    return redirect("task", task_id)
