"""`manage.py imports list|retry|hold|reopen|held|check`: what targets were sent and said, sending it again, stopping
and letting go what a document sends, and examining a target."""

import json
import os
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError

from ingestion.management.documents import OPERATOR, find_job
from ingestion.models import Job
from ingestion.services import jobs
from processing.imports.lifecycle import Delivery
from processing.imports.models import ImportRecord, TargetHold
from processing.imports.services import delivering, holds
from processing.imports.services.probing import Probe
from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Traits
from processing.imports.targets.shape import Shape

_SHOWN = (
    *("target", "sku_key", "generation", "kind", "state", "attempt", "conflicts", "failing_since", "not_before"),
    *("drift", "response"),
)
_HOLD_SHOWN = ("target", "since", "trials", "try_at", "response")
WAITS_FOR_PEOPLE = (Delivery.REFUSED, Delivery.STALE, Delivery.ASSUMED)
TOKEN = "IMPORT_CHECK_TOKEN"


class Command(BaseCommand):
    help = (
        "list: imports that wait, failed, or are not confirmed; of a document, all. retry: sends those again that were"
        " refused, given up or assumed. hold: nothing of a document goes out until reopen says so."
        " held: targets that do not take our secret, for which all their imports wait;"
        " with --try they are tried at once. check: sends products of no merchant to an address and says which of the"
        f" assumptions I1 to I5 hold there (its secret in {TOKEN}); exit code 1 where one does not."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        for name, text in (("list", "imports and what became of them"), ("retry", "send them again")):
            command = commands.add_parser(name, help=text)
            command.add_argument("job", nargs="?", metavar="JOB", help="id of the document; without it, of all")
            command.add_argument("--state", choices=Delivery.values, help="only imports in this state")
            command.add_argument("--limit", type=int, default=1000, help="at most so many (1000)")
            command.add_argument("--json", action="store_true", help="print JSON")
        for name, text in (("hold", "nothing of a document goes out"), ("reopen", "its imports go on")):
            command = commands.add_parser(name, help=text)
            command.add_argument("job", metavar="JOB", help="id of the document")
            command.add_argument("--json", action="store_true", help="print JSON")
        held = commands.add_parser("held", help="targets that do not take our secret")
        held.add_argument("--try", dest="tries", action="store_true", help="the secret was mended: try them now")
        held.add_argument("--json", action="store_true", help="print JSON")
        check = commands.add_parser("check", help="examine a target")
        check.add_argument("url", metavar="URL", help="its address, as in IMPORT_URL")
        check.add_argument("--merchant", type=int, default=0, metavar="N", help="merchant id to send (0)")
        check.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "check":
            self._check(options)
        elif options["what"] in ("hold", "reopen"):
            self._hold(options)
        elif options["what"] == "held":
            rows = TargetHold.objects.order_by("target")
            self._print([dict(row) for row in rows.values(*_HOLD_SHOWN)], options["json"])
            if options["tries"]:
                holds.try_now(rows)
        elif options["what"] == "retry":
            sent = delivering.retry_imports(_chosen(options, WAITS_FOR_PEOPLE), OPERATOR)
            self.stdout.write(json.dumps({"imports_sent": sent}) if options["json"] else f"{sent} imports sent again.")
        else:
            unfinished = [state for state in Delivery if state not in (Delivery.CONFIRMED, Delivery.SUPERSEDED)]
            chosen = ImportRecord.objects.filter(pk__in=_chosen(options, unfinished)).order_by("pk")
            self._print(list(chosen.values(*_SHOWN)), options["json"])

    def _hold(self, options: dict[str, Any]) -> None:
        rows = Job.objects.filter(pk=find_job(options["job"]).pk)
        done = jobs.hold_imports(rows, OPERATOR) if options["what"] == "hold" else jobs.let_imports_go(rows)
        words = "Held." if options["what"] == "hold" else "The imports go on."
        self.stdout.write(json.dumps({"documents": done}) if options["json"] else words if done else "Nothing to do.")

    def _check(self, options: dict[str, Any]) -> None:
        url, secret = options["url"], os.environ.get(TOKEN, "")
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise CommandError(f"{url!r} is no address of a target.", returncode=2)

        def make(traits: Traits, shape: Shape) -> HttpTarget:
            return HttpTarget(url, traits, shape, private=True, token=lambda: secret)

        findings = Probe(make, options["merchant"]).run()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                switches = ", ".join(f"{name}={value}" for name, value in finding.switches.items())
                self.stdout.write(f"{finding.assumption} {'holds' if finding.holds else 'FAILS'}: {finding.seen}")
                self.stdout.write(
                    f"   set on the import target: {switches}" if switches else "", ending="\n" * bool(switches)
                )
        if failed := [finding.assumption for finding in findings if not finding.holds]:
            raise CommandError(f"Not given: {', '.join(failed)}.")

    def _print(self, rows: list[dict[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None, 0)))


def _chosen(options: dict[str, Any], states: Any) -> list[int]:
    """Ids; of a document `list` shows those in every state."""
    rows = ImportRecord.objects.order_by("pk")
    if options["job"]:
        rows = rows.filter(job=find_job(options["job"]))
    if options["state"]:
        rows = rows.filter(state=options["state"])
    elif not options["job"] or options["what"] == "retry":
        rows = rows.filter(state__in=states)
    return list(rows.values_list("pk", flat=True)[: max(options["limit"], 0)])
