"""A period's records are computed and written: every night where people changed enough, or when somebody asks."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from annotation.calibration.drift import Drift, drift
from annotation.calibration.looks import Look, Tally, by_category, by_reason, rates_of
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.promises import sample
from annotation.calibration.services.evidence import Evidence, annotations_between, gather
from annotation.calibration.services.proposing import as_json, promises_of, propose
from catalogsku.core import clock
from catalogsku.profiles.models import ThresholdProfile
from ingestion.models import Notice
from ingestion.notices.kinds import Kind
from ingestion.notices.services.telling import end_about, tell_about

DAYS = 7
# A night with fewer changes says too little (TA-CAL).
LEAST_ANNOTATIONS = 50
MOST_DAYS = 90
# Thresholds are a matter of more pages than a week has; as many days as their effect is told of.
PROMISE_DAYS = 30
# The looks of PROMISE_DAYS are held against those of so many days before (drift.py).
BEFORE_DAYS = 60
# Categories and reasons beyond these say too little, each.
MOST_ROWS = 40
LOCK = 0x5C3


@dataclass(frozen=True)
class Calibration:
    """``records``: all pages of each profile key first, then by category and by reason. ``proposals``: those that are
    open now. ``drifted``: rates that are worse than before by more than chance."""

    records: list[CalibrationRecord]
    proposals: list[CalibrationProposal]
    annotations: int
    left_out: int
    drifted: int


def calibrate_daily() -> dict[str, Any]:
    """As the schedule asks for it; ``skipped``: too little was changed in the last seven days."""
    until = clock.now()
    changes = annotations_between(until - timedelta(days=DAYS), until).count()
    if changes <= LEAST_ANNOTATIONS:
        return {"skipped": changes}
    done = calibrate(until)
    return {
        "records": len(done.records),
        "proposals": len(done.proposals),
        "annotations": done.annotations,
        "left_out": done.left_out,
        "drifted": done.drifted,
    }


def calibrate(until: datetime | None = None, days: int = DAYS) -> Calibration:
    """The records of the ``days`` before; one at a time. None are written for a profile of which nothing is known."""
    to = until or clock.now()
    since = to - timedelta(days=max(1, min(days, MOST_DAYS)))
    evidence = gather(since, to)
    known_since = min(since, to - timedelta(days=PROMISE_DAYS))
    known = evidence if known_since == since else gather(known_since, to)
    before = gather(known_since - timedelta(days=BEFORE_DAYS), known_since).by_key
    with transaction.atomic():
        with connection.cursor() as cursor:  # two at once would each be the newest
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        profiles = ThresholdProfile.objects.filter(active=True, key__in=evidence.by_key).order_by("key")
        columns = {"run": uuid.uuid4(), "since": since, "until": to}
        records: list[CalibrationRecord] = []
        proposals: list[CalibrationProposal] = []
        for profile in profiles:
            looks = known.by_key[profile.key]
            promises = promises_of(profile, looks)
            whole, *parts = _records(evidence, profile, columns)
            worse = _drift(before.get(profile.key, []), looks)
            whole.promises, whole.drifted = as_json(promises), [astuple(worse)] if worse else []
            records += CalibrationRecord.objects.bulk_create([whole, *parts])
            proposals += propose(whole, looks, promises)
            _tell_drift(whole)
    drifted = sum(len(record.drifted) for record in records)
    return Calibration(records, proposals, evidence.annotations, evidence.left_out, drifted)


def _records(evidence: Evidence, profile: ThresholdProfile, columns: dict[str, Any]) -> Iterator[CalibrationRecord]:
    """Of all pages first."""
    for category, reason, counts, tally in _parts(evidence.by_key[profile.key], evidence):
        yield CalibrationRecord(
            **columns,
            profile=profile,
            category=category[:60],
            reason=reason[:60],
            counts=counts,
            rates=rates_of(counts),
            routes=tally.routes,
        )


def _drift(before: Sequence[Look], since: Sequence[Look]) -> Drift | None:
    """Of pages that thresholds decide about; looks come with the newest first."""
    figure = CalibrationProposal.Figure.PV
    return drift(sample(before, figure), sample(since[::-1], figure))


def _tell_drift(record: CalibrationRecord) -> None:
    """Administrators hear of it in their bell, once as long as it lasts, and that it is over."""
    if record.drifted and not Notice.objects.filter(kind=Kind.DRIFT, about=record.profile.key, over_at=None).exists():
        tell_about(Kind.DRIFT, record.profile.key, None, {"rates": [rate for rate, *_ in record.drifted]})
    elif not record.drifted:
        end_about(Kind.DRIFT, [record.profile.key])


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
