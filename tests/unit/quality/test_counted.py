"""Truths counted by eye: taken for what they are, matched and judged leniently, and by nothing that they do not say."""

import json
from decimal import Decimal
from typing import Any

import pytest

from processing.engine.quality.lenient import amounts, likeness, signs
from processing.engine.quality.measure import PageMeasure
from processing.engine.quality.totals import Figures
from processing.engine.quality.truth import Truth, TruthError, read_truth
from processing.engine.result import Sku
from tests.unit.quality.made import figured, measured, page, sku

pytestmark = pytest.mark.req("TA-T49")

KEYS = ("model", "name", "price", "size", "material", "color")


def product(**given: Any) -> dict[str, Any]:
    """As these truths have them: null where nothing is printed."""
    return {**dict.fromkeys(KEYS), "pictures": None, **given}


def counted(*products: dict[str, Any], **of_file: Any) -> Truth:
    body = {"file": "a.pdf", "pages": [{"page": 1, "products": products}], **of_file}
    return read_truth(json.dumps(body).encode(), "a.truth.json")


def one(wanted: dict[str, Any], found: Sku) -> PageMeasure:
    return measured(counted(wanted), page(found))[0]


def figures(*wanted: dict[str, Any], found: tuple[Sku, ...]) -> Figures:
    return figured(counted(*wanted), page(*found))


def matched(wanted: dict[str, Any], **found: str) -> bool:
    return bool(one(product(**wanted), sku(**found)).counts.matched)


def right(wanted: dict[str, Any], **found: str) -> bool:
    """Whether the one value beside the model is right."""
    n = one(product(model="X1", **wanted), sku(model="X1", **found)).counts
    assert (n.matched, n.asked) == (1, 1)
    return n.right == 1


def test_takes_its_shape_for_what_it_is() -> None:
    truth = counted(product(model="X1", name="Lamp", price="$5", pictures=2, other={"IP": "44"}), maker="Lumo")
    assert truth.counted and (truth.job.source_file, truth.job.total_pages, truth.job.maker) == ("a.pdf", None, "Lumo")
    (found,) = truth.skus
    assert found.asked == {"model": "X1", "product_name": "Lamp", "price": "$5"}
    assert (found.pictures, found.images, found.has_picture) == (2, None, True)
    assert [kind.page_type for kind in truth.pages] == ["P"] and counted().pages[0].page_type == "D"


def test_a_golden_truth_without_its_version_is_told_so() -> None:
    with pytest.raises(TruthError, match="schema_version"):
        read_truth(b'{"job": {"source_file": "a.pdf"}, "pages": [{"page_number": 1, "page_type": "A"}]}', "a")


@pytest.mark.parametrize(
    ("page_of", "place"),
    [
        ({"page": 0, "products": []}, "$.pages[0].page"),
        ({"page": 1, "products": [{"model": 5}]}, "$.pages[0].products[0].model"),
        ({"page": 1, "products": [{"size": "10 cm"}]}, "$.skus[0]"),
    ],
)
def test_says_where_it_is_wrong(page_of: dict[str, Any], place: str) -> None:
    with pytest.raises(TruthError) as told:
        read_truth(json.dumps({"file": "a.pdf", "pages": [page_of]}).encode(), "set/a.truth.json")
    assert str(told.value).startswith("set/a.truth.json: ") and place in str(told.value)


def test_a_page_is_listed_once() -> None:
    pages = [{"page": 1, "products": []}] * 2
    with pytest.raises(TruthError, match="listed 2 times"):
        read_truth(json.dumps({"file": "a.pdf", "pages": pages}).encode(), "a")


def test_codes_are_the_same_by_their_letters_and_digits() -> None:
    assert matched({"model": "SB-PL 16/1"}, model="sbpl16.1") and matched({"model": "ＡＸ１"}, model="ax-1")
    assert not matched({"model": "AX-1"}, model="AX-11")


def test_names_are_the_same_that_are_alike_or_hold_each_other() -> None:
    assert matched({"name": "Ginger fizz water"}, product_name="Ginger fizz, watter")
    assert matched({"name": "Ginger fizz 薑汁汽水"}, product_name="ginger fizz")
    assert not matched({"name": "Lamp table"}, product_name="Lamp")
    assert not matched({"name": "Ginger fizz water"}, product_name="Plum tea")


def test_a_name_may_hold_the_code_or_be_it() -> None:
    assert matched({"model": "T30", "name": "Box"}, product_name="Box T30")
    assert matched({"model": "POLO 12"}, product_name="Polo-12")


def test_other_codes_are_other_products_whatever_their_names() -> None:
    assert not matched({"model": "X1", "name": "Garden chair"}, model="X2", product_name="Garden chair")


def test_of_equal_codes_name_and_price_decide() -> None:
    lid, plunger = product(model="1150/L", name="Lid", price="5"), product(model="1150/L", name="Plunger", price="7")
    named = (sku(model="1150/L", product_name="PLUNGER"), sku(model="1150/L", product_name="LID"))
    priced = (sku(model="1150/L", price="7.00"), sku(model="1150/L", price="5.00"))
    assert figures(lid, plunger, found=named).counts.misnamed == 0
    assert figures(lid, plunger, found=priced).counts.right == 2


def test_of_equal_names_the_price_decides() -> None:
    wanted = [product(name="Cream 12%", price=f"{n} 000", size=size) for n, size in ((36, "500"), (18, "250"))]
    found = [sku(product_name="Cream 12%", price=f"{n}000", size=f"{size} ml") for n, size in ((18, 250), (36, 500))]
    assert figures(*wanted, found=tuple(found)).attribute_accuracy == 1


def test_values_may_be_part_of_each_other() -> None:
    assert right({"size": "36×50×40cm"}, size="36 x 50 x 40 cm".replace("x", "×"))
    assert right({"color": "oak"}, color="Oak, oiled") and right({"material": "Solid oak"}, material="oak")
    assert not right({"color": "oak"}, color="elm") and not right({"color": "oak"}, color="—")
    assert not right({"color": "oak"}, size="oak")


def test_prices_are_compared_as_amounts() -> None:
    assert right({"price": "€ 1.299,00"}, price="1299") and right({"price": "1,750,00"}, price="1750.00 TL")
    assert right({"price": "12.5"}, price="$12.50") and right({"price": "36 000"}, price="36000 сум")
    assert not right({"price": "1299"}, price="1300") and not right({"price": "12.99"}, price="13.99")
    assert right({"price": "5", "price_alt": ["7.00", "9"]}, price="€7")
    assert amounts("3'100.00 / 2") == {Decimal(3100), Decimal(2)} and amounts("on request") == set()


def test_only_what_the_truth_has_is_judged() -> None:
    """Its nulls, other attributes, descriptions and pictures' boxes say nothing against a page."""
    found = sku(model="X1", size="10", brand="Oak", description="of oak", pictures=("P1",))
    measure = one(product(model="X1", size="10"), found)
    assert (measure.counts.asked, measure.counts.right, measure.counts.extra) == (1, 1, 0) and measure.right
    assert (measure.counts.bindings, measure.counts.pictures) == (0, 0)


def test_pictures_count_by_whether_there_is_any() -> None:
    wanted = [product(model=f"X{n}", pictures=count) for n, count in enumerate((1, 2, 0, None))]
    found = tuple(sku(model=f"X{n}", pictures=given) for n, given in enumerate((("P1",), (), (), ("P1",))))
    assert figures(*wanted, found=found).pictured == 0.5


def test_types_are_products_or_none() -> None:
    assert one(product(model="X1"), sku(model="X1")).found_type == "P"
    table = measured(counted(), page(sku(model="Q"), kind="A"))[0]
    assert (table.truth_type, table.found_type, table.false) == ("D", "P", ("Q",))
    assert measured(counted(product(model="X1")), page(kind="D"))[0].found_type == "D"


def test_a_product_under_anothers_name_makes_its_page_wrong() -> None:
    named = one(product(model="X1", name="Paving stone"), sku(model="X1", product_name="10 unidades"))
    assert (named.counts.matched, named.counts.misnamed, named.right) == (1, 1, False)
    assert named.confidences == ((0.9, False),)
    assert [(slip.key, slip.kind) for slip in named.slips] == [("product_name", "different")]
    assert one(product(model="X1", name="Paving stone"), sku(model="X1", product_name="paving stone")).right
    assert one(product(model="X1", name="Plain"), sku(model="X1", product_name="Plain glass")).right
    assert one(product(model="X1"), sku(model="X1", product_name="10 unidades")).right, "nobody printed a name"


def test_likeness_holds_only_what_is_long_enough_to_be_no_chance() -> None:
    assert likeness("abcdef", "x abc-def y") == 1 and likeness("abc", "x abc y z w") < 0.85
    assert likeness("", "") == 0 and signs("Ø 5_mm") == "ø5mm"
