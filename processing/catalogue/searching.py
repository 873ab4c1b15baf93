"""What is searched in a merchant's catalogue, and how: parts of words, in Chinese from one character on.

Grams go into a GIN index, because PostgreSQL's own words know no Chinese, and pg_trgm none of one or two characters
(nor is it in the embedded server). Every character that is no Latin letter or digit is a gram, and so is every pair
of them; of Latin words and numbers every three neighbours, and the first one and two behind ``^``. They are stored as
CRC-32 with their merchant in it, four bytes each, so that no search reads what is another's; what only has the same
number falls away when the words are compared.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogsku.core.text import fold

# Attributes that are searched, beside those that a category adds.
SEARCHED = ("model", "product_name", "brand", "series", "material", "color")
# The longest text of a value that is searched, and of all.
VALUE_MOST_CHARS, WORDS_MOST_CHARS = 200, 1000
TERMS_MOST = 8
_RUN = re.compile(r"[a-z0-9]+|[^\x00-\x7f]+")
_NO_KEY = re.compile(r"[\W_]+")
_LIKE = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


def key_of(text: str | None, most_chars: int = 80) -> str:
    """Letters and digits only, folded: "AX-100 B" and "ax100b" are the same."""
    return _NO_KEY.sub("", fold(text or ""))[:most_chars]


def words_of(attributes: Mapping[str, str | None]) -> str:
    """The searched values, a line each; of a model also its key, for who types it without its dashes."""
    values = [fold(attributes.get(key) or "")[:VALUE_MOST_CHARS] for key in SEARCHED]
    lines = [*values, key_of(attributes.get("model"))]
    return "\n".join(dict.fromkeys(line for line in lines if line))[:WORDS_MOST_CHARS]


@dataclass(frozen=True)
class Search:
    """An entry's words are LIKE all of ``likes`` and match the regular expressions ``starts``; then its index holds
    all of ``grams``, of which there is one at least."""

    likes: tuple[str, ...]
    starts: tuple[str, ...]
    grams: tuple[str, ...]

    def numbers(self, merchant_id: int) -> list[int]:
        """Its grams as the index has them."""
        return gram_numbers(merchant_id, self.grams)


def grams_of(words: str) -> dict[str, None]:
    """All grams of an entry's words."""
    return dict.fromkeys(gram for run in _RUN.finditer(words) for gram in _grams(run[0]))


def _grams(run: str) -> Iterator[str]:
    if not run.isascii():
        yield from run
        yield from (run[at : at + 2] for at in range(len(run) - 1))
        return
    yield from (f"^{run[:length]}" for length in (1, 2)[: len(run)])
    yield from (run[at : at + 3] for at in range(len(run) - 2))


def gram_numbers(merchant_id: int, grams: Iterable[str]) -> list[int]:
    """Signed 32 bits each."""
    return [(zlib.crc32(f"{merchant_id}:{gram}".encode()) ^ 1 << 31) - (1 << 31) for gram in grams]


def search_for(text: str) -> Search | None:
    """Every word of ``text`` stands somewhere in an entry; one or two Latin letters or digits begin a word there.

    None where nothing is left to search for.
    """
    likes, starts, grams = list[str](), list[str](), dict[str, None]()
    for term in fold(text).split(" ")[:TERMS_MOST]:
        term_grams = dict.fromkeys(_grams_of_term(term))
        run = None if term_grams else _RUN.match(term)
        if run:
            term_grams = {f"^{run[0]}": None}
            starts.append(f"(^|[^a-z0-9]){run[0]}")
        if run is None or run[0] != term:  # a word that begins with the term holds it
            likes.append(f"%{term.translate(_LIKE)}%")
        grams |= term_grams
    return Search(tuple(likes), tuple(starts), tuple(grams)) if grams else None


def _grams_of_term(term: str) -> Iterator[str]:
    """The longest that the index holds of it: they are the rarest. A short Latin run behind another sign begins there;
    the first may go on before the term."""
    for match in _RUN.finditer(term):
        run = match[0]
        if not run.isascii():
            yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else run
        elif len(run) > 2:
            yield from (run[at : at + 3] for at in range(len(run) - 2))
        elif match.start():
            yield f"^{run}"


def differing(attributes: Mapping[str, Any], other: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Those of ``keys`` that both have and that are printed otherwise."""
    return [key for key in keys if attributes.get(key) and other.get(key) and fold(attributes[key]) != fold(other[key])]
