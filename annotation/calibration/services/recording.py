"""A period's records are computed and written: every night where people changed enough, or when somebody asks."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotation.calibration.looks import Look, Tally, by_category, by_reason, rates_of
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.services.evidence import Evidence, annotations_between, gather
from annotation.calibration.services.proposing import as_json, promises_of, propose
from catalogsku.profiles.models import ThresholdProfile

DAYS = 7
# A night with fewer changes says too little (TA-CAL).
LEAST_ANNOTATIONS = 50
MOST_DAYS = 90
# Thresholds are a matter of more pages than a week has; as many days as their effect is told of.
PROMISE_DAYS = 30
# Categories and reasons beyond these say too little, each.
MOST_ROWS = 40
LOCK = 0x5C3


@dataclass(frozen=True)
class Calibration:
    """``records``: all pages of each profile key first, then by category and by reason. ``proposals``: those that are
    open now."""

    records: list[CalibrationRecord]
    proposals: list[CalibrationProposal]
    annotations: int
    left_out: int


def calibrate_daily() -> dict[str, Any]:
    """As the schedule asks for it; ``skipped``: too little was changed in the last seven days."""
    until = timezone.now()
    changes = annotations_between(until - timedelta(days=DAYS), until).count()
    if changes <= LEAST_ANNOTATIONS:
        return {"skipped": changes}
    done = calibrate(until)
    return {
        "records": len(done.records),
        "proposals": len(done.proposals),
        "annotations": done.annotations,
        "left_out": done.left_out,
    }


def calibrate(until: datetime | None = None, days: int = DAYS) -> Calibration:
    """The records of the ``days`` before; one at a time. None are written for a profile of which nothing is known."""
    to = until or timezone.now()
    since = to - timedelta(days=max(1, min(days, MOST_DAYS)))
    evidence = gather(since, to)
    known = evidence if to - since >= timedelta(days=PROMISE_DAYS) else gather(to - timedelta(days=PROMISE_DAYS), to)
    with transaction.atomic():
        with connection.cursor() as cursor:  # two at once would each be the newest
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        profiles = {row.key: row for row in ThresholdProfile.objects.filter(active=True, key__in=evidence.by_key)}
        promises = {key: promises_of(profile, known.by_key[key]) for key, profile in profiles.items()}
        run, records, proposals = uuid.uuid4(), [], []
        for key, profile in sorted(profiles.items()):
            told = as_json(promises[key])
            columns = {"run": run, "profile": profile, "since": since, "until": to}
            of_profile = list(_records(evidence, evidence.by_key[key], told, columns))
            CalibrationRecord.objects.bulk_create(of_profile)
            records += of_profile
            proposals += propose(of_profile[0], known.by_key[key], promises[key])
    return Calibration(records, proposals, evidence.annotations, evidence.left_out)


def _records(
    evidence: Evidence, looks: Sequence[Look], promises: dict[str, Any], columns: dict[str, Any]
) -> Iterator[CalibrationRecord]:
    """Of all pages first."""
    for category, reason, counts, tally in _parts(looks, evidence):
        is_whole = not (category or reason)
        yield CalibrationRecord(
            **columns,
            category=category[:60],
            reason=reason[:60],
            counts=counts,
            rates=rates_of(counts),
            routes=tally.routes,
            promises=promises if is_whole else {},
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
