"""Folding printed text for comparison; the printed text itself is never changed."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

_SPACE = re.compile(r"\s+")
# Hyphens and dashes that fonts and NFKC leave beside U+002D; a code printed with any of them is the same code.
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d"), "-")
# An escaped NUL in JSON: its backslash is not itself escaped.
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")

# Scripts of Africa and Asia that no page is printed in at once.
_SCRIPTS = 4

# Texts of a few dense pages: each is folded again and again while its page is understood.
_KEPT = 8192


@lru_cache(_KEPT)
def fold(text: str) -> str:
    """NFKC, one kind of dash, single spaces, case folded: for looking words up in dictionaries."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).translate(DASHES)).strip().casefold()


@lru_cache(_KEPT)
def squash(text: str) -> str:
    """``fold`` without any space: CJK print has none, so two readers differ only in them."""
    return fold(text).replace(" ", "")


@lru_cache(_KEPT)
def trim(text: str) -> str:
    """Printed text as a value: outer space gone, inner runs of space and line breaks to one space."""
    return _SPACE.sub(" ", text).strip()


# Between the measures of one size that are printed each in a cell of its own.
_TIMES = " x "
_MEASURES = re.compile(rf"[\d.,/]+(?:{_TIMES}[\d.,/]+)+")


def joined_measures(measures: Sequence[str]) -> str:
    """ "600 x 383 x 87" of three cells; with spaces alone where a cell holds more than a figure."""
    joined = _TIMES.join(measures)
    return joined if _MEASURES.fullmatch(joined) else " ".join(measures)


def apart(text: str) -> str:
    """A size as its cells print it, without the signs that join them; any other text as it is."""
    return text.replace(_TIMES, " ") if _MEASURES.fullmatch(text) else text


def without_nul(raw: bytes) -> bytes:
    """JSON without NUL signs, which no database column takes and nobody sees."""
    return _NUL.sub(rb"\1", raw) if b"\\u0000" in raw else raw


def has_han(text: str) -> bool:
    return _HAN.search(text) is not None


def han_ratio(text: str) -> float:
    """Share of Han among the non-space characters, 0 to 1."""
    chars = [c for c in text if not c.isspace()]
    return sum(1 for c in chars if _HAN.match(c)) / len(chars) if chars else 0.0


def is_foreign(char: str) -> bool:
    """A letter that is neither European nor of East Asia."""
    return char.isalpha() and "\u0530" <= char < "\u2e80" and not "\u1e00" <= char < "\u2c00"


def mixed_letters(text: str) -> int:
    """How many letters are of more foreign scripts than one page is printed in: a font's own numbers taken for letters,
    where its mapping is wrong or absent."""
    scripts = Counter(unicodedata.name(char, "").split(" ", 1)[0] for char in text if is_foreign(char))
    return sum(scripts.values()) if len(scripts) >= _SCRIPTS else 0


# What Windows takes in no file name; and what it calls its devices.
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
_NAME_LENGTH_MAX = 60


def safe_file_name(text: str) -> str:
    """A name for a file or folder on Windows, macOS and Linux alike, never a way to another folder; may be empty."""
    name = _SPACE.sub(" ", _NOT_IN_NAMES.sub(" ", unicodedata.normalize("NFC", text)))
    name = name.strip(" .~")[:_NAME_LENGTH_MAX].rstrip(" .")
    return f"_{name}" if _DEVICE.match(name) else name
