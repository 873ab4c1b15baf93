"""`manage.py exports list|make|layouts|clean`: what was exported, making a file here and now, and clearing old ones."""

import json
import shutil
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogsku.accounts.models import Merchant
from catalogsku.core import storage
from catalogsku.core.errors import ProductError
from ingestion.management.documents import find_job
from ingestion.problems import PROBLEMS as DOCUMENT_PROBLEMS
from processing.exports.lifecycle import ExportStatus
from processing.exports.models import Export, ExportKind, ExportLayout, Headings
from processing.exports.selectors import known_columns
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish
from processing.problems import PROBLEMS
from processing.studies.receivers import enter_files

LOOK_AGAIN_S = 0.5
_SHOWN = (
    *("uuid", "merchant__name", "job__uuid", "layout__name", "kind", "status", "code", "skus", "added", "altered"),
    *("removed", "size_bytes", "created_at", "ended_at", "fetched_at"),
)


class Command(BaseCommand):
    help = (
        "list: exports, the newest first. make: a file of a document's SKUs, or of all of a merchant, written to --out;"
        " exit code 1 where it could not be made. layouts: those of a merchant, and the fields there are. clean: files"
        " that were kept for a week go, as every night."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        shown = commands.add_parser("list", help="exports and what became of them")
        shown.add_argument("--status", choices=ExportStatus.values, help="only those in this state")
        shown.add_argument("--limit", type=int, default=50, help="at most so many (50)")
        make = commands.add_parser("make", help="make a file")
        reach = make.add_mutually_exclusive_group(required=True)
        reach.add_argument("--job", metavar="JOB", help="id of a document")
        reach.add_argument("--merchant", metavar="NAME", help="all documents of this merchant")
        make.add_argument("--kind", choices=ExportKind.values, default=ExportKind.CSV, help="format (csv)")
        make.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the file goes")
        make.add_argument("--layout", metavar="NAME", help="fields, order and headings of this saved layout")
        make.add_argument("--changes", action="store_true", help="only what differs from the layout's last export")
        make.add_argument(
            "--filter", default="", metavar="ADDRESS", help="what a list shows: show=open&where=color:has:oak"
        )
        make.add_argument("--full-only", action="store_true", help="without incomplete SKUs")
        make.add_argument("--pictures", action="store_true", help="pictures in the cells of XLSX")
        make.add_argument("--headings", choices=Headings.values, default=Headings.KEYS, help="(keys)")
        layouts = commands.add_parser("layouts", help="saved layouts of a merchant")
        layouts.add_argument("merchant", metavar="NAME")
        clean = commands.add_parser("clean", help="clear old files")
        for command in (shown, make, layouts, clean):
            command.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        enter_files()
        what = options["what"]
        if what == "list":
            rows = Export.objects.order_by("-pk")
            rows = rows.filter(status=options["status"]) if options["status"] else rows
            self._print(list(rows.values(*_SHOWN)[: max(options["limit"], 0)]), options["json"])
        elif what == "clean":
            self._print([exporting.clean_exports()], options["json"])
        elif what == "layouts":
            merchant = _merchant(options["merchant"])
            own = ExportLayout.objects.filter(merchant=merchant).order_by("name")
            layout_rows = list(own.values("name", "headings", "columns"))
            self._print([*layout_rows, {"fields": list(known_columns(merchant.pk))}], options["json"])
        else:
            self._make(options)

    def _make(self, options: dict[str, Any]) -> None:
        job = find_job(options["job"]) if options["job"] else None
        merchant = job.merchant if job else _merchant(options["merchant"])
        layout = ExportLayout.objects.filter(merchant=merchant, name=options["layout"]).first()
        if options["layout"] and layout is None:
            raise CommandError(f"{merchant} has no layout {options['layout']!r}.")
        wish = Wish(
            options["kind"],
            (),
            options["headings"],
            layout,
            options["pictures"],
            options["changes"],
            options["full_only"],
            options["filter"],
        )
        try:
            export = exporting.ask_for(None, merchant, job, wish)
        except ProductError as error:
            raise CommandError(_sentence(error.code, error.params)) from error
        while export.status == ExportStatus.WAITING:  # a worker may have taken it first
            exporting.make_export(export.pk)
            export.refresh_from_db(fields=["status", "code", "storage_key"])
            if export.status == ExportStatus.WAITING:
                time.sleep(LOOK_AGAIN_S)
        if export.status != ExportStatus.DONE:
            raise CommandError(_sentence(export.code or "internal_error", {}))
        with storage.local_copy(export.storage_key) as path:
            shutil.copyfile(path, options["out"])
        signed_links.note_fetched(export)
        self._print(list(Export.objects.filter(pk=export.pk).values(*_SHOWN)), options["json"])

    def _print(self, rows: Sequence[Mapping[str, Any]], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
            return
        for row in rows:
            self.stdout.write("  ".join(f"{key}={value}" for key, value in row.items() if value not in ("", None)))


def _merchant(name: str) -> Merchant:
    merchant = Merchant.objects.filter(name=name).first()
    if merchant is None:
        raise CommandError(f"There is no merchant {name!r}.")
    return merchant


def _sentence(code: str, params: dict[str, object]) -> str:
    words = {**DOCUMENT_PROBLEMS, **PROBLEMS}.get(code, (0, code))[1]
    return str(words) % params if params else str(words)
