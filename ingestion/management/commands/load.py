"""`manage.py load`: drawn documents through the REST API of an installation of one's own, or (--clean) away again."""

import json
import os
import uuid
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.core.errors import Conflict, Refused
from ingestion.keeping.services import deleting
from ingestion.lifecycle import CLOSED
from ingestion.load.drawing import CATEGORY, KEY_BEGINS
from ingestion.load.driving import BOUNDS, Told, Wish, asker, check_place, drive
from ingestion.models import Job
from ingestion.services.jobs import cancel_job

TOKEN = "CATALOGSKU_TOKEN"  # not-a-secret


class Command(BaseCommand):
    help = (
        "Sends drawn documents to an installation of your own and says how long each took; it ends by itself. They are"
        f" marked (category {CATEGORY}). --clean deletes all of them from this installation's database and storage."
        f" The token of who uploads stands in {TOKEN}. Ends with 1 where something failed or was not done in time."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        def number(name: str, kind: type, default: float, words: str) -> None:
            least, most = BOUNDS[name]
            parser.add_argument(f"--{name}", type=kind, default=default, help=f"{words}, {least} to {most} ({default})")

        number("documents", int, 20, "how many")
        number("rate", float, 10.0, "documents a minute")
        number("minutes", float, 10.0, "when it ends at the latest")
        number("pages", int, 3, "of each document")
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="of the installation (this machine)")
        parser.add_argument(
            "--own-host", default="", metavar="HOST", help="the host of --url again, where it is another"
        )
        parser.add_argument("--clean", action="store_true", help="delete what such runs have left here; sends nothing")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["clean"]:
            self._clean(as_json=options["json"])
            return
        wish = Wish(*(options[name] for name in ("documents", "rate", "minutes", "pages")))
        try:
            wish.check()
            base = check_place(options["url"], options["own_host"])
        except Refused as refused:
            raise CommandError(f"{refused}.", returncode=2) from None
        token = os.environ.get(TOKEN, "")
        if not token or not token.isascii():
            raise CommandError(f"no_token: {TOKEN} holds the token of who uploads.", returncode=2)
        told = drive(wish, asker(base, token), uuid.uuid4().hex[:8])
        self._say(asdict(told), _lines(told), as_json=options["json"])
        if told.errors or told.unfinished:
            raise CommandError("Not all were done in that time.", returncode=1)

    def _clean(self, *, as_json: bool) -> None:
        """What is under way is cancelled first; its tasks may take a moment to close."""
        rows = Job.objects.filter(category=CATEGORY, idempotency_key__startswith=KEY_BEGINS).order_by("pk")
        deleted = left = 0
        for job in rows:
            try:
                if job.status not in CLOSED:
                    cancel_job(job, "load")
                deletion = deleting.ask(job, None, here=True)
            except Conflict:
                left += 1
                continue
            deleting.carry_out(deletion.pk)
            deleted += 1
        lines = [f"{deleted} documents deleted, {left} still under way."]
        self._say({"deleted": deleted, "under_way": left}, lines, as_json=as_json)
        if left:
            raise CommandError("Some are under way: again in a minute.", returncode=1)

    def _say(self, told: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
        for line in [json.dumps(told)] if as_json else lines:
            self.stdout.write(line)


def _lines(told: Told) -> list[str]:
    head = f"run {told.run}: {told.sent} sent, {told.accepted} accepted, {told.done} done, {told.unfinished} unfinished"
    times = [
        f"{name:<12}p50 {of['p50']:>8.3f} s  p95 {of['p95']:>8.3f} s  most {of['most']:>8.3f} s"
        for name, of in told.times_s.items()
    ]
    errors = [f"{code:<20}{n}" for code, n in sorted(told.errors.items())]
    return [f"{head} in {told.took_s} s", *times, *errors]
