"""What logs and traces that leave must not show: keys, signed links, personal data (LA-REDACT). Never applied to
results or to what a replay needs: there personal data is masked in its own form (``personal_data.Masks``).
"""

import re
from collections.abc import Mapping
from typing import Any

from catalogsku.core.personal_data import replaced

_DEPTH_MAX = 20
_KEY = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|AKIA[A-Z0-9]{12,}|gh[opsu]_[A-Za-z0-9]{20,}"
    r"|xox[abpr]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)"
)
# What django.core.signing signs with a time: a link to an export is worth the file. Also as it stands in addresses.
_SIGNED = re.compile(
    r"(?<![A-Za-z0-9_.=-])[A-Za-z0-9_.=-]{4,}(?::|%3[Aa])[A-Za-z0-9]{4,11}(?::|%3[Aa])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{8,}")
_NAMED = re.compile(
    r"(?i)((?:api[_-]?key|access[_-]?token|refresh[_-]?token|token|secret(?:[_-]?key)?|password|passwd|authorization"
    r"|x-goog-api-key)[\"']?\s*[:=]\s*[\"']?)(?!bearer\b|basic\b)[^\s\"'&,;}\])]{6,}"
)
_SECRET_NAMES = re.compile(
    r"(?i)(?:^|[_-])(?:api[_-]?key|token|secret(?:[_-]key)?|password|passwd|authorization|cookie)$"
)


def redact(text: str) -> str:
    """The text with each secret replaced by its kind in brackets."""
    text = _SIGNED.sub("[signed]", text)
    text = _KEY.sub("[key]", text)
    text = _BEARER.sub(r"\1\2[key]", text)
    text = _NAMED.sub(r"\1[key]", text)
    return replaced(text, lambda _printed, kind: f"[{kind}]")


def redact_all(value: Any, depth: int = 0, most_chars: int | None = None) -> Any:
    """The same for every text in dictionaries, lists and tuples; what stands under a secret's name goes whole.

    ``most_chars``: for lines of a log. Of a longer text the rest is left out, for a stranger decides how long an
    address is, and any other object (a request, an exception) is the text that the line would show of it.
    """
    if isinstance(value, str):
        cut = most_chars is not None and len(value) > most_chars
        return redact(f"{value[:most_chars]}…" if cut else value)
    if depth >= _DEPTH_MAX:
        return value
    if isinstance(value, Mapping):
        return {
            key: "[key]"
            if isinstance(key, str) and entry and _SECRET_NAMES.search(key) and isinstance(entry, str)
            else redact_all(entry, depth + 1, most_chars)
            for key, entry in value.items()
        }
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(redact_all(entry, depth + 1, most_chars) for entry in value)
    if most_chars is None or value is None or isinstance(value, bool | int | float):
        return value
    return redact_all(repr(value), depth, most_chars)
