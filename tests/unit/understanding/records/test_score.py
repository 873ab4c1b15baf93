"""Which proposal tells the page: that of the highest score, of the same products the fullest, the rules' where hardly
below; and what is said of pages where proposers fail or are alone."""

from collections.abc import Callable, Iterator

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.classifying.classify import classify
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.extractors import extract
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.records import propose as proposing
from processing.engine.understanding.records import score as scoring
from processing.engine.understanding.records.propose import ALL_PROPOSERS, NONE, RULES, Proposal, propose
from processing.engine.understanding.records.score import WEIGHTS, best_of, choose, forests, rules_at, trust_row
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts
from tests.unit.understanding.records.views import in_grid, photos

NAMES = ["Hammer with ash handle", "Folding saw", "Garden spade", "Bow rake", "Hand trowel", "Steel watering can",
         "Pruning shears", "Wheelbarrow"]  # fmt: skip
CODES = ["T56-71", "T56-72", "T58-01", "T59-13", "T60-13", "T60-17", "T61-02", "T61-44"]
PRICES = ["12,50", "113,90", "1 250,00", "75,00", "22,80", "41,00", "9,90", "17,30"]
EUROS = [f"€ {price}" for price in PRICES]
X, Y = frozenset("x"), frozenset("xy")
EMPTY: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("told", "values", "scores", "best"),
    [
        ([EMPTY, X, Y], [0, 1, 2], [0.1, 0.5, 0.8], 2),  # the highest
        ([EMPTY, X, Y], [0, 1, 2], [0.9, 0.5, 0.8], 2),  # never that there are none, where the rules found some
        ([EMPTY, X, Y], [0, 1, 2], [0.1, 0.76, 0.8], 1),  # the rules, hardly below
        ([EMPTY, X, Y], [0, 1, 2], [0.1, 0.74, 0.8], 2),  # and more than that
        ([EMPTY, X, Y, Y], [0, 1, 2, 3], [0.1, 0.3, 0.8, 0.7], 3),  # the fullest of the same products
        ([EMPTY, X, Y, Y], [0, 1, 2, 3], [0.1, 0.3, 0.8, 0.6], 2),  # but none far below
        ([EMPTY, X, Y, Y], [0, 1, 3, 3], [0.1, 0.3, 0.7, 0.8], 3),  # as full as another: the higher
        ([EMPTY, Y, Y], [0, 3, 4], [0.1, 0.7, 0.8], 1),  # the rules, where the other gives few more
        ([EMPTY, Y, Y], [0, 2, 4], [0.1, 0.7, 0.8], 2),  # and many more
        ([EMPTY, Y, Y], [0, 2, 4], [0.1, 0.8, 0.7], 2),
        ([EMPTY], [0], [0.2], 0),
    ],
)
def test_best_is_the_highest_score_and_of_the_same_products_the_fullest(
    told: list[frozenset[str]], values: list[float], scores: list[float], best: int
) -> None:
    """The second is the rules', where there are more than one."""
    assert best_of(told, values, scores, min(1, len(told) - 1)) == best


def test_where_the_rules_found_nothing_the_best_may_be_that_there_is_nothing() -> None:
    assert best_of([EMPTY, X, Y], [0, 1, 2], [0.9, 0.5, 0.8], 0) == 0
    assert best_of([EMPTY, X, Y], [0, 1, 2], [0.7, 0.5, 0.8], 0) == 2


def test_rules_that_found_nothing_say_that_there_is_nothing() -> None:
    found = [Proposal(NONE, Extraction()), Proposal("grid.ruled", Extraction())]
    assert rules_at(found) == 0
    assert rules_at([*found, Proposal(RULES, Extraction())]) == 2


def test_trust_knows_how_far_ahead_the_best_is_of_whoever_says_something_else() -> None:
    row = trust_row([EMPTY, X, Y, Y], [{}, {}, {"n": 2.0}, {"n": 9.0}], [0.1, 0.3, 0.8, 0.75], 2)
    assert row["n"] == 2.0 and row["score"] == 0.8 and row["none_score"] == 0.1
    assert row["nearest"] == 0.3 and row["ahead"] == pytest.approx(0.5)
    more = trust_row([EMPTY, X, Y], [{}, {}, {}], [0.1, 0.3, 0.8], 2)
    assert more["same"] < row["same"]
    assert trust_row([EMPTY], [{}], [0.4], 0)["ahead"] == 0.4


# --- the weights that ship -----------------------------------------------------------------------


def understood(one: ParsedPage, config: AnalystConfig = BY_RULES) -> PageResult:
    return understand_page(one, (), DocumentFacts(), config)


def by_default(one: ParsedPage) -> PageResult:
    return understood(one, AnalystConfig(proposers=ALL_PROPOSERS))


UNKNOWN_HEADS = page(
    line("Garden", 50, 60, 16),
    tables=[table([["Zorp", "Vlim", "Drun"], *map(list, zip(CODES, NAMES, PRICES, strict=True))])],
)
CARDS = page(
    line("Garden", 50, 50, 20),
    *in_grid(
        *([(n, 110, 12), ("Steel, oiled ash", 142, 8), (p, 160, 9)] for n, p in zip(NAMES[:6], EUROS, strict=False))
    ),
    pictures=photos(6),
)
BARE_CARDS = page(
    line("Garden", 50, 50, 20), *in_grid(*([(n, 0, 12), (p, 36, 11)] for n, p in zip(NAMES[:6], EUROS, strict=False)))
)
DOTTED = page(
    line("Garden tools", 50, 50, 16),
    *(
        line(f"{c} {n} {'.' * 20} {p}", 50, 100 + 20 * k)
        for k, (c, n, p) in enumerate(zip(CODES, NAMES, EUROS, strict=True))
    ),
)


def test_what_ships_loads_and_names_features_that_pages_have() -> None:
    scorer, trust = forests(b"")
    assert WEIGHTS.stat().st_size < 4_000_000
    assert {"some", "priced", "none", "family.repeat", "way.grid.ruled"} <= set(scorer.names)
    assert {"score", "ahead", "nearest", "none_score", "same"} <= set(trust.names)


def test_a_table_under_unknown_heads_is_read() -> None:
    result = by_default(UNKNOWN_HEADS)
    assert texts(result, "model") == CODES and texts(result, "product_name") == NAMES
    assert texts(result, "price") == PRICES and result.page_type == "A"
    assert understood(UNKNOWN_HEADS).skus == ()


@pytest.mark.parametrize("one", [CARDS, BARE_CARDS])
def test_cards_without_codes_are_read(one: ParsedPage) -> None:
    result = by_default(one)
    assert texts(result, "product_name") == NAMES[:6] and texts(result, "price") == EUROS[:6]


def test_lines_with_leader_dots_are_read() -> None:
    result = by_default(DOTTED)
    assert (texts(result, "model"), texts(result, "product_name"), texts(result, "price")) == (CODES, NAMES, EUROS)


def test_prose_tells_of_no_products() -> None:
    sentence = "The works were founded a century ago beside the river, and have stood there since then."
    result = by_default(
        page(line("Our history", 50, 50, 20), *(line(sentence, 50, 100 + 14 * n, 9) for n in range(30)))
    )
    assert result.skus == () and result.page_type == "D"


# --- who is asked --------------------------------------------------------------------------------


def test_rules_that_are_alone_are_believed() -> None:
    choice = choose(PageView(CARDS, (), DocumentFacts(), BY_RULES))
    assert choice.right is None and choice.extraction.extractor.startswith("rules.")
    assert "records" not in understood(CARDS).classification
    assert "records" in by_default(CARDS).classification


def families(one: ParsedPage, *proposers: str) -> set[str]:
    seen = PageView(one, (), DocumentFacts(), AnalystConfig(proposers=proposers))
    kind = classify(seen)
    return {proposal.family for proposal in propose(seen, kind, extract(kind.page_type, seen)).all}


def test_only_the_proposers_of_the_configuration_are_asked() -> None:
    assert families(CARDS, "rules", "grid", "repeat") == {NONE, RULES, "repeat"}
    assert families(CARDS, "rules", "grid", "a later version's") == {NONE, RULES}
    assert families(UNKNOWN_HEADS, "rules", "grid") == {NONE, "grid"}


def failing(error: type[BaseException]) -> Callable[[PageView], Iterator[Proposal]]:
    def fails(view: PageView) -> Iterator[Proposal]:
        yield Proposal("grid.broken", extract("C", view))
        raise error("made up")

    return fails


def test_a_proposer_that_fails_proposes_nothing_and_the_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(proposing.PROPOSERS, "grid", failing(ValueError))
    assert {RULES, "repeat"} <= families(CARDS, "rules", "grid", "repeat")
    assert "stage_failed" not in [blocker.code for blocker in by_default(CARDS).blockers]
    assert texts(by_default(CARDS), "product_name") == NAMES[:6]


def test_a_limit_of_the_sandbox_ends_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(proposing.PROPOSERS, "grid", failing(MemoryError))
    with pytest.raises(MemoryError):
        by_default(CARDS)


def test_what_the_rules_raise_ends_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("made up")

    monkeypatch.setattr(scoring, "classify", fails)
    result = by_default(CARDS)
    assert [blocker.code for blocker in result.blockers] == ["stage_failed"] and result.skus == ()


KNOWN_HEADS = page(tables=[table([["Model", "Name", "Price"], *map(list, zip(CODES, NAMES, EUROS, strict=True))])])


def test_rules_that_are_sure_of_priced_products_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(proposing.PROPOSERS, "grid", failing(MemoryError))
    result = by_default(KNOWN_HEADS)
    assert result.type_confidence >= 0.9 and texts(result, "price") == EUROS


def test_rules_that_are_sure_of_a_page_but_find_nothing_on_it_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    sure = PageType("A", 0.99, "L4", "made_up", {})
    monkeypatch.setattr(scoring, "classify", lambda view: sure)
    monkeypatch.setattr(scoring, "extract", lambda page_type, view: Extraction())
    assert texts(by_default(UNKNOWN_HEADS), "model") == CODES


def test_sure_rules_are_doubted_where_amounts_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "classify", lambda view: PageType("A", 0.99, "L4", "made_up", {}))
    without = table([["Model", "Name", "Drun"], *map(list, zip(CODES, NAMES, PRICES, strict=True))])
    result = by_default(page(tables=[without]))
    assert "records" in result.classification and texts(result, "price") == PRICES
