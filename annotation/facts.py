"""Figures of what waits for people, and of what the last audit found."""

from datetime import timedelta

from django.db.models import Count
from django.db.models.functions import Now

from annotation.calibration import selectors as calibration
from annotation.calibration.drift import WATCHED
from annotation.queue.selectors import PRESENT_S
from annotation.tasks.lifecycle import OPEN, Purpose, TaskType
from annotation.tasks.models import HumanTask, Presence
from annotation.tasks.services.audit import CHECKS
from catalogsku.core.facts import Figures, fact, last_runs


@fact("tasks_open", "Pages that wait for a person or are in somebody's hands.", "type", "status")
def tasks_open() -> Figures:
    rows = (
        HumanTask.objects.filter(status__in=OPEN)
        .exclude(purpose=Purpose.HONEYPOT)
        .order_by()
        .values_list("type", "status")
    )
    counts: dict[tuple[str, ...], float] = {
        (kind, status): float(count) for kind, status, count in rows.annotate(n=Count("pk"))
    }
    return {**{(str(kind), str(OPEN[0])): 0.0 for kind in TaskType}, **counts}


@fact("people_present", "People who have a task on their screen at the moment.")
def people_present() -> Figures:
    there = Presence.objects.filter(seen_at__gte=Now() - timedelta(seconds=PRESENT_S))
    return {(): float(there.values("user").distinct().count())}


@fact("invariant_violations", "Rows that broke a rule when the nightly audit looked.", "invariant")
def invariant_violations() -> Figures:
    outcome = next((run.outcome for run in last_runs() if run.task == "audit"), None) or {}
    return {(name,): float(outcome.get(name, 0)) for name in CHECKS}


@fact("calibration_rate", "Rates of the newest calibration: shares of all pages of a profile.", "profile", "rate")
def calibration_rate() -> Figures:
    return {
        (record.profile.key, rate): float(share)
        for record in calibration.newest_run()
        for rate, (share, _low, _high) in record.rates.items()
    }


@fact("calibration_drifted", "1 where a rate has left its earlier interval for the worse.", "profile", "rate")
def calibration_drifted() -> Figures:
    return {
        (record.profile.key, rate): float(any(drift.rate == rate for drift in calibration.drifts_of(record)))
        for record in calibration.newest_run()
        for rate in WATCHED
    }


@fact("calibration_proposals_open", "Proposed thresholds that nobody has decided about.")
def calibration_proposals_open() -> Figures:
    return {(): float(calibration.open_proposals().count())}
