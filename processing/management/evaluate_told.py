"""What `manage.py evaluate` prints of golden catalogues: a report, or two of them compared."""

from collections.abc import Iterable, Iterator

from processing.engine.quality.bootstrap import FIGURES, Interval
from processing.engine.quality.compare import Comparison, FigureChange, SpendingChange
from processing.engine.quality.gate import GateLine
from processing.engine.quality.measure import PageMeasure
from processing.engine.quality.report import Report, Skipped, Spending
from processing.engine.quality.totals import Figures
from processing.engine.quality.values import Slip
from processing.llm.money import MICRO
from processing.management.commands.extract import fit
from processing.quality.routes_told import way_lines

NAME_WIDTH, CELL_WIDTH = 44, 7
SHOWN_WORST, SHOWN_SLIPS, SHOWN_CHANGES = 10, 3, 30
# Heads of the table, and the figure under each.
COLUMNS = {
    "F1": "f1", "prec": "precision", "recall": "recall", "values": "attribute_accuracy",
    "invent": "hallucination_rate", "pict": "binding_recovered", "wrong": "binding_wrong",
    "type": "page_type_accuracy", "human": "human_share", "unseen": "unseen_wrong", "needl.": "needless",
}  # fmt: skip


def report_lines(report: Report, worst: int = SHOWN_WORST) -> Iterator[str]:
    """One line a file, golden set and the total; then the worst pages, what was not judged, and the gate."""
    yield "  ".join([f"{'':<{NAME_WIDTH}}", *(f"{head:>{CELL_WIDTH}}" for head in ("pages", "SKUs", *COLUMNS, "s"))])
    for file in sorted(report.files, key=lambda entry: entry.file.name):
        yield _row(file.file.name, file.figures)
    if len(report.by_golden) > 1:
        yield from (_row(f"= {name}", figures) for name, figures in report.by_golden.items())
    for group in (report.by_category, report.by_page_type, report.by_text, report.by_holder):
        named = {name: figures for name, figures in group.items() if name}
        yield from (_row(f"  {name}", figures) for name, figures in named.items() if len(named) > 1)
    yield _row("TOTAL", report.total)
    yield from _intervals(report)
    yield from way_lines(report)
    if report.spending is not None:
        yield f"\nModels: {_spent(report.spending, report.spending.usd_per_right_sku(report.total))}"
    yield from _worst(report, worst)
    yield from verdict_lines(report.skipped, report.gate)


def verdict_lines(skipped: Iterable[Skipped], gate: Iterable[GateLine]) -> Iterator[str]:
    """What was not judged, and the gate: the end of every report."""
    yield from (f"\nNOT JUDGED {unmeasured.name}: {unmeasured.reason}" for unmeasured in skipped)
    yield "\nGate"
    for line in gate:
        value = line.why if line.value is None else f"{line.value:.4f}"
        yield f"  {line.verdict:<15} {line.figure:<18} {line.bound} {line.limit:<5} {value}"


def _row(name: str, figures: Figures) -> str:
    n = figures.counts
    cells = [str(n.pages), str(n.matched + n.missed), *(cell(getattr(figures, name)) for name in COLUMNS.values())]
    return "  ".join([fit(name, NAME_WIDTH), *(f"{cell:>{CELL_WIDTH}}" for cell in (*cells, f"{figures.seconds:.1f}"))])


def cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _intervals(report: Report) -> Iterator[str]:
    """The figures that say what the next catalogue gives, and how far other makers would move them."""
    yield f"\nTotal, and where nine tenths of resamples of {report.makers} makers lie"
    for name in FIGURES:
        yield f"  {name:<22} {cell(getattr(report.total, name)):>8}   {interval(report.intervals.get(name))}".rstrip()


def interval(interval: Interval | None) -> str:
    return f"{interval[0]:.3f} - {interval[1]:.3f}" if interval else ""


def _worst(report: Report, shown: int) -> Iterator[str]:
    pages = {(entry.file.name, page.page_number): page for entry in report.files for page in entry.file.pages}
    if report.worst:
        yield "\nWorst pages"
    for worst in report.worst[:shown]:
        page = pages[worst.name, worst.page_number]
        yield f"  {worst.loss:>6.2f}  {worst.name} page {worst.page_number}: {_trouble(page)}"
        for slip in page.slips[:SHOWN_SLIPS]:
            yield f"          {slip.sku} {slip.key} {slip.kind}: {_given(slip)}"


def _given(slip: Slip) -> str:
    parts = [repr(slip.given)] if slip.given else []
    return " ".join([*parts, *(["instead of" if parts else "it is", repr(slip.wanted)] if slip.wanted else [])])


def _trouble(page: PageMeasure) -> str:
    n = page.counts
    wrong = n.asked - n.right
    parts = {
        f"type {page.found_type} instead of {page.truth_type}": page.found_type != page.truth_type,
        f"{n.missed} missed ({_some(page.missed)})": n.missed,
        f"{n.false} false ({_some(page.false)})": n.false,
        f"{wrong} of {n.asked} values wrong": wrong,
        f"{n.extra} extra": n.extra,
        f"{n.hallucinated} invented": n.hallucinated,
        f"{n.pictures - n.recovered} of {n.pictures} pictures lost": n.pictures - n.recovered,
        f"{n.wrong_bindings} pictures wrong": n.wrong_bindings,
        page.failure: bool(page.failure),
    }
    return "; ".join(part for part, is_so in parts.items() if is_so)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(name or "no name" for name in names[:3]) + (", ..." if len(names) > 3 else "")


def _spent(spending: Spending, usd_per_right_sku: float | None) -> str:
    """Kept answers as when they were given."""
    each = "no right SKU" if usd_per_right_sku is None else f"{usd_per_right_sku:.6f} USD a right SKU"
    cached = f" ({spending.tokens_cached:,} of them cached)" if spending.tokens_cached else ""
    return f"{spending.calls} calls, {spending.tokens:,} tokens{cached}, {spending.cost_micro / MICRO:.4f} USD, {each}"


def _spending_lines(change: SpendingChange) -> Iterator[str]:
    yield f"\nmodels before: {_spent(change.before, change.usd_per_right_sku_before)}"
    yield f"models after:  {_spent(change.after, change.usd_per_right_sku_after)}"
    if change.tokens_saved is not None:
        yield f"tokens saved:  {change.tokens_saved:.1%}"


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """The totals, files whose figures changed, pages on which something changed."""
    yield from (
        f"{change_line(change)}" for change in comparison.total if (change.before, change.after) != (None, None)
    )
    if comparison.spending is not None:
        yield from _spending_lines(comparison.spending)
    for file in comparison.files:
        yield f"\n{file.name}"
        yield from (f"  {change_line(change)}" for change in file.figures)
    for page in comparison.pages[:SHOWN_CHANGES]:
        losses = f"{page.loss_before:.2f} -> {page.loss_after:.2f}"
        yield f"\n{page.direction:<6} {page.name} page {page.page_number}: {losses}"
        if page.page_type[0] != page.page_type[1]:
            yield f"  type {page.page_type[0]} -> {page.page_type[1]}"
        lists = ("found_now", "missed_now", "false_gone", "false_now", "slips_gone", "slips_now")
        yield from (
            f"  {name.replace('_', ' ')}: {_some(getattr(page, name))}" for name in lists if getattr(page, name)
        )
    if len(comparison.pages) > SHOWN_CHANGES:
        yield f"\n{len(comparison.pages) - SHOWN_CHANGES} more pages changed; --json shows all."
    yield from (f"\nonly judged before: {name}" for name in comparison.gone)
    yield from (f"\nonly judged after: {name}" for name in comparison.new)


def change_line(change: FigureChange) -> str:
    line = f"{change.direction:<15} {change.figure:<22} {cell(change.before):>8} -> {cell(change.after):>8}"
    if change.beyond is None:
        return line
    place = "beyond" if change.beyond else "within"
    now = f", now {interval(change.interval_after)}" if change.interval_after else ""
    return f"{line}   {place} {interval(change.interval_before)}{now}"
