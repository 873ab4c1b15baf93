"""Golden files read and understood as the product does it, in its sandboxes, but without jobs, rows and workers."""

import hashlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core.sandbox import Sandbox
from catalogsku.core.structs import ready
from catalogsku.profiles.models import ThresholdProfile
from ingestion.stages import LOOK_BACK_PAGES
from processing.engine.evaluation.assess import Assessment
from processing.engine.evaluation.config import EvaluationConfig
from processing.engine.evaluation.evaluate import Evaluation, PrescanFacts, evaluate
from processing.engine.evaluation.facts import document_facts
from processing.engine.evaluation.sample import choose_sample
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.quality.measure import UnderstoodPage, measure_file
from processing.engine.quality.report import FileMeasure, Spending
from processing.engine.quality.truth import Truth
from processing.engine.reading.prescan import PrescanPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.pages.services import analyst, drawing
from processing.pages.services.consulting import Look
from processing.pages.services.recording import page_blockers
from processing.quality.services.asking import THREADS, PromptAsker
from processing.quality.services.fold_weights import config_for
from processing.quality.services.gallery import Gallery
from processing.quality.services.kept_reading import KeptReading
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.errands import Errand, Finished, finish_pages

CHUNK_PAGES = 8
# A page that has nothing on it is never read; that it has no product is what the product says of it.
BLANK = PageResult(number=0, page_type="D", type_confidence=1.0, layout_type="L1", confidence=1.0, extractor="blank")

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class GoldenFile:
    """A truth with its PDF. ``name``: of the golden set and the truth file, the same in every run."""

    name: str
    golden: str
    truth: Truth
    source: Path

    @property
    def maker(self) -> str:
        """Whose catalogue it is: as the truth says, else nobody else's. Files of one name in several sets are one's."""
        return self.truth.job.maker or self.name.rpartition("/")[2]


@dataclass(frozen=True)
class ReadPage:
    """``assessment``: None where the page is not of the sample."""

    packed: bytes
    parsed: ParsedPage
    assessment: Assessment | None


@dataclass(frozen=True)
class Means:
    """By what files are measured.

    ``profile``: pages are classified and sent to people as it says; without one as the defaults say, whatever the
    route. ``gallery`` takes the renderings of each file's worst pages. ``asker``: models are asked about the judged
    pages too. ``keep``: folder of what was read before, which is not read again then and has no pictures for
    ``gallery``. ``weights``: folder of those fitted without one maker each.
    """

    profile: ThresholdProfile | None = None
    gallery: Gallery | None = None
    asker: PromptAsker | None = None
    keep: Path | None = None
    weights: Path | None = None


def measure_golden(golden: GoldenFile, progress: Progress, means: Means = Means()) -> FileMeasure:
    """Reads the judged pages, up to 10 before each, and the sample that document facts come from; judges the first.

    ``progress`` hears how many of how many steps are done. Pages that end their child are failures of the report.
    Raises SandboxUnavailable, InterruptedError where the sandbox itself was lost, ValueError where a maker has no
    weights, and what ``means.asker`` raises.
    """
    with sandboxes.work_folder() as folder:
        sha256 = hashlib.sha256(golden.source.read_bytes()).hexdigest()
        run = _Run(golden, folder, progress, means, KeptReading(means.keep, sha256))
        run.count()
        run.prescan()
        run.read()
        run.understand()
        if means.asker is not None:
            run.ask(means.asker)
        measured = run.measured()
        if means.gallery is not None:
            means.gallery.hang(measured, run.parsed, folder / "read")
        return measured


@dataclass(frozen=True)
class ReadFile:
    """Pages by their number, the judged ones and those that say something of them; none that are blank or failed."""

    pages: dict[int, ParsedPage]
    facts: DocumentFacts


def read_golden(golden: GoldenFile, keep: Path | None) -> ReadFile:
    """What there is to understand of a file. Raises as ``measure_golden``."""
    with sandboxes.work_folder() as folder:
        sha256 = hashlib.sha256(golden.source.read_bytes()).hexdigest()
        run = _Run(golden, folder, lambda done, steps: None, Means(keep=keep), KeptReading(keep, sha256))
        run.count()
        run.prescan()
        run.read()
        return ReadFile(run.parsed, run._facts())


@dataclass
class _Run:
    """One file on its way; every step fills what the next ones take."""

    golden: GoldenFile
    folder: Path
    progress: Progress
    means: Means
    kept: KeptReading
    total_pages: int = 0
    prescans: dict[int, PrescanPage] = field(default_factory=dict)
    packed: dict[int, bytes] = field(default_factory=dict)
    parsed: dict[int, ParsedPage] = field(default_factory=dict)
    assessments: list[Assessment] = field(default_factory=list)
    results: dict[int, PageResult] = field(default_factory=dict)
    by_rules: dict[int, PageResult] = field(default_factory=dict)
    spending: Spending | None = None
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
        pages = range(1, self.total_pages + 1)
        return [n for n in pages if n not in self.prescans or not self.prescans[n].blank]

    def count(self) -> None:
        """Where the truth does not say how many pages the file has, a child counts them."""
        reading = self.kept.reading
        self.total_pages = self.golden.truth.job.total_pages or reading.total_pages
        if not self.total_pages:
            counted = self._glance("count", "count_pages", [1]).get(1, b"")
            self.total_pages = reading.total_pages = int(counted) if counted.isdigit() else 0
        self.total_pages = max(self.total_pages, *self.judged)

    def prescan(self) -> None:
        """A page that this fails on is not known to be blank; its reading decides about it."""
        prescans = self.kept.reading.prescans
        if missing := [number for number in range(1, self.total_pages + 1) if number not in prescans]:
            prescans |= self._glance("prescan", "prescan_file", missing)
        for number, payload in prescans.items():
            with suppress(msgspec.DecodeError):
                self.prescans[number] = msgspec.json.decode(payload, type=ready(PrescanPage))

    def read(self) -> None:
        """Plainly first; the pages that turn out to need OCR then where its models are loaded."""
        filled = self.filled
        sampled = set(choose_sample(filled)) if filled else set()
        near = {n for page in self.judged for n in range(page - LOOK_BACK_PAGES, page + 1)}
        wanted = sorted(set(filled) & (near | sampled))
        self.steps = len(wanted) + len(set(self.judged) & set(filled))
        unread = [number for number in wanted if not self._take_kept(number, number in sampled)]
        self._tell(len(wanted) - len(unread))
        put_off = self._read(unread, sampled, recognises=False)
        self._read(put_off, sampled, recognises=True)

    def understand(self) -> None:
        """The judged pages, each with the pages before it, and the document's facts."""
        packed = self.folder / "pages"
        common = {"facts": frozen.jsonable(self._facts()), "config": frozen.jsonable(self._config())}

        def request(numbers: list[int]) -> dict[str, Any]:
            return {**common, **analyst.given_pages(packed, numbers, self.packed)}

        errand = Errand("understand", analyst.TASK, request, [packed], sandboxes.UNDERSTANDING)
        for numbers in _chunks([n for n in self.judged if n in self.packed]):
            done = self._finish(sandboxes.sandbox(), errand, numbers)
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

        def answer_of(number: int) -> PageResult:
            earlier = [self.parsed[n] for n in range(number - LOOK_BACK_PAGES, number) if n in self.parsed]
            return asker.ask(self.parsed[number], earlier, facts, config, self.results[number], self._look(number))

        before, self.by_rules = asker.spending(), dict(self.results)
        began_s = time.monotonic()
        with ThreadPoolExecutor(THREADS) as pool:
            self.results = dict(zip(pages, pool.map(answer_of, pages), strict=True))
        self.understand_s += time.monotonic() - began_s
        self.spending = asker.spending().beyond(before)

    def _look(self, number: int) -> Look:
        of = (self.golden.source, self.parsed[number])
        again = sandboxes.sandbox(recognises=True)
        return Look(
            lambda: drawing.file_pictures(*of, sandboxes.sandbox()), lambda at: drawing.read_file_again(*of, at, again)
        )

    def _config(self) -> AnalystConfig:
        profile, weights = self.means.profile, self.means.weights
        config = frozen.analyst_config_of(profile) if profile else AnalystConfig()
        return config_for(weights, self.golden.maker, config) if weights else config

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
            maker=self.golden.maker,
            c_doc=round(judged.c_doc, 4),
            spending=self.spending,
        )

    def _page(self, number: int, judged: Evaluation) -> UnderstoodPage:
        parsed, result = self.parsed.get(number), self.results.get(number)
        if result is None and number in self.judged and number not in self.filled:
            result = msgspec.structs.replace(BLANK, number=number)
        elif result is not None and self.means.profile is not None:
            score = judged.page_scores.get(number)
            blockers = page_blockers(self.means.profile, judged.route, result, score)
            result = msgspec.structs.replace(result, blockers=tuple(blockers))
        spent_ms = sum(msgspec.structs.astuple(parsed.timing)) if parsed else 0
        seconds = spent_ms / 1000 + self.understood_s.get(number, 0.0)
        failure, rules = self.failures.get(number, ""), self.by_rules.get(number)
        return UnderstoodPage(parsed, result, failure, round(seconds, 4), rules)

    def _read(self, numbers: list[int], sampled: set[int], *, recognises: bool) -> list[int]:
        """The pages that another child must recognise."""
        put_off = []
        settings = frozen.reading_settings()
        # Drawn large at once: the worst pages are shown in the report.
        settings = msgspec.structs.replace(settings, preview_px=settings.screenshot_px)
        request = {**self._request("read"), "settings": frozen.jsonable(settings)}
        errand = Errand(
            "read",
            "processing.engine.children:read_and_assess",
            lambda pages: {**request, "pages": pages, "assess": sorted(sampled & set(pages)), "recognises": recognises},
            [self.golden.source],
            sandboxes.reading_limits(recognises=recognises),
        )
        for chunk in _chunks(numbers):
            done = self._finish(sandboxes.sandbox(recognises=recognises), errand, chunk)
            self.read_s += done.wall_s
            put_off += [number for number, payload in done.pages.items() if not payload]
            for number, payload in done.pages.items():
                if payload:
                    self._take(number, payload)
            self.kept.save()
            self._tell(len(chunk) - sum(not payload for payload in done.pages.values()))
        return put_off

    def _glance(self, name: str, task: str, numbers: list[int]) -> dict[int, bytes]:
        """What a child without OCR gives for the pages, but for those that it fails on."""
        request = {**self._request(name), "settings": frozen.jsonable(frozen.reading_settings())}
        errand = Errand(
            name,
            f"processing.engine.reading.children:{task}",
            lambda pages: {**request, "pages": pages},
            [self.golden.source],
            sandboxes.PRESCAN,
        )
        return finish_pages(sandboxes.sandbox(), errand, numbers, self.folder).pages

    def _take_kept(self, number: int, sampled: bool) -> bool:
        """Whether the page was read before, for the document's facts too where it is ``sampled``."""
        payload = self.kept.reading.pages.get(number)
        page = _read_page(payload) if payload else None
        if page is None or isinstance(page, str) or (sampled and page.assessment is None):
            return False
        self._hold(number, page)
        return True

    def _finish(self, box: Sandbox, errand: Errand, numbers: list[int]) -> Finished:
        done = finish_pages(box, errand, numbers, self.folder)
        self.failures |= done.failures
        return done

    def _take(self, number: int, payload: bytes) -> None:
        """What a child handed out may be anything: what is no page has failed."""
        page = _read_page(payload)
        if isinstance(page, str):
            self.failures[number] = page
            return
        self.kept.reading.pages[number] = payload
        self._hold(number, page)

    def _hold(self, number: int, page: ReadPage) -> None:
        self.packed[number], self.parsed[number] = page.packed, page.parsed
        if page.assessment is not None:
            self.assessments.append(page.assessment)

    def _request(self, name: str) -> dict[str, Any]:
        return {"path": str(self.golden.source), "out": str(self.folder / name)}

    def _facts(self) -> DocumentFacts:
        margins = [assessment.margins for assessment in self.assessments]
        return document_facts(margins, {"hash8": self.kept.sha256[:8]})

    def _evaluation(self) -> Evaluation:
        """As the product would judge the whole file by rules."""
        filled = [self.prescans[n] for n in self.filled if n in self.prescans]
        text = sum(
            (self.parsed[page.number].features.chars if page.number in self.parsed else page.chars) >= 10
            for page in filled
        )
        facts = PrescanFacts(len(filled), text, sum(page.images for page in filled), not filled)
        profile = self.means.profile
        config = frozen.evaluation_config(profile) if profile else EvaluationConfig()
        return evaluate([assessment.score for assessment in self.assessments], facts, config)

    def _tell(self, steps: int) -> None:
        self.done += steps
        self.progress(self.done, self.steps)


def _read_page(payload: bytes) -> ReadPage | str:
    """Or why it is none."""
    try:
        packed, assessment = msgspec.msgpack.decode(payload, type=ready(tuple[bytes, Assessment | None]))
        return ReadPage(packed, unpack_page(packed), assessment)
    except (msgspec.DecodeError, ValueError) as error:
        return f"read: {error}"


def _chunks(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[at : at + CHUNK_PAGES] for at in range(0, len(numbers), CHUNK_PAGES))
