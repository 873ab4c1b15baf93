"""Stages that fail, extraction that falls back, parts that are missing, and a second analyst."""

import msgspec
import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import Blocker, DocumentFacts, PageResult
from processing.engine.understanding import extractors, pipeline
from processing.engine.understanding.config import AnalystConfig, BindingLimits, SchemaAttribute, SchemaRule
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.pipeline import STAGES, Understood, understand_page
from processing.engine.understanding.second_opinion import is_wanted, with_opinion
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, page, table

ROWS = [["Model", "Name", "Size", "Price"], ["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"]]
TABLE_PAGE = page(tables=[table(ROWS)])


def understood(one: ParsedPage = TABLE_PAGE, **parts: object) -> PageResult:
    return understand_page(one, (), DocumentFacts(), AnalystConfig(**{"proposers": ("rules",)} | parts))  # type: ignore[arg-type]


class Broken(Exception):
    """What a stage raises here."""


# Type and number of products that are kept of the page when the stage fails.
KEPT = {
    "guard": ("D", 0), "read": ("D", 0), "complete": ("A", 2), "judge": ("A", 2),
    "ground": ("A", 2), "bind": ("A", 2), "check": ("A", 2),
}  # fmt: skip


@pytest.mark.req("GR-STAGEFAIL")
@pytest.mark.parametrize("name", [stage.__name__.strip("_") for stage in STAGES])
def test_a_failing_stage_keeps_what_was_found_and_asks_a_person(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(found: Understood) -> Understood:
        raise Broken("no such thing")

    breaks.__name__ = f"_{name}"
    stages = tuple(breaks if stage.__name__ == f"_{name}" else stage for stage in STAGES)
    monkeypatch.setattr(pipeline, "STAGES", stages)
    whole, result = understand_page_with(STAGES, monkeypatch), understand_page_with(stages, monkeypatch)
    assert (result.page_type, len(result.skus)) == KEPT[name]
    assert result.confidence == 0.0 and whole.confidence > 0.75 and whole.blockers == ()
    blocker = result.blockers[-1]
    assert (blocker.code, blocker.sku, blocker.severity) == ("stage_failed", None, "error")
    assert blocker.params == {"stage": name, "error": "Broken: no such thing"}
    kept = [sku.identity for sku in result.skus]
    assert kept == [sku.identity for sku in whole.skus][: len(kept)]


def understand_page_with(stages: object, monkeypatch: pytest.MonkeyPatch) -> PageResult:
    monkeypatch.setattr(pipeline, "STAGES", stages)
    return understood()


@pytest.mark.req("GR-STAGEFAIL")
def test_the_sandboxs_memory_limit_is_no_stage_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def starves(found: Understood) -> Understood:
        raise MemoryError

    monkeypatch.setattr(pipeline, "STAGES", (*STAGES[:1], starves, *STAGES[2:]))
    with pytest.raises(MemoryError):
        understood()


def raising(view: PageView) -> Extraction:
    raise Broken


def nameless(count: int, of: int) -> extractors.Extractor:
    """The table's products, ``count`` of ``of`` without their identity."""

    def found(view: PageView) -> Extraction:
        draft = extractors.table_page(view).drafts[0]
        bare = msgspec.structs.replace(draft, attributes={"size": draft.attributes["size"]})
        drafts = [bare if n < count else numbered(draft, n) for n in range(of)]
        return Extraction(tuple(drafts))

    return found


def numbered(draft: Draft, n: int) -> Draft:
    value = draft.attributes["model"]
    return msgspec.structs.replace(
        draft, attributes=draft.attributes | {"model": msgspec.structs.replace(value, text=f"A-{n}")}
    )


@pytest.mark.req("TA-T27")
@pytest.mark.parametrize(
    ("extractor", "reason", "used"),
    [
        (extractors.table_page, "", "rules.table"),
        (raising, "exception:Broken", "rules.single"),
        (lambda view: Extraction(), "empty_result", "rules.single"),
        (nameless(1, 2), "invalid_ratio_high", "rules.single"),
        (nameless(3, 10), "", "rules.table"),
        (nameless(4, 10), "invalid_ratio_high", "rules.table"),  # six with identity are more than the single pass gives
    ],
)
def test_extraction_falls_back_to_a_single_pass(
    extractor: extractors.Extractor, reason: str, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extractors, "_EXTRACTORS", extractors._EXTRACTORS | {"A": ("rules.table", extractor)})
    result = understood()
    assert (result.fallback_reason, result.extractor) == (reason, used)
    if used == "rules.single":
        assert [sku.identity for sku in result.skus] == ["A-1", "A-2"]


@pytest.mark.req("TA-T27", "GR-STAGEFAIL")
def test_a_page_on_which_the_single_pass_fails_too_goes_to_a_person_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extractors, "_EXTRACTORS", {"A": ("rules.table", raising)})
    monkeypatch.setattr(extractors, "single_pass", lambda view: Extraction())
    empty = understood()
    assert empty.fallback_reason == "exception:Broken,single_stage_empty" and not empty.skus
    assert "no_sku_found" in {blocker.code for blocker in empty.blockers}
    monkeypatch.setattr(extractors, "single_pass", raising)
    assert [(b.code, b.params["stage"]) for b in understood().blockers] == [("stage_failed", "read")]


@pytest.mark.req("TA-T27")
def test_in_the_single_pass_one_broken_way_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractors, "_EXTRACTORS", {"A": ("rules.table", raising)})
    monkeypatch.setattr(extractors, "extract_cards", raising)
    assert [sku.identity for sku in understood().skus] == ["A-1", "A-2"]
    monkeypatch.setattr(extractors, "_tables", raising)
    monkeypatch.setattr(extractors, "extract_captions", raising)
    assert [b.code for b in understood().blockers] == ["stage_failed"]


@pytest.mark.req("GR-CONTEXT")
@pytest.mark.parametrize(
    ("parts", "missing"),
    [
        ({"binding": BindingLimits(gap_pt={"L1": 200.0, "L2": 100.0, "L4": 80.0})}, "profile.binding.gap_pt.L3"),
        ({"schema_rules": (SchemaRule("required_field", "wattage"),)}, "schema.attributes.wattage"),
        ({"schema_rules": (SchemaRule("regex_match", "model"),)}, "schema.rules.model.pattern"),
    ],
)
def test_a_missing_part_stops_the_page_by_name(parts: dict[str, object], missing: str) -> None:
    result = understood(**parts)
    assert result.blockers == (Blocker("context_missing", {"parts": missing}, severity="error"),)
    assert (result.skus, result.confidence) == ((), 0.0)


@pytest.mark.req("GR-CONTEXT")
def test_a_rule_for_an_attribute_of_the_schema_lacks_nothing() -> None:
    rules = (SchemaRule("required_field", "wattage"), SchemaRule("regex_match", "model", pattern=".*"))
    result = understood(schema_rules=rules, attributes=(SchemaAttribute("wattage"),))
    assert "context_missing" not in {blocker.code for blocker in result.blockers} and len(result.skus) == 2


def with_second(second: PageResult, first: PageResult | None = None) -> PageResult:
    return with_opinion(first or understood(review_below=1.0), second)


@pytest.mark.req("GR-2ND")
def test_a_second_opinion_is_wanted_only_below_the_limit() -> None:
    sure = understood()
    assert not is_wanted(sure, sure.confidence) and is_wanted(sure, sure.confidence + 0.001)
    assert BY_RULES.review_below == 0.75


@pytest.mark.req("GR-2ND")
def test_agreement_is_stored_and_lifts_only_the_doubt_in_the_page() -> None:
    result = with_second(msgspec.structs.replace(understood(), analyst="other/1", skus=understood().skus[::-1]))
    assert result.opinion is not None and result.opinion.agrees
    assert (result.opinion.analyst, result.opinion.same_skus) == ("other/1", 2)
    assert result.blockers == ()
    partial = page(tables=[table([["Model", "Name", "Price"], ["A-1", "Mug", "TBD"], ["A-2", "Cup", "$4"]])])
    alone = understood(partial, review_below=1.0)
    agreed = with_second(alone, alone)
    assert {b.code for b in alone.blockers} - {b.code for b in agreed.blockers} == {"low_confidence"}
    assert "specification_missing" in {b.code for b in agreed.blockers}


@pytest.mark.req("GR-2ND")
def test_disagreement_is_stored_and_stays_with_a_person() -> None:
    first = understood(review_below=1.0)
    result = with_second(msgspec.structs.replace(first, page_type="B", skus=first.skus[:1], analyst="other/1"))
    assert result.opinion is not None and not result.opinion.agrees
    assert (result.opinion.same_type, result.opinion.only_first, result.opinion.only_second) == (False, ("a-2",), ())
    assert {"low_confidence", "second_opinion_differs"} <= {blocker.code for blocker in result.blockers}
    assert result.skus == first.skus
