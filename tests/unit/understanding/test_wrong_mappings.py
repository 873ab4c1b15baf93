"""Fonts whose mapping is wrong: letters of many scripts where one was printed."""

import random

import msgspec
import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture

# Telugu, Malayalam, Sinhala, Tibetan, Myanmar, Khmer: what a font's own numbers look like as Unicode.
WRONG = [chr(at + k) for at in (0x0C15, 0x0D15, 0x0D9A, 0x0F40, 0x1000, 0x1780) for k in range(12)]


def printed(letters: list[str]) -> ParsedPage:
    shuffled = random.Random(7)
    words = ["".join(shuffled.choices(letters, k=12)) for _ in range(20)]
    return page(*[line(text, 50, 60 + 30 * n) for n, text in enumerate(words)], line("HM-20", 300, 60))


def understood(one: ParsedPage) -> tuple[str, list[str]]:
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    return result.page_type, [blocker.code for blocker in result.blockers]


@pytest.mark.req("TA-CLS")
def test_a_page_in_letters_of_many_scripts_goes_to_a_person() -> None:
    assert understood(printed(WRONG)) == ("D", ["page_type_uncertain"])


@pytest.mark.parametrize("start", [0x0E01, 0x0905, 0x05D0, 0x0627, 0x10D0, 0x0430, 0xAC00, 0x1EA0])
def test_a_page_in_letters_of_one_script_is_read(start: int) -> None:
    assert understood(printed([chr(start + k) for k in range(20)] + list("ABCDEFabcdef"))) == ("D", [])


@pytest.mark.parametrize(
    ("start", "photos", "found"),
    [(0x0627, 2, ["page_type_uncertain"]), (0x0E01, 2, ["page_type_uncertain"]), (0x0627, 1, [])],
)
def test_photos_beside_a_script_without_a_dictionary_go_to_a_person(start: int, photos: int, found: list[str]) -> None:
    shown = [picture(f"P{n}", (60 + 250 * n, 650 - 90 * n, 260 + 250 * n, 800)) for n in range(photos)]
    told = printed([chr(start + k) for k in range(20)])
    assert understood(msgspec.structs.replace(told, pictures=tuple(shown))) == ("D", found)
