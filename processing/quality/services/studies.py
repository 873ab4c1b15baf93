"""Truths of studies on disk, and what the product makes of their papers, as `extract` does it: by jobs and workers."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from django.core.management import CommandError, call_command

from catalogsku.core import storage
from catalogsku.core.structs import ready
from ingestion.models import Job
from processing.engine.kinds.children import PROVE, WHOLE, Quoted
from processing.engine.kinds.proving import Proof
from processing.engine.quality.report import Skipped
from processing.engine.quality.study_measure import (
    Counts,
    StudyMeasure,
    StudyResult,
    decode_result,
    measure_study,
    sum_counts,
)
from processing.engine.quality.study_report import PaperMeasure
from processing.engine.quality.study_trials import counts_of, trials_of
from processing.engine.quality.study_truth import StudyTruth, read_study_truth
from processing.engine.quality.truth import TruthError
from processing.pages.services.reading import kept_pages
from processing.quality.services.golden_sets import SUFFIX, golden_names, name_of, truth_files
from processing.sandboxed import sandboxes
from processing.studies import result_file
from processing.studies.services.extracting import PAGES_MOST

RESULT_SUFFIX = ".result.json"
# Seconds that a paper may take with models: eight questions of a minute, and as many second opinions.
PAPER_S = 1200


@dataclass(frozen=True)
class StudyFile:
    """A truth, its own path, and its PDF; None where that is not there."""

    name: str
    truth: StudyTruth
    path: Path
    source: Path | None


@dataclass(frozen=True)
class Studied:
    """``job``: None of a result that is kept, whose pages are not asked for."""

    result: StudyResult
    job: Job | None = None


def find_studies(folders: Sequence[Path], corpus: Path | None) -> list[StudyFile]:
    """Every truth below the folders in the order of their names; one of them may be a single file. Raises TruthError
    with the problems of all files together, ValueError for a folder without any."""
    files: list[StudyFile] = []
    broken: list[TruthError] = []
    for folder, golden in golden_names(folders).items():
        for path in truth_files(folder):
            try:
                truth = read_study_truth(path.read_bytes(), str(path))
            except TruthError as error:
                broken.append(error)
                continue
            places = [path.with_name(path.name.removesuffix(SUFFIX) + ".pdf"), path.parent / truth.file.name]
            places += [corpus / truth.file.name] if corpus else []
            source = next((place for place in places if place.is_file()), None)
            files.append(StudyFile(name_of(golden, folder, path), truth, path, source))
    if broken:
        raise TruthError("truth files", tuple(str(error) for error in broken))
    return files


def with_papers(files: Sequence[StudyFile], corpus: Path | None) -> tuple[list[StudyFile], list[Skipped]]:
    """Those whose paper is there, as the truth's person read it, and why others are not."""
    there, skipped = [], []
    where = f"beside its truth{f' or in {corpus}' if corpus else '; no folder of papers is named'}"
    for file in files:
        told = file.truth.file
        if file.source is None:
            found = f"; it is at {told.source}" if told.source else ""
            skipped.append(Skipped(file.name, f"{told.name} is not {where}{found}"))
        elif storage.sha256_of(file.source) != told.sha256:
            skipped.append(Skipped(file.name, f"{file.source} is another file: its SHA-256 is not that of the truth"))
        else:
            there.append(file)
    return there, skipped


def extracted(files: Sequence[StudyFile]) -> dict[str, Studied]:
    """By name: what `manage.py extract --template KEY` makes of the papers. Raises CommandError as it does, but not
    for a document that comes to nothing: that is what is measured then."""
    done: dict[str, Studied] = {}
    for template in dict.fromkeys(file.truth.template for file in files):
        asked = [file for file in files if file.truth.template == template]
        said = io.StringIO()
        try:
            papers = [str(file.source) for file in asked]
            call_command("extract", *papers, template=template, json=True, timeout=PAPER_S * len(asked), stdout=said)
        except CommandError:
            if not said.getvalue():
                raise
        for file, summary in zip(asked, json.loads(said.getvalue()), strict=True):
            job = Job.objects.get(uuid=summary["job"])
            done[file.name] = Studied(decode_result("".join(result_file.stream(job)).encode()), job)
    return done


def kept_results(files: Sequence[StudyFile], folder: Path) -> tuple[dict[str, Studied], list[StudyFile], list[Skipped]]:
    """By name: the result files in ``folder``, by the SHA-256 of their papers and their template; the truths that have
    one, and why others do not count. Raises ValueError for a file there that is no result of a study."""
    kept: dict[tuple[str, str], StudyResult] = {}
    for path in sorted(folder.glob(f"*{RESULT_SUFFIX}")):
        try:
            result = decode_result(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        kept[result.job.file_hash, f"{result.template.key}/{result.template.version}"] = result
    results = {file.name: kept.get((file.truth.file.sha256, file.truth.template)) for file in files}
    done = {name: Studied(result) for name, result in results.items() if result is not None}
    skipped = [Skipped(file.name, f"no result of it is in {folder}") for file in files if file.name not in done]
    return done, [file for file in files if file.name in done], skipped


def measured(file: StudyFile, studied: Studied) -> PaperMeasure:
    """Raises TruthError where the truth speaks of what its template does not ask, InterruptedError and
    SandboxUnavailable where the sandbox was lost."""
    result, truth = studied.result, file.truth
    found = measure_study(truth, result, str(file.path))
    proved = _proved(studied.job, truth, result) if studied.job is not None else {}
    return PaperMeasure(
        name=file.name,
        source_file=truth.file.name,
        maker=truth.maker,
        template=truth.template,
        status=result.job.status,
        cost_micro=result.job.cost_micro,
        by_field=_joined(found, proved),
        by_repeat=found.by_repeat,
        slips=found.slips,
        methods=found.methods,
    )


def _joined(found: StudyMeasure, proved: dict[str, Counts]) -> dict[str, Counts]:
    return {field: sum_counts([counts, proved.get(field, Counts())]) for field, counts in found.by_field.items()}


def _proved(job: Job, truth: StudyTruth, result: StudyResult) -> dict[str, Counts]:
    """What proving makes of the truth's quotes and of decoys, on the pages as they were read; nothing without pages."""
    contents = kept_pages(job, range(1, PAGES_MOST + 1))
    trials = trials_of(truth, {field.key: field for field in result.template.fields})
    if not contents or not trials:
        return {}
    said = [Quoted(trial.text, trial.quote, trial.page) for trial in trials]
    with sandboxes.work_folder() as folder:
        pages, quoted = folder / "pages", folder / "said"
        pages.write_bytes(msgspec.msgpack.encode({number: bytes(kept.data) for number, kept in contents.items()}))
        quoted.write_bytes(msgspec.json.encode(said))
        request = {"file": str(pages), "said": str(quoted)}
        box = sandboxes.sandbox()
        outcome = box.run(PROVE, request, [WHOLE], folder / "out", [pages, quoted], sandboxes.UNDERSTANDING)
        if WHOLE not in outcome.finished:
            raise InterruptedError(f"the quotes of {truth.file.name} were not looked up: {outcome.reason}")
        proofs = msgspec.json.decode(outcome.finished[WHOLE], type=ready(list[Proof]))
    return counts_of(trials, [proof.grade for proof in proofs])
