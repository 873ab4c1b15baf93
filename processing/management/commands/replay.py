"""`manage.py replay TRACE`: a page understood once more from its trace, and whether the same came out."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from ingestion.management.documents import find_job
from ingestion.models import Page
from processing.pages.models import TraceBundle
from processing.pages.services import tracing

SHOWN = 200


class Command(BaseCommand):
    help = (
        "Understands a page once more, from its trace alone and without a network, and says where the result is another"
        " one. Code 0: the same. Code 1: another one. Traces are kept of pages that failed, need a person or hit a"
        " rule, and of every tenth other page."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("trace", help="id of a document, or the file of a trace")
        parser.add_argument(
            "page", nargs="?", type=int, help="page number; without it the document's traces are listed"
        )
        parser.add_argument("--save", type=Path, help="write the trace to this file, to be replayed elsewhere")
        parser.add_argument(
            "--with-personal-data",
            action="store_true",
            help="write its pages as they were read, with telephone numbers, mail addresses and the like; else these"
            " are masked",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["trace"])
        is_file = path.is_file()
        if options["with_personal_data"] and (is_file or not options["save"]):
            raise CommandError("--with-personal-data is for a document's trace that is saved.")
        if is_file:
            bundle = tracing.surely_masked(_bundle_of_file(path))
        elif options["page"] is None:
            self._list(options["trace"], options["json"])
            return
        else:
            bundle = _bundle_of_page(options["trace"], options["page"], in_clear=options["with_personal_data"])
        if options["save"]:
            options["save"].write_bytes(tracing.pack(bundle))
        done = tracing.replay(bundle)
        self._tell(bundle, done, options["json"])
        if done.differences:
            raise SystemExit(1)

    def _list(self, name: str, as_json: bool) -> None:
        rows = TraceBundle.objects.filter(job=find_job(name)).order_by("page__number")
        traces = [{"page": r.page.number, "reason": r.reason, "at": r.created_at} for r in rows.select_related("page")]
        if as_json:
            self.stdout.write(json.dumps(traces, default=str))
        elif not traces:
            self.stdout.write("No traces.")
        for entry in [] if as_json else traces:
            self.stdout.write(f"{entry['page']:>6}  {entry['reason']:<8}  {entry['at']:%Y-%m-%d %H:%M}")

    def _tell(self, bundle: tracing.Bundle, done: tracing.Replayed, as_json: bool) -> None:
        number, masked = bundle.number, bundle.masked or {}
        if as_json:
            document = {
                "page": number,
                "same": not done.differences,
                "ended": done.ended,
                "differences": done.differences,
                "masked": masked,
            }
            document["found"] = msgspec.to_builtins(done.now)
            self.stdout.write(json.dumps(document, ensure_ascii=False))
            return
        skus = len(done.now.skus) if done.now else 0
        same = "another result" if done.differences else "the same result"
        self.stdout.write(f"page {number}: {same}, {skus} SKUs, sandbox {done.ended}")
        for name, (before, after) in done.differences.items():
            self.stdout.write(f"  {name}: {str(before)[:SHOWN]} -> {str(after)[:SHOWN]}")
        if masked:
            counts = ", ".join(f"{n} {kind}" for kind, n in masked.items())
            self.stdout.write(f"  masked: {counts}; a value that such data is part of may be another one than stored")


def _bundle_of_file(path: Path) -> tracing.Bundle:
    try:
        return tracing.unpack(path.read_bytes())
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from error


def _bundle_of_page(name: str, number: int, *, in_clear: bool) -> tracing.Bundle:
    page = Page.objects.filter(job=find_job(name), number=number).first()
    if page is None:
        raise CommandError(f"The document has no page {number}.")
    try:
        return tracing.bundle_in_clear(page) if in_clear else tracing.bundle_of(page)
    except TraceBundle.DoesNotExist:
        raise CommandError(f"No trace was kept of page {number}.") from None
    except (OSError, ValueError) as error:
        raise CommandError(f"The trace of page {number} cannot be read: {error}") from error
