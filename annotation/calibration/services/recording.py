"""A period's records are computed and written: every night where people changed enough, or when somebody asks."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotation.calibration.looks import Look, Tally, by_category, by_reason, rates_of
from annotation.calibration.models import CalibrationRecord
from annotation.calibration.services.evidence import Evidence, annotations_between, gather
from catalogsku.profiles.models import ThresholdProfile

DAYS = 7
# A night with fewer changes says too little (TA-CAL).
LEAST_ANNOTATIONS = 50
MOST_DAYS = 90
# Categories and reasons beyond these say too little, each.
MOST_ROWS = 40
LOCK = 0x5C3


@dataclass(frozen=True)
class Calibration:
    """``records``: all pages of each profile key first, then by category and by reason. ``looks``: by profile key."""

    records: list[CalibrationRecord]
    looks: dict[str, list[Look]]
    annotations: int
    left_out: int


def calibrate_daily() -> dict[str, Any]:
    """As the schedule asks for it; ``skipped``: too little was changed in the last seven days."""
    until = timezone.now()
    changes = annotations_between(until - timedelta(days=DAYS), until).count()
    if changes <= LEAST_ANNOTATIONS:
        return {"skipped": changes}
    done = calibrate(until)
    return {"records": len(done.records), "annotations": done.annotations, "left_out": done.left_out}


def calibrate(until: datetime | None = None, days: int = DAYS) -> Calibration:
    """The records of the ``days`` before; one at a time. None are written for a profile of which nothing is known."""
    to = until or timezone.now()
    since = to - timedelta(days=max(1, min(days, MOST_DAYS)))
    evidence = gather(since, to)
    with transaction.atomic():
        with connection.cursor() as cursor:  # two at once would each be the newest
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        records = list(_records(evidence, since, to))
        CalibrationRecord.objects.bulk_create(records)
    return Calibration(records, evidence.by_key, evidence.annotations, evidence.left_out)


def _records(evidence: Evidence, since: datetime, until: datetime) -> Iterator[CalibrationRecord]:
    run = uuid.uuid4()
    profiles = {row.key: row for row in ThresholdProfile.objects.filter(active=True, key__in=evidence.by_key)}
    for key, looks in sorted(evidence.by_key.items()):
        profile = profiles.get(key)
        if profile is None:
            continue
        for category, reason, counts, tally in _parts(looks, evidence):
            yield CalibrationRecord(
                run=run,
                profile=profile,
                category=category[:60],
                reason=reason[:60],
                since=since,
                until=until,
                counts=counts,
                rates=rates_of(counts),
                routes=tally.routes,
            )


def _parts(looks: Sequence[Look], evidence: Evidence) -> Iterator[tuple[str, str, dict[str, int], Tally]]:
    """Golden pages measure people, not a profile: they stand with all pages."""
    whole = Tally(list(looks))
    golden, right = evidence.golden
    yield "", "", {**whole.counts, "golden": golden, "golden_right": right}, whole
    for category, tally in _most(by_category(looks)):
        yield category, "", tally.counts, tally
    for reason, tally in _most(by_reason(looks)):
        yield "", reason, tally.counts, tally


def _most(tallies: dict[str, Tally]) -> list[tuple[str, Tally]]:
    return sorted(tallies.items(), key=lambda entry: (-len(entry[1].looks), entry[0]))[:MOST_ROWS]
