"""Figures of what waits for people, and of what the last audit found."""

from datetime import timedelta

from django.db.models import Count
from django.db.models.functions import Now

from annotation.calibration import selectors as calibration
from annotation.calibration.drift import WATCHED
from annotation.figures import selectors as figures
from annotation.queue.selectors import PRESENT_S
from annotation.tasks.lifecycle import OPEN, Purpose, TaskType
from annotation.tasks.models import AuditPass, HumanTask, Presence
from annotation.tasks.services.audit import CHECKS
from catalogsku.core.facts import Figures, fact


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


@fact("day_pages", "Pages done today, by who finished them; degraded: of these, without the model.", "outcome")
def day_pages() -> Figures:
    today = figures.today()
    done = {name: float(getattr(today, f"pages_{name}")) for name in ("machine", "person", "skipped", "degraded")}
    return {(name,): pages for name, pages in done.items()}


@fact("day_documents", "Documents that came in and that were done today.", "way")
def day_documents() -> Figures:
    today = figures.today()
    return {("in",): float(today.documents_in), ("out",): float(today.documents_out)}


@fact("day_products", "Products on the pages that were done today.")
def day_products() -> Figures:
    return {(): float(figures.today().products)}


@fact("day_people_seconds", "Seconds in which people held the tasks that they closed today.", "merchant", "category")
def day_people_seconds() -> Figures:
    return {labels: sums.person_s for labels, sums in figures.today_by_labels().items()}


@fact("day_people_tasks", "Tasks that people closed today.", "merchant", "category")
def day_people_tasks() -> Figures:
    return {labels: float(sums.tasks) for labels, sums in figures.today_by_labels().items()}


@fact("day_people_pages", "Pages that people finished today.", "merchant", "category")
def day_people_pages() -> Figures:
    return {labels: float(sums.pages_person) for labels, sums in figures.today_by_labels().items()}


@fact("day_corrections", "Values that people changed today.", "merchant", "category")
def day_corrections() -> Figures:
    return {labels: float(sums.corrections) for labels, sums in figures.today_by_labels().items()}


@fact("day_cost_usd", "What calls of models have cost today.", "merchant", "category")
def day_cost() -> Figures:
    return {labels: sums.cost_usd for labels, sums in figures.today_by_labels().items()}


@fact("invariant_violations", "Rows that broke a rule when the audit last looked.", "invariant")
def invariant_violations() -> Figures:
    found = {row.name: len(row.found) for row in _passes()}
    return {(name,): float(found.get(name, 0)) for name in CHECKS}


@fact("audit_rows", "Rows that the audit has been through in the pass that is under way, or was last.", "invariant")
def audit_rows() -> Figures:
    return {(row.name,): float(row.looked_at) for row in _passes()}


@fact("audit_whole_timestamp_seconds", "When the audit had last been through all rows, in Unix time.", "invariant")
def audit_whole() -> Figures:
    return {(row.name,): row.whole_at.timestamp() for row in _passes() if row.whole_at}


def _passes() -> list[AuditPass]:
    return list(AuditPass.objects.filter(name__in=CHECKS))


@fact("calibration_rate", "Rates of the newest calibration: shares of all pages of a profile.", "profile", "rate")
def calibration_rate() -> Figures:
    return {
        (record.profile.key, rate): float(share)
        for record in calibration.newest_run()
        for rate, (share, _low, _high) in record.rates.items()
    }


@fact(
    "calibration_drifted",
    "1 where pages of the same certainty are corrected more than before, by more than chance.",
    "profile",
    "rate",
)
def calibration_drifted() -> Figures:
    return {
        (record.profile.key, rate): float(any(drift.rate == rate for drift in calibration.drifts_of(record)))
        for record in calibration.newest_run()
        for rate in WATCHED
    }


@fact("calibration_proposals_open", "Proposed thresholds that nobody has decided about.")
def calibration_proposals_open() -> Figures:
    return {(): float(calibration.open_proposals().count())}
