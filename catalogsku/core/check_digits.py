"""Numbers that prove themselves by a check digit: cards, accounts, identity numbers, and the GTIN of products."""

import re
from collections.abc import Sequence

# Lengths of GTIN-8, -12, -13, -14 and of the SSCC of a parcel (GS1 General Specifications, 7.9).
_GS1_DIGITS = (8, 12, 13, 14, 18)
# First digits of cards: Visa, Mastercard, American Express, Discover, JCB, Diners, UnionPay.
_CARD_STARTS = re.compile(r"4|5[1-5]|2[2-7]|3[4-8]|6[0-9]|81")
# Characters of an IBAN by country (ISO 13616, registry of SWIFT, release 98).
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31,
    "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22,
    "VG": 24, "XK": 20,
}  # fmt: skip


def is_card_number(text: str) -> bool:
    """13 to 19 digits that begin as a card's do and hold the Luhn sum, and are no product's number of GS1."""
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
    """8, 12, 13, 14 or 18 digits with the check digit of GS1 (General Specifications 7.9)."""
    if len(digits) not in _GS1_DIGITS or not digits.isdigit():
        return False
    return sum(int(d) * (3 if n % 2 else 1) for n, d in enumerate(reversed(digits))) % 10 == 0


def is_identity_number(text: str) -> bool:
    """18 signs whose last is the check of GB 11643-1999 (ISO 7064, MOD 11-2)."""
    total = sum(int(d) * (1 << 17 - n) for n, d in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def is_iban(text: str) -> bool:
    """As long as its country's, with the check of ISO 13616 (ISO 7064, MOD 97-10); without spaces."""
    if IBAN_LENGTHS.get(text[:2]) != len(text):
        return False
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


def _luhn(digits: Sequence[str]) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for n, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if n % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
