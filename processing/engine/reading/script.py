"""The language of print by the statistics of its script, and which scripts a model reads (TA-OCRLANG)."""

import re
from collections.abc import Iterable

# Han is written in Japan too, and Latin codes stand in every catalogue: a language is told by the script that only it
# has, from this share of the letters on.
_ONLY_ITS, _HAN = 0.1, 0.05
# A script, its signs, and the language that print in it is taken for: of several that are written in it the one with
# most readers.
_SCRIPTS = {
    "hangul": (re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"), "ko"),
    "kana": (re.compile("[\u3041-\u30ff\uff66-\uff9f]"), "ja"),
    "cyrillic": (re.compile("[\u0400-\u052f]"), "ru"),
    "devanagari": (re.compile("[\u0900-\u097f]"), "hi"),
    "thai": (re.compile("[\u0e00-\u0e7f]"), "th"),
    "arabic": (re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"), "ar"),
    "han": (re.compile("[\u3400-\u9fff\uf900-\ufaff]"), "zh"),
    "latin": (re.compile("[A-Za-z]"), "en"),
}
_SCRIPT_OF = {language: script for script, (_, language) in _SCRIPTS.items()}
# Models give signs from left to right as they stand; nothing here turns print around that is read the other way.
_NOT_READ = frozenset({"arabic"})
# A model knows a script from so many of its signs on: some have single letters of others as mathematical signs.
_KNOWN = 20


def language_of(text: str) -> str:
    """``ko``, ``ja``, ``ru``, ``hi``, ``th``, ``ar``, ``zh`` or ``en`` (any print in Latin letters); empty where there
    is no letter."""
    letters = sum(char.isalpha() for char in text)
    if not letters:
        return ""
    for script, (pattern, language) in _SCRIPTS.items():
        if len(pattern.findall(text)) >= (_HAN if script == "han" else _ONLY_ITS) * letters:
            return language
    return "en"


def scripts_of(signs: Iterable[str]) -> frozenset[str]:
    """The scripts that can be read with a dictionary of these signs."""
    text = "".join(signs)
    return frozenset(s for s, (pattern, _) in _SCRIPTS.items() if len(pattern.findall(text)) >= _KNOWN) - _NOT_READ


def is_readable(language: str, scripts: frozenset[str]) -> bool:
    """Whether a model that knows these scripts knows the signs of the language."""
    return not language or _SCRIPT_OF[language] in scripts
