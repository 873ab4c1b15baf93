"""Sizes in columns that are each headed by a letter alone."""

import pytest

from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, page, table, texts


def sizes_of(rows: list[list[str | None]]) -> list[str | None]:
    whole = page(tables=[table(rows, widths=60)])
    return texts(understand_page(whole, (), DocumentFacts(), BY_RULES), "size")


def _sizes(*heads: str, unit: str = "mm") -> list[str | None]:
    units = ["", *[unit] * len(heads), "USD"]
    values = [str(number) for number in (10, 30, 9, 4)][: len(heads)]
    rows: list[list[str | None]] = [
        ["Part No.", *heads, "Price"],
        units,
        ["RK-61", *values, "3.20"],
        ["RK-62", *values, "3.90"],
    ]
    return sizes_of(rows)


def test_a_letter_beside_parts_of_a_size_in_the_same_unit_of_length_is_one_of_them() -> None:
    assert _sizes("d", "D", "B") == ["10 x 30 x 9"] * 2


def test_a_letter_that_may_be_a_part_leaves_no_size_to_two_others() -> None:
    assert _sizes("d", "D", "B", unit="") == [None, None]


def test_letters_of_other_quantities_leave_the_size_as_it_is() -> None:
    rows: list[list[str | None]] = [
        ["Part No.", "L", "W", "C", "Price"],
        ["", "mm", "mm", "kN", "USD"],
        ["RK-61", "10", "30", "5.1", "3.20"],
        ["RK-62", "12", "32", "6.1", "3.90"],
    ]
    assert sizes_of(rows) == ["10 x 30", "12 x 32"]


@pytest.mark.parametrize(("head", "size"), [("Boundary dimensions", "10 x 30 x 9"), ("Limits", None)])
def test_letters_under_one_head_about_size_are_its_parts(head: str, size: str | None) -> None:
    rows: list[list[str | None]] = [
        ["Part No.", head, head, head, "Price"],
        [None, "d", "D", "B", None],
        ["RK-61", "10", "30", "9", "3.20"],
        ["RK-62", "10", "30", "9", "3.90"],
    ]
    assert sizes_of(rows) == [size] * 2


def test_more_letters_of_a_drawing_than_a_size_has_are_none() -> None:
    rows: list[list[str | None]] = [
        ["Part No.", *["Dimensions"] * 5, "Price"],
        [None, *"ABCDE", None],
        ["RK-61", "10", "30", "9", "4", "2", "3.20"],
        ["RK-62", "12", "32", "9", "4", "2", "3.90"],
    ]
    assert sizes_of(rows) == [None, None]
    assert sizes_of([[*row[:4], row[-1]] for row in rows]) == ["10 x 30 x 9", "12 x 32 x 9"]


def test_letters_of_garments_are_no_measures() -> None:
    rows: list[list[str | None]] = [
        ["Style No.", *["Size"] * 4, "Price"],
        [None, *"SML", "XL", None],
        ["RK-61", "10", "30", "9", "9", "3.20"],
        ["RK-62", "12", "32", "9", "9", "3.90"],
    ]
    assert sizes_of(rows) == [None, None]
