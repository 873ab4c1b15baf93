"""Results of studies beside truths: right, wrong, not reported, parts matched, grades, decoys, figures, gate."""

import pytest

from processing.engine.quality.gate import gate_passed
from processing.engine.quality.study_measure import Counts, decode_result, sum_counts
from processing.engine.quality.study_report import (
    SHARES,
    StudyReport,
    compare_studies,
    decode_study_report,
    encode_study_report,
    make_study_report,
)
from processing.engine.quality.study_trials import counts_of, decoys_of, trials_of
from tests.unit.quality.study_made import FIELDS, found, measured, once, paper, part, result, truth, value

pytestmark = pytest.mark.req("LX-EXACT", "LX-QUOTE", "TA-T49")
REPEATS = {field["key"]: field["repeat"] for field in FIELDS}


def report(*papers: object) -> StudyReport:
    return make_study_report(papers, REPEATS, [], {"commit": "x"})  # type: ignore[arg-type]


def test_a_value_is_right_as_two_people_would_take_it_for_the_same() -> None:
    told = truth(once(total=value("1,092"), country=value("Norway", accept=["Kingdom of Norway"])))
    right = measured(told, found(total="1092", country="kingdom of  norway"))
    assert right.by_field == {
        "country": Counts(wanted=1, answered=1, right=1, right_yellow=1),
        "total": Counts(wanted=1, answered=1, right=1, right_yellow=1),
    }
    assert right.slips == ()
    wrong = measured(told, found(total="1,091", country=("Sweden", "green")))
    assert wrong.by_field["total"] == Counts(wanted=1, answered=1)
    assert wrong.by_field["country"] == Counts(wanted=1, answered=1, green=1, green_wrong=1)
    assert [(slip.field, slip.kind, slip.wanted, slip.text) for slip in wrong.slips] == [
        ("total", "wrong", "1,092", "1,091"),
        ("country", "wrong", "Norway", "Sweden"),
    ]
    none = measured(told)
    assert sum_counts(none.by_field.values()) == Counts(wanted=2) and [s.kind for s in none.slips] == ["missed"] * 2


def test_a_choice_is_right_by_its_key_alone() -> None:
    told = truth(once(design=value("parallel"), conflicts=value("no")))
    assert measured(told, found(design="parallel", conflicts="no")).slips == ()
    assert {slip.field for slip in measured(told, found(design="Parallel", conflicts="No")).slips} == {
        *("design", "conflicts")
    }


def test_where_the_paper_reports_none_any_value_is_false_and_what_is_not_spoken_of_is_not_judged() -> None:
    told = truth(once(total=None))
    assert measured(told, found(country="Norway")).by_field == {"total": Counts(unreported=1, left_empty=1)}
    assert measured(told, found(total="")).by_field == {"total": Counts(unreported=1, left_empty=1)}, "people said so"
    false = measured(told, found(total=("9", "green")))
    assert false.by_field == {"total": Counts(unreported=1, answered=1, green=1, green_wrong=1)}
    assert [(slip.kind, slip.text, slip.grade) for slip in false.slips] == [("false", "9", "green")]


def test_what_is_offered_beside_a_value_counts_where_the_value_is_not_right() -> None:
    told = truth(once(total=value("92"), country=value("Norway")))
    seen = measured(told, found(total=["90", "91", "92"], country=["Norway", "Norway"]))
    assert seen.by_field["total"] == Counts(wanted=1, answered=1, offered=1)
    assert seen.by_field["country"].offered == 0
    assert seen.slips[0].offered
    assert measured(told, found(total=[None, "92"])).by_field["total"] == Counts(wanted=1, offered=1)


def test_parts_are_matched_by_any_of_their_names_one_to_one() -> None:
    told = truth(part("Exercise", "Group I", size=value("45")), part("Control", size=value("47")))
    seen = measured(told, found("per_arm", "control", size="47"), found("per_arm", "GROUP I", size="45"))
    assert seen.slips == () and seen.by_repeat["per_arm"] == Counts(parts=2, parts_met=2, parts_found=2)
    lost = measured(told, found("per_arm", "Group I", size="45"), found("per_arm", "Sham", size="47"))
    assert lost.by_repeat["per_arm"] == Counts(parts=2, parts_met=1, parts_found=2)
    assert [(slip.part, slip.kind) for slip in lost.slips] == [("Control", "missed")]
    gone = measured(told, found("per_arm", "Control", "REJECTED", size="47"))
    assert gone.by_repeat["per_arm"] == Counts(parts=2), "people left it out"


def test_a_part_is_met_by_what_its_required_text_says_and_of_two_by_what_agrees() -> None:
    told = truth(part("Weight", repeat="per_outcome", outcome_name=value("Weight, kg"), mean=value("71.2")))
    by_value = measured(told, found("per_outcome", "At 12 weeks Weight", outcome_name="weight, kg", mean="71.2"))
    assert by_value.slips == ()
    says = found("per_outcome", "Section one", outcome_name="Weight", mean="3.1")
    agrees = found("per_outcome", "Section two", outcome_name="Weight", mean="71.2")
    for records in ((says, agrees), (agrees, says)):
        assert {slip.field for slip in measured(told, *records).slips} == {"outcome_name"}
    named = found("per_outcome", "weight", mean="3.1")
    assert [slip.text for slip in measured(told, agrees, named).slips if slip.field == "mean"] == ["3.1"], (
        "its own name goes before what a value says"
    )
    other = found("per_outcome", "Height", mean="71.2")
    assert measured(told, other).by_repeat["per_outcome"].parts_met == 0, "a number names nothing"


@pytest.mark.parametrize(
    ("text", "quote", "decoys"),
    [
        ("12.5", "mean 12.5 kg", ["22.5", "13.5", "125", "12.6"]),
        ("−7.7", "fell by −7.7 bpm", ["7.7", "−8.7", "−77", "−7.8"]),
        ("9", "9 of 45", ["0"]),
        ("45", "45 and 46 of each", ["55"]),  # 46 is printed, too
        ("5.0", "5.0 ± 50 and 6.0", ["5.1"]),
        ("12–20", "from 12–20 years", ["22–20", "13–20", "12–30", "12–21"]),
        ("7.7", "−8.7 and 7.7", ["8.7", "77", "7.8"]),  # that the quote has it below zero is another number
    ],
)
def test_decoys_are_one_slip_away_and_not_said_by_the_quote(text: str, quote: str, decoys: list[str]) -> None:
    assert decoys_of(text, quote) == decoys


def test_quotes_and_decoys_are_counted_by_how_they_are_proved() -> None:
    told = truth(once(total=value("92", "in all, 92"), design=value("parallel", "two arms"), conflicts=None))
    trials = trials_of(told, {field.key: field for field in result().template.fields})
    assert [(t.text, t.quote, t.is_decoy) for t in trials] == [
        ("92", "in all, 92", False),
        ("02", "in all, 92", True),
        ("93", "in all, 92", True),
        (None, "two arms", False),
    ]
    counts = counts_of(trials, ["green", "red", "green", "yellow"])
    assert counts["total"] == Counts(quotes=1, quotes_green=1, decoys=2, decoys_green=1)
    assert counts["design"] == Counts(quotes=1, quotes_yellow=1)


def test_figures_are_shares_of_sums_by_repeat_and_field_with_intervals_over_makers() -> None:
    told = truth(
        once(total=value("92"), country=value("Norway"), conflicts=None),
        part("Exercise", size=value("45")),
        part("Control", size=value("47")),
    )
    good = paper(
        told,
        found(total=("92", "green"), country="Norway"),
        found("per_arm", "Exercise", size="45"),
        found("per_arm", "Control", size="47"),
    )
    bad = paper(told, found(total=("93", "green"), conflicts="yes"), name="set/other", maker="other")
    seen = report(good, bad)
    assert seen.total.figures == {
        "coverage": 0.5, "precision": round(4 / 6, 4), "f1": round(8 / 14, 4), "left_empty": 0.5,
        "right_green": 0.25, "right_yellow": 0.75, "right_red": 0.0, "false_green": 0.5, "offered": 0.0,
        "parts_met": 0.5,
    }  # fmt: skip
    assert seen.by_repeat["none"].figures["coverage"] == 0.5 and seen.by_repeat["per_arm"].figures["parts_met"] == 0.5
    assert seen.by_repeat["per_outcome"].figures == {}
    assert list(seen.by_field) == ["country", "total", "conflicts", "size"], "in the template's order"
    assert seen.by_field["total"].figures["false_green"] == 0.5
    assert seen.total.intervals["coverage"] == (0.0, 1.0) and seen.makers == 2
    assert report(good).total.intervals == {}, "one maker says nothing of others"
    assert encode_study_report(report(bad, good)) == encode_study_report(seen), "whatever their order"
    assert decode_study_report(encode_study_report(seen)) == seen
    for data in (b"{}", encode_study_report(seen).replace(b'"study-1.0"', b'"study-2.0"')):
        with pytest.raises(ValueError, match="report"):
            decode_study_report(data)


def test_the_gate_stops_at_false_green_and_at_decoys_and_where_nothing_was_judged() -> None:
    told = truth(once(total=value("92")))
    right, wrong = paper(told, found(total=("92", "green"))), paper(told, found(total=("93", "green")))
    assert gate_passed(report(right).gate)
    assert [line.verdict for line in report(right).gate] == ["not computable", "passed"]
    assert not gate_passed(report(wrong).gate)
    assert gate_passed(report(paper(told, found(total="93"))).gate), "yellow: somebody looks"
    assert not gate_passed(report().gate)


def test_of_two_reports_it_is_told_what_became_better() -> None:
    told = truth(once(total=value("92"), country=value("Norway")))
    before = report(paper(told, found(total=("93", "green"))), paper(told, name="set/gone"))
    after = report(paper(told, found(total=("92", "green"))), paper(told, name="set/new"))
    seen = compare_studies(before, after)
    total = {change.figure: (change.before, change.after, change.direction) for change in seen.total}
    assert total["coverage"] == (0.0, 0.25, "better") and total["false_green"] == (1.0, 0.0, "better")
    assert total["right_green"] == (None, 1.0, "not comparable") and total["offered"][2] == "same"
    assert set(seen.by_field) == {"total"} and set(seen.by_paper) == {"set/falls"}
    assert (seen.gone, seen.new) == (("set/gone",), ("set/new",))
    back = {change.figure: change.direction for change in compare_studies(after, before).total}
    assert back["coverage"] == back["false_green"] == "worse"


def test_what_is_no_result_of_a_study_is_refused() -> None:
    for data in (b"{}", b"\xff", b'{"schema_version": "1.0"}'):
        with pytest.raises(ValueError, match="no result file of a study"):
            decode_result(data)


def test_every_figure_is_a_share() -> None:
    counts = Counts(*range(1, len(Counts.__struct_fields__) + 1))
    assert all(whole(counts) for _, whole in SHARES.values())
