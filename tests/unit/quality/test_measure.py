"""Figures of small truths and results made by hand: found, missed, invented, wrong, optional, on other pages."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.page import Block, Line, ParsedPage, Word
from processing.engine.quality.measure import NO_TYPE, UnderstoodPage
from processing.engine.quality.values import Printed
from processing.engine.result import Sku
from tests.unit.quality.made import figured, measured, page, sku, truth, truth_sku

pytestmark = pytest.mark.req("TA-T49")

PHOTO = (100.0, 100.0, 200.0, 200.0)
ELSEWHERE = (300.0, 300.0, 400.0, 400.0)


def slips(wanted: dict[str, Any], found: Sku, **of_page: Any) -> list[tuple[str, str]]:
    (one,) = measured(truth(wanted), page(found, **of_page))
    return [(slip.key, slip.kind) for slip in one.slips]


def accuracy(wanted: dict[str, Any], found: Sku, **of_page: Any) -> float | None:
    return figured(truth(wanted), page(found, **of_page)).attribute_accuracy


def test_everything_right_gives_one_everywhere() -> None:
    wanted = truth(truth_sku(model="X1", size="10"), truth_sku(model="X2", size="20"))
    found = figured(wanted, page(sku(model="X1", size="10"), sku(model="X2", size="20")))
    assert (found.precision, found.recall, found.f1, found.attribute_accuracy) == (1, 1, 1, 1)
    assert (found.hallucination_rate, found.human_share, found.page_type_accuracy) == (0, 0, 1)
    assert (found.seconds, found.counts.pages, found.skus_right, found.skus_wrong) == (0.5, 1, 2, 0)


def test_missed_and_invented_skus_count_against_recall_and_precision() -> None:
    wanted = truth(*(truth_sku(model=f"X{n}") for n in range(4)))
    found = page(sku(model="X0"), sku(model="X1"), sku(model="Y"), sku(model="X2"), sku(model="Z"))
    figures = figured(wanted, found)
    assert (figures.precision, figures.recall) == (3 / 5, 3 / 4) and figures.f1 == pytest.approx(2 / 3, abs=1e-4)
    (one,) = measured(wanted, found)
    assert (one.missed, one.false) == (("X3",), ("Y", "Z"))


def test_nothing_found_loses_everything_and_invents_nothing() -> None:
    figures = figured(truth(truth_sku(model="X1", size="10")), page())
    assert (figures.recall, figures.f1, figures.precision) == (0, 0, None)
    assert (figures.attribute_accuracy, figures.hallucination_rate) == (None, None)


def test_all_wrong_finds_nothing_of_the_truth() -> None:
    figures = figured(truth(truth_sku(model="X1"), truth_sku(model="X2")), page(sku(model="Q1"), sku(model="Q2")))
    assert (figures.precision, figures.recall, figures.f1, figures.skus_wrong) == (0, 0, 0, 2)


def test_nothing_printed_and_nothing_found_is_no_figure_at_all() -> None:
    figures = figured(truth(types={1: "D"}), page(kind="D"))
    assert (figures.f1, figures.precision, figures.recall, figures.page_type_accuracy) == (None, None, None, 1)


def test_a_product_on_a_page_without_any_is_false() -> None:
    assert figured(truth(types={1: "D"}), page(sku(model="X1"), kind="D")).f1 == 0


def test_the_same_model_on_two_pages_is_two_skus_each_at_home() -> None:
    wanted = truth(truth_sku(1, model="X1"), truth_sku(2, model="X1"), types={1: "A", 2: "C"})
    first, second = page(sku(model="X1")), page(sku(model="X1", page=2), number=2, kind="C")
    assert figured(wanted, first, second).f1 == 1
    both = page(sku(model="X1"), sku(model="X1"))
    moved = measured(wanted, both, page(number=2, kind="C"))
    assert [(one.missed, one.false) for one in moved] == [((), ("X1",)), (("X1",), ())]


def test_two_products_merged_into_one_lose_one() -> None:
    wanted = truth(truth_sku(model="X1", size="10"), truth_sku(model="X2", size="20"))
    (one,) = measured(wanted, page(sku(model="X1", size="10 20")))
    assert (one.counts.matched, one.missed) == (1, ("X2",))
    assert [(slip.key, slip.kind, slip.given) for slip in one.slips] == [("size", "different", "10 20")]


def test_a_page_that_was_not_read_misses_its_skus_and_goes_to_a_person() -> None:
    wanted = truth(truth_sku(model="X1"), types={1: "A"})
    (one,) = measured(wanted)
    assert (one.missed, one.found_type, one.failure) == (("X1",), NO_TYPE, "not_read")
    figures = figured(wanted)
    assert (figures.f1, figures.human_share, figures.confusion) == (0, 1, {"A": {NO_TYPE: 1}})


def test_pages_that_the_truth_does_not_name_are_not_judged() -> None:
    figures = figured(truth(truth_sku(model="X1")), page(sku(model="X1")), page(sku(model="Q", page=2), number=2))
    assert (figures.counts.pages, figures.f1) == (1, 1)


def test_each_asked_value_is_exact_absent_or_different() -> None:
    wanted = truth_sku(model="X1", size="10 cm", color="red", price="5")
    assert slips(wanted, sku(model="X1", size="10  cm", color="Red")) == [("color", "different"), ("price", "absent")]
    assert accuracy(wanted, sku(model="X1", size="10  cm", color="Red")) == 0.5


def test_space_between_cjk_signs_is_no_difference() -> None:
    assert accuracy(truth_sku(model="X1", material="棉麻白蜡木"), sku(model="X1", material="棉麻 白蜡木")) == 1


def test_a_value_that_the_truth_does_not_name_counts_against_exactness() -> None:
    assert slips(truth_sku(model="X1"), sku(model="X1", color="red")) == [("color", "extra")]
    assert accuracy(truth_sku(model="X1"), sku(model="X1", color="red")) == 0.5
    assert accuracy(truth_sku(model="X1", color=None), sku(model="X1", color="red")) == 0.5


def test_an_optional_value_is_free_where_right_and_wrong_where_not() -> None:
    wanted = truth_sku(model="X1", optional={"brand": "Oak"}, accept={"brand": ["OAK Ltd"]})
    assert accuracy(wanted, sku(model="X1")) == 1
    figures = figured(truth(wanted), page(sku(model="X1", brand="OAK Ltd")))
    assert (figures.counts.asked, figures.counts.right, figures.counts.extra) == (1, 1, 0)
    assert slips(wanted, sku(model="X1", brand="Elm")) == [("brand", "different")]
    assert accuracy(wanted, sku(model="X1", brand="Elm")) == 0.5


def test_any_accepted_text_is_right() -> None:
    wanted = truth_sku(model="X1", size="10 cm", accept={"size": ["10cm", "100 mm"]})
    assert accuracy(wanted, sku(model="X1", size="100 mm")) == 1
    assert accuracy(wanted, sku(model="X1", size="100")) == 0.5


def test_only_the_listed_custom_values_are_judged() -> None:
    wanted = truth_sku(model="X1", custom_attributes=[{"name": "Lamp base:", "value": "E27"}])
    assert accuracy(wanted, sku(model="X1", custom={"lamp base": "E27", "IP": "44"})) == 1
    assert slips(wanted, sku(model="X1", custom={"Lamp base": "E14"})) == [("custom:Lamp base:", "different")]
    assert slips(wanted, sku(model="X1")) == [("custom:Lamp base:", "absent")]


TIERS = [["100–999 pcs", "¥1,200.50"], ["≥ 1,000 pcs", "1,100"]]


def tier(quantity: str, value: str) -> dict[str, str]:
    return {"quantity": quantity, "value": value}


def test_tiers_are_compared_by_their_amounts() -> None:
    wanted = truth_sku(model="X1", tiers=TIERS)
    assert slips(wanted, sku(model="X1", tiers=[tier("100–999", "1200.50"), tier("≥1,000", "1100")])) == []
    assert slips(wanted, sku(model="X1", tiers=[tier("100", "1200.5"), tier("1000", "1100")])) == []
    shifted = sku(model="X1", tiers=[tier("100", "1100"), tier("1000", "1200.5")])
    assert [kind for _, kind in slips(wanted, shifted)] == ["different", "different"]
    assert [kind for _, kind in slips(wanted, sku(model="X1"))] == ["absent", "absent"]
    assert accuracy(wanted, sku(model="X1", tiers=[tier("100", "1200.5")])) == pytest.approx(2 / 3, abs=1e-4)
    twice = truth_sku(model="X1", tiers=[["100", "5"], ["100", "5"]])
    assert slips(twice, sku(model="X1", tiers=[tier("100", "5")])) == [("tier:100", "absent")]


def test_more_tiers_than_are_printed_are_extra_and_unlisted_ones_are_not_judged() -> None:
    three = [tier("100", "1200.5"), tier("1000", "1100"), tier("5000", "900")]
    assert slips(truth_sku(model="X1", tiers=TIERS), sku(model="X1", tiers=three)) == [("tier:5000", "extra")]
    assert slips(truth_sku(model="X1"), sku(model="X1", tiers=three)) == []


def test_price_columns_without_a_quantity_are_compared_by_their_label() -> None:
    wanted = truth_sku(model="X1", tiers=[["FOB", "480"], ["Direct", "340"]])
    given = [{"label": "FOB", "value": "480"}, {"label": "Warehouse", "value": "340"}]
    assert slips(wanted, sku(model="X1", tiers=given)) == [("tier:Direct", "different")]


def test_a_value_that_is_not_on_the_page_is_invented() -> None:
    wanted = truth_sku(model="X1", size="10")
    figures = figured(truth(wanted), page(sku(model="X1", size="12", color="red"), text="X1\n10"))
    assert (figures.counts.values, figures.counts.hallucinated) == (3, 2)
    assert figures.hallucination_rate == pytest.approx(2 / 3, abs=1e-4)
    assert slips(wanted, sku(model="X1", size="10", color="red"), text="X1 10") == [("color", "hallucinated")]


def test_values_of_false_skus_and_custom_values_can_be_invented_too() -> None:
    figures = figured(truth(types={1: "D"}), page(sku(model="Q", custom={"Lamp": "E27"}), text="nothing", kind="D"))
    assert (figures.counts.values, figures.counts.hallucinated) == (2, 2)


def test_a_value_is_printed_whatever_the_spaces_and_the_line_breaks() -> None:
    assert slips(truth_sku(model="X1", size="10 x 20"), sku(model="X1", size="10 x 20"), text="X1\n10 x\n20") == []


def test_a_value_of_several_cells_is_printed_where_its_box_holds_nothing_else() -> None:
    """Width and depth stand in one column of a table whose other columns come between them when it is read by rows."""
    at = {"10": (0.0, 0.0, 10.0, 10.0), "red": (50.0, 0.0, 60.0, 10.0), "20": (0.0, 20.0, 10.0, 30.0)}
    lines = tuple(Line(text, box, (Word(text, box),)) for text, box in at.items())
    printed = Printed(ParsedPage(1, 600.0, 800.0, 0, "test", (Block("T1", (0.0, 0.0, 60.0, 30.0), lines),)))
    assert printed.shows("10 20", (0.0, 0.0, 10.0, 30.0))
    assert not printed.shows("10 20", (0.0, 0.0, 60.0, 30.0))
    assert not printed.shows("10 20 30", (0.0, 0.0, 10.0, 30.0))


def test_what_the_truth_quotes_of_the_page_is_printed() -> None:
    wanted = truth(truth_sku(model="X1"), text="X1 of the Oak line")
    assert figured(wanted, page(sku(model="X1", series="Oak line"), text="X1")).hallucination_rate == 0


def test_a_value_inherited_from_another_page_is_looked_up_there() -> None:
    wanted = truth(truth_sku(2, model="X1"), types={2: "A"})
    inherited = sku(model="X1", brand="Oak", page=1)
    cover, bare = page(text="Oak\nX1"), page(text="nothing")
    assert figured(wanted, cover, page(inherited, number=2, text="X1")).hallucination_rate == 0
    assert figured(wanted, bare, page(inherited, number=2, text="X1")).hallucination_rate == 0.5


def with_pictures(bound: tuple[str, ...], images: list[dict[str, Any]] | None, **of_sku: Any) -> Any:
    fields = {} if images is None else {"images": images}
    wanted = truth(truth_sku(model="X1", **fields), images={"p": PHOTO, "q": ELSEWHERE})
    placed = {"P1": (102.0, 98.0, 205.0, 199.0), "P2": (10.0, 10.0, 60.0, 40.0), "P3": ELSEWHERE}
    found = page(sku(model="X1", pictures=bound, **of_sku), pictures=placed)
    return figured(wanted, found), measured(wanted, found)[0]


def test_a_bound_picture_is_recovered_where_the_boxes_overlap() -> None:
    figures, _ = with_pictures(("P1",), [{"image_id": "p"}])
    assert (figures.binding_recovered, figures.binding_wrong, figures.binding_ambiguous) == (1, 0, 0)


def test_another_picture_is_wrong_and_loses_the_right_one() -> None:
    figures, one = with_pictures(("P2",), [{"image_id": "p"}])
    assert (figures.binding_recovered, figures.binding_wrong) == (0, 1)
    assert (one.lost_pictures, one.wrong_pictures) == (("p",), ("P2",))


def test_one_wrong_beside_the_right_one_is_half_wrong() -> None:
    figures, _ = with_pictures(("P1", "P2"), [{"image_id": "p"}])
    assert (figures.binding_recovered, figures.binding_wrong) == (1, 0.5)


def test_a_picture_that_is_not_required_may_be_bound_or_left() -> None:
    uses = [{"image_id": "p"}, {"image_id": "q", "required": False}]
    for bound in (("P1",), ("P1", "P3")):
        figures, _ = with_pictures(bound, uses)
        assert (figures.binding_recovered, figures.binding_wrong) == (1, 0)


def test_a_picture_bound_where_none_is_printed_is_wrong() -> None:
    figures, _ = with_pictures(("P1",), [])
    assert (figures.binding_recovered, figures.binding_wrong) == (None, 1)


def test_a_picture_that_is_not_on_the_page_is_wrong() -> None:
    figures, one = with_pictures(("P1", "P77"), [{"image_id": "p"}])
    assert (figures.binding_wrong, one.wrong_pictures) == (0.5, ("P77",))


def test_a_picture_at_the_same_place_of_another_page_is_another_picture() -> None:
    body = truth(truth_sku(2, model="X1", images=[{"image_id": "p"}]), types={2: "A"}, images={"p": PHOTO})
    (one,) = measured(body, page(sku(model="X1", page=2, pictures=("P1",)), number=2, pictures={"P1": PHOTO}))
    assert (one.lost_pictures, one.wrong_pictures) == (("p",), ("P1",))


def test_pictures_nobody_counted_are_not_judged() -> None:
    figures, _ = with_pictures(("P2",), None)
    assert (figures.binding_recovered, figures.binding_wrong, figures.binding_ambiguous) == (None, None, None)


def test_an_ambiguous_binding_is_lost_but_not_wrong() -> None:
    figures, _ = with_pictures((), [{"image_id": "p"}], ambiguous=True)
    assert (figures.binding_recovered, figures.binding_wrong, figures.binding_ambiguous) == (0, None, 1)
    assert with_pictures((), [], ambiguous=True)[0].counts.ambiguous == 0


def test_a_missed_sku_loses_its_pictures_too() -> None:
    wanted = truth(
        truth_sku(model="X1", images=[{"image_id": "p"}]),
        truth_sku(model="X2", images=[{"image_id": "q"}]),
        images={"p": PHOTO, "q": ELSEWHERE},
    )
    figures = figured(wanted, page(sku(model="X1", pictures=("P1",)), pictures={"P1": PHOTO}))
    assert (figures.binding_recovered, figures.binding_recovered_of_matched) == (0.5, 1)


def test_types_are_counted_by_the_truth_and_then_by_what_was_found() -> None:
    wanted = truth(types={1: "A", 2: "A", 3: "D", 4: "B"})
    found = figured(
        wanted, page(kind="A"), page(number=2, kind="B"), page(number=3, kind="D"), page(number=4, kind="B")
    )
    assert found.confusion == {"A": {"A": 1, "B": 1}, "B": {"B": 1}, "D": {"D": 1}}
    # p_o = 3/4; p_e = (2*1 + 1*2 + 1*1)/16 = 5/16
    assert (found.page_type_accuracy, found.page_type_kappa) == (0.75, pytest.approx(7 / 11, abs=1e-4))


def test_recall_across_pages_is_of_the_pages_that_continue_a_table() -> None:
    body = truth(truth_sku(2, model="X1"), truth_sku(2, model="X2"), types={2: "A"}, continues=1)
    assert figured(body, page(sku(model="X2", page=2), number=2)).cross_page_recall == 0.5
    assert figured(truth(truth_sku(model="X1")), page(sku(model="X1"))).cross_page_recall is None


def test_a_page_with_any_blocker_needs_a_person() -> None:
    wanted = truth(types={1: "D", 2: "D", 3: "D", 4: "D"})
    blocked = page(kind="D", blockers=("low_confidence",))
    assert figured(wanted, blocked, *(page(number=n, kind="D") for n in (2, 3, 4))).human_share == 0.25


def test_a_sku_is_right_only_with_every_asked_value_and_none_invented() -> None:
    wanted = truth(*(truth_sku(model=f"X{n}", size="10") for n in range(4)))
    found = page(
        sku(0.9, model="X0", size="10"),
        sku(0.8, model="X1", size="11"),
        sku(0.7, model="X2", size="10", color="red"),
        sku(0.6, model="X3", size="10", brand="Oak"),
        sku(0.5, model="Q"),
        text="X0 X1 X2 X3 Q\n10\n11\nOak",
    )
    (one,) = measured(wanted, found)
    assert one.confidences == ((0.9, True), (0.8, False), (0.7, False), (0.6, True), (0.5, False))


def test_text_read_is_the_share_of_the_truths_lines() -> None:
    wanted = truth(types={1: "D"}, text="Oak table\n\n10 x 20\nWarranty")
    assert figured(wanted, page(kind="D", text="Oak  table\nWarranty")).text_read == pytest.approx(2 / 3, abs=1e-4)


def test_loss_is_what_a_person_would_have_to_mend() -> None:
    wanted = truth(truth_sku(model="X1", size="10"), truth_sku(model="X2", size="10"), truth_sku(model="X3"))
    (right,) = measured(wanted, page(*(sku(model=m, size="10") for m in ("X1", "X2")), sku(model="X3")))
    (wrong,) = measured(wanted, page(sku(model="X1", size="9"), sku(model="Q"), kind="B"))
    assert right.loss == 0
    assert wrong.loss == pytest.approx(2 + 1 + 1 * 0.5 + 1)


def test_boxes_of_truth_and_result_lie_side_by_side() -> None:
    wanted = truth(truth_sku(model="X1", card_bbox=[0, 0, 50, 50], images=[{"image_id": "p"}]), images={"p": PHOTO})
    placed = {"P1": (150.0, 150.0, 700.0, 900.0), "P2": ELSEWHERE}
    (one,) = measured(wanted, page(sku(model="Z", pictures=("P1",)), pictures=placed))
    assert [(box.kind, box.whose, box.label) for box in one.boxes] == [
        ("sku", "truth", "X1"),
        ("picture", "truth", "p"),
        ("sku", "found", "Z"),
        ("picture", "found", "P1"),
        ("picture", "unbound", "P2"),
    ]
    assert one.boxes[3].bbox == (150, 150, 600, 800), "its visible part"


NAMES = st.sampled_from(["X1", "X2", "Oak table", "Oak tab1e", "Lamp"])
TEXTS = st.dictionaries(st.sampled_from(["model", "product_name", "size", "color"]), NAMES, min_size=1).filter(
    lambda texts: "model" in texts or "product_name" in texts
)


@given(st.lists(TEXTS, max_size=5), st.lists(st.tuples(TEXTS, st.floats(0, 1)), max_size=5))
def test_counts_add_up_and_shares_stay_shares_whatever_is_found(
    printed: list[dict[str, str]], found: list[tuple[dict[str, str], float]]
) -> None:
    skus = [sku(confidence, **texts) for texts, confidence in found]
    figures = figured(truth(*(truth_sku(**texts) for texts in printed)), page(*skus, text="X1 Lamp"))
    n = figures.counts
    assert n.matched + n.missed == len(printed) and n.matched + n.false == len(found)
    assert 0 <= n.right <= n.asked and 0 <= n.hallucinated <= n.values
    assert figures.skus_right <= n.matched and figures.skus_right + figures.skus_wrong == len(found)
    shares = {name: getattr(figures, name) for name in figures.__struct_fields__ if name != "page_type_kappa"}
    assert all(0 <= share <= 1 for share in shares.values() if isinstance(share, float))


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_the_truth_itself_as_the_result_is_without_fault(printed: list[dict[str, str]]) -> None:
    figures = figured(truth(*(truth_sku(**texts) for texts in printed)), page(*(sku(**texts) for texts in printed)))
    assert (figures.f1, figures.attribute_accuracy, figures.hallucination_rate, figures.skus_wrong) == (1, 1, 0, 0)


def test_a_failed_page_keeps_its_failure() -> None:
    (one,) = measured(truth(types={1: "D"}))
    assert one.failure == "not_read" and UnderstoodPage(failure="time_limit").needs_person
