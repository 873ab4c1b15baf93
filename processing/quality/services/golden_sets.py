"""Golden sets on disk: folders of truth files, each with its PDF beside it or in the folder of real catalogues."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from processing.engine.quality.report import Skipped
from processing.engine.quality.truth import Truth, TruthError, read_truth
from processing.quality.services.measuring import GoldenFile

SUFFIX = ".truth.json"


def find_golden(
    folders: Sequence[Path], corpus: Path | None, categories: Sequence[str]
) -> tuple[list[GoldenFile], list[Skipped]]:
    """Every truth below the folders in the order of their names, and those whose PDF is not there.

    One of ``folders`` may be a single truth file, which has the same name then as in a run over its folder.
    ``categories``: only truths of these; none means all. Raises TruthError with the problems of all files together, and
    ValueError for a folder without any truth.
    """
    golden_files: list[GoldenFile] = []
    skipped: list[Skipped] = []
    broken: list[TruthError] = []
    for folder, golden in golden_names(folders).items():
        for path in truth_files(folder):
            name = name_of(golden, folder, path)
            try:
                truth = read_truth(path.read_bytes(), str(path))
            except TruthError as error:
                broken.append(error)
                continue
            if categories and truth.job.category not in categories:
                continue
            source = _source(path, truth, corpus)
            if source is None:
                skipped.append(Skipped(name, _absent(path, truth, corpus)))
            else:
                golden_files.append(GoldenFile(name, golden, truth, source))
    if broken:
        raise TruthError("truth files", tuple(str(error) for error in broken))
    return golden_files, skipped


def golden_names(folders: Sequence[Path]) -> dict[Path, str]:
    """What each of ``folders`` is called in names of its truths: its own name, where no other one has it too."""
    counts = Counter(base.name for base in {base_of(folder).resolve() for folder in folders})
    bases = {folder: base_of(folder) for folder in folders}
    return {
        folder: base.resolve().name if counts[base.resolve().name] == 1 else str(base) for folder, base in bases.items()
    }


def name_of(golden: str, folder: Path, path: Path) -> str:
    return f"{golden}/{path.relative_to(base_of(folder)).as_posix().removesuffix(SUFFIX)}"


def base_of(path: Path) -> Path:
    return path.parent if path.is_file() else path


def truth_files(path: Path) -> list[Path]:
    files = [path] if path.is_file() else sorted(path.rglob(f"*{SUFFIX}"))
    if not files or not files[0].name.endswith(SUFFIX):
        raise ValueError(f"There is no truth file (NAME{SUFFIX}) in {path}.")
    return files


def _places(path: Path, truth: Truth, corpus: Path | None) -> list[Path]:
    named = truth.job.source_file
    beside = [path.with_name(path.name.removesuffix(SUFFIX) + ".pdf"), path.parent / named]
    return beside + ([corpus / named] if corpus else [])


def _source(path: Path, truth: Truth, corpus: Path | None) -> Path | None:
    return next((place for place in _places(path, truth, corpus) if place.is_file()), None)


def _absent(path: Path, truth: Truth, corpus: Path | None) -> str:
    where = "beside its truth" + (f" or in {corpus}" if corpus else "; no folder of real catalogues is named")
    return f"{truth.job.source_file} is not {where}"
