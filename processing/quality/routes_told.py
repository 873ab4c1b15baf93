"""What `manage.py evaluate` tells of the pages' ways, of C_doc, of reading and of cost, under the table of figures."""

from collections.abc import Iterator

from processing.engine.quality.report import CDoc, Report
from processing.engine.quality.routes import ROUTES, Confusion, Interval
from processing.engine.quality.totals import Figures

NAME_WIDTH = 22
READ = ("reading_order", "table_fidelity", "picture_text", "asked_share", "offer_recall", "offer_precision")


def way_lines(report: Report) -> Iterator[str]:
    yield "\nRoutes: pages by the way they took (row) and the way that was right (column)"
    yield from confusion_lines(report.total.routes)
    yield f"  {'route accuracy':<{NAME_WIDTH}} {_accuracy(report.total)}"
    for name, figures in report.by_category.items():
        if name or len(report.by_category) > 1:
            yield f"  {'  ' + (name or '-'):<{NAME_WIDTH}} {_accuracy(figures)}"
    yield "\nReading, pictures and models"
    for name in READ:
        value = getattr(report.total, name)
        yield f"  {name:<{NAME_WIDTH}} {'-' if value is None else f'{value:.3f}':>8}"
    n = report.total.counts
    offered = f"{n.offered} products on {n.offer_pages} of {n.human_pages} pages"
    spared = f"{n.offered_right} of {n.missed_with_people} missed, {n.offered - n.offered_right} false"
    yield f"  {'offered to people':<{NAME_WIDTH}} {offered}: {spared}"
    if report.c_doc is not None:
        yield "\nC_doc: documents by tenth, from 0 to 1"
        yield f"  {'all':<{NAME_WIDTH}} {_c_doc(report.c_doc)}"
        parted = report.c_doc_by_category if len(report.c_doc_by_category) > 1 else {}
        yield from (f"  {'  ' + (name or '-'):<{NAME_WIDTH}} {_c_doc(spread)}" for name, spread in parted.items())
    if report.spending_by_category:
        yield "\nCost of models by category"
    for name, spent in report.spending_by_category.items():
        right = spent.usd_per_right_sku(report.by_category[name]) if name in report.by_category else None
        each = "no right SKU" if right is None else f"{right:.6f} USD a right SKU"
        yield f"  {name or '-':<{NAME_WIDTH}} {spent.calls} calls, {spent.cost_micro / 1_000_000:.4f} USD, {each}"


def confusion_lines(table: Confusion) -> Iterator[str]:
    """A head and a line for each way that was taken."""
    yield "  ".join([f"  {'':<{NAME_WIDTH - 2}}", *(f"{way:>9}" for way in ROUTES)])
    for way, row in table.items():
        yield "  ".join([f"  {way:<{NAME_WIDTH - 2}}", *(f"{row.get(right, 0):>9}" for right in ROUTES)])


def interval_words(interval: Interval | None) -> str:
    return f"{interval[0]:.3f} - {interval[1]:.3f}" if interval else ""


def _accuracy(figures: Figures) -> str:
    value = "-" if figures.route_accuracy is None else f"{figures.route_accuracy:.3f}"
    return f"{value:>8}   {interval_words(figures.route_interval)}   of {figures.counts.pages} pages".rstrip()


def _c_doc(spread: CDoc) -> str:
    routes = ", ".join(f"{n} {route}" for route, n in spread.routes.items())
    return f"mean {spread.mean:.3f}   {' '.join(f'{n:>3}' for n in spread.tenths)}   {routes}"
