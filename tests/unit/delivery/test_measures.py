"""Numbers, units and prices on request, as screens and files show them."""

import io
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import openpyxl
import pytest

from processing.engine.understanding.rules.normalise import normalised
from processing.exports.columns import Entry, Table, columns_of
from processing.exports.models import Headings
from processing.exports.tables import streamed, write_csv, write_json
from processing.exports.workbook import write_workbook
from processing.products.completeness import missing_keys
from processing.products.measures import number_of, printed, renormalised, still_told, unit_code, unit_elsewhere

SCHEMA: Any = SimpleNamespace(resolved_attributes=[])
PLACE = {"page_number": 1, "bbox": [0, 0, 1, 1], "match": 1.0, "method": "header"}
EVIDENCE = {
    "price": {"quote": "面议 On request", **PLACE},
    "weight_unit": {"quote": "KGS", **PLACE},
    "currency": {"quote": "CNY", **PLACE},
}


def row(evidence: dict[str, Any] | None = None, **attributes: str) -> Any:
    units = {"weight": "KGS", "size": "mm"}
    words = {} if "price" in attributes or evidence is None else {"price": "面议 On request"}
    return SimpleNamespace(
        attributes=attributes,
        normalized=normalised({**attributes, **words}, units),
        evidence=evidence or {},
    )


def table(*rows: Any, headings: str = Headings.KEYS, keys: tuple[str, ...] = ("price", "currency", "weight")) -> Table:
    known = columns_of([SCHEMA])
    columns = [known[key] for key in (*keys, *(("weight_unit",) if "weight" in keys else ()))]
    return Table(columns, iter([Entry("id", one) for one in rows]), headings)


def sheet(*rows: Any, **options: Any) -> list[list[Any]]:
    book = openpyxl.load_workbook(io.BytesIO(b"".join(streamed(write_workbook, table(*rows, **options)))))
    return [[cell.value for cell in line] for line in book.worksheets[0].iter_rows()]


def test_numbers_of_a_workbook_are_numbers_with_the_print_beside_where_it_differs() -> None:
    head, *found = sheet(
        row(EVIDENCE, currency="CNY", weight="11.9"),
        row(price="¥1,299.00", currency="¥", weight="2.5 kg"),
        row(price="168.00", weight="1-2"),
        row(price="10-20 USD"),
    )
    assert head == ["price", "price_printed", "currency", "weight", "weight_printed", "weight_unit"]
    assert found[0] == ["面议 On request", None, "CNY", 11.9, None, "kg"]
    assert found[1] == [1299, "¥1,299.00", "¥", 2.5, "2.5 kg", "kg"]
    assert found[2] == [168, None, None, "1-2", None, "kg"]
    assert found[3][:2] == ["10-20 USD", None]


def test_a_workbook_says_in_its_headings_what_is_as_printed() -> None:
    english, chinese = (sheet(headings=one, keys=("price",))[0] for one in (Headings.ENGLISH, Headings.CHINESE))
    assert english == ["Price", "Price (as printed)"] and chinese[0] == "价格" and chinese[1] != "价格 (as printed)"


def test_csv_and_json_show_a_price_on_request_and_what_is_inherited_alike() -> None:
    asked = row(EVIDENCE, currency="CNY", weight="11.9")
    text = b"".join(streamed(write_csv, table(asked))).decode("utf-8-sig").splitlines()
    assert text[1] == '"面议 On request","CNY","11.9","kg"'
    json_text = b"".join(streamed(write_json, table(asked))).decode()
    assert '{"price": "面议 On request", "currency": "CNY", "weight": "11.9", "weight_unit": "kg"}' in json_text


@pytest.mark.parametrize(
    ("key", "text", "number"),
    [
        ("price", "US$ 3.20/pc", "3.20"),
        ("price", "$10-20", None),
        ("price", "100pcs: $2.5; 500pcs: $2.1", None),
        ("moq", "200 pcs", "200"),
        ("weight", "11.9", "11.9"),
        ("size", "30×40", None),
        ("size", "45 cm", "45"),
        ("price", "面议", None),
        ("price", "1234567890123456.00", None),
        ("model", "007", None),
    ],
)
def test_there_is_a_number_where_one_is_printed(key: str, text: str, number: str | None) -> None:
    assert number_of(normalised({key: text}, {}), key) == (Decimal(number) if number else None)


def test_tiers_in_columns_leave_the_price_one_number() -> None:
    tiers = (("1-99", "5.00"), ("100+", "4.00"))
    assert number_of(normalised({"price": "5.00"}, {}, tiers), "price") == 5


def test_what_a_person_changes_keeps_the_units_around_it_and_loses_those_of_what_is_gone() -> None:
    changed = {"weight": "12.4", "currency": "CNY"}
    kept = still_told(EVIDENCE, changed, {"weight"})
    assert kept == EVIDENCE and renormalised(changed, kept)["weight"] == {"values": [12.4], "unit": "kg"}
    assert renormalised(changed, kept)["price"]["text"] == "面议 On request"
    assert renormalised(changed, kept)["price"]["currency"] == "CNY"
    priced = {"price": "9.00", "currency": "CNY"}
    assert set(still_told(EVIDENCE, priced, {"price"})) == {"currency"} | {"price"}
    assert renormalised(priced, {})["price"]["value"] == "9.00"
    assert "price" not in still_told(EVIDENCE, {"currency"}, {"price"})


def test_screens_show_the_unit_where_it_is_not_in_the_value() -> None:
    asked = row(EVIDENCE, currency="CNY", weight="11.9")
    own = row(price="¥5", currency="¥")
    assert printed(asked.attributes, asked.normalized, "price") == "面议 On request"
    assert unit_elsewhere("面议", "price", asked.attributes, EVIDENCE) == "CNY"
    assert unit_elsewhere("11.9", "weight", asked.attributes, EVIDENCE) == "KGS"
    assert unit_elsewhere("12 lb", "weight", asked.attributes, EVIDENCE) == ""
    assert unit_elsewhere("¥5", "price", own.attributes, {}) == unit_elsewhere(None, "price", own.attributes, {}) == ""
    assert unit_code(asked.normalized, "weight") == "kg" and unit_code(asked.normalized, "size") is None


def test_a_price_on_request_is_not_missing() -> None:
    asked = row(EVIDENCE, currency="CNY", model="A-1")
    assert missing_keys(["model", "price", "size"], asked.attributes, asked.normalized) == ["size"]
