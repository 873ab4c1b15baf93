"""The report of one run over golden sets, as it is kept in a JSON file and compared with another."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from processing.engine.quality.bootstrap import Interval, intervals_of
from processing.engine.quality.figures import BINS, bin_of
from processing.engine.quality.gate import GateLine, judge_gate
from processing.engine.quality.measure import PageMeasure
from processing.engine.quality.totals import Figures, figures_of

REPORT_VERSION = "1.0"
WORST_PAGES = 50


class FileMeasure(msgspec.Struct, frozen=True):
    """The judged pages of one truth. ``name``: of the golden set and the truth file; ``read_pages`` counts those read
    for the judged ones and for the document facts too. ``maker``: whose catalogue it is; empty: nobody else's.
    ``c_doc``: how well machines can read the whole file, from which its ``route`` follows; None in older reports.
    ``spending``: what asking models about its pages took; None where none was asked."""

    name: str
    golden: str
    source_file: str
    category: str
    pages: tuple[PageMeasure, ...]
    read_pages: int = 0
    read_s: float = 0.0
    understand_s: float = 0.0
    route: str = ""
    maker: str = ""
    c_doc: float | None = None
    spending: "Spending | None" = None


class Skipped(msgspec.Struct, frozen=True):
    """A truth that was not judged, and why."""

    name: str
    reason: str


class Spending(msgspec.Struct, frozen=True):
    """What asking models about the judged pages takes. A kept answer counts as when it was given, so that runs compare.

    ``tokens_cached``: those of ``tokens_in`` that providers had from before; ``cost_micro``: USD / 1,000,000."""

    calls: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    cost_micro: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def beyond(self, earlier: "Spending") -> "Spending":
        """What came since then."""
        return Spending(**{name: getattr(self, name) - getattr(earlier, name) for name in Spending.__struct_fields__})

    def usd_per_right_sku(self, total: Figures) -> float | None:
        """Of the whole run, whoever read the SKU; None where none is right."""
        return round(self.cost_micro / 1_000_000 / total.skus_right, 6) if total.skus_right else None


class CDoc(msgspec.Struct, frozen=True):
    """How C_doc is spread over ``documents``: its mean, how many lie in each tenth from 0 to 1, and their routes."""

    documents: int
    mean: float
    tenths: tuple[int, ...]
    routes: dict[str, int]


class FileReport(msgspec.Struct, frozen=True):
    """Pages with the largest loss first."""

    file: FileMeasure
    figures: Figures


class WorstPage(msgspec.Struct, frozen=True):
    """Where to look first."""

    name: str
    page_number: int
    loss: float


class Report(msgspec.Struct, frozen=True):
    """``made_at``: ISO 8601. ``versions``: what was measured. Groups: by golden set, category, true page type, by who
    would have the page (machine or person), and by where its text came from (layer, recognised or none).

    ``intervals``: of figures of the total, over its ``makers``. ``spending``: None where no model was asked;
    ``spending_by_category``: the same, parted. ``c_doc``: over all files, None in older reports; then by category."""

    schema_version: str
    made_at: str
    versions: dict[str, str]
    total: Figures
    gate: tuple[GateLine, ...]
    by_golden: dict[str, Figures]
    by_category: dict[str, Figures]
    by_page_type: dict[str, Figures]
    by_holder: dict[str, Figures]
    by_text: dict[str, Figures]
    worst: tuple[WorstPage, ...]
    files: tuple[FileReport, ...]
    skipped: tuple[Skipped, ...] = ()
    intervals: dict[str, Interval] = {}
    makers: int = 0
    spending: Spending | None = None
    spending_by_category: dict[str, Spending] = {}
    c_doc: CDoc | None = None
    c_doc_by_category: dict[str, CDoc] = {}


def make_report(
    files: Sequence[FileMeasure],
    skipped: Sequence[Skipped],
    made_at: str,
    versions: dict[str, str],
    spending: Spending | None = None,
) -> Report:
    """Files with the lowest F1 first; inside them the pages with the largest loss."""
    total = figures_of([page for file in files for page in file.pages])
    makers = _members(files, lambda file, page: file.maker or file.name)
    reports = [FileReport(_worst_first(file), figures_of(file.pages)) for file in files]
    return Report(
        schema_version=REPORT_VERSION,
        made_at=made_at,
        versions=versions,
        total=total,
        gate=judge_gate(total),
        by_golden=_grouped(files, lambda file, page: file.golden),
        by_category=_grouped(files, lambda file, page: file.category),
        by_page_type=_grouped(files, lambda file, page: page.truth_type),
        by_holder=_grouped(files, lambda file, page: "person" if page.counts.human_pages else "machine"),
        by_text=_grouped(files, lambda file, page: _text_source(page)),
        worst=_worst_pages(files),
        files=tuple(sorted(reports, key=lambda report: (_f1_or_best(report.figures), report.file.name))),
        skipped=tuple(skipped),
        intervals=intervals_of(makers),
        makers=len(makers),
        spending=spending,
        spending_by_category=_spending_by_category(files) if spending else {},
        c_doc=_c_doc(files),
        c_doc_by_category=_c_doc_by_category(files),
    )


def _of_category(files: Sequence[FileMeasure]) -> dict[str, list[FileMeasure]]:
    return {name: [file for file in files if file.category == name] for name in sorted({f.category for f in files})}


def _spending_by_category(files: Sequence[FileMeasure]) -> dict[str, Spending]:
    return {name: sum_spending(f.spending for f in of) for name, of in _of_category(files).items()}


def sum_spending(parts: Iterable[Spending | None]) -> Spending:
    spent = [part for part in parts if part is not None]
    return Spending(**{name: sum(getattr(part, name) for part in spent) for name in Spending.__struct_fields__})


def _c_doc_by_category(files: Sequence[FileMeasure]) -> dict[str, CDoc]:
    spread = {name: _c_doc(of) for name, of in _of_category(files).items()}
    return {name: one for name, one in spread.items() if one is not None}


def _c_doc(files: Sequence[FileMeasure]) -> CDoc | None:
    known = [(file.c_doc, file.route) for file in files if file.c_doc is not None]
    if not known:
        return None
    tenths = Counter(bin_of(value) for value, _ in known)
    return CDoc(
        documents=len(known),
        mean=round(sum(value for value, _ in known) / len(known), 4),
        tenths=tuple(tenths[n] for n in range(BINS)),
        routes=dict(sorted(Counter(route for _, route in known).items())),
    )


def encode_report(report: Report) -> bytes:
    """JSON, two spaces deep, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


_decoder = msgspec.json.Decoder(Report)


def decode_report(data: bytes) -> Report:
    """Raises ValueError with the place for anything that is no report of this version."""
    try:
        report = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"no report of golden sets: {error}") from error
    if report.schema_version != REPORT_VERSION:
        raise ValueError(f"a report of version {report.schema_version}, not {REPORT_VERSION}")
    return report


def _worst_first(file: FileMeasure) -> FileMeasure:
    pages = sorted(file.pages, key=lambda page: (-page.loss, page.page_number))
    return msgspec.structs.replace(file, pages=tuple(pages))


def _worst_pages(files: Sequence[FileMeasure]) -> tuple[WorstPage, ...]:
    pages = [WorstPage(file.name, page.page_number, page.loss) for file in files for page in file.pages if page.loss]
    return tuple(sorted(pages, key=lambda page: (-page.loss, page.name, page.page_number))[:WORST_PAGES])


def _text_source(page: PageMeasure) -> str:
    if page.failure:
        return "none"
    return "recognised" if page.counts.ocr_pages else "layer"


def _f1_or_best(figures: Figures) -> float:
    return 1.0 if figures.f1 is None else figures.f1


def _grouped(files: Sequence[FileMeasure], group: Callable[[FileMeasure, PageMeasure], str]) -> dict[str, Figures]:
    return {name: figures_of(pages) for name, pages in sorted(_members(files, group).items())}


def _members(
    files: Sequence[FileMeasure], group: Callable[[FileMeasure, PageMeasure], str]
) -> dict[str, list[PageMeasure]]:
    members: dict[str, list[PageMeasure]] = {}
    for file in files:
        for page in file.pages:
            members.setdefault(group(file, page), []).append(page)
    return members
