"""What the page shell shows on every page: the person's task count, rights and merchant."""

from typing import Any

from django.http import HttpRequest

from annotation.queue.selectors import open_to
from annotation.reports.presenters import unseen_answers
from annotation.tasks.models import HumanTask
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.counts import count_each
from ingestion.notices.selectors import count_word, first_unread


def shell(request: HttpRequest) -> dict[str, Any]:
    """``shell.can.<action>``, ``shell.task_count`` (None where the person has no tasks), ``shell.answer_count``
    (to own reports, not read yet; of who has no tasks), ``shell.notices`` (what the bell's badge says),
    ``shell.merchant_name``."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"shell": None}
    can = {action.value: may(user, action) for action in Action}
    own_work = open_to(HumanTask.objects.visible_to(user), user.pk) if can[Action.SEE_TASKS] else unseen_answers(user)
    waiting, unread = count_each(own_work, first_unread(user))
    count = waiting if can[Action.SEE_TASKS] else None
    answers = waiting if can[Action.REPORT] and count is None else None
    merchant = user.own_merchant()
    name = merchant.name if merchant else ""
    bell = count_word(unread)
    shown = {"can": can, "task_count": count, "answer_count": answers, "notices": bell, "merchant_name": name}
    return {"shell": shown}
