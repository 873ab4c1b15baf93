"""Codes in brackets behind a name."""

import pytest

from processing.engine.understanding.bracketed import out_of_brackets
from tests.unit.understanding.pages import line


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("HAIR COMB (CODE: 042)", ["HAIR COMB", "CODE: 042"]),
        ("Oak chair [Ref: A-10]", ["Oak chair", "Ref: A-10"]),
        ("橡木椅（型号：A-10）", ["橡木椅", "型号：A-10"]),
    ],
)
def test_the_name_and_its_code_are_two(text: str, parts: list[str]) -> None:
    assert [part.text for part in out_of_brackets(line(text, 50, 100))] == parts


def test_each_part_has_its_place() -> None:
    name, code = out_of_brackets(line("Hair comb (Code: 042)", 50, 100))
    assert name.box[2] < code.box[0] and [word.text for word in name.words] == ["Hair", "comb"]


@pytest.mark.parametrize(
    "text",
    [
        "Hair comb (042)",  # no label
        "Hair comb (Size: 20 cm)",
        "Hair comb (Code: see below)",
        "(Code: 042)",
        "Name: Hair comb (Code: 042)",
        "We sell this comb, that comb, and the other comb (Code: 042)",
        "Hair comb (Code: 042) new",
    ],
)
def test_other_brackets_stay(text: str) -> None:
    whole = line(text, 50, 100)
    assert out_of_brackets(whole) == [whole]
