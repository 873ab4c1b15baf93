"""What lowers the confidence of a product, each doubt on a page that raises it and beside one that does not."""

from typing import Any

import msgspec
import pytest

from processing.engine.page import Hidden, Ocr, ParsedPage
from processing.engine.result import CustomValue, DocumentFacts, Evidence, Value
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.judging.confidence import DOUBTS, Surroundings, doubts_about, sku_confidence
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

BOX = (50.0, 100.0, 500.0, 120.0)
# Each value has a place of its own, from left to right.
_STEP = 60.0


def product(custom: dict[str, str] | None = None, *, box: Any = BOX, **attributes: str) -> Draft:
    options = {name: attributes.pop(name) for name in ("table", "source") if name in attributes}
    places = {key: _evidence(text, n) for n, (key, text) in enumerate({**attributes, **(custom or {})}.items())}
    values = {key: Value(text, places[key], options.get("source", "direct")) for key, text in attributes.items()}
    found = tuple(CustomValue(name, text, places[name]) for name, text in (custom or {}).items())
    return Draft(box, box, values, found, confidence=0.95, table=options.get("table", ""))


def _evidence(text: str, n: int) -> Evidence:
    return Evidence(text, 1, (50.0 + _STEP * n, 100.0, 100.0 + _STEP * n, 112.0))


def doubts(draft: Draft, *others: Draft, on: ParsedPage | None = None) -> set[str]:
    view = PageView(on or page(), (), DocumentFacts(), BY_RULES)
    return set(doubts_about(draft, Surroundings(view, [draft, *others])))


FULL = {"model": "A-10", "product_name": "Oak chair", "size": "20 cm", "price": "$5"}


@pytest.mark.req("X-CONF")
@pytest.mark.parametrize(
    ("code", "doubtful", "sound"),
    [
        ("no_identity", product(price="$5"), product(**FULL)),
        ("name_is_no_name", product(**FULL | {"product_name": "A-11"}), product(**FULL)),
        ("name_is_no_name", product(**FULL | {"product_name": "42 ml"}), product(**FULL | {"product_name": "Jar 2 l"})),
        ("name_is_no_name", product(**FULL | {"product_name": "Cream"}), product(**FULL | {"product_name": "Red jug"})),
        (
            "name_is_no_name",
            product(**FULL | {"product_name": "Size: 40 x 60 mm"}),
            product(**FULL | {"product_name": "Oak bench, 40 x 60 mm"}),
        ),
        ("model_is_a_label", product(**FULL | {"model": "Material"}), product(**FULL)),
        ("model_with_size", product(**FULL | {"model": "AB-Z01 60×40cm"}), product(**FULL | {"model": "AB-Z01 400"})),
        ("value_is_none", product(**FULL | {"weight": "kg"}), product(**FULL | {"weight": "2 kg"})),
        ("value_is_none", product(**FULL | {"series": "15 m"}), product(**FULL | {"series": "Milano Collection"})),
        ("price_has_words", product(**FULL | {"price": "¥239 随行保温杯"}), product(**FULL | {"price": "¥368元/把"})),
        ("price_has_words", product(**FULL | {"price": "400 / Rack 2,000"}), product(**FULL | {"price": "400 / Rack"})),
        ("price_unread", product({"Trade": "$4"}, model="A-1", size="2 cm"), product({"Trade": "$4"}, **FULL)),
        ("price_unread", product({"GBP each": "3.00"}, model="A-1"), product({"Total qty": "3.00"}, model="A-1")),
        ("name_unread", product({"Lamp": "Classic bulb"}, model="A-1"), product({"Base": "E27"}, model="A-1")),
        ("name_unread", product({"用途": "客厅吊灯"}, model="A-1"), product({"用途": "客厅吊灯"}, **FULL)),
        ("code_unread", product(product_name="Wrap dress", description="Style AW26-101"), product(**FULL)),
        ("two_in_one", product({"尺寸": "30 cm"}, **FULL), product({"颜色": "红"}, **FULL | {"color": "蓝"})),
    ],
)
def test_values_that_cannot_be_what_they_are_given_for(code: str, doubtful: Draft, sound: Draft) -> None:
    assert code in doubts(doubtful)
    assert code not in doubts(sound)


@pytest.mark.req("X-CONF")
@pytest.mark.parametrize(("other", "doubted"), [("净重 (kg)", False), ("毛重", True)])
def test_a_row_with_columns_of_its_own_for_net_and_gross_weight_is_one_product(other: str, doubted: bool) -> None:
    row = product({other: "11.8"}, **FULL | {"weight": "13.5", "table": "G1"})
    row = msgspec.structs.replace(row, contexts={"weight": "毛重 (kg)"})
    assert ("two_in_one" in doubts(row)) is doubted
    assert "two_in_one" in doubts(msgspec.structs.replace(row, table=""))


@pytest.mark.req("X-CONF")
def test_text_of_another_product_inside_the_box() -> None:
    with_code = page(line("A-10", 50, 101), line("A-11", 50, 109))
    assert "another_code_inside" in doubts(product(**FULL), on=with_code)
    assert "another_code_inside" not in doubts(product(**FULL), on=page(line("A-10", 50, 101), line("Q-11", 430, 105)))
    assert "another_price_inside" in doubts(product(**FULL), on=page(line("$7", 420, 105)))
    assert "another_price_inside" not in doubts(product(**FULL), on=page(line("$7", 420, 300)))


@pytest.mark.req("X-CONF")
@pytest.mark.parametrize(
    ("text", "size", "doubted"),
    [("Willow guitar", 14, True), ("Willow guitar", 11, False), ("B-20", 14, False), ("Oak chair", 14, False)],
)
def test_a_larger_name_over_the_text_that_is_nobodys(text: str, size: float, doubted: bool) -> None:
    on = page(line("Oak", 112, 101, 10), line(text, 60, 85, size))
    assert ("larger_name_unread" in doubts(product(**FULL), on=on)) is doubted
    elsewhere = page(line("Oak", 112, 101, 10), line("Willow guitar", 60, 40, 14))
    assert "larger_name_unread" not in doubts(product(**FULL), on=elsewhere)


@pytest.mark.req("X-CONF")
def test_a_code_on_two_products_unless_it_is_merged_over_both() -> None:
    assert "same_model_twice" in doubts(product(**FULL), product(**FULL | {"price": "$6"}))
    assert "same_model_twice" not in doubts(product(**FULL), product(**FULL | {"model": "A-11"}))
    shared = product(**FULL, source="filled_down")
    assert "same_model_twice" not in doubts(shared, product(**FULL))


@pytest.mark.req("X-CONF")
def test_as_many_prices_as_codes_are_columns_run_together() -> None:
    both = {"model": "AB-10 AB-20", "price": "$9.80 $12.40"}
    assert "columns_run_together" in doubts(product(**FULL | both))
    for one in ({**both, "price": "$9.80"}, {**both, "model": "AB-10"}, {**both, "model": "AB 10"}):
        assert "columns_run_together" not in doubts(product(**FULL | one))


def test_a_table_of_which_one_row_has_no_identity_was_misread() -> None:
    nameless = product(price="$4", table="G1")
    assert "sibling_without_identity" in doubts(product(**FULL, table="G1"), nameless)
    assert "sibling_without_identity" not in doubts(product(**FULL, table="G2"), nameless)


@pytest.mark.req("X-CONF")
def test_a_bare_identity_beside_unread_text_or_a_picture_that_may_hold_the_values() -> None:
    printed = page(line("A-10", 50, 101), line("one two three four", 300, 101))
    assert "mostly_unread" in doubts(product(model="A-10"), on=printed)
    assert "mostly_unread" not in doubts(product(**FULL), on=printed)
    shown = product(model="A-10")
    shown = type(shown)(shown.box, shown.box, shown.attributes, picture=(50.0, 20.0, 150.0, 90.0))
    own, wide = picture("P1", (50, 20, 150, 90)), picture("P2", (50, 500, 400, 600))
    assert "values_in_a_picture" in doubts(shown, on=page(pictures=[own, wide]))
    assert "values_in_a_picture" not in doubts(shown, on=page(pictures=[own]))


@pytest.mark.req("X-CONF")
@pytest.mark.parametrize(
    ("text", "y", "reason", "doubtful"),
    [
        ("Garden", 100, "covered", True),
        ("Oak", 100, "covered", False),
        ("Garden", 300, "covered", False),
        ("Garden", 100, "off_page", False),
    ],
)
def test_a_picture_over_the_rest_of_a_name(text: str, y: float, reason: str, doubtful: bool) -> None:
    hidden = (Hidden(text, (104.0, y, 109.0, y + 12.0), reason),)
    assert ("partly_covered" in doubts(product(**FULL), on=msgspec.structs.replace(page(), hidden=hidden))) == doubtful


@pytest.mark.req("X-CONF")
def test_a_product_like_any_other_raises_no_doubt() -> None:
    printed = page(line("A-10", 50, 101), line("Oak chair", 110, 101), line("20 cm", 170, 101), line("$5", 230, 101))
    assert doubts(product(**FULL), on=printed) == set()
    assert len({doubt.code for doubt in DOUBTS}) == len(DOUBTS) and all(0 < doubt.factor < 1 for doubt in DOUBTS)


@pytest.mark.req("X-CONF")
def test_each_doubt_and_a_bad_reading_lower_the_confidence() -> None:
    draft = product(**FULL)
    plain = sku_confidence(draft, ())
    assert plain == 0.95
    assert sku_confidence(draft, ("price_unread",)) == pytest.approx(0.3 * plain)
    assert sku_confidence(draft, ("price_unread", "same_model_twice")) == pytest.approx(0.15 * plain)
    assert sku_confidence(draft, (), 0.8) == pytest.approx(0.8 * plain)
    assert sku_confidence(Draft(BOX, BOX, draft.attributes, confidence=0.75), ()) == 0.91


@pytest.mark.req("X-CONF")
def test_a_page_with_doubtful_products_goes_to_a_person_and_says_which() -> None:
    rows = [["Model", "Name", "Price"], ["A-1", "Mug", "$4.00"], ["A-1", "Cup", "$5.00"], ["A-1", "Pot", "$6.00"]]
    sound = [["Model", "Name", "Price"], ["A-1", "Mug", "$4.00"], ["A-2", "Cup", "$5.00"], ["A-3", "Pot", "$6.00"]]
    results = [
        understand_page(
            page(tables=[table(each)]),
            (),
            DocumentFacts(),
            AnalystConfig(validity_mode="lenient", proposers=("rules",)),
        )
        for each in (rows, sound)
    ]
    assert [sku.doubts for sku in results[1].skus] == [()] * 3
    assert min(sku.confidence for sku in results[1].skus) > 0.9 > 0.75 > max(sku.confidence for sku in results[0].skus)
    assert "low_confidence" in {b.code for b in results[0].blockers} and results[1].blockers == ()


@pytest.mark.req("X-CONF")
def test_one_doubtful_product_among_sure_ones_is_named_and_stops_the_page() -> None:
    sure = [[f"A-{n}", f"Mug of {n} cups", f"${n}.00"] for n in range(3, 20)]
    twice = [["A-1", "Pot", "$6.00"], ["A-1", "Pan", "$7.00"]]
    head = ["Model", "Name", "Price"]
    config = AnalystConfig(validity_mode="lenient", proposers=("rules",))
    found, sound = (
        understand_page(page(tables=[table([head, *rows])]), (), DocumentFacts(), config)
        for rows in ([*twice, *sure], sure)
    )
    assert found.confidence > config.review_below and sound.blockers == ()
    assert {(b.code, b.sku) for b in found.blockers} >= {("sku_doubtful", 0), ("sku_doubtful", 1)}


def test_a_recognised_page_is_as_sure_as_its_recognition() -> None:
    recognised = msgspec.structs.replace(page(), ocr=Ocr("test", "no_text", 0.82))
    view = PageView(recognised, (), DocumentFacts(), BY_RULES)
    assert Surroundings(view, []).reading == 0.82


@pytest.mark.req("X-CONF")
def test_without_a_doubt_the_way_moves_the_confidence_little() -> None:
    table, caption = (product(**FULL), msgspec.structs.replace(product(**FULL), confidence=0.7))
    sure, less = sku_confidence(table, ()), sku_confidence(caption, ())
    assert 0.0 < sure - less <= 0.06 and less >= 0.88
    assert sku_confidence(caption, ("price_unread",)) < 0.3
