"""`manage.py calibrate`: what people did with pages in the last days, now; the records of it are kept."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from annotation.calibration.looks import RATES
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.services.recording import DAYS, calibrate
from processing.quality.routes_told import NAME_WIDTH, confusion_lines

COUNTS = ("pages", "corrected", "with_people", "untouched", "audited", "told", "wrong_skus")


class Command(BaseCommand):
    help = (
        "Counts, of the pages that people worked on, what they corrected, what could have gone on without them, and"
        " which took the right way: for each profile, category and reason. The records are kept (docs/quality.md)."
    )

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=DAYS, metavar="N", help=f"of so many days, 1 to 90 ({DAYS})")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        done = calibrate(days=options["days"])
        if options["json"]:
            said = {
                "annotations": done.annotations,
                "left_out": done.left_out,
                "drifted": done.drifted,
                "proposals": [_proposal(row) for row in done.proposals],
                "records": [_as_json(record) for record in done.records],
            }
            self.stdout.write(json.dumps(said, ensure_ascii=False, indent=2))
            return
        for record in done.records:
            for line in _lines(record):
                self.stdout.write(line)
        for record in done.records:
            for rate, now, low, high in record.drifted:
                self.stdout.write(f"WORSE {record.profile} {rate}: {now:.3f}, expected {low:.3f} - {high:.3f}")
        for proposal in done.proposals:
            self.stdout.write(_sentence(proposal))
        if not done.records:
            self.stdout.write("Nobody has worked on a page in that time.")
        if done.left_out:
            self.stdout.write(f"{done.left_out} older tasks were not looked at.")


def _proposal(row: CalibrationProposal) -> dict[str, Any]:
    return {
        "id": row.pk,
        "profile": f"{row.profile.key}@{row.profile.version}",
        "figure": row.figure,
        "now": str(row.now),
        "proposed": str(row.proposed),
        "target": row.target,
        "stated": row.stated,
        "effect": row.effect,
    }


def _sentence(row: CalibrationProposal) -> str:
    share, low, high, pages = row.stated
    effect = row.effect
    more, fewer = (effect["people"].get(name, 0) for name in ("more", "fewer"))
    return (
        f"PROPOSED {row.profile} {row.figure} {row.now} -> {row.proposed}: {share:.3f} right ({low:.3f} - {high:.3f})"
        f" of {pages:.0f} pages. What if, {effect['pages']} pages of 30 days: {more} more to people, {fewer} fewer;"
        f" {effect['wrong_skus']:+.1f} wrong SKUs; {effect['people_s'] / 3600:+.1f} h of people."
    )


def _as_json(record: CalibrationRecord) -> dict[str, Any]:
    return {
        "profile": f"{record.profile.key}@{record.profile.version}",
        **{
            name: getattr(record, name)
            for name in ("category", "reason", "counts", "rates", "routes", "promises", "drifted")
        },
        "since": record.since.isoformat(),
        "until": record.until.isoformat(),
    }


def _lines(record: CalibrationRecord) -> Iterator[str]:
    if not (record.category or record.reason):
        yield f"{record.profile}, {record.since:%Y-%m-%d} to {record.until:%Y-%m-%d}"
        yield from confusion_lines(record.routes)
        yield f"  {'':<{NAME_WIDTH}} {'  '.join(f'{name:>11}' for name in (*COUNTS, *RATES))}"
    counts = [f"{record.counts.get(name, 0):>11}" for name in COUNTS]
    rates = [f"{record.rates[name][0]:>11.3f}" if name in record.rates else f"{'-':>11}" for name in RATES]
    yield f"  {(record.category or record.reason or 'all')[:NAME_WIDTH]:<{NAME_WIDTH}} {'  '.join([*counts, *rates])}"
