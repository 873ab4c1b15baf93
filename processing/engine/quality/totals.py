"""The figures over any number of judged pages: a file, a category, a page type, everything."""

from collections.abc import Sequence

import msgspec

from processing.engine.quality import figures
from processing.engine.quality.measure import Counts, PageMeasure, sum_counts


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


def figures_of(pages: Sequence[PageMeasure]) -> Figures:
    """Counts are summed first, so that every SKU, value and picture weighs the same wherever it stands."""
    n = sum_counts(page.counts for page in pages)
    judged = [entry for page in pages for entry in page.confidences]
    confusion = _confusion(pages)
    return Figures(
        counts=n,
        precision=_share(n.matched, n.matched + n.false),
        recall=_share(n.matched, n.matched + n.missed),
        f1=_rounded(figures.f1(n.matched, n.missed, n.false)),
        attribute_accuracy=_share(n.right, n.asked + n.extra),
        hallucination_rate=_share(n.hallucinated, n.values),
        binding_recovered=_share(n.recovered, n.pictures),
        binding_recovered_of_matched=_share(n.recovered, n.pictures_of_matched),
        binding_wrong=_share(n.wrong_bindings, n.bindings),
        binding_ambiguous=_share(n.ambiguous, n.skus_with_pictures),
        page_type_accuracy=_rounded(figures.accuracy(confusion)),
        page_type_kappa=_rounded(figures.kappa(confusion)),
        cross_page_recall=_share(n.continued_matched, n.continued),
        human_share=_share(n.human_pages, n.pages),
        calibration_error=_rounded(figures.calibration_error(judged)),
        auc=_rounded(figures.auc(judged)),
        text_read=_share(n.text_lines_read, n.text_lines),
        seconds=round(sum(page.seconds for page in pages), 3),
        confusion=confusion,
        skus_right=sum(right for _, right in judged),
        skus_wrong=sum(not right for _, right in judged),
    )


def _confusion(pages: Sequence[PageMeasure]) -> dict[str, dict[str, int]]:
    """Pages by the truth's type, then by the found one."""
    table: dict[str, dict[str, int]] = {}
    for page in sorted(pages, key=lambda page: (page.truth_type, page.found_type)):
        row = table.setdefault(page.truth_type, {})
        row[page.found_type] = row.get(page.found_type, 0) + 1
    return table


def _share(part: float, whole: float) -> float | None:
    return _rounded(figures.ratio(part, whole))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
