"""A merchant's own words beside those that are built in, as data: how they are read from JSON, and how a category takes
over what stands above it (TA-DICT). Pure."""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, get_args

import msgspec

from catalogsku.core.attributes import BASE_KEYS
from catalogsku.core.expressions import ExpressionError, Expressions
from catalogsku.core.structs import ready
from catalogsku.profiles.schemas import fold

Kind = Literal["label", "keyword", "unit", "pattern"]

WORDS_MOST, PATTERNS_MOST, WORD_LENGTH_MAX, UNIT_LENGTH_MAX = 400, 30, 48, 12
# It holds as it is built in again, below where another meaning was given to it.
AS_BUILT_IN = "built_in"
# By kind, what a word may mean. Labels may name an attribute of the category's schema besides.
LABELS = (*BASE_KEYS, "extra", "foreign", "row_number", "picture", "quantity")
KEYWORDS = ("on_request", "no_value", "total", "note", "heading", "document", "running")
PATTERNS = ("model", "not_model", "running")
LENGTHS, WEIGHTS = ("mm", "cm", "m", "in", "ft"), ("g", "kg", "t", "lb", "oz")
CURRENCIES = (
    "AED", "ARS", "AUD", "AZN", "BDT", "BGN", "BHD", "BOB", "BRL", "BYN", "CAD", "CHF", "CLP", "CNY", "CRC", "CZK",
    "DKK", "DOP", "DZD", "EGP", "ETB", "EUR", "GBP", "GHS", "GTQ", "HKD", "HNL", "HUF", "IDR", "ILS", "INR", "IQD",
    "ISK", "JOD", "JPY", "KES", "KGS", "KHR", "KRW", "KWD", "KZT", "LBP", "LKR", "MAD", "MKD", "MMK", "MXN", "MYR",
    "NGN", "NOK", "NPR", "NZD", "OMR", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "SAR", "SEK", "SGD",
    "THB", "TJS", "TND", "TRY", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VND", "XAF", "XOF", "ZAR",
)  # fmt: skip
MEANINGS: dict[Kind, tuple[str, ...]] = {
    "label": LABELS,
    "keyword": KEYWORDS,
    "unit": (*LENGTHS, *WEIGHTS, *CURRENCIES),
    "pattern": PATTERNS,
}


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``word``: as catalogues print it; of a pattern the expression (core.expressions) of a whole text. ``means``: one
    of ``MEANINGS`` of its kind, the key of an attribute, or ``AS_BUILT_IN``."""

    kind: Kind
    word: str
    means: str


class DictionaryError(ValueError):
    """``code`` names what is wrong, ``place`` the entry from 1 on (0: the list itself), ``what`` the word at fault."""

    def __init__(self, code: str, place: int = 0, what: str = "") -> None:
        super().__init__(f"{code} at {place}: {what}")
        self.code, self.place, self.what = code, place, what[:60]


def words_of(raw: Any, attributes: Collection[str] = ()) -> tuple[Word, ...]:
    """``attributes``: keys of the category's schema. Raises DictionaryError: not_a_list, bad_entry, too_many,
    too_many_patterns, no_word, bad_word, word_too_long, bad_meaning, word_twice, bad_pattern and, for what is wrong in
    an expression, pattern_ with the code of ExpressionError."""
    if not isinstance(raw, list):
        raise DictionaryError("not_a_list")
    if len(raw) > WORDS_MOST:
        raise DictionaryError("too_many", 0, str(WORDS_MOST))
    words = tuple(_word(place, entry, attributes) for place, entry in enumerate(raw, 1))
    if sum(word.kind == "pattern" for word in words) > PATTERNS_MOST:
        raise DictionaryError("too_many_patterns", 0, str(PATTERNS_MOST))
    names = [_name(word) for word in words]
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        place = len(names) - names[::-1].index(twice[0])
        raise DictionaryError("word_twice", place, words[place - 1].word)
    return words


def merged(dictionaries: Iterable[Sequence[Word]]) -> tuple[Word, ...]:
    """Of several, from the widest to the narrowest, what holds where all of them do."""
    words: dict[tuple[str, str], Word] = {}
    for dictionary in dictionaries:
        words |= {_name(word): word for word in dictionary}
    return tuple(word for word in words.values() if word.means != AS_BUILT_IN)


def _name(word: Word) -> tuple[str, str]:
    """By what two entries are about the same; the case of a pattern's letters counts."""
    return word.kind, word.word if word.kind == "pattern" else fold(word.word)


def _word(place: int, entry: Any, attributes: Collection[str]) -> Word:
    try:
        read = msgspec.convert(entry, ready(Word))
    except msgspec.ValidationError as error:
        raise DictionaryError("bad_entry", place, str(error)) from error
    word = Word(read.kind, read.word.strip(), read.means.strip())
    if not word.word:
        raise DictionaryError("no_word", place)
    if word.kind == "pattern":
        _check_pattern(place, word.word)
    elif len(word.word) > (UNIT_LENGTH_MAX if word.kind == "unit" else WORD_LENGTH_MAX):
        raise DictionaryError("word_too_long", place, word.word)
    elif not _is_printed(word):
        raise DictionaryError("bad_word", place, word.word)
    known = (*MEANINGS[word.kind], AS_BUILT_IN, *(attributes if word.kind == "label" else ()))
    if word.means not in known:
        raise DictionaryError("bad_meaning", place, word.means)
    return word


def _is_printed(word: Word) -> bool:
    """In one line, with a letter in it or, for units, any sign but figures; a label holds no value behind a colon."""
    text = word.word
    if any(unicodedata.category(sign)[0] == "C" for sign in text):
        return False
    if word.kind == "unit":
        return not any(map(str.isdigit, text)) and " " not in text
    return any(map(str.isalnum, text)) and (word.kind != "label" or ":" not in text[:-1])


def _check_pattern(place: int, pattern: str) -> None:
    try:
        machine = Expressions([pattern])
    except ExpressionError as error:
        raise DictionaryError(f"pattern_{error.code}", place, f"{pattern[:40]} ({error.at})") from error
    if machine.match(""):  # it would be every empty cell
        raise DictionaryError("pattern_empty", place, pattern)


KINDS: tuple[Kind, ...] = get_args(Kind)
