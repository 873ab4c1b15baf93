"""Entry points of supervision: a lead's decisions about ticked tasks, closed tasks, what people do, and comments."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.people.presenters import figures
from annotation.people.services import golden
from annotation.problems import sentence
from annotation.queue import filtering, presenters, selectors
from annotation.queue.services import reverting, supervising
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError, Refused
from catalogsku.profiles.services import work_rules

TASKS_A_PAGE = 50


class DecisionForm(forms.Form):
    """Which decision, why, and what each of them needs. ``act`` names it, so that the same twice is done once.

    ``filter``: the query string of the list; with ``all`` it is about whatever that lists, as far as it was there
    ``at`` the time of the list. ``closed``: it was taken on the page of closed tasks.
    """

    do = forms.CharField(max_length=12)
    act = forms.UUIDField(required=False)
    person = forms.CharField(max_length=150, required=False)
    minutes = forms.IntegerField(required=False)
    priority = forms.CharField(max_length=12, required=False)
    reason = forms.CharField(max_length=supervising.WHY_MOST_CHARS, required=False)
    filter = forms.CharField(max_length=1000, required=False)
    all = forms.BooleanField(required=False)
    at = forms.DateTimeField(required=False)
    closed = forms.BooleanField(required=False)


@require_POST
@allowed(Action.SUPERVISE)
def supervise(request: SignedInRequest) -> HttpResponse:
    form = DecisionForm(request.POST)
    is_whole = form.is_valid()
    cleaned = form.cleaned_data
    wanted = filtering.read(QueryDict(cleaned.get("filter", "")))
    back = reverse("tasks_closed") if "closed" in request.POST else f"{reverse('tasks')}?{wanted.address()}".rstrip("?")
    tasks = _chosen(request, cleaned, wanted) if is_whole else []
    if not is_whole or cleaned["do"] not in DECISIONS or not tasks:
        messages.warning(request, _("Tick the tasks that this is about."))
        return redirect(back)
    try:
        if cleaned["do"] in WITH_A_REASON and not cleaned["reason"].strip():
            raise Refused("why_missing")
        changed, refused = DECISIONS[cleaned["do"]](request.user, tasks[: supervising.AT_ONCE], cleaned)
    except ProductError as error:
        messages.error(request, sentence(error.code, error.params))
        return redirect(back)
    words = ngettext("%(n)s task changed", "%(n)s tasks changed", changed) % {"n": changed}
    (messages.success if changed else messages.warning)(request, words)
    if refused:
        first = sentence(refused[0].code, refused[0].params)
        words = ngettext("%(n)s stays as it was: %(why)s", "%(n)s stay as they were: %(why)s", len(refused))
        messages.warning(request, words % {"n": len(refused), "why": first})
    if len(tasks) > supervising.AT_ONCE:
        limit = {"n": supervising.AT_ONCE}
        messages.info(request, _("%(n)s are changed at once; the others are still here.") % limit)
    return redirect(back)


def _chosen(request: SignedInRequest, cleaned: dict[str, Any], wanted: filtering.Wanted) -> list[UUID]:
    """Nothing where one of them is no id; of all that are listed one more than is changed at once, if there is."""
    if cleaned["all"]:
        listed = filtering.queue_of(request.user, wanted, work_rules())
        listed = listed.filter(created_at__lte=cleaned["at"]) if cleaned["at"] else listed
        return list(listed.values_list("uuid", flat=True)[: supervising.AT_ONCE + 1])
    try:
        return msgspec.convert(request.POST.getlist("task")[: supervising.AT_ONCE], list[UUID])
    except msgspec.ValidationError:
        return []


def _said(cleaned: dict[str, Any]) -> supervising.Said:
    return supervising.Said(cleaned["reason"], cleaned["act"])


def _assign(actor: User, tasks: list[UUID], cleaned: dict[str, Any]) -> int:
    return supervising.assign(actor, tasks, supervising.person_named(cleaned["person"]), _said(cleaned))


def _at_once(step: Callable[[User, list[UUID], dict[str, Any]], int]) -> "Decision":
    return lambda actor, tasks, cleaned: (step(actor, tasks, cleaned), [])


def _each(step: Callable[[User, UUID, dict[str, Any]], object]) -> "Decision":
    """One by one: what is refused stops no other. Raises the refusal where nothing else came of it."""

    def decide(actor: User, tasks: list[UUID], cleaned: dict[str, Any]) -> tuple[int, list[ProductError]]:
        refused: list[ProductError] = []
        for uuid in tasks:
            try:
                step(actor, uuid, cleaned)
            except ProductError as error:
                refused.append(error)
        if len(refused) == len(tasks):
            raise refused[0]
        return len(tasks) - len(refused), refused

    return decide


Decision = Callable[[User, list[UUID], dict[str, Any]], tuple[int, list[ProductError]]]
DECISIONS: dict[str, Decision] = {
    "assign": _at_once(_assign),
    "release": _at_once(lambda actor, tasks, cleaned: supervising.release(actor, tasks, _said(cleaned))),
    "postpone": _at_once(
        lambda actor, tasks, cleaned: supervising.postpone(actor, tasks, cleaned["minutes"] or 0, _said(cleaned))
    ),
    "priority": _at_once(
        lambda actor, tasks, cleaned: supervising.set_priority(actor, tasks, cleaned["priority"], _said(cleaned))
    ),
    "skip": _at_once(lambda actor, tasks, cleaned: supervising.skip(actor, tasks, cleaned["reason"], cleaned["act"])),
    "retry": _each(lambda actor, uuid, cleaned: supervising.retry_by_models(actor, uuid, _said(cleaned))),
    "revert": _each(lambda actor, uuid, cleaned: reverting.revert_task(actor, uuid, cleaned["reason"])),
    "golden": _each(lambda actor, uuid, cleaned: golden.make_golden(actor, uuid, cleaned["reason"])),
}
# What takes a page from somebody, or out of the queue; the others may go without a word.
WITH_A_REASON = frozenset({"release", "postpone", "retry"})  # skipping and taking back ask for theirs themselves


@require_GET
@allowed(Action.SUPERVISE)
def closed(request: SignedInRequest) -> HttpResponse:
    """What people and the rules have closed, the latest first, to be reverted."""
    page: Any = Paginator(selectors.closed_tasks(request.user), TASKS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.closed_rows(page.object_list)
    return render(request, "annotation/closed.html", {"nav": "tasks", "page": page, "act": uuid4()})


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
