"""What logs, traces that leave and exports must not show: keys, signed links, card, telephone and identity numbers,
addresses (LA-REDACT). Never applied to results or to what a replay needs: there a number is a product's.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

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
_MAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z])")
_MOBILE = re.compile(r"(?<![\d.+-])(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}(?![\d]|[.-]\d)")
_IDENTITY = re.compile(r"(?<!\d)[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dXx])")
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d]|[.-]\d)")
_GTIN_DIGITS = (8, 12, 13, 14)
# First digits of cards: Visa, Mastercard, American Express, Discover, JCB, Diners, UnionPay.
_CARD_STARTS = re.compile(r"4|5[1-5]|2[2-7]|3[4-8]|6[0-9]|81")
_SECRET_NAMES = re.compile(
    r"(?i)(?:^|[_-])(?:api[_-]?key|token|secret(?:[_-]key)?|password|passwd|authorization|cookie)$"
)


def redact(text: str) -> str:
    """The text with each secret replaced by its kind in brackets."""
    text = _SIGNED.sub("[signed]", text)
    text = _KEY.sub("[key]", text)
    text = _BEARER.sub(r"\1\2[key]", text)
    text = _NAMED.sub(r"\1[key]", text)
    if "@" in text:  # else the longest search of all finds nothing
        text = _MAIL.sub("[mail]", text)
    text = _IDENTITY.sub(lambda match: "[identity]" if is_identity_number(match.group()) else match.group(), text)
    text = _CARD.sub(lambda match: "[card]" if is_card_number(match.group()) else match.group(), text)
    return _MOBILE.sub("[mobile]", text)


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


def is_card_number(text: str) -> bool:
    """13 to 19 digits that begin as a card's do and hold the Luhn sum, and are no product's GTIN."""
    digits = re.sub(r"[ -]", "", text)
    return (
        digits.isascii()
        and digits.isdigit()
        and 13 <= len(digits) <= 19
        and bool(_CARD_STARTS.match(digits))
        and _luhn(digits)
        and not is_gtin(digits)
    )


def is_gtin(digits: str) -> bool:
    """8, 12, 13 or 14 digits with the check digit of GS1 (General Specifications 7.9)."""
    if len(digits) not in _GTIN_DIGITS or not digits.isdigit():
        return False
    return sum(int(d) * (3 if n % 2 else 1) for n, d in enumerate(reversed(digits))) % 10 == 0


def is_identity_number(text: str) -> bool:
    """18 signs whose last is the check of GB 11643-1999 (ISO 7064, MOD 11-2)."""
    total = sum(int(d) * (1 << 17 - n) for n, d in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def _luhn(digits: Sequence[str]) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for n, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if n % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
