"""Trials of prompts judged by what people corrected and models left unanswered; a worse one is ended (X-CANARY)."""

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import Annotation, HumanTask
from catalogsku.core.errors import Refused
from catalogsku.core.moves import audit_rows
from catalogsku.profiles.models import PromptExperiment
from catalogsku.profiles.services import end_trial
from catalogsku.profiles.trials import Arm, Checked, Comparison, arms_in, compare
from ingestion.models import Job, Page
from processing.products.models import Sku

log = logging.getLogger(__name__)


def judge_trials() -> dict[str, int]:
    """Every running trial against its control; a worse one is rolled back: new jobs get the control again."""
    running = list(PromptExperiment.objects.filter(state=PromptExperiment.State.RUNNING).order_by("pk"))
    return {"trials": len(running), "rolled_back": sum(map(_judged, running))}


def _judged(trial: PromptExperiment) -> bool:
    jobs = _jobs_of(trial)
    for name, checked in (("corrections", corrections), ("failures", failures)):
        arms = {arm: list(checked(ids)) for arm, ids in jobs.items()}
        comparison = compare(arms["control"], arms["trial"])
        if comparison.outcome == "worse":
            return _rolled_back(trial, name, comparison)
    return False


def _rolled_back(trial: PromptExperiment, measure: str, comparison: Comparison) -> bool:
    """False where a person has ended it meanwhile."""
    control_rate, trial_rate, p_value = comparison.control_rate, comparison.trial_rate, comparison.p_value
    figures = {"control": round(control_rate, 4), "trial": round(trial_rate, 4), "p_value": p_value}
    reason = {"trial": trial.name, "measure": measure, **figures}
    reason_text = f"rolled back: {measure} {control_rate:.1%} -> {trial_rate:.1%}, p = {p_value:.1g}"
    try:
        with transaction.atomic():
            end_trial(trial, reason_text)
            audit_rows("prompt_trial", 0, {trial.pk: reason}, target="stopped", trigger="worse")
    except Refused:
        return False
    log.error("trial rolled back", extra=reason)
    return True


def _jobs_of(trial: PromptExperiment) -> dict[Arm, list[int]]:
    """Ids of the jobs that were dealt out since it began, by their arm."""
    job_ids: dict[Arm, list[int]] = {"control": [], "trial": []}
    rows = Job.objects.filter(created_at__gte=trial.started_at, bucket__contains=f"{trial.pk}:")
    for job_id, bucket in rows.order_by("pk").values_list("pk", "bucket"):
        if (arm := arms_in(bucket).get(trial.pk)) in ("control", "trial"):
            job_ids[arm].append(job_id)  # type: ignore[index]
    return job_ids


def corrections(job_ids: Iterable[int]) -> Iterator[Checked]:
    """Of each job the values on pages that people completed, and those that they changed, added or took away."""
    done = HumanTask.objects.filter(job__in=job_ids, status=TaskStatus.COMPLETED, purpose=Purpose.WORK)
    pages = done.order_by().values("page")
    changed = Annotation.objects.filter(page__in=pages, type=Annotation.Type.SKU_ATTRIBUTE)
    corrected = _by_job(changed, "page__job")
    taken_away = _by_job(changed.filter(after__isnull=True), "page__job")
    left: dict[int, int] = {}
    for job_id, attributes in Sku.objects.filter(page__in=pages, superseded=False).values_list("job", "attributes"):
        left[job_id] = left.get(job_id, 0) + sum(1 for value in attributes.values() if value)
    for job_id in sorted(left.keys() | corrected.keys()):
        looked_at = left.get(job_id, 0) + taken_away.get(job_id, 0)
        yield Checked(min(corrected.get(job_id, 0), looked_at), looked_at)


def failures(job_ids: Iterable[int]) -> Iterator[Checked]:
    """Of each job the pages that models were asked about, and those with a question that none of them answered."""
    pages = Page.objects.filter(job__in=job_ids, finished_at__isnull=False).exclude(validation__asked=[])
    pages = pages.filter(validation__has_key="asked")
    unanswered = Count("pk", filter=Q(validation__contains={"asked": [{"model": ""}]}))
    for row in pages.order_by().values("job").annotate(pages=Count("pk"), unanswered=unanswered):
        yield Checked(row["unanswered"], row["pages"])


def _by_job(rows: "QuerySet[Any]", path: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(F(path)).annotate(n=Count("pk")))
