"""The records that were written, newest first; they span all merchants and hold nothing of any document."""

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.calibration.drift import Drift, drifts
from annotation.calibration.models import CalibrationProposal, CalibrationRecord


def whole_records() -> "QuerySet[CalibrationRecord]":
    """Of all pages, one a run and profile."""
    return CalibrationRecord.objects.filter(category="", reason="").select_related("profile").order_by("-pk")


def parts_of(records: Sequence[CalibrationRecord]) -> list[CalibrationRecord]:
    """Those of their runs by category and by reason, as they were written: the largest first."""
    rows = CalibrationRecord.objects.filter(run__in={record.run for record in records})
    return list(rows.exclude(category="", reason="").select_related("profile").order_by("pk"))


def newest_run() -> list[CalibrationRecord]:
    """Of all pages, one a profile; nothing where none was written."""
    newest = whole_records().first()
    return list(whole_records().filter(run=newest.run).order_by("pk")) if newest else []


def record_before(record: CalibrationRecord) -> CalibrationRecord | None:
    """Of all pages of the same profile key, over a period that had ended when this one began, or else the last one."""
    earlier = whole_records().filter(profile__key=record.profile.key, pk__lt=record.pk)
    return earlier.filter(until__lte=record.since).first() or earlier.first()


def drifts_of(record: CalibrationRecord) -> list[Drift]:
    """Rates of all pages that have left the interval of the period before."""
    before = record_before(record)
    return [] if before is None else drifts(record.rates, record.counts, before.rates, before.counts)


def drifts_now() -> list[tuple[CalibrationRecord, Drift]]:
    """Of the newest record of each profile."""
    return [(record, drift) for record in newest_run() for drift in drifts_of(record)]


def proposals() -> "QuerySet[CalibrationProposal]":
    return CalibrationProposal.objects.select_related("profile", "made", "decided_by", "record")
