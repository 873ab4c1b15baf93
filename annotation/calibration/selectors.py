"""The records that were written, newest first; they span all merchants and hold nothing of any document."""

from collections.abc import Sequence

from django.db.models import QuerySet, Subquery

from annotation.calibration.drift import Drift
from annotation.calibration.models import CalibrationProposal, CalibrationRecord


def whole_records() -> "QuerySet[CalibrationRecord]":
    """Of all pages, one a run and profile."""
    return CalibrationRecord.objects.filter(category="", reason="").select_related("profile").order_by("-pk")


def parts_of(records: Sequence[CalibrationRecord]) -> list[CalibrationRecord]:
    """Those of their runs by category and by reason, as they were written: the largest first."""
    rows = CalibrationRecord.objects.filter(run__in={record.run for record in records})
    return list(rows.exclude(category="", reason="").select_related("profile").order_by("pk"))


def newest_run() -> list[CalibrationRecord]:
    """Of all pages, one a profile; nothing where none was written. One statement."""
    return list(whole_records().filter(run=Subquery(whole_records().values("run")[:1])).order_by("pk"))


def drifts_of(record: CalibrationRecord) -> list[Drift]:
    return [Drift(*one) for one in record.drifted]


def proposals() -> "QuerySet[CalibrationProposal]":
    return CalibrationProposal.objects.select_related("profile", "made", "decided_by", "record")


def open_proposals() -> "QuerySet[CalibrationProposal]":
    return proposals().filter(state=CalibrationProposal.State.OPEN)
