"""The merchant's own words that hold while one page of theirs is understood, beside the built-in ones (TA-DICT).

They come in with the page's configuration (``understand_page``) and end with it. What is kept of answers that depend on
words is kept by them, so that merchants who share a process have nothing in common.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from catalogsku.core.expressions import Expressions
from processing.engine.understanding.config import Word
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import fold, in_either_language, squash

Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")

# What keywords say of the words that they are, and patterns of the text that they are.
KEYWORD_ROLES = ("on_request", "no_value", "total", "note", "heading", "document", "running")
PATTERN_ROLES = ("model", "not_model", "running")
# Of all patterns of one role; each of them alone is bounded where it is saved.
_STATES_MAX = 4000
_KINDS_OF_UNITS: dict[str, Mapping[str, str]] = {
    "price": measures.ALL_CURRENCIES,
    "size": measures.LENGTHS,
    "weight": measures.WEIGHTS,
}


class OwnWords:
    """A merchant's words, ready to be asked."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.labels = [(w.word, w.means) for w in words if w.kind == "label"]
        self._keywords = {
            role: frozenset(squash(w.word) for w in words if (w.kind, w.means) == ("keyword", role))
            for role in KEYWORD_ROLES
        }
        self._patterns = {
            role: Expressions([w.word for w in words if (w.kind, w.means) == ("pattern", role)], _STATES_MAX)
            for role in PATTERN_ROLES
            if any((w.kind, w.means) == ("pattern", role) for w in words)
        }
        own = {fold(w.word): w.means for w in words if w.kind == "unit"}
        self.units = {
            key: {printed: unit for printed, unit in own.items() if unit in known.values()}
            for key, known in _KINDS_OF_UNITS.items()
        }
        self._measures = _in_text({**self.units["size"], **self.units["weight"]})
        self.currencies = _in_text(self.units["price"])

    def says(self, role: str, text: str) -> bool:
        """The text is one of the keywords of this role, as the built-in words are compared."""
        keywords = self._keywords[role]
        return bool(keywords) and in_either_language(text, keywords)

    def begins(self, role: str, text: str) -> bool:
        """The text begins with one of the keywords, and with no longer word."""
        if not self._keywords[role]:
            return False
        whole = squash(text)
        return any(whole.startswith(w) and not whole[len(w) : len(w) + 1].isalnum() for w in self._keywords[role])

    def matches(self, role: str, text: str) -> bool:
        return role in self._patterns and self._patterns[role].match(text)

    def is_unit(self, folded: str) -> bool:
        return any(folded in units for units in self.units.values())

    def in_known_units(self, text: str) -> str:
        """The text with the built-in spelling of each unit of size and weight in place of an own one."""
        if self._measures is None:
            return text
        known = {**self.units["size"], **self.units["weight"]}
        return self._measures.sub(lambda found: known[fold(found.group(0))], text)


def _in_text(units: Mapping[str, str]) -> re.Pattern[str] | None:
    """Where one of these stands as a word of its own, or right behind a number."""
    spelled = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W\d_])(?:{spelled})(?![^\W\d_])", re.IGNORECASE) if units else None


@lru_cache(maxsize=16)
def _ready(words: tuple[Word, ...]) -> OwnWords:
    return OwnWords(words)


_NONE = OwnWords(())
_words: ContextVar[OwnWords] = ContextVar("words", default=_NONE)


@contextmanager
def in_force(words: tuple[Word, ...]) -> Iterator[None]:
    """In the block these are known beside the built-in ones, and no others."""
    token = _words.set(_ready(words) if words else _NONE)
    try:
        yield
    finally:
        _words.reset(token)


def own_words() -> OwnWords:
    """Those that hold now; without a merchant's there are none in it."""
    return _words.get()


def units_of(key: str) -> Mapping[str, str]:
    """What price, size or weight may be given in, as printed and folded, with its ISO or SI name."""
    mine = own_words().units[key]
    return {**_KINDS_OF_UNITS[key], **mine} if mine else _KINDS_OF_UNITS[key]


def kept(most: int) -> Callable[[Callable[[*Given], Answer]], Callable[[*Given], Answer]]:
    """As ``lru_cache``, by the words that hold beside what is given, each by its place; for whatever may ask them."""
    in_force_now = _words.get  # this is asked thousands of times a page

    def keep(function: Callable[[*Given], Answer]) -> Callable[[*Given], Answer]:
        built_in = lru_cache(maxsize=most)(function)

        @lru_cache(maxsize=most)
        def by_words(_words: OwnWords, *given: *Given) -> Answer:
            return function(*given)

        @wraps(function)
        def ask(*given: *Given) -> Answer:
            words = in_force_now()
            if words is _NONE:
                return built_in(*given)
            return by_words(words, *given)

        return ask

    return keep
