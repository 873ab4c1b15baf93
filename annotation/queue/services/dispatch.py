"""What a person is offered when they ask for work: the rows that they may take, put before the rules of dispatching."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from annotation.people import dispatching
from annotation.people.dispatching import Annotator, Waiting, Why
from annotation.people.services.golden import mix_in_golden_page
from annotation.people.services.team import annotator, rules_of
from annotation.tasks.lifecycle import FREE, Purpose, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.locks import for_person, not_kept
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules

# Looked at: those due first, and beside them what was assigned or called pressing.
LOOKED_AT = 200


@dataclass(frozen=True)
class Offered:
    """``full``: the person has as many open tasks as the rules allow."""

    task: HumanTask | None
    why: tuple[Why, ...] = ()
    full: bool = False


def next_task(actor: User) -> UUID | None:
    """The task to go on with; a golden page is mixed in when it is its turn (X-HONEY)."""
    rules = work_rules()
    mix_in_golden_page(actor, rules)
    offered = offer(actor, rules)
    return offered.task.uuid if offered.task else None


def offer(actor: User, rules: WorkRules | None = None) -> Offered:
    """What this person would be given now, and why."""
    rules = rules or work_rules()
    if HumanTask.objects.filter(locked_by=actor, status=TaskStatus.PROCESSING).count() >= rules.open_most:
        return Offered(None, full=True)
    rows = {task.pk: task for task in _candidates(actor)}
    person, limit_s = annotator(actor), rules.skip_after_min * 60.0
    now = clock.now()
    waiting = [
        Waiting(
            id=task.pk,
            job=task.job_id,
            kind=task.type,
            priority=task.priority,
            confidence=task.confidence,
            left_s=limit_s - (now - task.clock_from).total_seconds(),
            limit_s=limit_s,
            reserved=task.assigned_to_id == actor.pk and task.assigned_until is not None and task.assigned_until >= now,
        )
        for task in rows.values()
    ]
    choice = dispatching.choose(waiting, person, rules_of(rules))
    if choice is None and may(actor, Action.SUPERVISE):  # nobody else may be there for what is hard
        choice = dispatching.choose(waiting, Annotator(accuracy=1.0), rules_of(rules))
    return Offered(rows[choice.task.id], choice.why) if choice else Offered(None)


def _candidates(actor: User) -> Sequence[HumanTask]:
    """Free, of a page that nobody holds, not put off, not of their own work to judge; by small indexes."""
    held = HumanTask.objects.filter(page=OuterRef("page"), status=TaskStatus.PROCESSING)
    rows = HumanTask.objects.visible_to(actor).filter(~Exists(held), status__in=FREE)
    rows = rows.exclude(postponed_until__gt=Now()).exclude(about__closed_by=actor)
    rows = rows.filter(not_kept(actor) if may(actor, Action.SUPERVISE) else for_person(actor))
    rows = rows.filter(~Q(purpose=Purpose.HONEYPOT) | Q(assigned_to=actor)).select_related("job", "page")
    first = list(rows.order_by("clock_from", "pk")[:LOOKED_AT])
    if len(first) < LOOKED_AT:
        return first
    before_others = Q(priority__in=dispatching.PRIORITIES) | Q(assigned_to=actor, assigned_until__gte=Now())
    return [*first, *rows.filter(before_others).order_by("priority", "created_at")[:LOOKED_AT]]
