"""For how long what people say is kept (ingestion/keeping/policies.py)."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import DayFigures, HumanTask
from annotation.tasks.lifecycle import OPEN, TaskStatus
from catalogsku.accounts.models import Merchant
from ingestion.keeping.policies import BUSY, PERSON_BUSY, Kind, Policy, declare
from ingestion.models import Job


def _tasks(job: Job) -> QuerySet[Any]:
    """Its own, and those of others that were made after one of its."""
    return HumanTask.objects.filter(about__job=job)


def _figures(merchant: Merchant) -> QuerySet[Any]:
    """What its documents were part of stays in the figures of all together."""
    return DayFigures.objects.filter(merchant=merchant)


def _holds_a_task(person: Any) -> bool:
    return HumanTask.objects.filter(locked_by=person, status=TaskStatus.PROCESSING).exists()


if _holds_a_task not in PERSON_BUSY:
    PERSON_BUSY.append(_holds_a_task)
BUSY["task"] = Exists(HumanTask.objects.filter(job=OuterRef("pk"), status__in=OPEN))

RESULTS, QUALITY, STATE = Policy(Kind.RESULTS), Policy(Kind.QUALITY), Policy(Kind.STATE)

declare(
    {
        "annotation.humantask": Policy(Kind.RESULTS, document=_tasks, told=("result",)),
        "annotation.draft": Policy(Kind.DRAFTS),
        "annotation.taskcomment": RESULTS,
        "annotation.annotation": RESULTS,
        "annotation.presence": STATE,
        "annotation.auditpass": STATE,
        "annotation.judgement": QUALITY,
        "annotation.annotatorprofile": Policy(Kind.PEOPLE),
        "annotation.goldenpage": RESULTS,
        "annotation.attributeproposal": Policy(Kind.SETTINGS),
        "annotation.calibrationrecord": Policy(Kind.SETTINGS),
        "annotation.calibrationproposal": Policy(Kind.SETTINGS),
        "annotation.skureport": RESULTS,
        # For good: sums of days, in which no document and no person is told from others.
        "annotation.dayfigures": Policy(Kind.QUALITY, merchant=_figures),
    }
)
