"""Sample, page scores, C_doc, route and document facts."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.evaluation.assess import assess_page
from processing.engine.evaluation.config import EvaluationConfig, PrescanRules, Thresholds
from processing.engine.evaluation.evaluate import PrescanFacts, evaluate
from processing.engine.evaluation.facts import document_facts
from processing.engine.evaluation.sample import choose_sample
from processing.engine.evaluation.scores import DIMENSIONS, MarginSummary, PageScore
from processing.engine.page import Ocr, ParsedPage
from tests.unit.understanding.pages import line, page, picture, table

PRESCAN = PrescanFacts(non_blank_pages=4, text_pages=4, image_count=9)


def score(number: int, value: float, **dimensions: float | None) -> PageScore:
    return PageScore(number, {**dict.fromkeys(DIMENSIONS, value), **dimensions}, "A", value)


@pytest.mark.req("TA-EVAL")
@given(st.sets(st.integers(1, 2000), min_size=1, max_size=400))
def test_the_sample_has_first_last_and_spread_pages(pages: set[int]) -> None:
    shuffled = list(pages)
    random.Random(0).shuffle(shuffled)
    chosen = choose_sample(shuffled)
    assert chosen == choose_sample(sorted(pages)) == sorted(set(chosen)) and set(chosen) <= pages
    assert len(chosen) == min(40, len(pages)) and chosen[0] == min(pages) and chosen[-1] == max(pages)


@pytest.mark.req("TA-EVAL")
def test_no_stretch_of_a_long_document_is_left_out() -> None:
    chosen = choose_sample(range(1, 2001))
    assert (chosen[0], chosen[-1], len(chosen)) == (1, 2000, 40)
    assert max(b - a for a, b in itertools.pairwise(chosen)) <= 55


@pytest.mark.req("TA-CDOC", "TA-DIMS")
@pytest.mark.parametrize(
    ("value", "route", "degrade"),
    [
        (0.95, "AUTO", None),
        (0.90, "AUTO", None),
        (0.89, "HYBRID", None),
        (0.40, "HYBRID", None),
        (0.39, "HUMAN_ALL", "low_confidence"),
    ],
)
def test_the_thresholds_decide_the_route(value: float, route: str, degrade: str | None) -> None:
    result = evaluate([score(1, value), score(2, value)], PRESCAN, EvaluationConfig())
    assert (result.c_doc, result.route, result.degrade_reason) == (value, route, degrade)


@pytest.mark.req("TA-CDOC", "TA-DIMS")
def test_variance_lowers_auto_to_hybrid_and_nothing_else() -> None:
    config = EvaluationConfig(thresholds=Thresholds(a=0.6, pv=0.5, b=0.4))
    mixed = [score(1, 1.0), score(2, 1.0), score(3, 0.2), score(4, 1.0)]
    result = evaluate(mixed, PRESCAN, config)
    assert (result.route, result.reason_codes) == ("HYBRID", ("c_doc_from_a_up", "variance_above_threshold"))
    low = evaluate([score(1, 0.0), score(2, 0.9), score(3, 0.0)], PRESCAN, config)
    assert low.route == "HUMAN_ALL"


@pytest.mark.req("TA-P1-6", "TA-P1-11")
def test_prescan_penalties_are_taken_off_and_listed() -> None:
    prescan = PrescanFacts(non_blank_pages=20, text_pages=1, image_count=0)
    result = evaluate([score(1, 0.9)], prescan, EvaluationConfig())
    assert [(p.rule, p.weight) for p in result.penalties] == [("ocr_rate_low", 0.15), ("no_images", 0.10)]
    assert result.penalties[0].reason == {"ocr_rate": 0.05, "threshold": 0.1}
    assert result.c_doc == pytest.approx(0.65)
    off = EvaluationConfig(prescan=PrescanRules(no_images_penalty_weight=0.0, ocr_rate_penalty_weight=0.0))
    assert evaluate([score(1, 0.9)], prescan, off).penalties == ()


@pytest.mark.req("TA-BR25")
def test_an_all_blank_document_goes_to_people() -> None:
    result = evaluate([], PrescanFacts(0, 0, 0, all_blank=True), EvaluationConfig())
    assert (result.route, result.degrade_reason) == ("HUMAN_ALL", "prescan_reject")
    switched_off = EvaluationConfig(prescan=PrescanRules(all_blank_reject=False))
    result = evaluate([], PrescanFacts(0, 0, 0, all_blank=True), switched_off)
    assert (result.route, result.reason_codes, result.degrade_reason) == ("AUTO", ("all_blank",), None)


def test_a_dimension_that_few_pages_have_counts_little() -> None:
    pages = [score(n, 1.0, product_density=None) for n in range(1, 20)] + [score(20, 1.0, product_density=0.2)]
    assert evaluate(pages, PRESCAN, EvaluationConfig()).c_doc > 0.98


@given(st.lists(st.dictionaries(st.sampled_from(DIMENSIONS), st.none() | st.floats(0, 1)), max_size=6))
def test_c_doc_stays_between_zero_and_one(pages: list[dict[str, float | None]]) -> None:
    scores = [PageScore(n, {**dict.fromkeys(DIMENSIONS), **found}, "A", 0.5) for n, found in enumerate(pages, 1)]
    assert 0.0 <= evaluate(scores, PRESCAN, EvaluationConfig()).c_doc <= 1.0


@pytest.mark.req("TA-CDOC", "PL-C8")
def test_refuses_weights_and_thresholds_that_break_their_invariants() -> None:
    with pytest.raises(ValueError, match="INV-02"):
        EvaluationConfig(weights=dict.fromkeys(DIMENSIONS, 0.2))
    with pytest.raises(ValueError, match="INV-01"):
        Thresholds(a=0.5, pv=0.7, b=0.4)


ROWS = [["型号", "品名", "尺寸(mm)", "单价(元)"]] + [
    [f"A-{n}", f"圆凳 {n}", "400×400×450", "168.00"] for n in range(12)
]


def c_doc(*pages: ParsedPage, images: int = 1) -> tuple[float, str]:
    result = evaluate(
        [assess_page(one).score for one in pages], PrescanFacts(len(pages), len(pages), images), EvaluationConfig()
    )
    return result.c_doc, result.route


@pytest.mark.req("TA-DIMS")
def test_a_clean_price_table_goes_auto_and_text_pages_do_not_drag_it_down() -> None:
    tables = page(tables=[table(ROWS)], number=1)
    text = page(
        *[line("The company was founded in a small town by the river.", 50, 100 + 20 * n) for n in range(12)], number=2
    )
    assert c_doc(tables)[1] == "AUTO"
    assert c_doc(tables, text)[1] == "AUTO"
    assert assess_page(text).score.dimensions["product_density"] is None


def test_a_garbage_scan_goes_down() -> None:
    lines = tuple(line("\ufffd\ue000\ufffd\ue001 \ufffd\ue002x", 50, 100 + 20 * n) for n in range(10))
    garbage = page(*lines, pictures=[picture("P1", (0, 0, 595, 842))])
    scanned = ParsedPage(1, 595, 842, 0, "ocr", garbage.blocks, (), garbage.pictures, ocr=Ocr("test", "no_text", 0.4))
    assert c_doc(garbage)[1] == c_doc(scanned)[1] == "HUMAN_ALL"


def test_prices_without_products_lower_a_page() -> None:
    asked = "Ask for the sum of ${}.00, as we told you."
    unread = page(*[line(asked.format(n), 50 + 90 * (n % 3), 100 + 37 * n) for n in range(6)])
    assert c_doc(unread)[1] == "HYBRID" and assess_page(unread).score.expected_confidence < 0.5


def margins(number: int, *lines: str, codes: tuple[str, ...] = (), hashes: tuple[str, ...] = ()) -> MarginSummary:
    return MarginSummary(number, lines, hashes, codes)


@pytest.mark.req("TA-DOCPASS")
def test_document_facts_are_the_same_for_any_order() -> None:
    pages = [margins(n, *"hgfedcba", f"title{n}", hashes=("logo", f"photo{n}")) for n in range(1, 7)]
    facts = document_facts(pages, {"hash8": "0a1b2c3d"})
    assert facts == document_facts(pages[::-1], {"hash8": "0a1b2c3d"})
    assert (facts.running_lines, facts.repeated_pictures, facts.hash8) == (
        tuple("abcdefgh"),
        ("logo",),
        "0a1b2c3d",
    )


@pytest.mark.req("TA-DOCPASS")
def test_a_list_of_what_has_its_own_page_later_is_an_index() -> None:
    index = margins(1, codes=("d-1", "d-2", "d-3", "d-4", "d-5"))
    sheets = [margins(n + 1, codes=(f"d-{n}",)) for n in range(1, 6)]
    assert document_facts([index, *sheets]).index_pages == (1,)
    assert document_facts([index, *sheets[:2]]).index_pages == ()


def test_page_numbers_are_one_running_line_and_a_contents_page_is_seen() -> None:
    numbers = {assess_page(page(line(f"Page {n} of 9", 280, 815), number=n)).margins.lines for n in (1, 2)}
    assert numbers == {("#page",)}
    contents = page(
        line("Contents", 50, 40, 20), *[line(f"Chapter {n} ........ {n}2", 50, 100 + 20 * n) for n in range(8)]
    )
    assert assess_page(contents).margins.index_like
    assert not assess_page(page(tables=[table(ROWS)])).margins.index_like
