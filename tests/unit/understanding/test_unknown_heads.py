"""Lists under heads that no dictionary knows: told by codes at the left and money at the right."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

HEAD = ["Cover", "Fits Frame", "Kind of chair", "CDP"]
ROWS = [
    ["FC119", "CL70", "Chaise without arms", "$314"],
    ["FC174", "CL15", "Side table", "415"],
    ["FC170", "CL20", "Deep seat", "168"],
    ["FC278", "CL38", "Rocker", "235"],
]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def listed(rows: list[list[str]], *lefts: float) -> list[Line]:
    at = (0, 45, 100, 220)
    return [
        line(text, left + x, 100 + 16 * n, 8)
        for left in lefts
        for n, row in enumerate(rows)
        for x, text in zip(at, row, strict=True)
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [[code, frame, name, price.strip("$")] for code, frame, name, price in ROWS],  # numbers that may be anything
        [["FC119", "CL70", *row[2:]] for row in ROWS],  # one code for all
        [[f"{n}", "CL70", *row[2:]] for n, row in enumerate(ROWS)],  # numbers of rows
    ],
)
def test_other_tables_with_unknown_heads_are_not(rows: list[list[str]]) -> None:
    assert understood(page(*listed([HEAD, *rows], 40))).skus == ()
    assert understood(page(tables=[table([HEAD, *rows])])).skus == ()


def test_two_heads_close_together_are_two_where_the_rows_tell() -> None:
    head = listed([["Item", "Fits frames", "Name", "Price"]], 40)
    glued = Line("Fits frames Name", (85, 100, head[2].box[2], 108), head[1].words + head[2].words, 8)
    rows = listed([["", "", "", ""], *ROWS], 40)
    result = understood(page(head[0], glued, head[3], *(one for one in rows if one.text)))
    assert texts(result, "product_name") == [row[2] for row in ROWS]


PRICED = [["FC119", "Round", "180", "30.8"], ["FC174", "Round", "180", "31.8"], ["FC170", "Oval", "200", "33"],
          ["FC278", "Oval", "225", "35.2"]]  # fmt: skip
ORDERED = [[f"0389460{n}", f"GIANT {n}0MG 28CPR", f"*0389460{n}*", ""] for n in (12, 37, 75, 80)]


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        (["Alarm", "Description", "Cause"], [[f"E0{n}", f"Motor {n} hot", "Fan stopped"] for n in range(1, 6)]),
        (["Lot", "Description", "Barcode"], [[f"20{n}", f"Motor {n} small", "*77*"] for n in range(11, 16)]),  # years
        (["Lot", "Description", "Barcode"], [["038946", f"Motor {n}", f"*{n}*"] for n in range(11, 16)]),  # one number
    ],
)
def test_codes_before_other_texts_name_no_products(head: list[str], rows: list[list[str]]) -> None:
    assert not any(texts(understood(page(tables=[table([head, *rows])])), "model"))


def counted(amounts: list[str]) -> PageResult:
    names = ["Acidex tabs", "Bambam gel", "Colisat drops", "Satdol plus", "Refix syrup"]
    rows = [[str(n), name, "10X10", amount] for n, (name, amount) in enumerate(zip(names, amounts, strict=True), 1)]
    return understood(page(tables=[table([["Sx", "Xyzzy", "Blurb", "Qux"], *rows])]))


def family(codes: list[str]) -> PageResult:
    return understood(
        page(tables=[table([["Qux", "Flash", "Ambient"], *([code, "4 MB", "-40 ~ 85"] for code in codes)])])
    )


def test_counted_names_with_amounts_and_codes_of_one_family_go_to_a_person() -> None:
    for result in (counted(["40", "80.50", "49", "45", "166"]), family([f"MX32-S3-N{n}R{n}" for n in range(1, 7)])):
        assert "rows_unresolved" in [blocker.code for blocker in result.blockers] and not result.skus


@pytest.mark.parametrize("amounts", [["12", "14", "20", "31", "45"], ["4", "2", "1", "1", "2"]])
def test_pages_of_chapters_and_numbers_of_parts_are_no_amounts(amounts: list[str]) -> None:
    assert counted(amounts).blockers == ()


def test_codes_that_begin_differently_are_no_family() -> None:
    result = family([f"{letter}X32-S3-N4" for letter in "ABCDEF"])
    assert (result.skus, result.classification["reason"]) == ((), "table_of_codes")
