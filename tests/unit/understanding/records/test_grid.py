"""Columns of tables typed by what stands in them, under heads of a language that no dictionary holds."""

import pytest

from processing.engine.page import Table
from processing.engine.understanding.records.grid import readings, side_by_side
from processing.engine.understanding.tables.columns import CUSTOM, IGNORED
from tests.unit.understanding.pages import table

NAMES = ["Tamrik blent", "Osven kadul", "Prilo mest", "Ganda tusk"]
CODES = ["T56-71", "T56-72", "T58-01", "T59-13"]
PRICES = ["12,50", "113,90", "1 250,00", "75,00"]


def columns(*values: list[str], heads: str = "Zorp Vlim Qwast Drun Kelv") -> list[list[str]]:
    """Rows of a table under made-up heads."""
    return [heads.split()[: len(values)], *(list(row) for row in zip(*values, strict=True))]


def roles(*tables: Table) -> list[dict[str, str]]:
    """Of each table that has an identity, what each head's column holds."""
    return [{column.label.text: column.role for column in one.columns} for one in readings(tables)]


@pytest.mark.parametrize(
    "codes",
    [
        CODES,
        ["ОС219-2,0М", "ОС159-1,5", "КС133-3,5", "КС273-2,5М"],  # a comma, letters that are not Latin
        ["MT 44 a", "MT 45 a", "MT 46 c", "MT 51 b"],
    ],
)
def test_what_differs_from_row_to_row_and_is_alike_in_shape_is_the_code(codes: list[str]) -> None:
    (found,) = roles(table(columns(codes, NAMES, PRICES)))
    assert found == {"Zorp": "model", "Vlim": "product_name", "Qwast": "price"}


def test_one_code_for_all_rows_is_none() -> None:
    (found,) = roles(table(columns(["T56-71"] * 4, NAMES, PRICES)))
    assert found["Zorp"] == CUSTOM and found["Vlim"] == "product_name"


def test_barcodes_are_no_models() -> None:
    eans = [f"46070012345{n}" for n in (67, 74, 81, 98)]
    (found,) = roles(table(columns(eans, CODES, NAMES, PRICES)))
    assert found == {"Zorp": "barcode", "Vlim": "model", "Qwast": "product_name", "Drun": "price"}
    (alone,) = roles(table(columns(eans, NAMES, PRICES)))
    assert alone["Zorp"] == "barcode" and "model" not in alone.values()


def test_numbers_of_rows_say_nothing() -> None:
    (found,) = roles(table(columns(["1", "2", "3", "4"], NAMES, PRICES)))
    assert found == {"Zorp": IGNORED, "Vlim": "product_name", "Qwast": "price"}


@pytest.mark.parametrize(
    ("amounts", "role"),
    [
        (PRICES, "price"),  # with cents
        (["$450", "$520", "$1200", "75"], "price"),  # most of them with a currency
        (["450", "520", "1200", "75"], CUSTOM),  # may be anything
        (["12.10.2024", "13.10.2024", "14.10.2024", "15.10.2024"], CUSTOM),
    ],
)
def test_amounts_are_the_price_where_they_look_like_money(amounts: list[str], role: str) -> None:
    (found,) = roles(table(columns(CODES, NAMES, amounts)))
    assert found["Qwast"] == role


def test_plain_amounts_are_the_price_under_a_currency() -> None:
    (found,) = roles(table(columns(CODES, NAMES, ["450", "520", "1200", "75"], heads="Zorp Vlim EUR")))
    assert found["EUR"] == "price"


def test_counts_under_a_head_of_quantities_are_no_price_but_with_a_currency() -> None:
    for counts, is_price in ((["239.00", "248.00", "18.00", "9.00"], False), (["$239", "$248", "$18", "$9"], True)):
        (found,) = roles(table(columns(CODES, NAMES, counts, heads="Zorp Vlim Quantity")))
        assert (found["Quantity"] == "price") == is_price


@pytest.mark.parametrize(
    "amounts", [["160MHz", "120MHz", "96MHz", "48MHz"], ["180-260", "200-400", "300-500", "90-95"]]
)
def test_amounts_of_anything_are_no_size_under_a_head_that_nobody_knows(amounts: list[str]) -> None:
    (found,) = roles(table(columns(CODES, NAMES, amounts)))
    assert found["Qwast"] == CUSTOM
    (told,) = roles(table(columns(CODES, NAMES, amounts, heads="Zorp Vlim Size")))
    assert told["Size"] == "size"


def test_measures_are_the_size() -> None:
    sizes = ["20 x 30 cm", "25 x 30 cm", "30 x 40 cm", "40 x 60 cm"]
    (found,) = roles(table(columns(CODES, NAMES, sizes, PRICES)))
    assert found["Qwast"] == "size"


def test_how_much_is_in_it_is_the_size_beside_what_is_counted() -> None:
    filled = ["355 ml", "2 pk", "12 x 2 ml", "30 Drops"]
    (found,) = roles(table(columns(CODES, NAMES, filled, PRICES)))
    assert found["Qwast"] == "size"
    (counted,) = roles(table(columns(CODES, NAMES, ["6 Pack", "2 pk", "1 Sheet", "30 Drops"], PRICES)))
    assert counted["Qwast"] == CUSTOM, "of what, only the head could tell"


def test_what_a_case_weighs_is_not_the_size_where_one_is_printed() -> None:
    (found,) = roles(table(columns(NAMES, ["15.50 kg"] * 4, ["120 x 60 mm", "90 x 40 mm", "60 x 30 mm", "9 x 4 mm"])))
    assert found["Qwast"] == "size" and found["Vlim"] == CUSTOM


def test_words_in_which_rows_differ_are_the_name_and_those_of_many_rows_are_not() -> None:
    colours = ["white", "white", "black", "black"]
    (found,) = roles(table(columns(CODES, colours, NAMES)))
    assert found == {"Zorp": "model", "Vlim": CUSTOM, "Qwast": "product_name"}


def test_a_table_of_numbers_lists_no_products() -> None:
    assert roles(table(columns(["10", "25", "25", "40"], ["3,5", "4,1", "4,0", "2,2"]))) == []


def test_tables_under_the_same_heads_are_typed_together() -> None:
    """The second one alone tells too little: its one amount may be anything."""
    many = [
        [f"{code}{n}", f"{name} {n}", price]
        for n in range(3)
        for code, name, price in zip(CODES, NAMES, PRICES, strict=True)
    ]
    first = table([["Zorp", "Vlim", "Qwast"], *many], id="G1")
    short = table([["Zorp", "Vlim", "Qwast"], ["T60-01", "Vorek sime", "80"]], y=400, id="G2")
    assert [one.get("Qwast") for one in roles(short)] != ["price"]
    assert [one["Qwast"] for one in roles(first, short)] == ["price", "price"]
    other = table([["Zorp", "Vlim", "Halt"], ["T60-01", "Vorek sime", "80"]], y=400, id="G2")
    assert [one.get("Halt") for one in roles(first, other)] == [None, CUSTOM]


def test_a_table_beside_one_with_a_head_goes_with_it() -> None:
    left = columns(CODES, NAMES, ["355 ml", "473 ml", "125 g", "60 g"], PRICES)
    cells = (["K1-01", "K1-02"], ["Vesp tarl", "Umbo kest"], ["Sol", "3 kart"], PRICES[:2])
    right = [list(row) for row in zip(*cells, strict=True)]
    found = roles(table(left, id="G1"), table(right, x=400, id="G2"))
    assert found[1] == found[0] and found[0]["Qwast"] == "size"


def test_a_head_alone_heads_the_next_tables_of_its_columns() -> None:
    head = table([["Code", "Article", "Price"]], y=100, id="G1")
    rows = [[code, name, price] for code, name, price in zip(CODES, NAMES, ["450", "520", "1200", "75"], strict=True)]
    body, far = table(rows, y=130, id="G2"), table(rows, x=120, y=130, id="G2")
    assert roles(head, body) == [{"Code": "model", "Article": "product_name", "Price": "price"}]
    assert [set(one) for one in roles(head, far)] == [{""}]


def test_products_may_stand_in_columns() -> None:
    (reading,) = readings([table([["Model", *CODES], ["Price", *PRICES], ["Colour", "red", "red", "blue", "blue"]])])
    assert reading.grid.turned
    assert {c.label.text: c.role for c in reading.columns} == {"Model": "model", "Price": "price", "Colour": "color"}
    assert next(c.values for c in reading.columns if c.role == "model") == tuple(CODES)


@pytest.mark.parametrize(
    ("numbers", "role"),
    [
        (["58785", "80981", "81889", "60633"], "model"),
        (["1300", "1600", "1950", "2500"], CUSTOM),  # how strong they are
        (["2019", "2021", "2022", "2018"], CUSTOM),  # of which year
        (["1203", "20441", "103355", "7719"], CUSTOM),  # of no common length
    ],
)
def test_bare_numbers_are_codes_where_they_behave_like_some(numbers: list[str], role: str) -> None:
    (found,) = roles(table(columns(NAMES, numbers, ["12", "12", "14", "15"])))
    assert found["Zorp"] == "product_name" and found["Vlim"] == role


def test_numbers_of_rows_under_the_sign_for_numbers_are_no_codes() -> None:
    (found,) = roles(table([["№", "Vlim"], *([f"{n} .", name] for n, name in enumerate(NAMES, 1))]))
    assert found == {"№": IGNORED, "Vlim": "product_name"}


def test_a_range_is_no_code() -> None:
    (found,) = roles(table(columns(["115 - 480", "155 - 490", "180 - 500", "213 - 510"], NAMES)))
    assert found["Zorp"] != "model"


def test_a_series_word_with_its_type_is_a_name_and_the_maker_of_many_rows_is_not() -> None:
    types = ["SMA SB 1300TL-10", "SMA SB 1600TL-10", "SMA STP 20000", "Kostal PIKO 7.0"]
    (found,) = roles(table(columns(["SMA", "SMA", "SMA", "Kostal"], types, ["1300", "1600", "20000", "7000"], PRICES)))
    assert found == {"Zorp": CUSTOM, "Vlim": "product_name", "Qwast": CUSTOM, "Drun": "price"}


def test_brands_that_all_differ_are_names() -> None:
    brands, contents = ["LIVLANSE", "HYBRAIN", "M-SHE", "PAINOMIC", "DR CLEAN"], [f"herbal tonic {n}" for n in "abcde"]
    (found,) = roles(table([["Brand name", "Vlim"], *map(list, zip(brands, contents, strict=True))]))
    assert found["Brand name"] == "product_name"
    (found,) = roles(
        table([["Brand name", "Vlim"], *([brand, text] for brand, text in zip(["LIV"] * 5, contents, strict=True))])
    )
    assert found == {"Brand name": "brand", "Vlim": "product_name"}


def test_amounts_whose_thousands_are_parted_are_money_under_no_head() -> None:
    rows = [list(row) for row in zip(CODES, NAMES, ["610 000", "1 703 000", "364 000", "41 500"], strict=True)]
    (reading,) = readings([table(rows)])
    assert [column.role for column in reading.columns] == ["model", "product_name", "price"]


def test_signs_before_lines_say_nothing() -> None:
    (found,) = roles(table(columns(["●"] * 4, NAMES)))
    assert found == {"Zorp": IGNORED, "Vlim": "product_name"}


def test_measures_over_prices_are_heads() -> None:
    rows = [["Zorp", "100g", "250g"], *([name, f"R$ {n}3,50", f"R$ {n}9,50"] for n, name in enumerate(NAMES, 1))]
    (reading,) = readings([table(rows)])
    assert [column.label.text for column in reading.columns] == ["Zorp", "100g", "250g"]
    assert reading.columns[0].values == tuple(NAMES)


def test_rows_are_products_where_a_row_is_a_head_of_known_words() -> None:
    """Looked at from the side, the one row of sizes and the one of quantities would have more roles."""
    rows = [
        ["PRODUCT LIST", "", "", "", ""],
        ["Sl No", "Product", "Size & Variants", "Std Qty", "Price"],
        ["1", "Mild Steel", "2.00/2.5/3.15/4.0/5.0mm", "8 pkts", ""],
        ["2", "Low Hydrogen", "2.5/3.15/4.0mm", "8 pkts", ""],
        ["3", "Low Alloy", "2.5/3.15/4.0mm", "", ""],
        ["1", "MIG wires 70S6", "0.80/1.00/1.20/1.60mm", "15 kgs", ""],
        ["2", "Flux core Wires 71T1", "1.20mm", "15 kgs", ""],
    ]
    (reading,) = readings([table(rows)])
    assert not reading.grid.turned and {c.label.text: c.role for c in reading.columns}["Product"] == "product_name"


def test_lists_beside_each_other_in_one_table_are_read_apart() -> None:
    left, right = NAMES, ["Vorek sime", "Umbo kest", "Vesp tarl"]
    rows = [["●", a, "●", b] for a, b in zip(left, [*right, ""], strict=True)]
    rows[3][2] = ""
    parts = side_by_side(table(rows))
    assert [part.n_cols for part in parts] == [2, 2] and len({part.id for part in parts}) == 2
    names = [
        value for reading in readings(parts) for c in reading.columns if c.role == "product_name" for value in c.values
    ]
    assert names == [*left, *right]
    one = table(columns(CODES, NAMES, PRICES))
    assert side_by_side(one) == [one]


def test_a_brand_of_many_rows_is_no_name_however_long_it_is() -> None:
    brands = ["Tamrik blent", "Tamrik blent", "Tamrik blent", "Osven kadul", "Osven kadul"]
    rows = [[brand, name] for brand, name in zip(brands, ["Rod", "Bar", "Nut", "Cap", "Pin"], strict=True)]
    (found,) = roles(table([["Brand name", "Vlim"], *rows]))
    assert found == {"Brand name": "brand", "Vlim": "product_name"}


def test_short_names_that_differ_outweigh_a_long_one_that_repeats() -> None:
    types = ["PIKO 7", "PIKO 8", "PIKO 10", "PIKO 12"]
    (found,) = roles(table(columns(["Kostal Industrie Elektrik"] * 4, types, PRICES)))
    assert found["Vlim"] == "product_name" and found["Zorp"] == CUSTOM


def test_a_table_of_two_filled_columns_and_others_that_are_not_is_one_list() -> None:
    one = table([[code, name, price, ""] for code, name, price in zip(CODES, NAMES, PRICES, strict=True)])
    assert side_by_side(one) == [one]


def test_a_range_with_spaces_is_as_long_as_a_code_and_none() -> None:
    ranges = ["115 – 480", "155 – 480", "200 – 480", "213 – 510"]
    (found,) = roles(table(columns(ranges, ["3", "3", "4", "4"], NAMES)))
    assert "model" not in found.values()
