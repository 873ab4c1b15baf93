"""What pages' confidence is worth: seen and unseen, needless, ranked and calibrated; and intervals over makers."""

from collections.abc import Sequence

import msgspec
import pytest

from processing.engine.quality.bootstrap import FIGURES, intervals_of
from processing.engine.quality.compare import compare
from processing.engine.quality.figures import auc, calibration_error
from processing.engine.quality.measure import PageMeasure, UnderstoodPage
from processing.engine.quality.report import FileMeasure, Report, make_report
from processing.engine.quality.totals import Figures, figures_of
from processing.engine.result import Sku
from tests.unit.quality.made import measured, page, sku, truth, truth_sku

pytestmark = pytest.mark.req("TA-T49", "GR-GATE")

RIGHT = sku(model="X1", size="10")
WRONG = sku(model="X1", size="11")


def judged(*found: Sku, sure: float = 0.9, blocked: bool = False, kind: str = "A") -> PageMeasure:
    """A page of one product."""
    one = page(*found, blockers=("low_confidence",) if blocked else (), kind=kind)
    assert one.result is not None
    one = msgspec.structs.replace(one, result=msgspec.structs.replace(one.result, confidence=sure))
    return measured(truth(truth_sku(model="X1", size="10")), one)[0]


def skipped(number: int, sure: float) -> UnderstoodPage:
    one = page(number=number, kind="D")
    assert one.result is not None
    return msgspec.structs.replace(one, result=msgspec.structs.replace(one.result, confidence=sure))


def empty(*found: Sku) -> PageMeasure:
    """A page without products."""
    return measured(truth(types={1: "D"}), page(*found, kind="D"))[0]


def of(*pages: PageMeasure) -> Figures:
    return figures_of(pages)


@pytest.mark.parametrize(
    "found", [(), (WRONG,), (RIGHT, sku(model="Q")), (sku(model="X1"),), (sku(model="X2", size="10"),)]
)
def test_a_page_is_right_with_every_product_every_value_and_nothing_more(found: Sequence[Sku]) -> None:
    assert judged(RIGHT).right and not judged(*found).right
    assert judged(sku(model="X1", size="10", color="red")).right, "nobody asked for the colour"


def test_an_invented_value_makes_its_page_wrong() -> None:
    (one,) = measured(truth(truth_sku(model="X1")), page(sku(model="X1", color="red"), text="X1"))
    assert not one.right and measured(truth(truth_sku(model="X1")), page(sku(model="X1")))[0].right


def test_a_page_that_was_not_read_is_neither_right_nor_unseen() -> None:
    (one,) = measured(truth(truth_sku(model="X1")))
    assert (one.right, one.confidence, one.counts.unseen_pages) == (False, 0.0, 0)


def test_unseen_wrong_is_of_the_product_pages_that_nobody_sees() -> None:
    figures = of(judged(RIGHT), judged(WRONG), judged(WRONG, blocked=True), empty(), empty(sku(model="Q")))
    assert (figures.unseen_wrong, figures.counts.unseen_pages) == (0.5, 2)
    assert of(judged(RIGHT, blocked=True)).unseen_wrong is None


def test_a_page_of_products_that_is_skipped_is_wrong_unseen() -> None:
    assert of(judged(kind="D", sure=0.96)).unseen_wrong == 1


@pytest.mark.req("X-SKIPCHECK")
def test_of_skipped_pages_in_doubt_people_see_the_least_certain_and_more_while_they_have_products() -> None:
    kinds = {n: "A" if n in (1, 5) else "D" for n in range(1, 12)}
    wanted = truth(*(truth_sku(page=n, model=f"X{n}") for n, kind in kinds.items() if kind == "A"), types=kinds)
    found = measured(wanted, *(skipped(n, 0.7 + n / 100) for n in kinds))
    assert [one.page_number for one in found if one.blockers] == [1, 2, 3, 4], "one of four: enough was looked at"


def test_needless_is_of_the_right_pages_that_went_to_a_person() -> None:
    pages = [judged(RIGHT), judged(RIGHT, blocked=True), judged(RIGHT, blocked=True), judged(WRONG, blocked=True)]
    assert of(*pages).needless == pytest.approx(2 / 3, abs=1e-4) and of(judged(WRONG)).needless is None


def test_confidence_of_pages_is_ranked_and_calibrated_however_few_they_are() -> None:
    pages = [judged(RIGHT, sure=0.95), judged(RIGHT, sure=0.65), judged(WRONG, sure=0.75), empty()]
    assert of(*pages).page_auc == 0.5
    assert of(*pages).page_calibration_error == pytest.approx((0.05 + 0.35 + 0.75) / 3, abs=1e-4)
    assert of(judged(RIGHT)).page_auc is None and of(empty()).page_calibration_error is None


def makers(count: int = 20) -> dict[str, list[PageMeasure]]:
    """Every second of them has only right pages, the others only wrong ones."""
    pages = {True: [judged(RIGHT, sure=0.8)] * 3, False: [judged(WRONG, sure=0.6, blocked=True)] * 3}
    return {f"maker {n}": pages[n % 2 == 0] for n in range(count)}


def test_intervals_hold_the_figure_and_are_the_same_again() -> None:
    of_makers = makers()
    intervals = intervals_of(of_makers)
    total = figures_of([one for pages in of_makers.values() for one in pages])
    low, high = intervals["attribute_accuracy"]
    assert total.attribute_accuracy == 0.75 and 0.6 < low < 0.75 < high < 0.9
    unlike = {f"maker {n}": [judged(RIGHT, sure=1 / (n + 1)), judged(WRONG, sure=0.3)] for n in range(9)}
    assert intervals_of(unlike) == intervals_of(dict(reversed(unlike.items())))
    assert set(intervals) == set(FIGURES) - {"pictured"}, "nothing has pictures"


def test_pages_of_one_maker_are_drawn_together() -> None:
    """As many pages of fewer makers say less."""
    apart = intervals_of({f"{name} {n}": [one] for name, pages in makers().items() for n, one in enumerate(pages)})
    together = intervals_of(makers())
    width = {
        of: found["attribute_accuracy"][1] - found["attribute_accuracy"][0]
        for of, found in (("apart", apart), ("together", together))
    }
    assert width["together"] > 1.4 * width["apart"]


def test_resampled_figures_are_those_of_the_pages_drawn() -> None:
    """Equal makers: whoever is drawn, the figure is that of one."""
    pages = [judged(RIGHT, sure=0.75), judged(RIGHT, sure=0.35), judged(WRONG, sure=0.55), judged(WRONG, sure=0.35)]
    intervals = intervals_of({f"maker {n}": pages for n in range(5)})
    sure = [(one.confidence, one.right) for one in pages]
    for name, value in (("page_auc", auc(sure, 1)), ("page_calibration_error", calibration_error(sure, 1))):
        assert value is not None and intervals[name] == pytest.approx((value, value), abs=1e-4)
    assert intervals["unseen_wrong"] == (0.5, 0.5) and intervals["f1"] == (1, 1)


def test_one_maker_has_no_interval_and_a_figure_that_is_mostly_missing_neither() -> None:
    assert intervals_of({"one": [judged(RIGHT)]}) == {}
    few = {f"maker {n}": [empty()] for n in range(10)} | {"right": [judged(RIGHT)], "wrong": [judged(WRONG, sure=0.1)]}
    intervals = intervals_of(few)
    assert "f1" in intervals and "page_auc" not in intervals, "both were drawn in two of five resamples"


def report(of_makers: dict[str, list[PageMeasure]]) -> Report:
    files = [
        FileMeasure(f"set/{name}", "set", "a.pdf", "", tuple(pages), maker=name) for name, pages in of_makers.items()
    ]
    return make_report(files, [], "2026-01-01", {})


def test_files_of_one_maker_are_one_in_the_report() -> None:
    file = FileMeasure("set/a", "set", "a.pdf", "", (judged(RIGHT),))
    others = [msgspec.structs.replace(file, name=f"set/{name}", maker="Lumo") for name in "bc"]
    assert make_report([file, *others], [], "2026-01-01", {}).makers == 2


def test_a_comparison_says_what_lies_beyond_the_interval() -> None:
    before = report(makers())
    slightly, fully = makers(), makers()
    slightly["maker 1"] = slightly["maker 0"]
    fully |= dict.fromkeys([f"maker {n}" for n in range(20)], fully["maker 0"])
    for after, beyond in ((before, False), (report(slightly), False), (report(fully), True)):
        change = {change.figure: change for change in compare(before, after).total}["attribute_accuracy"]
        assert (change.beyond, change.interval_before) == (beyond, before.intervals["attribute_accuracy"])
        assert change.interval_after == after.intervals["attribute_accuracy"]
    assert {change.figure: change.beyond for change in compare(before, before).total}["seconds"] is None
