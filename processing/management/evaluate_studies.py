"""`manage.py evaluate --kind study`: papers through the product, beside truths that people wrote."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import CommandError, OutputWrapper
from django.db import connection

from catalogsku.core.management.commands.run import prepare_database, start_services
from catalogsku.core.sandbox import SandboxUnavailable
from ingestion.kinds import CATALOGUE
from processing.engine.quality.gate import gate_passed
from processing.engine.quality.study_report import (
    SHARES,
    PaperMeasure,
    Scores,
    StudyComparison,
    StudyReport,
    compare_studies,
    decode_study_report,
    encode_study_report,
    make_study_report,
)
from processing.engine.quality.truth import TruthError
from processing.llm.money import MICRO
from processing.management.commands.extract import USABLE, fit
from processing.management.evaluate_told import CELL_WIDTH, NAME_WIDTH, cell, change_line, interval, verdict_lines
from processing.quality.services.runs import versions
from processing.quality.services.studies import extracted, find_studies, kept_results, measured, with_papers
from processing.studies.kind import STUDY

# Options that only catalogues have, by what argparse keeps.
OF_CATALOGUES = (
    *("category", "keep", "leave_one_maker_out", "weights", "profile", "prompt", "record", "replay"),
    *("routing", "store"),
)
VALUE_WIDTH = 40
# Heads of the table, and the figure under each.
COLUMNS = {
    "cover": "coverage", "prec": "precision", "F1": "f1", "empty": "left_empty", "green": "right_green",
    "yellow": "right_yellow", "red": "right_red", "falseg": "false_green", "offer": "offered", "parts": "parts_met",
    "q.green": "quotes_green", "q.red": "quotes_red", "decoy": "decoys_green",
}  # fmt: skip
REPEATS = {"none": "said once", "per_arm": "arms", "per_outcome": "outcomes"}


def add_study_arguments(parser: ArgumentParser) -> None:
    kinds = (CATALOGUE.key, STUDY.key)
    parser.add_argument("--kind", choices=kinds, default=CATALOGUE.key, help=f"what truths are of ({CATALOGUE.key})")
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="judge studies by the result files in this folder; nothing is read"
    )


def evaluate_studies(options: dict[str, Any], stderr: OutputWrapper) -> tuple[bytes, Iterator[str], bool]:
    """The report or comparison as JSON, its lines, and whether the gate is passed. Raises CommandError."""
    refuse_of_catalogues(options)
    if options["compare"]:
        return _compared(options["compare"])
    try:
        report = _report(options, stderr)
    except (TruthError, ValueError) as error:
        raise CommandError(str(error), returncode=2) from error
    except (SandboxUnavailable, InterruptedError) as error:
        raise CommandError(f"The sandbox does not work: {error}", returncode=2) from error
    return encode_study_report(report), report_lines(report, options["worst"]), gate_passed(report.gate)


def refuse_of_catalogues(options: dict[str, Any]) -> None:
    for name in OF_CATALOGUES:
        if options[name]:
            raise CommandError(f"--{name.replace('_', '-')} is of catalogues: --kind study goes without.", returncode=2)
    for name in ("gate", "results"):
        if options["compare"] and options[name]:
            raise CommandError(f"--{name} goes with --golden.", returncode=2)


def _report(options: dict[str, Any], stderr: OutputWrapper) -> StudyReport:
    corpus = Path(options["corpus"]) if options["corpus"] else None
    files = find_studies(options["golden"], corpus)
    told = {name: version for name, version in versions(None).items() if name != "analyst"}
    if options["results"]:
        done, files, skipped = kept_results(files, options["results"])
        papers = [measured(file, done[file.name]) for file in files]
        told = {"commit": told["commit"], "results": "kept"}
    else:
        files, skipped = with_papers(files, corpus)
    for unmeasured in skipped:
        stderr.write(f"SKIPPED {unmeasured.name}: {unmeasured.reason}")
    if not options["results"]:
        with start_services():
            prepare_database(lambda line: None)
            done = extracted(files)
            papers = [measured(file, done[file.name]) for file in files]
            connection.close()
    repeats = {field.key: field.repeat for studied in done.values() for field in studied.result.template.fields}
    return make_study_report(papers, repeats, skipped, told)


def _compared(paths: list[Path]) -> tuple[bytes, Iterator[str], bool]:
    reports = []
    for path in paths:
        try:
            reports.append(decode_study_report(path.read_bytes()))
        except (OSError, ValueError) as error:
            raise CommandError(f"{path}: {error}", returncode=2) from error
    comparison = compare_studies(reports[0], reports[1])
    return msgspec.json.format(msgspec.json.encode(comparison)) + b"\n", comparison_lines(comparison), True


def report_lines(report: StudyReport, worst: int) -> Iterator[str]:
    """One line a paper, repeat, the total and each field; then intervals, wrong values, and the gate."""
    heads = (f"{head:>{CELL_WIDTH}}" for head in ("values", *COLUMNS))
    yield "  ".join([f"{'':<{NAME_WIDTH}}", *heads])
    yield from (_row(name, scores) for name, scores in report.by_paper.items())
    yield from (_row(f"= {REPEATS[repeat]}", scores) for repeat, scores in report.by_repeat.items())
    yield _row("TOTAL", report.total)
    yield from (_row(f"  {field}", scores) for field, scores in report.by_field.items())
    yield f"\nTotal, and where nine tenths of resamples of {report.makers} makers lie"
    for name in SHARES:
        told = f"{cell(report.total.figures.get(name)):>8}   {interval(report.total.intervals.get(name))}"
        yield f"  {name:<22} {told}".rstrip()
    yield from _of_papers(report.papers)
    yield from _wrong(report.papers, worst)
    yield from verdict_lines(report.skipped, report.gate)


def _row(name: str, scores: Scores) -> str:
    n = scores.counts
    cells = [str(n.wanted + n.unreported), *(cell(scores.figures.get(figure)) for figure in COLUMNS.values())]
    return "  ".join([fit(name, NAME_WIDTH), *(f"{cell:>{CELL_WIDTH}}" for cell in cells)])


def _of_papers(papers: tuple[PaperMeasure, ...]) -> Iterator[str]:
    methods = sorted({method for paper in papers for method in paper.methods})
    told = (f"{method} {sum(paper.methods.get(method, 0) for paper in papers)}" for method in methods)
    yield f"\nValues by who found them: {', '.join(told) or '-'}"
    if cost := sum(paper.cost_micro for paper in papers):
        yield f"Models took {cost / MICRO:.4f} USD."
    yield from (f"{paper.name} ended as {paper.status}." for paper in papers if paper.status not in USABLE)


def _wrong(papers: tuple[PaperMeasure, ...], shown: int) -> Iterator[str]:
    """Green ones first: nobody is called to look at them."""
    wrong = [(paper.name, slip) for paper in papers for slip in paper.slips if slip.kind != "missed"]
    wrong.sort(key=lambda entry: (entry[1].grade != "green", entry[0]))
    if wrong and shown:
        yield "\nWrong values"
    for name, slip in wrong[:shown]:
        of = f"{slip.field}{f' of {slip.part}' if slip.part else ''}"
        instead = f"instead of {fit(slip.wanted, VALUE_WIDTH).strip()!r}" if slip.wanted else "is not reported"
        yield f"  {slip.grade or '-':<7} {name} {of}: {fit(slip.text, VALUE_WIDTH).strip()!r} {instead}"


def comparison_lines(comparison: StudyComparison) -> Iterator[str]:
    """The totals, then fields and papers whose figures changed."""
    yield from (change_line(change) for change in comparison.total)
    for name, changes in (*comparison.by_field.items(), *comparison.by_paper.items()):
        yield f"\n{name}"
        yield from (f"  {change_line(change)}" for change in changes)
    yield from (f"\nonly judged before: {name}" for name in comparison.gone)
    yield from (f"\nonly judged after: {name}" for name in comparison.new)
