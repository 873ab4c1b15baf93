"""`manage.py bench`: the product's speed and memory beside the bare library calls, in one run, as JSON."""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import uuid
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.module_loading import import_string

from catalogsku.accounts.models import Merchant
from catalogsku.core.management.commands.run import UNITS, free_claims, prepare_database, start_services
from catalogsku.core.supervisor import TICK_S, Supervisor
from catalogsku.core.work import live_threads
from ingestion.lifecycle import JobStatus, PageStage, PageStatus
from ingestion.models import Job, Page
from ingestion.services.receiving import submit_file
from processing.bench.bare import library_loop_s, pymupdf_pass_s
from processing.bench.memory import Memory
from processing.models import Sku
from processing.services import frozen, sandboxes

GENERATOR = "tests.support.catalogues.make_catalogue"
SEED = 200
WARM_UP = "samples/fasteners.pdf"
LOOK_EVERY_S = 0.5
BUDGETS = {"prescan": 0.5, "job": 0.85}  # ratio to the bare loop that the product promises
PACKAGES = ("django", "dramatiq", "pymupdf", "pdfplumber", "pypdfium2", "psycopg", "redis")


class Command(BaseCommand):
    help = "Measures prescan, reading and understanding against bare library loops on the same file; prints JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pages", type=int, default=200, help="pages of the drawn catalogue")
        parser.add_argument("--file", type=Path, help="a PDF of your own instead of a drawn catalogue")
        parser.add_argument("--out", type=Path, help="write the JSON to this file too")
        parser.add_argument("--timeout", type=int, default=1800, help="seconds that the job may take")
        parser.add_argument(
            "--here", action="store_true", help="use the services and data of VAR_DIR, not a temporary folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["here"]:
            self._run_apart(options)
            return
        with tempfile.TemporaryDirectory() as folder, start_services():
            prepare_database(lambda line: None)
            file = options["file"] or self._draw(Path(folder, "bench.pdf"), options["pages"])
            report = {"machine": machine(), "versions": versions(), "file": {"bytes": file.stat().st_size}}
            report["prescan"] = measure_prescan(file)
            report |= self._measure_job(file, options["timeout"])
        text = json.dumps(report, indent=2)
        if options["out"]:
            options["out"].write_text(text + "\n")
        self.stdout.write(text)

    def _run_apart(self, options: dict[str, Any]) -> None:
        """The same command on services of its own, which go away with their folder."""
        given = {name: options[name] for name in ("pages", "file", "out", "timeout") if options[name]}
        arguments = [part for name, value in given.items() for part in (f"--{name}", str(value))]
        kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL", "STORAGE_URL")}
        with tempfile.TemporaryDirectory(prefix="catalogsku-bench-") as var:
            done = subprocess.run(
                [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "--here", *arguments],
                env={**kept, "VAR_DIR": var},
            )
        if done.returncode:
            raise CommandError("The measurement did not finish.", returncode=done.returncode)

    def _draw(self, path: Path, pages: int) -> Path:
        try:
            make_catalogue = import_string(GENERATOR)
        except ImportError as error:
            raise CommandError(
                f"The drawn catalogue needs the folder tests of a checkout; or name --file: {error}"
            ) from error
        make_catalogue(path, pages, SEED)
        return path

    def _measure_job(self, file: Path, timeout_s: int) -> dict[str, Any]:
        memory = Memory()
        merchant = Merchant.objects.create(name=f"bench {uuid.uuid4()}")  # nothing kept of an earlier run
        units = [unit for unit in import_string(UNITS) if unit.name != "web"]
        supervisor = Supervisor(
            units, services=None, logs=settings.VAR_DIR / "log", folder=settings.BASE_DIR,
            on_unit_death=free_claims, say=self.stderr.write,
        )  # fmt: skip
        supervisor.start()
        try:
            wait_for_workers(supervisor)
            first = submit_file(None, merchant.pk, settings.BASE_DIR / WARM_UP, key=f"bench-{uuid.uuid4()}")
            follow(first, supervisor, Memory(), timeout_s)  # fork servers are ready, connections open
            job = submit_file(None, merchant.pk, file, key=f"bench-{uuid.uuid4()}")
            follow(job, supervisor, memory, timeout_s)
        finally:
            supervisor.stop()
        figures = job_figures(job)
        pages = Page.objects.filter(job=job).exclude(status=PageStatus.BLANK).order_by("number")
        numbers = list(pages.values_list("number", flat=True))
        bare = library_loop_s(file, numbers, frozen.reading_settings(), cores())
        bare_pages_per_s = len(numbers) / bare["all_s"]
        ratio = figures["read_and_understand_pages_per_s"] / bare_pages_per_s
        return {
            "job": {
                **figures,
                "bare_loop_pages_per_s": round(bare_pages_per_s, 2),
                "bare_loop_read_share": round(bare["read_s"] / bare["all_s"], 2),
                "ratio": round(ratio, 3),
                "budget_ratio": BUDGETS["job"],
            },
            "memory": memory.report(),
        }


def cores() -> int:
    return len(os.sched_getaffinity(0))


def machine() -> dict[str, Any]:
    model = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "cores": cores(),
        "processor": model[0].partition(":")[2].strip() if model else platform.processor(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "kernel": platform.release(),
        "load_before": [round(load, 2) for load in os.getloadavg()],
    }


def versions() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        server = cursor.fetchone()[0]
    found = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"python": platform.python_version(), "postgresql": server, **found}


def measure_prescan(file: Path) -> dict[str, float]:
    """The product's prescan in its sandbox against one bare pass; each the better of two turns taken alternately."""
    with sandboxes.new_sandbox() as sandbox:
        sandbox.start()
        bare_s = prescan_s = float("inf")
        pages = 0
        for _ in range(2):
            bare_s = min(bare_s, pymupdf_pass_s(file))
            taken_s, pages = _prescan_s(sandbox, file)
            prescan_s = min(prescan_s, taken_s)
    return {
        "pages_per_s": round(pages / prescan_s, 1),
        "bare_pymupdf_pages_per_s": round(pages / bare_s, 1),
        "ratio": round(bare_s / prescan_s, 3),
        "budget_ratio": BUDGETS["prescan"],
    }


def _prescan_s(sandbox: Any, file: Path) -> tuple[float, int]:
    import pymupdf

    with pymupdf.open(file) as document:
        numbers = list(range(1, document.page_count + 1))
    with sandboxes.work_folder() as out:
        request = {"path": str(file), "pages": numbers, "out": str(out),
                   "settings": frozen.jsonable(frozen.reading_settings())}  # fmt: skip
        began_s = time.perf_counter()
        outcome = sandbox.run(
            "processing.engine.reading.children:prescan_file", request, numbers, out, [file], sandboxes.PRESCAN
        )
        taken_s = time.perf_counter() - began_s
    if not outcome.ok:
        raise CommandError(f"The prescan ended early: {outcome.reason} {outcome.detail}")
    return taken_s, len(numbers)


def wait_for_workers(supervisor: Supervisor, within_s: float = 120) -> None:
    until_s = time.monotonic() + within_s
    while not all(map(live_threads, ("cpu", "llm", "out", "quick"))):
        supervisor.tick()
        if time.monotonic() > until_s:
            raise CommandError(f"The workers did not start. Their logs are in {settings.VAR_DIR / 'log'}.")
        time.sleep(TICK_S)


def follow(job: Job, supervisor: Supervisor, memory: Memory, timeout_s: int) -> None:
    """Until the job has ended, looking at the units' memory."""
    until_s, look_at_s = time.monotonic() + timeout_s, 0.0
    ended = (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_IMPORTED, JobStatus.PARTIAL_FAILED, JobStatus.DEGRADED_HUMAN)
    while True:
        supervisor.tick()
        now_s = time.monotonic()
        if now_s >= look_at_s:
            look_at_s = now_s + LOOK_EVERY_S
            done = Page.objects.filter(job=job, stage=PageStage.NONE).count()
            memory.look(supervisor.pids(), done)
            job.refresh_from_db(fields=["status", "failure_code"])
            if job.status in ended and not Page.objects.filter(job=job).exclude(stage=PageStage.NONE).exists():
                return
            if job.status in (JobStatus.REJECTED, JobStatus.CANCELLED) or now_s > until_s:
                raise CommandError(f"The job did not get through: {job.status} {job.failure_code}")
        time.sleep(TICK_S)


def job_figures(job: Job) -> dict[str, Any]:
    """Pages a second from the end of the prescan to the last page understood, and the times of the whole way."""
    job.refresh_from_db()
    pages = Page.objects.filter(job=job).exclude(status=PageStatus.BLANK)
    last = pages.order_by("-finished_at").values_list("finished_at", flat=True).first()
    if last is None or job.checked_at is None:
        raise CommandError(f"The job ended without its times: {job.status}")
    worked_s = (last - job.checked_at).total_seconds()
    return {
        "status": job.status,
        "pages": job.total_pages,
        "pages_read": pages.count(),
        "skus": Sku.objects.filter(job=job, superseded=False).count(),
        "read_and_understand_pages_per_s": round(pages.count() / worked_s, 2),
        "check_s": round((job.checked_at - job.created_at).total_seconds(), 2),
        "read_and_understand_s": round(worked_s, 2),
        "to_the_last_page_s": round((last - job.created_at).total_seconds(), 2),
    }
