"""Entry points of supervision: a lead's decisions about the tasks that are ticked in the queue, and comments."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.problems import PROBLEMS, sentence
from annotation.services import reverting, supervising
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError


class DecisionForm(forms.Form):
    """``do``: which decision; what it needs stands beside it."""

    do = forms.ChoiceField(
        choices=[(name, name) for name in ("assign", "release", "postpone", "priority", "skip", "revert", "retry")]
    )
    task = forms.TypedMultipleChoiceField(coerce=UUID)
    person = forms.CharField(max_length=150, required=False)
    minutes = forms.IntegerField(required=False)
    priority = forms.CharField(max_length=12, required=False)
    reason = forms.CharField(max_length=400, required=False)
    show = forms.CharField(max_length=30, required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["task"] = forms.MultipleChoiceField(choices=[(one, one) for one in data.getlist("task")])

    def clean_task(self) -> list[UUID]:
        try:
            return [UUID(one) for one in self.cleaned_data["task"]]
        except ValueError as error:
            raise forms.ValidationError("no task") from error


Decision = Callable[[User, list[UUID], dict[str, Any]], int]


@require_POST
@allowed(Action.SUPERVISE)
def supervise(request: SignedInRequest) -> HttpResponse:
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Tick the tasks that this is about."))
        return redirect("tasks")
    given = form.cleaned_data
    try:
        changed = DECISIONS[given["do"]](request.user, given["task"], given)
    except NotFound:
        messages.warning(request, sentence("task_not_found", {}))
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params) if refused.code in PROBLEMS else refused.code)
    else:
        words = ngettext("%(n)s task changed", "%(n)s tasks changed", changed) % {"n": changed}
        (messages.success if changed else messages.warning)(request, words)
    show = given["show"] if given["show"].isidentifier() else ""
    return redirect(reverse("tasks") + (f"?show={show}" if show else ""))


def _assign(actor: User, tasks: list[UUID], given: dict[str, Any]) -> int:
    person = User.objects.filter(username=given["person"], is_active=True).first()
    if person is None:
        raise ProductError("person_unknown")
    return supervising.assign(actor, tasks, person)


def _revert(actor: User, tasks: list[UUID], given: dict[str, Any]) -> int:
    for uuid in tasks:
        reverting.revert_task(actor, uuid, given["reason"])
    return len(tasks)


def _retry(actor: User, tasks: list[UUID], given: dict[str, Any]) -> int:
    for uuid in tasks:
        supervising.retry_by_models(actor, uuid)
    return len(tasks)


DECISIONS: dict[str, Decision] = {
    "assign": _assign,
    "release": lambda actor, tasks, given: supervising.release(actor, tasks),
    "postpone": lambda actor, tasks, given: supervising.postpone(actor, tasks, given["minutes"] or 0),
    "priority": lambda actor, tasks, given: supervising.set_priority(actor, tasks, given["priority"]),
    "skip": lambda actor, tasks, given: supervising.skip(actor, tasks, given["reason"]),
    "revert": _revert,
    "retry": _retry,
}


@require_POST
@allowed(Action.SEE_TASKS)
def comment(request: SignedInRequest, task_id: UUID) -> HttpResponse:
    try:
        supervising.comment(request.user, task_id, request.POST.get("text", ""))
    except NotFound:
        raise
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
    return redirect("task", task_id)
