"""What an alternative is worth to a person: missed products that it offers, of the one that spares most."""

from collections.abc import Sequence

import pytest

from processing.engine.quality.match import match_page
from processing.engine.quality.measure import UnderstoodPage, measure_file
from processing.engine.quality.offered import judge_alternatives
from processing.engine.quality.totals import figures_of
from processing.engine.quality.truth import TruthSku, read_truth
from processing.engine.result import Alternative, Blocker, Evidence, PageResult, Sku, Value

TRUTH = (
    b"""{"file": "a.pdf", "pages": [{"page": 1, "products": [{"model": "A-1"}, {"model": "A-2"}, {"model": "A-3"}]}]}"""
)


def skus(*models: str) -> tuple[Sku, ...]:
    return tuple(Sku((0, 0, 9, 9), {"model": Value(model, Evidence(model, 1, (0, 0, 9, 9)))}) for model in models)


def alternative(*models: str) -> Alternative:
    return Alternative("grid.ruled", 0.3, "A", "L3", skus(*models))


def missed() -> Sequence[TruthSku]:
    return read_truth(TRUTH, "a").skus_of(1)


@pytest.mark.parametrize(
    ("alternatives", "counts"),
    [
        ([], (0, 0)),
        ([("B-1", "B-2")], (2, 0)),
        ([("B-1", "B-2"), ("B-1",)], (2, 0)),  # the first that is shown
        ([("A-1", "B-1"), ("A-1", "A-2", "B-1", "B-2")], (4, 2)),
    ],
)
def test_the_one_that_spares_most_is_what_is_offered(
    alternatives: list[tuple[str, ...]], counts: tuple[int, int]
) -> None:
    assert judge_alternatives(missed(), [alternative(*models) for models in alternatives], match_page) == counts


@pytest.mark.parametrize(("with_people", "offered"), [(True, (1, 3, 1)), (False, (0, 0, 0))])
def test_only_on_pages_that_go_to_people_anything_is_offered(with_people: bool, offered: tuple[int, int, int]) -> None:
    blockers = (Blocker("low_confidence"),) if with_people else ()
    found = alternative("A-2", "B-1", "A-1")  # A-1 was read
    result = PageResult(1, "A", 1.0, "L3", 1.0, "rules", skus("A-1"), blockers=blockers, alternatives=(found,))
    figures = figures_of(measure_file(read_truth(TRUTH, "a"), {1: UnderstoodPage(result=result)}))
    n = figures.counts
    assert (n.offer_pages, n.offered, n.offered_right) == offered
    assert n.missed == 2 and n.missed_with_people == (2 if with_people else 0)
    assert (figures.offer_recall, figures.offer_precision) == ((0.5, 0.3333) if with_people else (None, None))
