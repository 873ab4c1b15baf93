"""What counts as the same in truths counted by eye: products by their letters and digits, prices by their amounts.

Who counted them wrote down what a buyer sees, not each sign: a name may hold the code or be one of two languages, a
value may be part of a longer one.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache

from processing.engine.quality.counted import ASKED
from processing.engine.quality.likeness import NAMES_ALIKE
from processing.engine.quality.match import Pair, match_by
from processing.engine.quality.truth import TruthSku
from processing.engine.quality.values import Slip, Verdict
from processing.engine.result import Sku

_NO_SIGN = re.compile(r"[\W_]+")
# A shorter text stands in many others by chance.
_LEAST_SIGNS = 6
# Digits with whatever groups them; the last two or one after a point or comma are fractions.
_NUMBER = re.compile(r"\d(?:[\d ., '’]*\d)?")
_FRACTION = re.compile(r"[.,](\d{1,2})$")
_MONEY = "price"
# What the same price says where names alone would do, and a name where the code would.
_FOR_PRICE = 0.2


@lru_cache(8192)
def signs(text: str) -> str:
    """Letters and digits alone, whatever their case and width."""
    return _NO_SIGN.sub("", unicodedata.normalize("NFKC", text)).casefold()


def amounts(text: str) -> frozenset[Decimal]:
    """Every number in the text, however its thousands are grouped and its fraction is set apart."""
    return frozenset(map(_amount, _NUMBER.findall(unicodedata.normalize("NFKC", text))))


def _amount(number: str) -> Decimal:
    whole, fraction = number, ""
    if match := _FRACTION.search(number):
        whole, fraction = number[: match.start()], match[1]
    return Decimal(re.sub(r"\D", "", whole) + "." + (fraction or "0"))


def likeness(a: str, b: str) -> float:
    """0 to 1; 1 where one holds the other."""
    return _likeness(signs(a), signs(b))


@lru_cache(65536)
def _likeness(a: str, b: str) -> float:
    shorter, longer = sorted((a, b), key=len)
    if not shorter:
        return 0.0
    if shorter in longer and len(shorter) >= _LEAST_SIGNS:
        return 1.0
    return SequenceMatcher(None, a, b).ratio()


def match_counted(truths: Sequence[TruthSku], skus: Sequence[Sku]) -> tuple[Pair, ...]:
    """By the same code first; of the rest by names, unless codes contradict."""
    return match_by(truths, skus, _same_code, _same_name)


def _same_code(truth: TruthSku, sku: Sku) -> float:
    wanted, actual = signs(_wanted(truth, "model")), signs(_given(sku, "model"))
    if not wanted or wanted != actual:
        return 0.0
    named = likeness(_wanted(truth, "product_name"), _given(sku, "product_name"))
    return (1 + named + _same_price(truth, sku)) / 3


def _same_name(truth: TruthSku, sku: Sku) -> float:
    wanted, actual = signs(_wanted(truth, "model")), signs(_given(sku, "model"))
    if wanted and actual and wanted != actual:
        return 0.0
    named = name_likeness(truth, sku)
    return (named + _FOR_PRICE * _same_price(truth, sku)) / (1 + _FOR_PRICE) if named >= NAMES_ALIKE else 0.0


def name_likeness(truth: TruthSku, sku: Sku) -> float:
    """Of the names, of names with their codes, of the printed code and a found name that is nothing else."""
    code, name = _wanted(truth, "model"), _wanted(truth, "product_name")
    given_code, given_name = _given(sku, "model"), _given(sku, "product_name")
    return max(likeness(name, given_name), likeness(name + code, given_name + given_code), likeness(code, given_name))


def judge_counted(truth: TruthSku, sku: Sku) -> Verdict:
    """Only values that the truth has are judged, beside them whether the product has another's name."""
    required = [key for key in ASKED if key in truth.asked]
    slips = tuple(_slips(truth, sku, required))
    wrong = sum(slip.key in required for slip in slips)
    return Verdict(len(required), len(required) - wrong, slips)


def _slips(truth: TruthSku, sku: Sku, required: Sequence[str]) -> Iterator[Slip]:
    name, actual = _wanted(truth, "product_name"), _given(sku, "product_name")
    if name and actual and not _part_of(name, actual) and name_likeness(truth, sku) < NAMES_ALIKE:
        yield Slip(truth.identity, "product_name", "different", name, actual)
    for key in required:
        if not (actual := _given(sku, key)):
            yield Slip(truth.identity, key, "absent", truth.asked[key])
        elif not (_part_of(truth.asked[key], actual) or (key == _MONEY and _same_price(truth, sku))):
            yield Slip(truth.identity, key, "different", truth.asked[key], actual)


def _part_of(a: str, b: str) -> bool:
    """One in the other, whichever is longer."""
    shorter, longer = sorted((signs(a), signs(b)), key=len)
    return bool(shorter) and shorter in longer


def _same_price(truth: TruthSku, sku: Sku) -> bool:
    actual = amounts(_given(sku, _MONEY))
    return any(actual & amounts(text) for text in truth.texts(_MONEY))


def _wanted(truth: TruthSku, key: str) -> str:
    return truth.attributes.get(key) or ""


def _given(sku: Sku, key: str) -> str:
    value = sku.attributes.get(key)
    return value.text if value else ""
