"""What is known of a person's work over thirty days: the profile that dispatch and verdicts go by (TA-T79)."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count
from django.db.models.functions import Now

from annotation.people.agreement import Counts
from annotation.people.dispatching import COLD_ACCURACY, COLD_DURATION_S
from annotation.people.models import AnnotatorProfile, Judgement
from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import User

DAYS = 30
# A new person counts as one whose ten tasks were right in eight: few judgements say little.
PRIOR_TASKS = 10
SPECIALTY_TASKS = 10
FASTER_RATIO = 0.9


def accuracy_of(scores: Iterable[float]) -> float:
    """From judged work alone: what nobody looked at says nothing."""
    listed = list(scores)
    return (sum(listed) + COLD_ACCURACY * PRIOR_TASKS) / (len(listed) + PRIOR_TASKS)


def specialties_of(mine: Mapping[str, Mapping[str, Any]], team_s: Mapping[str, float], accuracy: float) -> list[str]:
    """Types that a person does often, not worse than the rest of their work, and faster than the others."""
    return sorted(
        kind
        for kind, by_kind in mine.items()
        if by_kind["tasks"] >= SPECIALTY_TASKS
        and by_kind["accuracy"] >= accuracy
        and by_kind["duration_s"] <= FASTER_RATIO * team_s.get(kind, COLD_DURATION_S)
    )


def update_profiles() -> dict[str, int]:
    """Of everybody who has closed or been judged in the time; the number of people."""
    since = Now() - timedelta(days=DAYS)
    done = HumanTask.objects.filter(
        status=TaskStatus.COMPLETED,
        closed_at__gte=since,
        closed_by__isnull=False,
        worked_s__gt=0,
        purpose__in=(Purpose.WORK, Purpose.DOCUMENT, Purpose.HONEYPOT),
    )
    figures = done.order_by().values_list("closed_by", "type").annotate(n=Count("pk"), s=Avg("worked_s"))
    team_s = dict(done.order_by().values_list("type").annotate(s=Avg("worked_s")))
    work: dict[int, dict[str, tuple[int, float]]] = {}
    for user_id, kind, n, seconds in figures:
        work.setdefault(user_id, {})[kind] = (n, seconds)
    judged: dict[int, list[Judgement]] = {}
    for judgement in Judgement.objects.filter(at__gte=since).order_by("pk"):
        judged.setdefault(judgement.annotator_id, []).append(judgement)
    people = User.objects.filter(pk__in={*work, *judged})
    for user in people:
        columns = profile_columns(work.get(user.pk, {}), judged.get(user.pk, []), team_s)
        AnnotatorProfile.objects.update_or_create(user=user, defaults=columns)
    return {"people": len(people)}


def profile_columns(
    work: Mapping[str, tuple[int, float]], judged: Iterable[Judgement], team_s: Mapping[str, float]
) -> dict[str, Any]:
    """``work``: tasks and seconds a task, by type."""
    judgements = list(judged)
    tasks = sum(n for n, _ in work.values())
    golden = [j.score for j in judgements if j.kind == Judgement.Kind.GOLDEN]
    by_type = {}
    for kind in {*work, *(j.type for j in judgements)}:
        n, seconds = work.get(kind, (0, COLD_DURATION_S))
        of_kind = [j for j in judgements if j.type == kind]
        by_type[kind] = {
            "tasks": n,
            "duration_s": seconds,
            "accuracy": accuracy_of(j.score for j in of_kind),
            "judged": len(of_kind),
            "kappa": counts_of(of_kind).kappa,
        }
    accuracy = accuracy_of(j.score for j in judgements)
    return {
        "tasks": tasks,
        "duration_s": sum(n * s for n, s in work.values()) / tasks if tasks else COLD_DURATION_S,
        "accuracy": accuracy,
        "judged": len(judgements),
        "kappa": counts_of(judgements).kappa,
        "golden_tasks": len(golden),
        "golden_score": sum(golden) / len(golden) if golden else None,
        "specialties": specialties_of(by_type, team_s, accuracy),
        "by_type": by_type,
    }


def counts_of(judged: Iterable[Judgement]) -> Counts:
    return sum((Counts(**j.counts) for j in judged if j.counts), Counts())


def as_json(counts: Counts) -> dict[str, int]:
    return asdict(counts)
