"""The language of print by the statistics of its script, and which model reads it (TA-OCRLANG)."""

import re

# The models that come with the engine's package, found without any network. PP-OCRv6's dictionary has Han (simplified,
# traditional and Japanese forms), kana, Latin and Greek, but no Hangul.
_MODEL = "PP-OCRv6_small"
_READ_BY_IT = frozenset({"zh", "en", "ja"})

# Han is written in Japan too, and Latin codes stand in every catalogue: a language is told by the script that only it
# has, from this share of the letters on.
_KANA, _HANGUL, _HAN = 0.1, 0.1, 0.05
_SCRIPTS = {
    "kana": re.compile("[\u3041-\u30ff\uff66-\uff9f]"),
    "hangul": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"),
    "han": re.compile("[\u3400-\u9fff\uf900-\ufaff]"),
}


def language_of(text: str) -> str:
    """``zh``, ``ja``, ``ko`` or ``en`` (any print in Latin letters); empty where there is no letter."""
    letters = sum(char.isalpha() for char in text)
    if not letters:
        return ""
    share = {name: len(pattern.findall(text)) / letters for name, pattern in _SCRIPTS.items()}
    if share["hangul"] >= _HANGUL:
        return "ko"
    if share["kana"] >= _KANA:
        return "ja"
    return "zh" if share["han"] >= _HAN else "en"


def model_for(language: str) -> str:
    """The best recognition model at hand for a language: the one installed, also for what it has no signs of."""
    return _MODEL


def is_readable(language: str) -> bool:
    """Whether the installed model knows the signs of the language."""
    return not language or language in _READ_BY_IT
