"""CSV that runs nothing, by whatever a spreadsheet splits it, and that gives back what it was made of."""

import csv
import io
import re
import unicodedata
from types import SimpleNamespace
from typing import Any

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl.utils.escape import unescape

from processing.exports.columns import Column, Entry, Table
from processing.exports.tables import Writer, neutral, streamed, write_csv
from processing.exports.workbook import write_workbook

SPLIT_BY = [",", ";", "\t", "|"]
# What documents are made of and what attacks are made of.
TEXT = st.text(
    st.sampled_from("=+-@＝＋－＠﹦;,\t|\r\n\"' \u00a0\u3000\u200b\ufeff\u200e5aZ中°%\x00\x0b")
    | st.characters(codec="utf-8"),
    max_size=12,
)
INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Zs")
ATTACK = "=cmd|'/c calc'!A0"


def written(rows: list[list[Any]], writer: Writer = write_csv) -> bytes:
    columns = [
        Column(f"c{at}", f"c{at}", f"c{at}", lambda entry, at=at: entry.sku.row[at])  # type: ignore[misc]
        for at in range(len(rows[0]))
    ]
    entries = iter([Entry("id", SimpleNamespace(row=row)) for row in rows])  # type: ignore[arg-type]
    return b"".join(streamed(writer, Table(columns, entries)))


def csv_of(rows: list[list[Any]]) -> str:
    return written(rows).decode("utf-8-sig")


def read(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def is_run(cell: str) -> bool:
    """Spreadsheets skip blanks, invisible signs and, where they part cells wrongly, quotes; they narrow wide signs."""
    shown = next((sign for sign in cell if unicodedata.category(sign) not in INVISIBLE and sign != '"'), "")
    is_form = unicodedata.decomposition(shown).startswith(("<wide>", "<small>")) if shown else False
    return (unicodedata.normalize("NFKC", shown) if is_form else shown) in tuple("=+-@")


def unmarked(cell: str) -> str:
    """Each mark: an apostrophe at the beginning, or behind a sign that readers split by, with a formula behind it."""
    parts = re.split("([;\t|\r\n])", cell)
    return "".join(part[1:] if part.startswith("'") and is_run(part.lstrip("'")) else part for part in parts)


@given(st.lists(st.lists(TEXT, min_size=3, max_size=3), min_size=1, max_size=3))
@example([["a", f"x;{ATTACK}", "b"]])
@example([["a", f"x\n{ATTACK}", f'x;"{ATTACK}']])
@example([["a", f"\n{ATTACK}", f" {ATTACK}"]])
@example([["a;", "-5", f"\t|{ATTACK}"]])
@example([[f'"{ATTACK}', f'x|" \u200b"{ATTACK}', "'=1"]])
def test_no_cell_is_a_formula_by_whatever_the_file_is_split(rows: list[list[str]]) -> None:
    text = csv_of(rows)
    for delimiter in SPLIT_BY:
        for row in read(text, delimiter):
            assert not any(map(is_run, row)), (delimiter, row)


@given(st.lists(st.lists(TEXT, min_size=2, max_size=2), min_size=1, max_size=3))
@example([["-20 °C", "+/-5 %"]])
@example([["'-20 °C", "''=1"]])
def test_what_was_marked_is_found_again(rows: list[list[str]]) -> None:
    clean = [["".join(sign for sign in cell if sign in "\t\r\n" or sign >= " ") for cell in row] for row in rows]
    clean = [[re.sub("[\x7f\ufffe\uffff]", "", cell) for cell in row] for row in clean]
    assert [[unmarked(cell) for cell in row] for row in read(csv_of(rows))[1:]] == clean


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("-20 °C", "'-20 °C"),
        ("+/-5 %", "'+/-5 %"),
        ("−20 °C", "−20 °C"),  # a minus sign of typographers is no operator
        ("10-20 mm", "10-20 mm"),
        ("Seat: oak; legs: steel", "Seat: oak; legs: steel"),
        ("1,5 × 2,0 m", "1,5 × 2,0 m"),
        ("light\n- stackable", "light\n'- stackable"),
        ("0; -5", "0;' -5"),
        ("me@example.org", "me@example.org"),
        ("O'Neill", "O'Neill"),
        (7, "7"),
        (None, ""),
    ],
)
def test_what_is_harmless_stays_as_it_is(value: Any, cell: str) -> None:
    assert read(csv_of([[value]]))[1] == [cell]


def test_text_is_quoted_and_numbers_are_numbers() -> None:
    assert csv_of([["a;b", 7, None]]).splitlines()[1] == '"a;b",7,""'


@given(st.lists(TEXT, min_size=1, max_size=6))
@settings(max_examples=40)
def test_a_workbook_holds_no_formula_and_text_as_text(values: list[str]) -> None:
    book = openpyxl.load_workbook(io.BytesIO(written([[value] for value in values], write_workbook)))
    for at, value in enumerate(values, 2):
        cell = book.worksheets[0].cell(at, 1)
        assert cell.data_type != "f" and isinstance(cell.value, str | None)
        clean = str(neutral(value)).replace("\r\n", "\n").replace("\r", "\n")
        assert unescape(cell.value or "") == clean and not is_run(clean or "x")
