"""`manage.py extract FILE...`: documents through the same job, workers and tables, to a result file."""

import json
import sys
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.module_loading import import_string
from django.utils.translation import override

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import Refused
from catalogsku.core.management.commands.run import PRELOAD, UNITS, free_claims, prepare_database, start_services
from catalogsku.core.supervisor import TICK_S, Supervisor, Unit
from catalogsku.core.work import live_threads
from catalogsku.profiles.models import ThresholdProfile
from ingestion.kinds import CATALOGUE, KINDS, PAGES, kind_named, refuse_untaken
from ingestion.lifecycle import ImportState, JobStage, JobStatus, PageStage, PageStatus
from ingestion.models import Job, Page
from ingestion.models_shown import question
from ingestion.services.opening import template_of
from ingestion.services.receiving import submit_file
from ingestion.verdicts import BY_CODE
from processing.exports import result_file
from processing.problems import sentence
from processing.products.selectors import active_skus
from processing.studies.kind import STUDY
from processing.studies.receivers import enter_files
from processing.studies.records import active, breaches_in, version_of
from processing.studies.selectors import definition_in
from processing.studies.values import values_in

USABLE = frozenset({JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_IMPORTED, JobStatus.DEGRADED_HUMAN})
COLUMNS = ("model", "product_name", "size", "material", "color", "price")
COLUMN_WIDTH = 18
# Of a study: what is told of a value, and how wide.
STUDY_COLUMNS = {"page": 4, "part": 24, "field": 24, "value": 40, "proof": 10}


class Command(BaseCommand):
    help = "Processes PDFs with the real workers (starting them where none run) and writes their result files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--kind", help="what the files are; a catalogue where neither this nor a template is given")
        parser.add_argument("--template", default="", help="what is asked of studies: KEY, or KEY/VERSION")
        parser.add_argument("--category", default="")
        parser.add_argument("--profile", default="", help="key of a threshold profile")
        parser.add_argument("--merchant", default="", help="name of a merchant; the first one where none is given")
        parser.add_argument(
            "--output", type=Path, help="result file; FILE.result.json in var/results where none is given"
        )
        parser.add_argument("--timeout", type=int, default=3600, help="seconds to wait at most")
        parser.add_argument("--json", action="store_true", help="print a summary as JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        enter_files()
        for file in options["files"]:
            if not file.is_file():
                raise CommandError(f"There is no file {file}.")
        if options["output"] and len(options["files"]) > 1:
            raise CommandError("--output names one result file; give one FILE with it.")
        with _refusals():
            kind = kind_named(options["kind"] or (STUDY if options["template"] else CATALOGUE).key)
        with start_services(), self._supervised() as tick:
            self._check_choices(options)
            merchant = self._merchant(options["merchant"])
            with _refusals():
                refuse_untaken(kind, {"category": options["category"]})
                template = template_of(kind, merchant.pk, options["template"])
            jobs = [
                submit_file(
                    None,
                    merchant.pk,
                    file,
                    key=f"extract-{uuid.uuid4()}",
                    kind=kind,
                    template=template,
                    category=options["category"],
                    profile_key=options["profile"],
                )
                for file in options["files"]
            ]
            self._wait(jobs, tick, options["timeout"])
            summaries = [self._report(Job.objects.get(pk=job.pk), options) for job in jobs]
            connection.close()
        if options["json"]:
            self.stdout.write(json.dumps(summaries, ensure_ascii=False, indent=2))
        if any(summary["status"] not in USABLE for summary in summaries):
            raise CommandError("Not every document reached a state that people or programs can use.", returncode=1)

    def _check_choices(self, options: dict[str, Any]) -> None:
        key = options["profile"]
        if key and not ThresholdProfile.objects.filter(key=key, active=True).exists():
            raise CommandError(f"There is no profile {key!r}.")

    def _merchant(self, name: str) -> Merchant:
        rows = Merchant.objects.filter(is_active=True).order_by("pk")
        merchant = rows.filter(name=name).first() if name else rows.first()
        if merchant is None and name:
            raise CommandError(f"There is no merchant {name!r}.")
        return merchant or Merchant.objects.create(name="Local")

    @contextmanager
    def _supervised(self) -> Iterator[Callable[[], None]]:
        """Workers of our own where none live; what it gives must be called every now and then."""
        prepare_database(lambda line: None)
        if live_threads("cpu"):
            with nullcontext():
                yield lambda: None
            return
        units: list[Unit] = [unit for unit in import_string(UNITS) if not unit.for_browsers]
        supervisor = Supervisor(
            units,
            services=None,
            logs=settings.VAR_DIR / "log",
            folder=settings.BASE_DIR,
            preload=import_string(PRELOAD),
            on_unit_death=free_claims,
            say=self.stderr.write,
        )
        supervisor.start()
        try:
            yield supervisor.tick
        finally:
            supervisor.stop()

    def _wait(self, jobs: list[Job], tick: Callable[[], None], timeout_s: int) -> None:
        until_s = time.monotonic() + timeout_s
        next_look_s = 0.0
        while True:
            tick()
            now_s = time.monotonic()
            if now_s >= next_look_s:
                next_look_s = now_s + 0.5
                rows = [Job.objects.get(pk=job.pk) for job in jobs]
                self._progress(rows)
                if all(machines_are_done(row) for row in rows):
                    break
            if now_s > until_s:
                raise CommandError(
                    f"Not finished within {timeout_s} s. The workers' logs are in {settings.VAR_DIR / 'log'}."
                )
            time.sleep(TICK_S)
        self._progress([])

    def _progress(self, jobs: list[Job]) -> None:
        if not sys.stderr.isatty():
            return
        if not jobs:
            sys.stderr.write("\r\033[K")
            return
        pages = Page.objects.filter(job__in=jobs)
        total, left = pages.count(), pages.exclude(stage=PageStage.NONE).count()
        filled = round(30 * (total - left) / total) if total else 0
        sys.stderr.write(
            f"\r\033[K[{'#' * filled}{'.' * (30 - filled)}] {total - left}/{total} pages  {jobs[0].status}"
        )
        sys.stderr.flush()

    def _report(self, job: Job, options: dict[str, Any]) -> dict[str, Any]:
        path = options["output"] or settings.VAR_DIR / "results" / f"{Path(job.source_name).stem}.result.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(result_file.stream(job))
        found = _study(job) if job.kind == STUDY.key else _catalogue(job)
        summary = {
            "file": job.source_name,
            "job": str(job.uuid),
            "status": job.status,
            **found.told,
            "failure": job.failure_code,
            "result": str(path.resolve()),
        }
        if not options["json"]:
            self._print_table(job, found, summary["result"])
        return summary

    @override("en")  # what stands around the words is English
    def _print_table(self, job: Job, found: "_Found", result: str) -> None:
        self.stdout.write(f"\n{job.source_name}: {job.get_status_display()}, {found.words}")
        if job.status == JobStatus.AWAITING_GO:
            self.stdout.write(f"{question(job)}: manage.py jobs models {job.uuid} --go yes|no")
        if job.failure_code:
            rule = BY_CODE.get(job.failure_code)
            self.stdout.write(f"Refused ({job.failure_code}): {rule.message if rule else ''}")
        for line in found.lines:
            self.stdout.write(line)
        self.stdout.write(f"\nresult.json: {result}")


@dataclass(frozen=True)
class _Found:
    """``told``: what a summary says of it; ``words``, ``lines``: the same for people, a table of it."""

    told: dict[str, Any]
    words: str
    lines: list[str]


def _catalogue(job: Job) -> _Found:
    skus = list(active_skus(job))
    lines = ["  ".join(["page", *(f"{name:<{COLUMN_WIDTH}}" for name in COLUMNS), "state"])] if skus else []
    for sku in skus:
        cells = [fit(sku.attributes.get(name) or "-", COLUMN_WIDTH) for name in COLUMNS]
        lines.append("  ".join([f"{sku.page.number:>4}", *cells, sku.status]))
    told = {"route": job.route, "c_doc": job.c_doc, "skus": len(skus)}
    return _Found(told, f"{len(skus)} SKUs, route {job.route or '-'}", lines)


def _study(job: Job) -> _Found:
    records = list(active(job))
    values = [(record, value) for record in records for value in values_in(record.values)]
    failed = breaches_in(definition_in(version_of(job)), records)
    lines = ["  ".join([f"{name:<{width}}" for name, width in STUDY_COLUMNS.items()])] if values else []
    for record, value in values:
        told = (
            f"{value.page or '-':>4}",
            record.part or "-",
            value.field,
            value.text or "-",
            value.verdict or value.grade,
        )
        lines.append("  ".join(fit(text, width) for text, width in zip(told, STUDY_COLUMNS.values(), strict=True)))
    for breach in failed:
        read = ", ".join(f"{read.part + ': ' if read.part else ''}{read.field} {read.text}" for read in breach.values)
        lines.append(f"Does not hold ({breach.check}): {read}")
    undecided = sum(not value.verdict for _, value in values)
    told_of = {"template": job.template, "records": len(records), "values": len(values), "undecided": undecided}
    words = f"{len(values)} values in {len(records)} records, template {job.template}"
    return _Found({**told_of, "checks": len(failed)}, words, lines)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except Refused as error:
        with override("en"):
            raise CommandError(sentence(error.code, error.params)) from error


def machines_are_done(job: Job) -> bool:
    """Nothing moves by itself any more: what is left waits for people, or nothing is left."""
    if job.stage != JobStage.NONE or job.status in (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.EVALUATED):
        return False
    if job.status in (JobStatus.REJECTED, JobStatus.CANCELLED, JobStatus.AWAITING_GO) or job.held_reason:
        return True
    pages = Page.objects.filter(job=job)
    moving = pages.exclude(stage=PageStage.NONE)
    if job.import_hold:  # an edition that waits for its approval, or imports that an operator holds
        return not moving.exists()
    if KINDS[job.kind].settled_by == PAGES:
        moving |= pages.filter(status=PageStatus.AI_COMPLETED, import_state__in=(ImportState.NONE, ImportState.PENDING))
    return not moving.exists() and job.status not in (JobStatus.PROCESSING, JobStatus.ORPHANED)


def fit(text: str, width: int) -> str:
    """Cut or padded to ``width`` terminal columns; Han takes two, and what a terminal would obey is a space."""
    from unicodedata import east_asian_width

    shown, used = "", 0
    for char in (char if char.isprintable() else " " for char in text):
        columns = 2 if east_asian_width(char) in "WF" else 1
        if used + columns > width:
            break
        shown, used = shown + char, used + columns
    return shown + " " * (width - used)
