"""A merchant's words as data: what may stand in them, and what holds where several are above each other."""

from typing import Any, get_args

import pytest

from catalogsku.core.attributes import BASE_KEYS
from catalogsku.profiles import dictionaries
from catalogsku.profiles.dictionaries import DictionaryError, Word, merged, words_of
from processing.engine.understanding.rules import in_force, labels
from processing.engine.understanding.rules.dictionaries import measures


def entry(kind: str, word: str, means: str) -> dict[str, Any]:
    return {"kind": kind, "word": word, "means": means}


def test_the_engine_knows_every_meaning() -> None:
    assert dictionaries.KEYWORDS == in_force.KEYWORD_ROLES and dictionaries.PATTERNS == in_force.PATTERN_ROLES
    known = {*BASE_KEYS, labels.EXTRA, labels.FOREIGN, labels.ROW_NUMBER, labels.PICTURE, labels.QUANTITY}
    assert set(dictionaries.LABELS) == known
    assert set(dictionaries.LENGTHS) == set(measures.LENGTHS.values())
    assert set(dictionaries.WEIGHTS) == set(measures.WEIGHTS.values())
    assert set(dictionaries.CURRENCIES) == set(measures.ALL_CURRENCIES.values())
    assert set(get_args(dictionaries.Kind)) == set(dictionaries.MEANINGS)


@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        ({}, "not_a_list", 0),
        ([7], "bad_entry", 1),
        ([{"kind": "label", "word": "x"}], "bad_entry", 1),
        ([entry("label", "Ref", "model") | {"why": ""}], "bad_entry", 1),
        ([entry("verb", "x", "model")], "bad_entry", 1),
        ([entry("label", "  ", "model")], "no_word", 1),
        ([entry("label", "x" * 49, "model")], "word_too_long", 1),
        ([entry("unit", "x" * 13, "mm")], "word_too_long", 1),
        ([entry("label", "a\nb", "model")], "bad_word", 1),
        ([entry("label", "Ref: 12", "model")], "bad_word", 1),
        ([entry("label", "--", "model")], "bad_word", 1),
        ([entry("unit", "m2", "mm")], "bad_word", 1),
        ([entry("label", "Ref", "price"), entry("label", "Ref2", "cloth")], "bad_meaning", 2),
        ([entry("unit", "pol", "parsec")], "bad_meaning", 1),
        ([entry("keyword", "siehe Liste", "model")], "bad_meaning", 1),
        ([entry("label", "Ref forn", "model"), entry("label", "REF  FORN", "price")], "word_twice", 2),
        ([entry("pattern", "(a", "model")], "pattern_not_closed", 1),
        ([entry("pattern", "a*", "model")], "pattern_empty", 1),
        ([entry("pattern", r"(\d)\1", "model")], "pattern_not_allowed", 1),
        ([entry("label", f"w{n}", "model") for n in range(401)], "too_many", 0),
        ([entry("pattern", f"w{n}", "model") for n in range(31)], "too_many_patterns", 0),
    ],
)
def test_what_is_none_is_refused_with_its_place(raw: Any, code: str, place: int) -> None:
    with pytest.raises(DictionaryError) as refused:
        words_of(raw)
    assert (refused.value.code, refused.value.place) == (code, place)


def test_a_label_may_name_an_attribute_of_the_category() -> None:
    raw = [entry("label", " Höhe Sitz ", "seat_height"), entry("label", "Ref.", "model")]
    assert words_of(raw, ("seat_height",))[0] == Word("label", "Höhe Sitz", "seat_height")


def test_the_narrower_holds_before_the_wider_and_may_take_a_word_back() -> None:
    wide = (Word("label", "Ref. forn.", "model"), Word("label", "Nota", "description"), Word("unit", "pol", "in"))
    narrow = (Word("label", "ref. FORN.", "brand"), Word("label", "Nota", dictionaries.AS_BUILT_IN))
    assert merged([wide, narrow]) == (Word("label", "ref. FORN.", "brand"), Word("unit", "pol", "in"))
