"""Figures of threshold profiles: what may be stored, and what holds where an older version stored something else."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.acceptance import CHECKED_FIRST, DOUBTFUL_BELOW
from catalogsku.core.structs import ready
from catalogsku.profiles import figures
from catalogsku.profiles.routes import DEFAULT_POINTS, default_rows, points_are_usable, usable_points, usable_rows
from processing.engine.evaluation.config import EvaluationConfig, PrescanRules
from processing.engine.understanding.config import BindingLimits, Classification, Rules
from processing.llm.routing import Routes

OBJECTS = {"prescan_rules": figures.PRESCAN_RULES, "classification": figures.CLASSIFICATION}
WHATEVER = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def given_figures(known: figures.Figures) -> st.SearchStrategy[Any]:
    keys = st.sampled_from(sorted(known)) | st.text(max_size=4)
    return WHATEVER | st.dictionaries(keys, WHATEVER | st.floats(0, 1) | st.integers(0, 20), max_size=9)


@pytest.mark.parametrize("known", OBJECTS.values(), ids=OBJECTS)
def test_what_a_new_profile_begins_with_is_without_fault_and_names_what_the_engine_takes(
    known: figures.Figures,
) -> None:
    assert figures.faults_of(figures.defaults(known), known) == []
    struct: Any = PrescanRules if "all_blank_reject" in known else Classification
    own = {"skips_checked": CHECKED_FIRST, "skip_doubtful_below": DOUBTFUL_BELOW}  # of a document, not of a page
    expected = msgspec.to_builtins(struct()) | (own if struct is Classification else {})
    assert figures.completed({}, known) == expected, "defaults here and there"


@pytest.mark.req("TA-T84", "TA-RULES")
def test_limits_that_no_profile_sets_are_the_engines_own() -> None:
    assert figures.defaults(figures.LIMITS) == {} and figures.faults_of({}, figures.LIMITS) == []
    whole = figures.completed({}, figures.LIMITS)
    gaps = {layout: whole[f"gap_{layout.lower()}"] for layout in BindingLimits().gap_pt}
    engine = msgspec.to_builtins(BindingLimits()) | msgspec.to_builtins(Rules())
    engine.pop("disabled")
    assert {**{key: value for key, value in whole.items() if not key.startswith("gap_")}, "gap_pt": gaps} == engine


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ocr_rate_penalty_weight": None}, "number"),
        ({"ocr_rate_penalty_weight": "ten percent"}, "number"),
        ({"ocr_rate_penalty_weight": "0.1"}, "number"),
        ({"ocr_rate_penalty_weight": -0.1}, "number"),
        ({"ocr_rate_penalty_weight": float("nan")}, "number"),
        ({"ocr_rate_penalty_weight": True}, "number"),
        ({"min_text_chars_for_blank": 10.5}, "whole"),
        ({"min_text_chars_for_blank": "ten"}, "whole"),
        ({"all_blank_reject": 1}, "switch"),
        ({"ocr_rate_penalty_wieght": 0.1}, "unknown"),
    ],
)
def test_each_key_at_fault_is_named(change: dict[str, Any], code: str) -> None:
    found = figures.faults_of({**figures.defaults(figures.PRESCAN_RULES), **change}, figures.PRESCAN_RULES)
    assert [(fault.code, fault.key) for fault in found] == [(code, *change)]


@pytest.mark.parametrize("missing", sorted(figures.PRESCAN_RULES))
def test_a_missing_key_is_a_fault_and_counts_as_its_default(missing: str) -> None:
    left = {key: value for key, value in figures.defaults(figures.PRESCAN_RULES).items() if key != missing}
    assert figures.faults_of(left, figures.PRESCAN_RULES) == [figures.Fault("missing", missing)]
    assert figures.completed(left, figures.PRESCAN_RULES) == figures.defaults(figures.PRESCAN_RULES)


@given(
    given_figures(figures.PRESCAN_RULES),
    given_figures(figures.CLASSIFICATION),
    given_figures(dict.fromkeys(figures.WEIGHTS, figures.Figure(0.1))),
)
def test_whatever_is_stored_makes_a_configuration_and_what_is_right_is_kept(
    prescan: Any, classification: Any, weights: Any
) -> None:
    whole = figures.completed(prescan, figures.PRESCAN_RULES)
    told = msgspec.convert(whole, ready(PrescanRules))
    msgspec.convert(figures.completed(classification, figures.CLASSIFICATION), ready(Classification))
    EvaluationConfig(weights=figures.completed_weights(weights), prescan=told)
    assert figures.faults_of(whole, figures.PRESCAN_RULES) == []
    if not figures.faults_of(prescan, figures.PRESCAN_RULES):
        assert whole == prescan
    if not figures.faults_of_weights(weights):
        assert figures.completed_weights(weights) == {key: float(value) for key, value in weights.items()}


@given(st.lists(WHATEVER, max_size=3), given_figures(dict.fromkeys(DEFAULT_POINTS, figures.Figure(1))))
def test_whatever_a_routing_table_stores_makes_routes(rows: list[Any], points: Any) -> None:
    right = default_rows()
    told = {"rows": usable_rows([*rows, *right]), "points": usable_points(points)}
    assert msgspec.to_builtins(msgspec.convert(told, ready(Routes)).rows)[-len(right) :] == tuple(right)
    if points_are_usable(points):
        assert usable_points(points) == points


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"layout_quality": "a lot"}, "number"),
        ({"layout_quality": None}, "number"),
        ({"layout_quality": "NaN"}, "number"),
        ({"layout_quality": 2}, "number"),
        ({"layout": 0.1}, "unknown"),
        ({"layout_quality": "0.16"}, "not_one"),
    ],
)
def test_weights_at_fault_are_named(change: dict[str, Any], code: str) -> None:
    assert [fault.code for fault in figures.faults_of_weights({**figures.WEIGHTS, **change})] == [code]
    assert figures.faults_of_weights([]) == [figures.Fault("not_an_object")]
