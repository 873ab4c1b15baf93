"""What a search looks for in the words of the catalogue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.text import fold
from processing.catalogue.searching import differing, gram_numbers, grams_of, key_of, search_for, words_of


def found(text: str) -> tuple[str, ...]:
    search = search_for(text)
    return search.grams if search else ()


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("椅", ("椅",)),
        ("餐椅", ("餐椅",)),
        ("实木餐椅", ("实木", "木餐", "餐椅")),
        ("AX-1200", ("120", "200")),  # what stands before the dash may go on to the left
        ("ＡＸ１", ("ax1",)),
        ("a2", ("^a2",)),
        ("青a2", ("青", "^a2")),
        ("oak 椅", ("oak", "椅")),
        ("a2橡木", ("橡木",)),
        (" -- ", ()),
        ("", ()),
    ],
)
def test_a_search_asks_for_the_rarest_grams(text: str, grams: tuple[str, ...]) -> None:
    assert found(text) == grams


def test_what_sql_reads_as_a_pattern_is_searched_as_it_is() -> None:
    search = search_for(r"50%_a\b")
    assert search is not None and search.likes == (r"%50\%\_a\\b%",)


def test_a_model_is_found_with_and_without_its_dashes() -> None:
    words = words_of({"model": "AX-100 B", "product_name": "橡木餐椅", "size": "1200"})
    assert words.split("\n") == ["ax-100 b", "橡木餐椅", "ax100b"]
    assert key_of("ＡＸ–100/b") == "ax100b"


def test_only_values_that_both_have_differ() -> None:
    one, other = {"price": "12.00", "color": "原木", "size": None}, {"price": "13.00", "color": " 原木 ", "size": "5"}
    assert differing(one, other, ["color", "price", "size"]) == ["price"]


WORDS = st.text(st.sampled_from("ab1 椅餐é。-_%\n"), max_size=12)


@given(WORDS, st.integers(0, 11), st.integers(1, 12))
def test_words_have_every_gram_that_a_search_for_a_part_of_them_asks_for(words: str, start: int, length: int) -> None:
    search = search_for(words[start : start + length])
    if search is not None and not search.starts:
        assert grams_of(fold(words)).keys() >= set(search.grams)
        assert set(gram_numbers(7, grams_of(fold(words)))) >= set(search.numbers(7))


def test_a_gram_is_another_number_for_another_merchant() -> None:
    assert gram_numbers(1, ["餐椅"]) != gram_numbers(2, ["餐椅"])
    assert all(-(1 << 31) <= number < 1 << 31 for number in gram_numbers(1, grams_of("橡木餐椅 ax-100")))
