"""`manage.py bench`: the product's speed and size beside bare library calls and its budgets, in one run, as JSON."""

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalogsku.core import machine
from catalogsku.core.management.commands.run import prepare_database, start_services
from tests.bench import history
from tests.bench.asking import measure_asking, measure_overhead, slow_model
from tests.bench.budgets import verdicts
from tests.bench.claims import measure_claims
from tests.bench.export import measure_export
from tests.bench.job import all_rounds, beside_bare_loop, measure_job
from tests.bench.live import measure_live
from tests.bench.long import measure_long
from tests.bench.models import measure_models
from tests.bench.ocr import measure_ocr
from tests.bench.prescan import measure_prescan
from tests.bench.product import Product
from tests.bench.search import measure_search
from tests.bench.stages import measure_stages
from tests.bench.uploading import measure_upload
from tests.bench.web import measure_web
from tests.bench.yardsticks import measure_yardsticks
from tests.support.catalogues import make_catalogue, make_illustrated

PAGES, LONG_PAGES, STAGE_PAGES, ASKED_PAGES, OCR_PAGES = 200, 2000, 48, 120, 6
SEEDS = {"job": 200, "dense": 205, "long": 201, "live": 202, "stages": 203, "small": 204, "asking": 206, "ocr": 207}
# Parts that share services of their own; web, export and search fill their databases.
GROUPS = (
    ("prescan", "ocr", "stages", "models", "asking", "job", "dense", "long", "live", "claim", "upload"),
    ("yardsticks",),
    ("web",),
    ("export",),
    ("search",),
)
PARTS = [part for group in GROUPS for part in group]
JOBS = {"job", "dense"}
ROUNDS = 5  # of a job and its bare loop, by turns: on a shared machine one of them alone says .65 or .95
ON_THE_WEB = {"live", "claim", "upload"}
UPLOADER = ("uploader", "demo-uploader")


class Command(BaseCommand):
    help = "Measures speed and size against bare library loops and the promised budgets; prints JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", action="append", choices=PARTS, help="measure this part; may be given again")
        parser.add_argument("--pages", type=int, default=PAGES, help="pages of those drawn for `job` and `dense`")
        parser.add_argument("--long-pages", type=int, default=LONG_PAGES, help="pages of those for `long` and `live`")
        parser.add_argument("--file", type=Path, help="a PDF of your own for `prescan` and `job`")
        parser.add_argument(
            "--corpus",
            type=Path,
            metavar="DIR",
            default=settings.CORPUS_DIR or None,
            help="real PDFs for `yardsticks`; CORPUS_DIR where none is given",
        )
        parser.add_argument("--out", type=Path, help="write the JSON to this file too")
        parser.add_argument("--record", action="store_true", help="add the run to docs/bench and draw docs/bench.md")
        parser.add_argument("--page", action="store_true", help="only draw docs/bench.md from the recorded runs")
        parser.add_argument("--timeout", type=int, default=1800, help="seconds that a job may take")
        parser.add_argument(
            "--here", action="store_true", help="use the services and data of VAR_DIR, not temporary folders"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["page"]:
            history.write_page(settings.BASE_DIR / "docs")
            return
        parts = options["only"] or PARTS
        report = self._measure_here(parts, options) if options["here"] else self._run_apart(parts, options)
        report["verdicts"] = verdicts(report)
        report["kept"] = all(verdict["kept"] for verdict in report["verdicts"])
        text = json.dumps(report, indent=2)
        if options["out"]:
            options["out"].write_text(text + "\n")
        if options["record"]:
            history.record(report, settings.BASE_DIR / "docs")
        self.stdout.write(text)

    def _run_apart(self, parts: list[str], options: dict[str, Any]) -> dict[str, Any]:
        """The same command on services of its own, which go away with their folder; once for each group of parts."""
        names = ("pages", "long_pages", "file", "corpus", "timeout")
        given = [f"--{name.replace('_', '-')}={options[name]}" for name in names if options[name]]
        kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL", "STORAGE_URL")}
        report: dict[str, Any] = {}
        for group in GROUPS:
            wanted = [f"--only={part}" for part in group if part in parts]
            if not wanted:
                continue
            with tempfile.TemporaryDirectory(prefix="catalogsku-bench-") as var:
                out = Path(var, "report.json")
                done = subprocess.run(
                    [sys.executable, "manage.py", "bench", "--here", f"--out={out}", *wanted, *given],
                    cwd=settings.BASE_DIR,
                    env={**kept, "VAR_DIR": var},
                    stdout=subprocess.DEVNULL,
                )
                if done.returncode:
                    raise CommandError("The measurement did not finish.", returncode=done.returncode)
                report = json.loads(out.read_text()) | report  # the machine as it was before the first group
        return report

    def _measure_here(self, parts: list[str], options: dict[str, Any]) -> dict[str, Any]:
        report: dict[str, Any] = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": machine.commit(),
            "machine": machine.machine(),
        }
        with tempfile.TemporaryDirectory() as folder, start_services():
            prepare_database(lambda line: None)
            report["versions"] = machine.versions()
            files = _Files(Path(folder), options)
            for part in [part for part in PARTS if part in parts]:
                self.stderr.write(f"{datetime.now():%H:%M:%S} {part} ...")
                report[part] = self._measure(part, files, options)
                self.stderr.write(json.dumps(report[part]))  # is kept where a later part does not finish
        return report

    def _measure(self, part: str, files: "_Files", options: dict[str, Any]) -> dict[str, Any]:
        timeout_s: int = options["timeout"]
        if part == "yardsticks":
            return measure_yardsticks(options["corpus"])
        if part == "prescan":
            return measure_prescan(files.own or files.drawn("long"))
        if part == "ocr":
            return measure_ocr(files.drawn("ocr"))
        if part == "stages":
            return measure_stages(files.drawn("stages"))
        if part == "models":
            return {**measure_models(), **measure_overhead()}
        if part == "asking":
            with slow_model(), Product(self.stderr.write, web=False) as product:
                return measure_asking(product, files.drawn(part), timeout_s)
        if part == "web":
            return measure_web()
        if part == "search":
            return measure_search()
        if part == "export":
            return measure_export()
        if part in JOBS:
            return all_rounds([self._beside_bare_loop(files.for_job(part), timeout_s) for _ in range(ROUNDS)])
        with Product(self.stderr.write, web=part in ON_THE_WEB) as product:
            return _with_product(part, product, files, timeout_s)

    def _beside_bare_loop(self, file: Path, timeout_s: int) -> dict[str, Any]:
        with Product(self.stderr.write, web=False) as product:
            found = measure_job(product, file, timeout_s)
        return beside_bare_loop(found, file)


def _with_product(part: str, product: Product, files: "_Files", timeout_s: int) -> dict[str, Any]:
    if part == "long":
        return measure_long(product, files.drawn("long"), files.drawn("small"), timeout_s)
    if part == "live":
        return measure_live(product, files.drawn("live"))
    if part == "claim":
        claims: dict[str, Any] = measure_claims(product)
        return claims
    return measure_upload(product.address, *UPLOADER, settings.VAR_DIR)


class _Files:
    """Catalogues drawn when they are first asked for; ``own`` is the one that was named."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self.folder, self.own = folder, options["file"]
        long = options["long_pages"]
        self.pages = {
            "job": options["pages"],
            "dense": options["pages"],
            "long": long,
            "live": long,
            "stages": STAGE_PAGES,
            "small": 1,
            "ocr": OCR_PAGES,
            "asking": ASKED_PAGES,
        }

    def for_job(self, part: str) -> Path:
        return self.own if self.own and part == "job" else self.drawn(part)

    def drawn(self, name: str) -> Path:
        path = self.folder / f"{name}.pdf"
        if not path.exists():
            make = make_illustrated if name in ("job", "ocr") else make_catalogue
            make(path, self.pages[name], SEEDS[name])
        return path
