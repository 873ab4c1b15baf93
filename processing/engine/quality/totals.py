"""The figures over any number of judged pages: a file, a category, a page type, everything."""

from collections.abc import Callable, Sequence

import msgspec

from processing.engine.quality import figures
from processing.engine.quality.measure import Counts, PageMeasure, sum_counts
from processing.engine.quality.routes import Interval, confusion_of, judged, wilson


class Figures(msgspec.Struct, frozen=True):
    """Shares from 0 to 1 (kappa from -1), None where nothing could be judged; each is defined in docs/quality.md."""

    counts: Counts
    precision: float | None
    recall: float | None
    f1: float | None
    attribute_accuracy: float | None
    hallucination_rate: float | None
    binding_recovered: float | None
    binding_recovered_of_matched: float | None
    binding_wrong: float | None
    binding_ambiguous: float | None
    page_type_accuracy: float | None
    page_type_kappa: float | None
    cross_page_recall: float | None
    human_share: float | None
    calibration_error: float | None
    auc: float | None
    text_read: float | None
    seconds: float
    confusion: dict[str, dict[str, int]]
    skus_right: int
    skus_wrong: int
    pictured: float | None = None
    unseen_wrong: float | None = None
    needless: float | None = None
    page_auc: float | None = None
    page_calibration_error: float | None = None
    asked_share: float | None = None
    reading_order: float | None = None
    table_fidelity: float | None = None
    picture_text: float | None = None
    offer_recall: float | None = None
    offer_precision: float | None = None
    routes: dict[str, dict[str, int]] = {}
    route_accuracy: float | None = None
    route_interval: Interval | None = None


Part = Callable[[Counts], float]
# Figures that are a share: of what, by which counts.
SHARES: dict[str, tuple[Part, Part]] = {
    "precision": (lambda n: n.matched, lambda n: n.matched + n.false),
    "recall": (lambda n: n.matched, lambda n: n.matched + n.missed),
    # 2 TP / (2 TP + FN + FP): 0 where products were only invented, None where there are none and none were found.
    "f1": (lambda n: 2 * n.matched, lambda n: 2 * n.matched + n.missed + n.false),
    "attribute_accuracy": (lambda n: n.right, lambda n: n.asked + n.extra),
    "hallucination_rate": (lambda n: n.hallucinated, lambda n: n.values),
    "binding_recovered": (lambda n: n.recovered, lambda n: n.pictures),
    "binding_recovered_of_matched": (lambda n: n.recovered, lambda n: n.pictures_of_matched),
    "binding_wrong": (lambda n: n.wrong_bindings, lambda n: n.bindings),
    "binding_ambiguous": (lambda n: n.ambiguous, lambda n: n.skus_with_pictures),
    "cross_page_recall": (lambda n: n.continued_matched, lambda n: n.continued),
    "human_share": (lambda n: n.human_pages, lambda n: n.pages),
    "text_read": (lambda n: n.text_lines_read, lambda n: n.text_lines),
    "pictured": (lambda n: n.pictured, lambda n: n.with_pictures),
    "unseen_wrong": (lambda n: n.unseen_wrong, lambda n: n.unseen_pages),
    "needless": (lambda n: n.needless, lambda n: n.right_pages),
    "asked_share": (lambda n: n.asked_pages, lambda n: n.pages),
    "reading_order": (lambda n: n.neighbours_kept, lambda n: n.neighbours),
    "table_fidelity": (lambda n: n.cells_kept, lambda n: n.cells),
    # Pairs of a product and its picture that both have, of those that either has.
    "picture_text": (lambda n: n.recovered, lambda n: n.pictures + n.wrong_bindings),
    # Of the products that people would have to type, those that an alternative offers; of what is offered, the right.
    "offer_recall": (lambda n: n.offered_right, lambda n: n.missed_with_people),
    "offer_precision": (lambda n: n.offered_right, lambda n: n.offered),
}


def figures_of(pages: Sequence[PageMeasure]) -> Figures:
    """Counts are summed first, so that every SKU, value and picture weighs the same wherever it stands."""
    n = sum_counts(page.counts for page in pages)
    sure_skus = [entry for page in pages for entry in page.confidences]
    confusion = _confusion(pages)
    sure = judged_pages(pages)
    routes = confusion_of((page.route, page.right_route) for page in pages if page.route)
    on_their_way = judged(routes)
    return Figures(
        counts=n,
        **{name: _rounded(figures.ratio(part(n), whole(n))) for name, (part, whole) in SHARES.items()},
        page_type_accuracy=_rounded(figures.accuracy(confusion)),
        page_type_kappa=_rounded(figures.kappa(confusion)),
        calibration_error=_rounded(figures.calibration_error(sure_skus)),
        auc=_rounded(figures.auc(sure_skus)),
        seconds=round(sum(page.seconds for page in pages), 3),
        confusion=confusion,
        skus_right=sum(right for _, right in sure_skus),
        skus_wrong=sum(not right for _, right in sure_skus),
        page_auc=_rounded(figures.auc(sure, least=1)),
        page_calibration_error=_rounded(figures.calibration_error(sure, least=1)),
        routes=routes,
        route_accuracy=_rounded(figures.ratio(*on_their_way)),
        route_interval=wilson(*on_their_way),
    )


def judged_pages(pages: Sequence[PageMeasure]) -> figures.Judged:
    """The confidence of each page with products, and whether the page is right."""
    return [(page.confidence, page.right) for page in pages if page.has_products]


def _confusion(pages: Sequence[PageMeasure]) -> dict[str, dict[str, int]]:
    """Pages by the truth's type, then by the found one."""
    table: dict[str, dict[str, int]] = {}
    for page in sorted(pages, key=lambda page: (page.truth_type, page.found_type)):
        row = table.setdefault(page.truth_type, {})
        row[page.found_type] = row.get(page.found_type, 0) + 1
    return table


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
