"""`manage.py evaluate --golden DIR`: golden sets through the engine, figures, gate; or two reports compared."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.urls import reverse

from catalogsku.core.errors import Refused
from catalogsku.core.management.commands.run import prepare_database, start_services
from catalogsku.core.sandbox import SandboxUnavailable
from catalogsku.profiles.models import PromptVersion, ThresholdProfile
from catalogsku.profiles.services import find_profile, find_prompt
from processing.engine.quality.compare import compare
from processing.engine.quality.gate import gate_passed
from processing.engine.quality.report import FileMeasure, decode_report, encode_report, make_report
from processing.engine.quality.truth import TruthError
from processing.llm.recorded import Replay
from processing.management.evaluate_studies import OF_CATALOGUES, add_study_arguments, evaluate_studies
from processing.management.evaluate_told import SHOWN_WORST, comparison_lines, report_lines
from processing.quality.golden_models import answers_of, asked_versions, asker_of, refusal, refuse_unmeasured
from processing.quality.services.asking import Routing
from processing.quality.services.fold_weights import FITTED_BY, check_folds
from processing.quality.services.gallery import Gallery
from processing.quality.services.golden_sets import find_golden
from processing.quality.services.measuring import GoldenFile, Means
from processing.quality.services.reports import store_report
from processing.quality.services.runs import measure_all, versions
from processing.sandboxed import sandboxes
from processing.studies.kind import STUDY

BAR_WIDTH = 30


class Command(BaseCommand):
    help = (
        "Measures what the engine finds on golden pages against their truth (docs/quality.md), or compares two"
        " reports. Exit code 1 where --gate fails, 2 where a truth or report cannot be used."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--golden", type=Path, action="append", metavar="DIR", help="folder of NAME.truth.json, or one such file"
        )
        what.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"), help="two reports (--output)")
        parser.add_argument(
            "--corpus",
            type=Path,
            metavar="DIR",
            default=os.environ.get("CORPUS_DIR") or None,
            help="where PDFs are that do not lie beside their truth; CORPUS_DIR where none is given",
        )
        add_study_arguments(parser)
        parser.add_argument("--category", action="append", default=[], help="only truths of it; may be given again")
        parser.add_argument("--gate", action="store_true", help="exit code 1 where a figure misses its limit")
        parser.add_argument("--output", type=Path, metavar="FILE", help="write the report (JSON) to this file too")
        parser.add_argument(
            "--worst",
            type=int,
            default=SHOWN_WORST,
            metavar="N",
            help=f"tell of so many worst pages, of studies of so many wrong values ({SHOWN_WORST})",
        )
        parser.add_argument(
            "--keep",
            type=Path,
            metavar="DIR",
            help="keep what is read in this folder, and read nothing again that is"
            " kept there: the next run only understands",
        )
        parser.add_argument(
            "--leave-one-maker-out",
            action="store_true",
            help="judge each maker with weights that were fitted without it (--weights)",
        )
        parser.add_argument(
            "--weights",
            type=Path,
            metavar="DIR",
            help=f"without-MAKER.json for each maker, as `{FITTED_BY}` writes them",
        )
        parser.add_argument("--profile", metavar="KEY[@VERSION]", help="measure with this threshold profile")
        parser.add_argument(
            "--prompt",
            metavar="KEY[@VERSION]",
            help="ask models about the judged pages, with this version in place of the active one; needs a key",
        )
        answers = parser.add_mutually_exclusive_group()
        answers.add_argument(
            "--record",
            type=Path,
            metavar="DIR",
            help="ask models about the judged pages and keep their answers in this folder, for --replay; needs a key",
        )
        answers.add_argument(
            "--replay",
            type=Path,
            metavar="DIR",
            help="take models' answers from this folder: no key, no network, no cost; exit code 2 where one is missing",
        )
        parser.add_argument(
            "--routing",
            choices=[*Routing],
            help="where models are asked: every judged page, as the"
            " routing table says (table); only those that the product would ask about (product); every one, the strong"
            " model (strong), as the table's switch has it (table)",
        )
        parser.add_argument(
            "--store",
            action="store_true",
            help="keep the report, to be seen in the web application; with --profile or"
            " --prompt it is what the gate before the activation of that version asks for",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["kind"] == STUDY.key:
            self._studies(options)
        elif options["results"]:
            raise CommandError(f"--results goes with --kind {STUDY.key}.", returncode=2)
        elif options["compare"]:
            self._compare(options["compare"], options)
        else:
            self._refuse_together(options)
            self._evaluate(options)

    def _studies(self, options: dict[str, Any]) -> None:
        encoded, lines, passed = evaluate_studies(options, self.stderr)
        self._write(encoded, options)
        if not options["json"]:
            self._lines(lines)
        if options["gate"] and not passed:
            raise CommandError("The gate has failed.", returncode=1)

    def _refuse_together(self, options: dict[str, Any]) -> None:
        """Kept pages have no pictures of their own, which reports show; folds are of one maker each."""
        if options["keep"] and options["store"]:
            raise CommandError("--store goes without --keep: it needs the pages' pictures.", returncode=2)
        if options["leave_one_maker_out"] and not options["weights"]:
            message = f"--leave-one-maker-out needs --weights DIR: run `{FITTED_BY} DIR` first."
            raise CommandError(message, returncode=2)
        if options["routing"] and not (options["prompt"] or options["record"] or options["replay"]):
            raise CommandError("--routing goes with --prompt, --record or --replay.", returncode=2)
        if options["routing"] == Routing.PRODUCT and options["store"]:
            raise CommandError("--store judges a prompt on all pages: --routing product goes without.", returncode=2)
        if options["weights"] and not options["leave_one_maker_out"]:
            raise CommandError("--weights goes with --leave-one-maker-out.", returncode=2)

    def _evaluate(self, options: dict[str, Any]) -> None:
        with ExitStack() as needed:
            if any(options[name] for name in ("store", "profile", "prompt", "record", "replay")):
                needed.enter_context(start_services())
                prepare_database(lambda line: None)
            self._measure(options, self._profile(options["profile"]), self._prompt(options["prompt"]))
            connection.close()

    def _profile(self, name: str | None) -> ThresholdProfile | None:
        try:
            return find_profile(name) if name else None
        except ThresholdProfile.DoesNotExist:
            raise CommandError(f"There is no profile {name!r}.", returncode=2) from None

    def _prompt(self, name: str | None) -> PromptVersion | None:
        try:
            return find_prompt(name) if name else None
        except PromptVersion.DoesNotExist:
            raise CommandError(f"There is no prompt {name!r}.", returncode=2) from None

    def _measure(self, options: dict[str, Any], profile: ThresholdProfile | None, prompt: PromptVersion | None) -> None:
        corpus = Path(options["corpus"]) if options["corpus"] else None
        try:
            golden, skipped = find_golden(options["golden"], corpus, options["category"])
            if options["weights"]:
                check_folds(options["weights"], [file.maker for file in golden])
        except (TruthError, ValueError) as error:
            raise CommandError(str(error), returncode=2) from error
        for unmeasured in skipped:
            self.stderr.write(f"SKIPPED {unmeasured.name}: {unmeasured.reason}")
        with sandboxes.work_folder() as folder:
            gallery = Gallery(folder)
            answers = answers_of(options)
            routing = Routing(options["routing"] or Routing.TABLE)
            asker = asker_of(prompt, answers, routing) if prompt or answers else None
            shown = gallery if options["store"] else None
            try:
                files = self._measured(golden, Means(profile, shown, asker, options["keep"], options["weights"]))
            except Refused as refused:
                raise refusal(refused) from refused
            refuse_unmeasured(prompt, asker, answers)
            told_versions = versions(profile) | ({"weights": "leave one maker out"} if options["weights"] else {})
            told_versions |= asked_versions(prompt, asker) if asker else {}
            told_versions |= {"answers": "replayed"} if isinstance(answers, Replay) else {}
            spending = asker.spending() if asker and not isinstance(answers, Replay) else None
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            report = make_report(files, skipped, made_at, told_versions, spending)
            if options["store"]:
                sets = ", ".join(dict.fromkeys(file.golden for file in golden)) or "-"
                stored = store_report(report, sets, gallery, profile, prompt)
                self.stderr.write(f"Stored: {reverse('quality_report', args=[stored.uuid])}")
        self._write(encode_report(report), options)
        if not options["json"]:
            self._lines(report_lines(report, options["worst"]))
        if options["gate"] and not gate_passed(report.gate):
            failed = ", ".join(line.figure for line in report.gate if line.verdict == "failed")
            raise CommandError(f"The gate has failed: {failed}.", returncode=1)

    def _measured(self, golden: list[GoldenFile], means: Means) -> list[FileMeasure]:
        def progress(n: int, name: str, done: int, of: int) -> None:
            self._progress(n, len(golden), f"{name}  {done}/{of} pages")

        try:
            return measure_all(golden, means, progress)
        except (SandboxUnavailable, InterruptedError) as error:
            raise CommandError(f"The sandbox does not work: {error}", returncode=2) from error
        finally:
            self._progress(0, 0, "")

    def _progress(self, done: int, total: int, text: str) -> None:
        if not sys.stderr.isatty():
            return
        filled = round(BAR_WIDTH * done / total) if total else 0
        bar = f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done}/{total} files  {text}" if total else ""
        sys.stderr.write(f"\r\033[K{bar}")
        sys.stderr.flush()

    def _compare(self, paths: list[Path], options: dict[str, Any]) -> None:
        for name in (name for name in ("gate", *OF_CATALOGUES) if name != "category"):
            if options[name]:
                raise CommandError(f"--{name.replace('_', '-')} goes with --golden.", returncode=2)
        reports = []
        for path in paths:
            try:
                reports.append(decode_report(path.read_bytes()))
            except (OSError, ValueError) as error:
                raise CommandError(f"{path}: {error}", returncode=2) from error
        comparison = compare(reports[0], reports[1])
        self._write(msgspec.json.format(msgspec.json.encode(comparison)) + b"\n", options)
        if not options["json"]:
            self._lines(comparison_lines(comparison))

    def _write(self, encoded: bytes, options: dict[str, Any]) -> None:
        if options["output"]:
            options["output"].parent.mkdir(parents=True, exist_ok=True)
            options["output"].write_bytes(encoded)
        if options["json"]:
            self.stdout.write(json.dumps(json.loads(encoded), ensure_ascii=False, indent=2))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)
