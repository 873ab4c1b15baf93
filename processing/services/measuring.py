"""Golden files read and understood as the product does it, in its sandboxes, but without jobs, rows and workers."""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core.sandbox import Limits, Sandbox
from catalogsku.core.structs import ready
from catalogsku.profiles.models import ThresholdProfile
from ingestion.services.dispatch import LOOK_BACK_PAGES
from processing.engine.evaluation.assess import Assessment
from processing.engine.evaluation.config import EvaluationConfig
from processing.engine.evaluation.evaluate import Evaluation, PrescanFacts, evaluate
from processing.engine.evaluation.facts import document_facts
from processing.engine.evaluation.sample import choose_sample
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.quality.measure import UnderstoodPage, measure_file
from processing.engine.quality.report import WORST_PAGES, FileMeasure
from processing.engine.quality.truth import Truth
from processing.engine.reading.prescan import PrescanPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.services import analyst, frozen, sandboxes
from processing.services.golden_asking import THREADS, PromptAsker
from processing.services.recording import page_blockers

CHUNK_PAGES = 8
# Quality must not depend on how busy the machine is: clocks run four times as long as for the product's own work.
PATIENCE = 4
# After so many pages that ended their child the file is given up: what is left fails too, one limit after the other.
MOST_FAILURES = 20
# Limits that the pages before have used up too.
OF_ALL_PAGES = ("wall_limit", "cpu_limit")
# A page that has nothing on it is never read; that it has no product is what the product says of it.
BLANK = PageResult(
    number=0, page_type="D", type_confidence=1.0, layout_type="L1", confidence=1.0, extractor="blank"
)  # fmt: skip

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class GoldenFile:
    """A truth with its PDF. ``name``: of the golden set and the truth file, the same in every run."""

    name: str
    golden: str
    truth: Truth
    source: Path


@dataclass(frozen=True)
class Boxes:
    """The plain sandbox, and the one whose children have the OCR models; each starts with its first page."""

    plain: Sandbox
    recognising: Sandbox


@dataclass(frozen=True)
class Errand:
    """What a child is asked to do with pages; ``read``: what it may open, ``name``: of its folder and in failures."""

    name: str
    task: str
    request: Callable[[list[int]], Mapping[str, Any]]
    read: Sequence[Path]
    limits: Limits


@dataclass
class Finished:
    """What children handed out, the pages that failed and why, and the children's seconds."""

    pages: dict[int, bytes] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    wall_s: float = 0.0


@dataclass(frozen=True)
class PagePicture:
    """The rendering of a page in ``Gallery.folder``; its size in points."""

    path: Path
    width_pt: float
    height_pt: float


@dataclass(frozen=True)
class Gallery:
    """Renderings of the worst pages of every file, made by the sandboxed reading; by file name and page number."""

    folder: Path
    pages: dict[tuple[str, int], PagePicture] = field(default_factory=dict)


@contextmanager
def sandbox_pair() -> Iterator[Boxes]:
    """Both end with the block, which must stay in one thread."""
    with sandboxes.new_sandbox() as plain, sandboxes.new_sandbox(recognises=True) as recognising:
        yield Boxes(plain, recognising)


def measure_golden(
    golden: GoldenFile,
    boxes: Boxes,
    told: Told,
    profile: ThresholdProfile | None = None,
    gallery: Gallery | None = None,
    asker: PromptAsker | None = None,
) -> FileMeasure:
    """Reads the judged pages, up to 10 before each, and the sample that document facts come from; judges the first.

    ``profile``: pages are classified and sent to people as it says; without one as the defaults say, whatever the
    route. ``asker``: models are asked about the judged pages too. ``gallery`` takes the renderings of the file's worst
    pages. ``told`` hears how many of how many steps are done. Pages that end their child are failures of the report.
    Raises SandboxUnavailable, InterruptedError where the sandbox itself was lost, and what ``asker`` raises.
    """
    with sandboxes.work_folder() as folder:
        run = _Run(golden, boxes, folder, told, profile)
        run.prescan()
        run.read()
        run.understand()
        if asker is not None:
            run.ask(asker)
        measured = run.measured()
        if gallery is not None:
            run.hang(measured, gallery)
        return measured


@dataclass
class _Run:
    """One file on its way; every step fills what the next ones take."""

    golden: GoldenFile
    boxes: Boxes
    folder: Path
    told: Told
    profile: ThresholdProfile | None = None
    prescans: dict[int, PrescanPage] = field(default_factory=dict)
    packed: dict[int, bytes] = field(default_factory=dict)
    parsed: dict[int, ParsedPage] = field(default_factory=dict)
    assessments: list[Assessment] = field(default_factory=list)
    results: dict[int, PageResult] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    understood_s: dict[int, float] = field(default_factory=dict)
    read_s: float = 0.0
    understand_s: float = 0.0
    steps: int = 0
    done: int = 0

    @property
    def judged(self) -> list[int]:
        return sorted(page.page_number for page in self.golden.truth.pages)

    @property
    def filled(self) -> list[int]:
        """Pages that are not blank; one that could not be looked at is read nevertheless, as in the product."""
        pages = range(1, self.golden.truth.job.total_pages + 1)
        return [n for n in pages if n not in self.prescans or not self.prescans[n].blank]

    def prescan(self) -> None:
        """A page that this fails on is not known to be blank; its reading decides about it."""
        request = {**self._request("prescan"), "settings": frozen.jsonable(frozen.reading_settings())}
        errand = Errand(
            "prescan", "processing.engine.reading.children:prescan_file",
            lambda numbers: {**request, "pages": numbers}, [self.golden.source], sandboxes.PRESCAN,
        )  # fmt: skip
        pages = range(1, self.golden.truth.job.total_pages + 1)
        for number, payload in finish_pages(self.boxes.plain, errand, pages, self.folder).pages.items():
            with suppress(msgspec.DecodeError):
                self.prescans[number] = msgspec.json.decode(payload, type=ready(PrescanPage))

    def read(self) -> None:
        """Plainly first; the pages that turn out to need OCR then where its models are loaded."""
        filled = self.filled
        sampled = set(choose_sample(filled)) if filled else set()
        near = {n for page in self.judged for n in range(page - LOOK_BACK_PAGES, page + 1)}
        wanted = sorted(set(filled) & (near | sampled))
        self.steps = len(wanted) + len(set(self.judged) & set(filled))
        put_off = self._read(self.boxes.plain, wanted, sampled, recognises=False)
        self._read(self.boxes.recognising, put_off, sampled, recognises=True)

    def understand(self) -> None:
        """The judged pages, each with the pages before it, and the document's facts."""
        given = self.folder / "pages"
        common = {"facts": frozen.jsonable(self._facts()), "config": frozen.jsonable(self._config())}

        def request(numbers: list[int]) -> dict[str, Any]:
            return {**common, **analyst.given_pages(given, numbers, self.packed)}

        errand = Errand("understand", analyst.TASK, request, [given], sandboxes.UNDERSTANDING)
        for numbers in _chunks([n for n in self.judged if n in self.packed]):
            done = self._finish(self.boxes.plain, errand, numbers)
            self.understand_s += done.wall_s
            for number, payload in done.pages.items():
                self.understood_s[number] = done.wall_s / len(done.pages)
                try:
                    self.results[number] = msgspec.json.decode(payload, type=ready(PageResult))
                except msgspec.DecodeError as error:
                    self.failures[number] = f"understand: {error}"
            self._tell(len(numbers))

    def ask(self, asker: PromptAsker) -> None:
        """What models make of the judged pages takes the place of what the rules made of them."""
        facts, config, pages = self._facts(), self._config(), list(self.results)

        def asked(number: int) -> PageResult:
            earlier = [self.parsed[n] for n in range(number - LOOK_BACK_PAGES, number) if n in self.parsed]
            page = self.parsed[number]
            return asker.ask(page, earlier, facts, config, self.results[number], self._file)

        began_s = time.monotonic()
        with ThreadPoolExecutor(THREADS) as pool:
            self.results = dict(zip(pages, pool.map(asked, pages), strict=True))
        self.understand_s += time.monotonic() - began_s

    def _file(self, name: str) -> bytes | None:
        path = self.folder / "read" / name
        return path.read_bytes() if name and path.is_file() else None

    def _config(self) -> AnalystConfig:
        return frozen.analyst_config_of(self.profile) if self.profile else AnalystConfig()

    def measured(self) -> FileMeasure:
        job = self.golden.truth.job
        judged = self._evaluation()
        pages = {number: self._page(number, judged) for number in {*self.parsed, *self.judged}}
        return FileMeasure(
            name=self.golden.name,
            golden=self.golden.golden,
            source_file=job.source_file,
            category=job.category or "",
            pages=measure_file(self.golden.truth, pages),
            read_pages=len(self.parsed),
            read_s=round(self.read_s, 3),
            understand_s=round(self.understand_s, 3),
            route=judged.route,
        )

    def hang(self, measured: FileMeasure, gallery: Gallery) -> None:
        """The renderings of the pages with the largest loss; the reading child has made them beside the pages."""
        lossy = sorted((page for page in measured.pages if page.loss), key=lambda page: -page.loss)
        for page in lossy[:WORST_PAGES]:
            parsed = self.parsed.get(page.page_number)
            rendering = self.folder / "read" / parsed.screenshot if parsed and parsed.screenshot else None
            if parsed and rendering and rendering.is_file():
                kept = gallery.folder / f"{len(gallery.pages)}.jpg"
                shutil.move(rendering, kept)
                shown = PagePicture(kept, parsed.width_pt, parsed.height_pt)
                gallery.pages[measured.name, page.page_number] = shown

    def _page(self, number: int, judged: Evaluation) -> UnderstoodPage:
        parsed, result = self.parsed.get(number), self.results.get(number)
        if result is None and number in self.judged and number not in self.filled:
            result = msgspec.structs.replace(BLANK, number=number)
        elif result is not None and self.profile is not None:
            score = judged.page_scores.get(number)
            found = page_blockers(self.profile, judged.route, result, score)
            result = msgspec.structs.replace(result, blockers=tuple(found))
        spent_ms = sum(msgspec.structs.astuple(parsed.timing)) if parsed else 0
        seconds = spent_ms / 1000 + self.understood_s.get(number, 0.0)
        return UnderstoodPage(parsed, result, self.failures.get(number, ""), round(seconds, 4))

    def _read(self, box: Sandbox, numbers: list[int], sampled: set[int], *, recognises: bool) -> list[int]:
        """The pages that another child must recognise."""
        put_off = []
        request = {**self._request("read"), "settings": frozen.jsonable(frozen.reading_settings())}
        errand = Errand(
            "read", "processing.engine.children:read_and_assess",
            lambda asked: {**request, "pages": asked, "assess": sorted(sampled & set(asked)), "recognises": recognises},
            [self.golden.source], sandboxes.reading_limits(recognises=recognises),
        )  # fmt: skip
        for chunk in _chunks(numbers):
            done = self._finish(box, errand, chunk)
            self.read_s += done.wall_s
            put_off += [number for number, payload in done.pages.items() if not payload]
            for number, payload in done.pages.items():
                if payload:
                    self._take(number, payload)
            self._tell(len(chunk) - sum(not payload for payload in done.pages.values()))
        return put_off

    def _finish(self, box: Sandbox, errand: Errand, numbers: list[int]) -> Finished:
        done = finish_pages(box, errand, numbers, self.folder)
        self.failures |= done.failures
        return done

    def _take(self, number: int, payload: bytes) -> None:
        """What a child handed out may be anything: what is no page has failed."""
        try:
            packed, assessment = msgspec.msgpack.decode(payload, type=ready(tuple[bytes, Assessment | None]))
            parsed = unpack_page(packed)
        except (msgspec.DecodeError, ValueError) as error:
            self.failures[number] = f"read: {error}"
            return
        self.packed[number], self.parsed[number] = packed, parsed
        if assessment is not None:
            self.assessments.append(assessment)

    def _request(self, name: str) -> dict[str, Any]:
        return {"path": str(self.golden.source), "out": str(self.folder / name)}

    def _facts(self) -> DocumentFacts:
        hash8 = hashlib.sha256(self.golden.source.read_bytes()).hexdigest()[:8]
        return document_facts([assessment.margins for assessment in self.assessments], {"hash8": hash8})

    def _evaluation(self) -> Evaluation:
        """As the product would judge the whole file by rules."""
        filled = [self.prescans[n] for n in self.filled if n in self.prescans]
        text = sum(
            (self.parsed[page.number].features.chars if page.number in self.parsed else page.chars) >= 10
            for page in filled
        )
        facts = PrescanFacts(len(filled), text, sum(page.images for page in filled), not filled)
        config = frozen.evaluation_config(self.profile) if self.profile else EvaluationConfig()
        return evaluate([assessment.score for assessment in self.assessments], facts, config)

    def _tell(self, steps: int) -> None:
        self.done += steps
        self.told(self.done, self.steps)


def finish_pages(box: Sandbox, errand: Errand, numbers: Sequence[int], folder: Path) -> Finished:
    """Child after child until every page is handed out or has failed: one that ends its child is left out of the next.

    Raises InterruptedError where a child ended for a reason that is not the document's.
    """
    done = Finished()
    left, out = list(numbers), folder / errand.name
    while left:
        outcome = box.run(errand.task, errand.request(left), left, out, errand.read, patient(errand.limits))
        if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
            raise InterruptedError(f"{errand.name}: {outcome.reason}")
        done.wall_s += outcome.wall_s
        done.pages |= outcome.finished
        left = [number for number in left if number not in done.pages]
        if left and not (outcome.finished and outcome.reason in OF_ALL_PAGES):
            detail = outcome.detail.strip()[-200:]
            done.failures[left.pop(0)] = f"{errand.name}: {outcome.reason} {detail}".strip()
        if len(done.failures) > MOST_FAILURES:
            done.failures |= dict.fromkeys(left, f"{errand.name}: given up")
            break
    return done


def patient(limits: Limits) -> Limits:
    """Memory and processor time as for the product; a minute may be a longer one."""
    return msgspec.structs.replace(limits, wall_s=PATIENCE * limits.wall_s, page_s=PATIENCE * limits.page_s)


def _chunks(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[at : at + CHUNK_PAGES] for at in range(0, len(numbers), CHUNK_PAGES))
