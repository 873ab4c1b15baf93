"""How people's work goes: what they finish, how fast, how right, and what they correct most (30 days)."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now, TruncDate
from django.utils import timezone

from annotation.people.models import AnnotatorProfile, Judgement
from annotation.people.services.annotators import DAYS
from annotation.people.services.team import annotator, team_of
from annotation.tasks.lifecycle import Purpose, TaskStatus, TaskType
from annotation.tasks.models import Annotation, HumanTask
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core import clock
from catalogsku.profiles.words import ATTRIBUTES

SHOWN_DAYS = 14
FIELDS_SHOWN = 10


@dataclass(frozen=True)
class PersonRow:
    """None where nobody has looked at their work yet."""

    name: str
    today: int
    tasks: int
    duration_s: float | None
    accuracy: float | None
    judged: int
    kappa: float | None
    golden: float | None
    open_tasks: int
    specialties: list[str]


@dataclass(frozen=True)
class Day:
    """``share``: of the most on a day, from 0 to 100."""

    day: date
    tasks: int
    share: int


@dataclass(frozen=True)
class FieldRow:
    field: str
    corrections: int
    share: int


def figures(actor: User) -> dict[str, Any]:
    """``rows``: the team for a lead, else the person alone."""
    leads = may(actor, Action.SUPERVISE)
    team = team_of(actor) if leads else [(actor, annotator(actor))]
    ids = [user.pk for user, _ in team]
    done = _done(actor, ids)
    today = _today(done)
    return {
        "leads": leads,
        "rows": [_person(user, known.open_tasks, today.get(user.pk, 0)) for user, known in team],
        "days": _days(done),
        "fields": _fields(actor, ids),
        "outcomes": _outcomes(actor, ids),
    }


def _done(actor: User, ids: list[int]) -> "QuerySet[HumanTask]":
    since = Now() - timedelta(days=SHOWN_DAYS)
    rows = HumanTask.objects.visible_to(actor).filter(closed_by__in=ids, closed_at__gte=since)
    return rows.filter(status=TaskStatus.COMPLETED, purpose__in=(Purpose.WORK, Purpose.DOCUMENT, Purpose.VERDICT))


def _today(done: "QuerySet[HumanTask]") -> dict[int | None, int]:
    """Tasks that were closed today, by who closed them."""
    begins = timezone.localtime(clock.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = done.filter(closed_at__gte=begins).order_by().values_list("closed_by")
    return dict(rows.annotate(n=Count("pk")))


def _person(user: User, open_tasks: int, today: int) -> PersonRow:
    known: AnnotatorProfile | None = getattr(user, "profile", None)
    if known is None:
        return PersonRow(str(user), today, 0, None, None, 0, None, None, open_tasks, [])
    kinds = [str(TaskType(kind).label) for kind in known.specialties]
    judged = known.judged or None
    return PersonRow(
        str(user),
        today,
        known.tasks,
        known.duration_s if known.tasks else None,
        known.accuracy if judged else None,
        known.judged,
        known.kappa,
        known.golden_score,
        open_tasks,
        kinds,
    )


def _days(done: "QuerySet[HumanTask]") -> list[Day]:
    """Also those on which nothing was finished."""
    counts = dict(done.order_by().annotate(day=TruncDate("closed_at")).values_list("day").annotate(n=Count("pk")))
    last = clock.today()
    days = [last - timedelta(days=n) for n in reversed(range(SHOWN_DAYS))]
    most = max([1, *counts.values()])
    return [Day(day, counts.get(day, 0), round(100 * counts.get(day, 0) / most)) for day in days]


def _fields(actor: User, ids: list[int]) -> list[FieldRow]:
    """What is corrected most; a picture's role under one name, whichever picture it was."""
    since = Now() - timedelta(days=DAYS)
    rows = Annotation.objects.filter(annotator__in=ids, created_at__gte=since)
    merchants = actor.merchant_ids()
    rows = rows if merchants is None else rows.filter(page__job__merchant__in=merchants)
    counts: dict[str, int] = {}
    for kind, name, n in rows.order_by().values_list("type", "field").annotate(n=Count("pk")):
        key = name if kind == Annotation.Type.SKU_ATTRIBUTE else str(kind)
        counts[key] = counts.get(key, 0) + n
    most = max([1, *counts.values()])
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:FIELDS_SHOWN]
    return [FieldRow(str(ATTRIBUTES.get(key, key)), n, round(100 * n / most)) for key, n in ranked]


def _outcomes(actor: User, ids: list[int]) -> list[tuple[str, int]]:
    """What second people said of this work."""
    since = Now() - timedelta(days=DAYS)
    rows = Judgement.objects.visible_to(actor).filter(Q(annotator__in=ids), at__gte=since, kind=Judgement.Kind.VERDICT)
    counts = dict(rows.order_by().values_list("outcome").annotate(n=Count("pk")))
    shown = (Judgement.Outcome.ACCEPTED, Judgement.Outcome.FIXED, Judgement.Outcome.REJECTED)
    return [(str(outcome.label), counts.get(outcome.value, 0)) for outcome in shown]
