"""The gate over the figures, the report over files, and two reports compared."""

import msgspec
import pytest

from processing.engine.page import Ocr
from processing.engine.quality.compare import Comparison, compare
from processing.engine.quality.gate import GateLine, gate_passed, judge_gate
from processing.engine.quality.measure import PageMeasure
from processing.engine.quality.report import (
    FileMeasure,
    Report,
    Skipped,
    Spending,
    decode_report,
    encode_report,
    make_report,
)
from processing.engine.quality.totals import figures_of
from processing.management.commands.evaluate import comparison_lines
from tests.unit.quality.made import measured, page, sku, truth, truth_sku

pytestmark = pytest.mark.req("TA-T49", "GR-GATE")

WANTED = truth(
    *(truth_sku(model=f"X{n}", size="10") for n in range(10)), truth_sku(2, model="Y"), types={1: "A", 2: "C"}
)
RIGHT = [sku(0.99, model=f"X{n}", size="10") for n in range(10)]


def judged(found: int = 10, wrong: int = 0, blockers: tuple[str, ...] = (), kind: str = "C") -> tuple[PageMeasure, ...]:
    """Page 1 with so many right and wrong SKUs, page 2 right unless its type or blockers say otherwise."""
    skus = [*RIGHT[:found], *(sku(0.3, model=f"Q{n}") for n in range(wrong))]
    second = page(sku(0.99, model="Y", page=2), number=2, kind=kind, blockers=blockers)
    return measured(WANTED, page(*skus), second)


def verdicts(*pages: PageMeasure) -> dict[str, str]:
    return {line.figure: line.verdict for line in judge_gate(figures_of(pages))}


def report(*pages: PageMeasure, name: str = "set/a", category: str = "", made_at: str = "2026-01-01") -> Report:
    file = FileMeasure(name, name.split("/")[0], "a.pdf", category, pages)
    return make_report([file], [], made_at, {"commit": "c"})


def test_passes_where_everything_is_reached_and_names_what_cannot_be_computed() -> None:
    lines = judge_gate(figures_of(judged()))
    assert {line.figure: line.verdict for line in lines} == {
        "f1": "passed",
        "human_share": "passed",
        "page_type_kappa": "passed",
        "calibration_error": "not computable",
        "auc": "not computable",
    }
    assert gate_passed(lines)
    why = {line.figure: line.why for line in lines}
    assert "11 SKUs were found, 20 are needed" in why["calibration_error"]
    assert "11 right and 0 wrong" in why["auc"]


def test_fails_below_f1_of_seven_tenths() -> None:
    assert verdicts(*judged(found=5))["f1"] == "passed"
    assert verdicts(*judged(found=4))["f1"] == "failed"
    assert not gate_passed(judge_gate(figures_of(judged(found=4))))


def test_fails_above_two_fifths_of_pages_for_people() -> None:
    blocked, free = judged(blockers=("low_confidence",))[1], judged()[0]
    assert verdicts(blocked, blocked, free, free, free)["human_share"] == "passed"
    assert verdicts(blocked, blocked, free, free)["human_share"] == "failed"


def test_fails_where_page_types_agree_too_little() -> None:
    assert verdicts(*judged(kind="A"))["page_type_kappa"] == "failed"


def test_fails_where_confidence_is_far_from_being_right() -> None:
    sure_and_wrong = measured(truth(types={1: "D"}), page(*(sku(0.9, model=f"Q{n}") for n in range(30)), kind="D"))
    assert verdicts(*sure_and_wrong)["calibration_error"] == "failed"
    assert verdicts(*judged(), *judged())["calibration_error"] == "passed"


def test_fails_where_confidence_does_not_tell_right_from_wrong() -> None:
    assert verdicts(*judged(wrong=5))["auc"] == "passed"
    same = [sku(0.99, model=f"Q{n}") for n in range(5)]
    assert verdicts(*measured(WANTED, page(*RIGHT, *same), page(number=2, kind="C")))["auc"] == "failed"


def test_a_run_without_any_page_fails() -> None:
    lines = judge_gate(figures_of([]))
    assert lines[0] == GateLine("pages", "at least", 1, 0, "failed", "no page was judged") and not gate_passed(lines)


def test_report_has_the_worst_first_and_groups_that_sum_up() -> None:
    good = FileMeasure("set/good", "set", "g.pdf", "lamps", judged())
    bad = FileMeasure(
        "set/z/bad", "other", "b.pdf", "", judged(found=4, wrong=2, blockers=("low_confidence",), kind="B")
    )
    made = make_report([good, bad], [Skipped("set/away", "not there")], "2026-01-01T00:00:00+00:00", {"commit": "c"})
    assert [one.file.name for one in made.files] == ["set/z/bad", "set/good"]
    assert [(worst.page_number, worst.loss) for worst in made.worst] == [(1, 8.0), (2, 1.0)]
    assert {worst.name for worst in made.worst} == {"set/z/bad"}
    assert (made.by_golden["set"].f1, made.by_golden["other"].counts.missed) == (1, 6)
    assert made.by_category["lamps"] == made.by_golden["set"]
    assert (made.by_page_type["A"].counts.pages, made.by_page_type["C"].f1) == (2, 1)
    assert (made.by_holder["person"].counts.pages, made.by_holder["machine"].counts.pages) == (1, 3)
    assert list(made.by_text) == ["layer"] and made.total.counts.missed == 6 and made.skipped[0].name == "set/away"


def test_groups_tell_recognised_pages_from_those_with_a_text_layer_and_those_without_result() -> None:
    (first,), read = measured(truth(types={1: "D"})), page(kind="D")
    assert read.parsed is not None
    scan = msgspec.structs.replace(
        read, parsed=msgspec.structs.replace(read.parsed, ocr=Ocr("rapidocr", "few_chars", 1.0))
    )
    (second,), (third,) = measured(truth(types={1: "D"}), scan), measured(truth(types={1: "D"}), read)
    groups = report(first, second, third, third).by_text
    assert {name: figures.counts.pages for name, figures in groups.items()} == {"none": 1, "recognised": 1, "layer": 2}


def test_totals_weigh_every_sku_the_same_and_not_every_file() -> None:
    large, small = judged(), measured(truth(truth_sku(model="X1")), page())
    assert figures_of([*large, *small]).recall == pytest.approx(11 / 12, abs=1e-4)


def test_a_report_survives_its_file() -> None:
    made = report(*judged(found=4, wrong=2))
    assert decode_report(encode_report(made)) == made
    with pytest.raises(ValueError, match="no report of golden sets"):
        decode_report(b'{"total": 1}')
    with pytest.raises(ValueError, match=r"version 0\.9"):
        decode_report(encode_report(made).replace(b'"schema_version": "1.0"', b'"schema_version": "0.9"'))


def changes(comparison: Comparison) -> dict[str, str]:
    return {change.figure: change.direction for change in comparison.total}


def test_a_run_compared_with_itself_is_the_same_everywhere() -> None:
    made = report(*judged(found=4))
    comparison = compare(made, made)
    assert set(changes(comparison).values()) == {"same"}
    assert (comparison.pages, comparison.files, comparison.gone, comparison.new) == ((), (), (), ())


def test_says_what_became_better_and_what_worse() -> None:
    before = report(*judged(found=8))
    after = report(*judged(found=9, wrong=3, blockers=("low_confidence",)))
    found = changes(compare(before, after))
    assert (found["recall"], found["precision"], found["human_share"]) == ("better", "worse", "worse")
    (change,) = compare(before, after).pages
    assert (change.direction, change.found_now, change.missed_now) == ("worse", ("X8",), ())
    assert (change.false_now, change.loss_before, change.loss_after) == (("Q0", "Q1", "Q2"), 2.0, 4.0)
    back = compare(after, before)
    assert changes(back)["recall"] == "worse" and back.pages[0].direction == "better"
    assert back.pages[0].false_gone == ("Q0", "Q1", "Q2") and back.files[0].name == "set/a"


def test_a_slip_in_anothers_place_is_seen_though_the_loss_is_the_same() -> None:
    before = report(*measured(WANTED, page(sku(model="X0", size="9"), *RIGHT[1:]), page(number=2, kind="C")))
    after = report(*measured(WANTED, page(*RIGHT[:9], sku(model="X9", size="9")), page(number=2, kind="C")))
    (change,) = compare(before, after).pages
    assert (change.direction, len(change.slips_gone), len(change.slips_now)) == ("same", 1, 1)
    assert change.slips_now == ("X9 size different 9",)


def test_a_figure_that_only_one_run_has_is_not_compared() -> None:
    few = report(*judged())
    assert changes(compare(few, few))["auc"] == "same"
    assert changes(compare(few, report(*judged(wrong=5))))["auc"] == "not comparable"


def test_time_within_its_noise_is_the_same() -> None:
    before = report(*judged())
    for seconds, direction in ((0.54, "same"), (0.7, "worse"), (0.3, "better")):
        after = report(*(msgspec.structs.replace(page, seconds=seconds) for page in judged()))
        assert changes(compare(before, after))["seconds"] == direction


def test_pages_that_only_one_run_judged_are_named() -> None:
    comparison = compare(report(*judged()), report(*judged()[:1], name="set/a"))
    assert (comparison.gone, comparison.new) == (("set/a page 2",), ())
    assert compare(report(*judged()[:1]), report(*judged())).new == ("set/a page 2",)


def asked(spending: Spending | None, found: int = 10) -> Report:
    file = FileMeasure("set/a", "set", "a.pdf", "", judged(found=found))
    return make_report([file], [], "2026-01-01", {}, spending)


@pytest.mark.req("LA-ROLLBACK")
def test_the_tokens_that_a_run_saved_are_a_figure_of_the_comparison() -> None:
    whole = Spending(calls=30, tokens_in=80_000, tokens_cached=20_000, tokens_out=20_000, cost_micro=220_000)
    routed = Spending(calls=20, tokens_in=50_000, tokens_out=15_000, cost_micro=110_000)
    found = compare(asked(whole), asked(routed)).spending
    assert found is not None and (found.before, found.after) == (whole, routed)
    assert found.tokens_saved == 0.35, "of 100,000 tokens, cached ones among them"
    assert (found.usd_per_right_sku_before, found.usd_per_right_sku_after) == (0.02, 0.01)
    lines = list(comparison_lines(compare(asked(whole), asked(routed))))
    assert "tokens saved:  35.0%" in lines
    assert any("100,000 tokens (20,000 of them cached), 0.2200 USD, 0.020000 USD a right SKU" in one for one in lines)
    dearer = compare(asked(routed), asked(whole)).spending
    assert dearer is not None and dearer.tokens_saved == -0.5385


@pytest.mark.req("LA-ROLLBACK")
def test_nothing_is_saved_where_nothing_was_asked() -> None:
    some = Spending(calls=1, tokens_in=9, tokens_out=1, cost_micro=5)
    assert compare(asked(None), asked(some)).spending is None and compare(asked(some), asked(None)).spending is None
    found = compare(asked(Spending()), asked(some)).spending
    assert found is not None and found.tokens_saved is None
    assert asked(some, found=0).total.skus_right == 1 and some.usd_per_right_sku(figures_of([])) is None


@pytest.mark.req("LA-ROLLBACK")
def test_a_report_keeps_what_was_spent_and_older_ones_have_nothing() -> None:
    some = Spending(calls=1, tokens_in=9, tokens_cached=4, tokens_out=1, cost_micro=5)
    assert decode_report(encode_report(asked(some))).spending == some
    older = msgspec.json.decode(encode_report(asked(some)))
    del older["spending"]
    assert decode_report(msgspec.json.encode(older)).spending is None
