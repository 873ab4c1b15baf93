"""The ways that pages took beside those that were right for them, as tables and words, wherever they are shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ingestion.lifecycle import Route
from processing.engine.quality.report import CDoc, Report, Spending
from processing.engine.quality.routes import ROUTES, Confusion, Interval
from processing.engine.quality.totals import Figures

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WAYS: "dict[str, StrOrPromise]" = {
    "automatic": pgettext_lazy("way", "automatic"),
    "model": pgettext_lazy("way", "a model"),
    "person": pgettext_lazy("way", "a person"),
    "skip": pgettext_lazy("way", "skipped"),
}
READ: "dict[str, StrOrPromise]" = {
    "reading_order": gettext_lazy("Reading order"),
    "table_fidelity": gettext_lazy("Rows of tables"),
    "picture_text": gettext_lazy("Pictures with their products"),
    "asked_share": gettext_lazy("Asked of models"),
    "offer_recall": gettext_lazy("Missed, but offered to people"),
    "offer_precision": gettext_lazy("Right, of what is offered"),
}


@dataclass(frozen=True)
class WayRow:
    """``cells``: (pages, whether that was the right way), in the order of the heads."""

    word: str
    cells: list[tuple[int, bool]]


@dataclass(frozen=True)
class Ways:
    heads: list[str]
    rows: list[WayRow]


@dataclass(frozen=True)
class ShareRow:
    """A share with its interval, in words; ``text``: a dash where there is none."""

    name: str
    pages: int
    text: str
    interval: str


@dataclass(frozen=True)
class SpreadRow:
    """``tenths``: of each, (documents, words)."""

    name: str
    documents: int
    mean: str
    tenths: list[tuple[int, str]]
    routes: str


@dataclass(frozen=True)
class CostRow:
    name: str
    calls: int
    usd: str
    each: str


def ways_of(table: Confusion) -> Ways:
    return Ways(
        [str(WAYS[way]) for way in ROUTES],
        [WayRow(str(WAYS[way]), [(row.get(right, 0), right == way) for right in ROUTES]) for way, row in table.items()],
    )


def share_row(name: str, pages: int, value: float | None, interval: Interval | None) -> ShareRow:
    text = "—" if value is None else f"{value:.3f}"
    return ShareRow(name, pages, text, interval_words(interval))


def interval_words(interval: Interval | None) -> str:
    return f"{interval[0]:.3f}–{interval[1]:.3f}" if interval else ""


def report_ways(report: Report) -> dict[str, object]:
    """``ways`` is missing where another version of the product has written the report."""
    if not report.total.routes:
        return {}
    pages = report.total.counts.pages
    return {
        "ways": ways_of(report.total.routes),
        "accuracy": _accuracy(_("All pages"), report.total),
        "accuracies": [_accuracy(name or "—", figures) for name, figures in report.by_category.items()],
        "read": [share_row(str(word), pages, getattr(report.total, key), None) for key, word in READ.items()],
        "spread": _spreads(report),
        "costs": [_cost(name, spent, report) for name, spent in report.spending_by_category.items()],
    }


def _accuracy(name: str, figures: Figures) -> ShareRow:
    return share_row(name, figures.counts.pages, figures.route_accuracy, figures.route_interval)


def _spreads(report: Report) -> list[SpreadRow]:
    if report.c_doc is None:
        return []
    parted = report.c_doc_by_category if len(report.c_doc_by_category) > 1 else {}
    return [spread_row(_("All documents"), report.c_doc), *(spread_row(n or "—", one) for n, one in parted.items())]


def spread_row(name: str, spread: CDoc) -> SpreadRow:
    tenths = [(n, f"{at / 10:.1f}–{(at + 1) / 10:.1f}: {n}") for at, n in enumerate(spread.tenths)]
    routes = ", ".join(f"{Route(route).label} {n}" for route, n in spread.routes.items() if route in Route.values)
    return SpreadRow(name, spread.documents, f"{spread.mean:.3f}", tenths, routes)


def _cost(name: str, spent: Spending, report: Report) -> CostRow:
    figures = report.by_category.get(name)
    right = spent.usd_per_right_sku(figures) if figures else None
    return CostRow(
        name or "—", spent.calls, f"{spent.cost_micro / 1_000_000:.4f}", "—" if right is None else f"{right:.6f}"
    )
