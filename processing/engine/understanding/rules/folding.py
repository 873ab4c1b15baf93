"""Printed text as the dictionaries are asked for it: folded, and traditional Chinese as simplified; never a value."""

import re
from functools import lru_cache

from catalogsku.core import text as core
from processing.engine.understanding.rules.dictionaries.traditional import SIMPLIFIED, TRADITIONAL

_AS_SIMPLIFIED = str.maketrans(TRADITIONAL, SIMPLIFIED)
HAN = re.compile(r"[\u3400-\u9fff]+")
_NO_HAN = re.compile(r"[^\u3400-\u9fff]+")
# Texts of a few dense pages, as in core.text.
_KEPT = 8192


@lru_cache(_KEPT)
def fold(text: str) -> str:
    """As ``core.text.fold``, sign for sign as long: "單價" and "单价" are one word."""
    return core.fold(text).translate(_AS_SIMPLIFIED)


@lru_cache(_KEPT)
def squash(text: str) -> str:
    """``fold`` without any space."""
    return fold(text).replace(" ", "")


def in_either_language(text: str, words: frozenset[str]) -> bool:
    """The text is one of the words, or one in Chinese followed by one in English ("合计 Total")."""
    if squash(text) in words:
        return True
    parts = [_NO_HAN.sub("", fold(text)), squash(HAN.sub("", fold(text)).strip(" /|()"))]
    return all(part in words for part in parts)
