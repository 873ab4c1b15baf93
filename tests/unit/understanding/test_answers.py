"""A model's answers become products only as far as the page bears them out."""

import msgspec
import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import Blocker, DocumentFacts, PageResult
from processing.engine.understanding.answers import AnsweredCustom, AnsweredSku, AnsweredValue, ModelAnswers
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

ROWS = [["Model", "Name", "Size", "Price"], ["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"]]
TABLE_PAGE = page(tables=[table(ROWS)])


def sku(confidence: float = 0.9, pictures: tuple[str, ...] = (), **values: str | tuple[str, str]) -> AnsweredSku:
    """Values as text, or (text, source)."""
    said = {k: AnsweredValue(*((v,) if isinstance(v, str) else v)) for k, v in values.items()}
    return AnsweredSku(said, pictures=pictures, confidence=confidence)


BOTH = (
    sku(model=("A-1", "G1.1.0"), product_name=("Mug", "G1.1.1"), size=("9 cm", "G1.1.2"), price=("$5", "G1.1.3")),
    sku(model=("A-2", "G1.2.0"), product_name=("Cup", "G1.2.1"), size=("7 cm", "G1.2.2"), price=("$4", "G1.2.3")),
)


def answers(*skus: AnsweredSku, **parts: object) -> ModelAnswers:
    return msgspec.structs.replace(ModelAnswers("m/1", "A", 0.9, skus=skus), **parts)


def understood(said: ModelAnswers | None, one: ParsedPage = TABLE_PAGE) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES, said)


@pytest.mark.req("LX-QUOTE")
def test_products_that_the_rules_confirm_are_as_sure_as_theirs() -> None:
    result, rules = understood(answers(*BOTH)), understood(None)
    assert texts(result, "model") == texts(rules, "model") == ["A-1", "A-2"]
    assert [s.attributes for s in result.skus] == [s.attributes for s in rules.skus]
    assert (result.analyst, result.extractor, result.blockers) == ("m/1", "model", ())
    assert result.confidence >= rules.confidence > 0.75
    assert [(s.table, s.row) for s in result.skus] == [("G1", 1), ("G1", 2)]


@pytest.mark.req("LX-QUOTE", "LX-EXACT")
def test_a_value_that_is_not_printed_is_locked_and_asks_a_person() -> None:
    invented = sku(model=("A-1", "G1.1.0"), product_name=("Mug", "G1.1.1"), price=("$5.99", "G1.1.3"))
    result = understood(answers(invented, BOTH[1]))
    assert ("value_not_found", 0) in {(b.code, b.sku) for b in result.blockers}
    assert result.skus[0].attributes["price"].evidence.match == 0.0


PRICED = (("price", "$4", "G1:2:3"), ("price", "$4", "G1:1:3"), ("price", "$4", ""), ("size", "7 cm", "T12"),
          ("product_name", "Cup", "G1:2"))  # fmt: skip


@pytest.mark.req("LX-QUOTE")
@pytest.mark.parametrize(("key", "text", "source"), PRICED)
def test_a_right_text_from_another_products_row_is_marked_and_asks_a_person(key: str, text: str, source: str) -> None:
    moved = msgspec.structs.replace(BOTH[0], attributes={**BOTH[0].attributes, key: AnsweredValue(text, source)})
    for skus in ((moved, BOTH[1]), (BOTH[1], moved), (moved,)):
        result = understood(answers(*skus))
        assert ("value_of_another", 0) in {(b.code, b.sku) for b in result.blockers}
        evidence = result.skus[0].attributes[key].evidence
        assert (evidence.match, evidence.method) == (0.0, "elsewhere")
        assert [(s.table, s.row) for s in result.skus][0] == ("G1", 1)


def test_an_identity_from_another_row_is_the_value_that_is_wrong() -> None:
    moved = msgspec.structs.replace(BOTH[0], attributes={**BOTH[0].attributes, "model": AnsweredValue("A-2", "G1:2:0")})
    result = understood(answers(moved))
    assert {(b.code, b.params["key"]) for b in result.blockers if b.sku == 0} == {("value_of_another", "model")}


SHARED = page(
    line("Brand: Nova", 50, 60),
    tables=[table([["Model", "Name", "Size", "Price"], ["A-1", "Mug", "9 cm", "$5"], ["A-2", None, "7 cm", "$4"],
                   ["A-3", "", "5 cm", "$3"]])],
)  # fmt: skip


def test_what_rows_share_is_each_ones_own() -> None:
    """A merged cell, a name that stands for the empty cells under it, and a word of the whole page."""
    skus = [
        sku(
            model=(f"A-{n}", f"G1:{n}:0"),
            product_name=("Mug", "G1:1:1"),
            size=(size, f"G1:{n}:2"),
            price=(price, f"G1:{n}:3"),
            brand=("Nova", "T1"),
        )
        for n, size, price in ((1, "9 cm", "$5"), (2, "7 cm", "$4"), (3, "5 cm", "$3"))
    ]
    result = understood(answers(*skus), SHARED)
    assert texts(result, "product_name") == ["Mug"] * 3
    assert "value_of_another" not in {b.code for b in result.blockers}


def test_products_side_by_side_have_columns_of_their_own() -> None:
    aside = page(tables=[table([["Model", "A-1", "A-2"], ["Size", "9 cm", "7 cm"], ["Price", "$5", "$4"]])])
    good = [
        sku(model=(f"A-{n}", f"G1:0:{n}"), size=(size, f"G1:1:{n}"), price=(price, f"G1:2:{n}"))
        for n, size, price in ((1, "9 cm", "$5"), (2, "7 cm", "$4"))
    ]
    assert "value_of_another" not in {b.code for b in understood(answers(*good), aside).blockers}
    moved = sku(model=("A-1", "G1:0:1"), size=("9 cm", "G1:1:1"), price=("$4", "G1:2:2"))
    result = understood(answers(moved, good[1]), aside)
    assert ("value_of_another", 0) in {(b.code, b.sku) for b in result.blockers}


CARDS = page(
    line("Model: C-7", 60, 320),
    line("Price: USD 30", 60, 335),
    line("Model: C-8", 360, 320),
    line("Price: USD 40", 360, 335),
    pictures=[picture("P1", (60, 100, 260, 310)), picture("P2", (360, 100, 560, 310))],
)


def test_a_value_of_another_card_is_marked() -> None:
    good = (sku(model=("C-7", "T1"), price=("USD 30", "T2")), sku(model=("C-8", "T3"), price=("USD 40", "T4")))
    assert "value_of_another" not in {b.code for b in understood(answers(*good, page_type="C"), CARDS).blockers}
    moved = sku(model=("C-7", "T1"), price=("USD 40", "T4"))
    result = understood(answers(moved, good[1], page_type="C"), CARDS)
    assert ("value_of_another", 0) in {(b.code, b.sku) for b in result.blockers}


QUANTITIES = [
    ["Model", "Name", "Size", "Price", "MOQ"],
    ["A-1", "Mug", "9 cm", "12.50", "100"],
    ["A-2", "Cup", "7 cm", "8.50", "50"],
]


@pytest.mark.req("LX-QUOTE")
@pytest.mark.parametrize("sideways", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize(
    ("key", "text", "at", "wrong"),
    [
        ("price", "100", 4, True),
        ("price", "100", None, True),
        ("moq", "12.50", 3, True),
        ("model", "9 cm", 2, True),
        ("price", "12.50", 3, False),
        ("price", "12.50", 4, False),
        ("product_name", "9 cm", 2, False),
        ("material", "9 cm", 2, False),
    ],
)
def test_a_value_of_the_right_product_under_another_label_is_marked(
    key: str, text: str, at: int | None, wrong: bool, sideways: bool
) -> None:
    """Not where the attribute has no column of its own, or the value stands in that too."""
    rows = [list(column) for column in zip(*QUANTITIES, strict=True)] if sideways else QUANTITIES
    shown = page(tables=[table(rows)])

    def place(n: int) -> str:
        return f"G1:{n}:1" if sideways else f"G1:1:{n}"

    own = {"model": ("A-1", place(0)), "product_name": ("Mug", place(1)), "size": ("9 cm", place(2))}
    result = understood(answers(sku(**{**own, key: (text, place(at) if at is not None else "")})), shown)
    assert (("value_mislabelled", key) in {(b.code, b.params.get("key")) for b in result.blockers}) is wrong
    assert (result.skus[0].attributes[key].evidence.method == "mislabelled") is wrong


def test_equal_values_of_two_columns_are_no_alarm() -> None:
    shown = page(tables=[table([["Model", "Price", "MOQ"], ["A-1", "50", "50"], ["A-2", "8", "50"]])])
    one = sku(model=("A-1", "G1:1:0"), price=("50", "G1:1:2"), moq=("50", "G1:1:1"))
    assert "value_mislabelled" not in {b.code for b in understood(answers(one), shown).blockers}


def test_a_piece_of_a_longer_number_is_no_place_of_a_value() -> None:
    one = page(tables=[table([["Model", "Name", "Price"], ["A-1", "Mug", "125"], ["A-2", "Cup", "12"]])])
    cut = sku(model=("A-1", "G1:1:0"), product_name=("Mug", "G1:1:1"), price=("12", "G1:1:2"))
    result = understood(answers(cut), one)
    assert ("value_of_another", 0) in {(b.code, b.sku) for b in result.blockers}


def test_a_wrong_source_does_not_lose_a_value_that_is_printed_elsewhere() -> None:
    result = understood(answers(sku(model=("A-2", "G9.1.1"), size="7 cm", price=("$4", "nonsense")), BOTH[0]))
    assert texts(result, "model") == ["A-1", "A-2"]
    assert all(v.evidence.match == 1.0 for s in result.skus for v in s.attributes.values())


def test_words_for_nothing_are_no_values_and_a_product_without_values_is_none() -> None:
    result = understood(answers(*BOTH, sku(model="undefined", price="N/A"), sku(material="-")))
    assert len(result.skus) == 2
    without = understood(answers(sku(model=("A-1", "G1.1.0"), material="undefined", price=("$5", "G1.1.3"))))
    assert "material" not in without.skus[0].attributes


def test_a_value_that_a_model_leaves_out_is_the_one_that_the_rules_read() -> None:
    """They name the same product, and nothing that it said contradicts it: a price would be lost in silence."""
    short = sku(model=("A-1", "G1.1.0"), product_name=("Mug", "G1.1.1"))
    result = understood(answers(short, BOTH[1]))
    assert [s.attributes for s in result.skus] == [s.attributes for s in understood(None).skus]
    other = sku(model=("A-1", "G1.1.0"), product_name=("Mugs", "G1.1.1"))
    assert set(understood(answers(other, BOTH[1])).skus[0].attributes) == {"model", "product_name"}, "it is not sure"


def test_a_cell_that_spans_other_rows_makes_no_product_doubtful() -> None:
    merged = table([["Model", "Name", "Price"], ["AX-10", "Mug", "$5"], ["AX-20", None, "$4"]])
    both = (
        sku(model=("AX-10", "G1.1.0"), product_name=("Mug", "G1.1.1"), price=("$5", "G1.1.2")),
        sku(model=("AX-20", "G1.2.0"), product_name=("Mug", "G1.1.1"), price=("$4", "G1.2.2")),
    )
    result = understood(answers(*both), page(tables=[merged]))
    assert [s.doubts for s in result.skus] == [(), ()] and not result.blockers


def test_rows_that_the_model_forgot_are_missing_rows() -> None:
    result = understood(answers(BOTH[0]))
    assert [(t.skus, t.unresolved) for t in result.tallies] == [(1, 1)]
    assert "coverage_low" in {b.code for b in result.blockers}


@pytest.mark.parametrize("confidence", [0.8, 0.93, 1.0])
def test_a_model_that_sees_no_product_takes_away_none_whose_name_is_printed(confidence: float) -> None:
    """However sure it is: a page of products that were read would be skipped, and nobody would hear of it."""
    result, rules = understood(ModelAnswers("m/1", "D", confidence)), understood(None)
    assert (result.page_type, result.skus) == (rules.page_type, rules.skus) and rules.skus
    assert [b.code for b in result.blockers] == ["products_denied"]


def test_a_page_without_products_is_one_where_rules_and_model_agree() -> None:
    bare = page(line("About our company", 60, 320))
    result = understood(ModelAnswers("m/1", "D", 0.93), bare)
    assert (result.page_type, result.skus, result.blockers) == ("D", (), ())


def test_products_whose_name_is_printed_prove_that_the_page_has_some() -> None:
    """However sure the rules are of another type: a page of products is never skipped for theirs."""
    bare = page(line("LX-7 desk lamp", 60, 320))
    assert understood(None, bare).page_type == "D"
    named = understood(answers(sku(model="LX-7", product_name="desk lamp"), page_type="B"), bare)
    assert (named.page_type, named.classification["rules_type"]) == ("B", "D")
    assert "page_type_uncertain" not in {b.code for b in named.blockers}
    invented = understood(answers(sku(model="QQ-9"), page_type="B", type_confidence=0.8), bare)
    assert "page_type_uncertain" in {b.code for b in invented.blockers}


def test_keys_that_the_schema_does_not_know_are_custom_attributes() -> None:
    first = AnsweredSku(
        {**BOTH[0].attributes, "finish": AnsweredValue("9 cm", "G1.1.2")},
        (AnsweredCustom("Glaze", AnsweredValue("Cup")), AnsweredCustom("Lid", AnsweredValue("N/A"))),
    )
    (found, _) = understood(answers(first, BOTH[1])).skus
    assert [(c.name, c.value) for c in found.custom] == [("Size", "9 cm"), ("Glaze", "Cup")]


CARD = page(
    line("Oak chair C-7", 60, 320),
    line("Size: 40 x 40 cm", 60, 335),
    line("Price: USD 30", 60, 350),
    pictures=[picture("P1", (60, 100, 260, 310))],
)


def test_a_card_gets_its_picture_and_its_labels() -> None:
    one = sku(
        pictures=("P1",),
        model=("C-7", "T1"),
        product_name=("Oak chair", "T1"),
        size="40 x 40 cm",
        price=("USD 30", "T3"),
    )
    (found,) = understood(answers(one, page_type="B"), CARD).skus
    assert [b.picture for b in found.bindings] == ["P1"]
    assert found.attributes["currency"].text == "USD" and found.validity == "full"
    assert all(value.evidence.match == 1.0 for value in found.attributes.values())


@pytest.mark.parametrize(("told", "stopped"), [({}, False), ({"size": "9 cm"}, False), ({"price": "$7"}, True)])
def test_that_nothing_but_a_name_is_printed_is_no_doubt_where_both_see_no_more(
    told: dict[str, str], stopped: bool
) -> None:
    """A model that sees more has found what the rules missed, or made it up."""
    bare = page(tables=[table([["Model", "Name"], ["A-1", "Mug 9 cm"], ["A-2", "Cup"]])])
    assert "specification_missing" in {b.code for b in understood(None, bare).blockers}
    first = sku(model=("A-1", "G1.1.0"), product_name=("Mug 9 cm", "G1.1.1"), **told)
    said = understood(answers(first, sku(model=("A-2", "G1.2.0"), product_name=("Cup", "G1.2.1"))), bare)
    assert "specification_missing" not in {b.code for b in said.blockers}
    assert bool(said.blockers) is stopped


def test_reasons_from_the_calls_come_first() -> None:
    stopped = Blocker("answer_repaired")
    assert understood(answers(*BOTH, blockers=(stopped,))).blockers == (stopped,)
