"""What was not chosen is offered to people: what it tells of besides, at most twice, never in place of the result."""

from collections.abc import Sequence

import msgspec
import pytest

from processing.engine.result import Alternative, Binding, Evidence, PageResult, Sku, Value
from processing.engine.understanding import pipeline
from processing.engine.understanding.classifying.page_type import PageType
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.records import alternatives
from processing.engine.understanding.records.alternatives import MOST_SKUS, Taken, best_of, further
from processing.engine.understanding.records.propose import Proposal
from processing.engine.understanding.records.score import Choice
from tests.unit.understanding.pages import line, page
from tests.unit.understanding.records.test_score import by_default
from tests.unit.understanding.test_turned_and_named import lying

KINDS = ("Acetone", "Benzyl alcohol", "Citric acid", "Dextrose", "Ethyl acetate", "Formic acid", "Glycerine", "Hexane",
         "Isopropyl", "Kaolin", "Lactic acid")  # fmt: skip
GOODS = [f"{kind} {grade}" for kind in KINDS for grade in ("pure", "technical")]
# Names alone, which look like any list of words: nobody dares to call them products.
NAMES_ALONE = page(
    line("Our solvents and acids", 50, 60, 18), *(line(name, 50, 110 + 24 * n, 11) for n, name in enumerate(GOODS))
)
KIND = PageType("D", 0.5, "L3", "no_records", {})


def named(*names: str, at: int = 0) -> tuple[Sku, ...]:
    """One below the other, the first ``at`` so many places from the top."""
    return tuple(
        Sku(box, {"product_name": Value(name, Evidence(name, 1, box, method="text_line"))})
        for n, name in enumerate(names, at)
        for box in [(0.0, 10.0 * n, 50.0, 10.0 * n + 9)]
    )


def proposal(name: str, skus: Sequence[Sku]) -> Proposal:
    return Proposal(name, Extraction(tuple(Draft(sku.box, sku.box, sku.attributes) for sku in skus)))


def chosen_among(*told: tuple[str, float, tuple[Sku, ...]], score: float = 0.5) -> tuple[Choice, Taken]:
    proposals = tuple((proposal(name, skus), of) for name, of, skus in told)

    def taken(one: Proposal) -> tuple[PageType, Sequence[Sku]]:
        return KIND, [Sku(draft.box, draft.attributes) for draft in one.extraction.drafts]

    return Choice(Extraction(), KIND, score=score, proposals=proposals), taken


def offered(
    read: Sequence[Sku], *told: tuple[str, float, tuple[Sku, ...]], score: float = 0.5
) -> list[tuple[str, int]]:
    return [(one.proposer, len(one.skus)) for one in best_of(read, *chosen_among(*told, score=score))]


def test_a_page_that_nobody_dares_to_call_one_of_products_keeps_what_was_seen_on_it() -> None:
    result = by_default(NAMES_ALONE)
    assert (result.page_type, result.skus) == ("D", ())
    one = result.alternatives[0]
    assert [sku.identity for sku in one.skus] == GOODS
    assert (one.proposer, one.page_type, one.layout_type) == ("repeat.lines.across", "B", "L3")
    assert one.skus[0].attributes["product_name"].evidence.match == 1.0  # looked up as what is taken is


@pytest.mark.req("X-OTHERS")
def test_nothing_else_of_the_result_is_another_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with_them = by_default(NAMES_ALONE)
    monkeypatch.setattr(pipeline, "_with_alternatives", lambda understood: understood)
    assert msgspec.structs.replace(with_them, alternatives=()) == by_default(NAMES_ALONE) != with_them


def test_a_turned_page_has_its_places_as_it_is_displayed() -> None:
    shown = lying(NAMES_ALONE, 2)
    upright, turned = by_default(NAMES_ALONE).alternatives[0], by_default(shown).alternatives[0]
    assert [sku.identity for sku in turned.skus] == [sku.identity for sku in upright.skus]
    x0, y0, x1, y1 = upright.skus[0].attributes["product_name"].evidence.bbox
    on_its_head = (shown.width_pt - x1, shown.height_pt - y1, shown.width_pt - x0, shown.height_pt - y0)
    assert turned.skus[0].attributes["product_name"].evidence.bbox == pytest.approx(on_its_head)


@pytest.mark.parametrize(
    ("read", "told", "more"),
    [
        ((), named("A", "B"), ["A", "B"]),
        (named("A"), named("A", "B"), ["B"]),
        (named("a  x"), named("A x", at=5), []),  # the same name, however it is spaced, wherever it stands
        (named("Mug"), named("Mug blue"), []),  # at the same place
        (named("A"), (Sku((0, 90, 9, 99), {}),), []),  # nothing that names it
    ],
)
def test_further_is_what_has_a_name_and_a_place_of_its_own(
    read: tuple[Sku, ...], told: tuple[Sku, ...], more: list[str]
) -> None:
    assert [sku.identity for sku in further(told, read)] == more


def test_two_are_offered_at_most_of_different_proposers_and_each_tells_of_something_new() -> None:
    told = [
        ("grid.ruled", 0.4, named("A", "B")), ("grid.open", 0.39, named("A")), ("grid.ruled", 0.38, named("A", "Z")),
        ("repeat.lines", 0.3, named("A", "B", "C")), ("repeat.first", 0.2, named("D")),
    ]  # fmt: skip
    assert offered((), *told) == [("grid.ruled", 2), ("repeat.lines", 3)]


def test_what_stands_where_something_was_read_makes_no_second_alternative() -> None:
    told = [("grid.ruled", 0.4, named("A", "B")), ("grid.open", 0.4, named("X", "B")), ("rules", 0.4, named("A", "C"))]
    assert offered(named("A"), *told) == [("grid.ruled", 1), ("rules", 1)]


def test_a_picture_that_a_product_has_for_itself_is_not_given_to_another() -> None:
    def with_pictures(skus: tuple[Sku, ...], *pictures: str) -> tuple[Sku, ...]:
        bindings = tuple(Binding(picture, "PRODUCT_MAIN", "caption", 0.9) for picture in pictures)
        return tuple(msgspec.structs.replace(sku, bindings=bindings) for sku in skus)

    read = with_pictures(named("A"), "P1", "shared") + with_pictures(named("B", at=1), "shared")
    told = with_pictures(named("A", "B", "C"), "P1", "P2", "shared")
    choice, _ = chosen_among(("grid.ruled", 0.4, told))
    (one,) = best_of(read, choice, lambda _: (KIND, told))
    assert [binding.picture for binding in one.skus[0].bindings] == ["P2", "shared"]


def test_beside_no_products_a_low_score_is_not_worth_a_look() -> None:
    assert offered((), ("grid.ruled", 0.1, named("A")), ("repeat.lines", 0.09, named("B"))) == [("grid.ruled", 1)]


def test_beside_products_it_tells_of_most_of_them_and_is_hardly_less_likely() -> None:
    read = named("A", "B", "C", "D")
    half, fewer = named("A", "B") + named("E", at=9), named("A") + named("E", at=9)
    assert offered(read, ("grid.ruled", 0.3, half)) == [("grid.ruled", 1)]
    assert offered(read, ("grid.ruled", 0.29, half)) == []
    assert offered(read, ("grid.ruled", 0.3, fewer)) == []


def test_what_is_too_large_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    many = named(*(f"N{n}" for n in range(MOST_SKUS + 1)))
    assert offered((), ("grid.ruled", 0.4, many)) == []
    assert offered((), ("grid.ruled", 0.4, many[1:])) == [("grid.ruled", MOST_SKUS)]
    monkeypatch.setattr(alternatives, "MOST_BYTES", 1000)
    assert offered((), ("grid.ruled", 0.4, many[1:]), ("grid.open", 0.3, many[:1])) == [("grid.open", 1)]


def test_one_that_fails_is_passed_over_and_a_limit_of_the_sandbox_ends_the_page() -> None:
    choice, taken = chosen_among(("grid.ruled", 0.4, named("A")), ("grid.open", 0.3, named("B")))

    def failing(error: type[BaseException]) -> Taken:
        def fails(one: Proposal) -> tuple[PageType, Sequence[Sku]]:
            if one.proposer == "grid.ruled":
                raise error
            return taken(one)

        return fails

    assert [one.proposer for one in best_of((), choice, failing(ValueError))] == ["grid.open"]
    with pytest.raises(MemoryError):
        best_of((), choice, failing(MemoryError))


def test_older_results_have_none() -> None:
    raw = msgspec.json.encode(msgspec.structs.replace(by_default(NAMES_ALONE), alternatives=()))
    before = {key: value for key, value in msgspec.json.decode(raw).items() if key != "alternatives"}
    assert msgspec.convert(before, PageResult).alternatives == ()
    assert Alternative.__struct_fields__ == ("proposer", "score", "page_type", "layout_type", "skus")
