"""`manage.py capacity`: what so many pages a day need here, and from what that is known."""

import json
from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.capacity.plan import KINDS, Assumption, Need, Wish, as_json, given, plan
from annotation.capacity.services.measuring import known
from catalogsku.core.errors import Refused
from ingestion.keeping import selectors

_HELP = {
    "scans": "share of the pages that have to be recognised (0.2)",
    "hours_per_day": "within so many hours machines shall have done a day's pages (24)",
    "utilisation": "share of the cores' time that is planned to be used (0.6)",
    "people_hours": "hours that a person works on pages a day (6.5)",
    "workdays": "of a person, a month (22)",
    "retention_years": "for how long documents stay that no rule deletes (1)",
    "core_eur": "EUR a month for a core",
    "memory_eur": "EUR a month for a GB of memory",
    "disk_eur": "EUR a month for a GB of disk",
    "person_hour_eur": "EUR for an hour of a person",
    "usd_eur": "EUR for a USD: models are paid in USD",
}


class Command(BaseCommand):
    help = (
        "From pages a day to cores, memory, disk, people and EUR: by what pages have cost here, or as recorded where"
        " too few are known. Says each figure's source and interval (docs/capacity.md)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pages-per-day", type=int, required=True, metavar="N")
        for name, words in _HELP.items():
            default = next(entry.default for entry in fields(Wish) if entry.name == name)
            parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=default, metavar="X", help=words)
        parser.add_argument("--people-pace", type=float, metavar="S", help="seconds of a person a page")
        parser.add_argument("--intervention", type=float, metavar="SHARE", help="of the pages, those people finish")
        parser.add_argument("--model-usd", type=float, metavar="USD", help="cost of models a page")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        found = known()
        wish = Wish(**{entry.name: options[entry.name] for entry in fields(Wish)})
        try:
            for key, option, name, most in (
                ("person_s", "people_pace", "people-pace", 86_400),
                ("intervention", "intervention", "intervention", 1),
                ("model_usd", "model_usd", "model-usd", 1_000),
            ):
                found[key] = given(found[key], options[option], name, 0, most)
            needs = plan(wish, found, days())
        except Refused as refused:
            raise CommandError(_sentence(refused), returncode=2) from None
        if options["json"]:
            self.stdout.write(json.dumps(as_json(wish, found, needs), indent=2))
            return
        for line in (*map(_assumed, found.values()), "", *map(_needed, needs)):
            self.stdout.write(line)


def days() -> dict[str, int | None]:
    """For how long what a page leaves is kept, where a merchant has no rule of its own."""
    told = selectors.days()
    return {kind: told[kind] for kind in KINDS}


def _sentence(refused: Refused) -> str:
    return "{code}: --{what} lies between {least} and {most}.".format(code=refused.code, **refused.params)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:,.3g}"


def _between(one: Assumption | Need) -> str:
    return "" if one.low == one.high else f" ({_figure(one.low)} to {_figure(one.high)})"


def _assumed(one: Assumption) -> str:
    return f"{one.key:<16}{_figure(one.value)}{_between(one)} {one.unit}; {one.kind}: {one.source}"


def _needed(one: Need) -> str:
    return f"{one.key:<16}{_figure(one.value)}{_between(one)} {one.unit}; {one.how}"
