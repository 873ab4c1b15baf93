"""Printed values in a form that programs compare: money, sizes, weights (X-NORM). The printed text stays as it is."""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from catalogsku.core.text import has_han, trim
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import fold, squash
from processing.engine.understanding.rules.in_force import kept, own_words, units_of
from processing.engine.understanding.rules.shapes import is_on_request

# Groups of three digits are parted by commas, apostrophes, spaces or, before a decimal comma or several times, points.
_AMOUNT = re.compile(
    r"[0-9]{1,3}(?:[,'][0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?: [0-9]{3})+(?![0-9])(?:[.,][0-9]+)?"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{2}(?![0-9])|[0-9]{1,3}(?:\.[0-9]{3}){2,}(?![0-9])|[0-9]+(?:[.,][0-9]+)?"
)
_POINTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_DECIMAL_COMMA = re.compile(r"[0-9]+,[0-9]{1,2}")
_GROUPED = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+")
_THOUSANDS = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.])")
# A dash for the cents: "1.299,-".
_ROUND = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?=,-)")
_TIER = re.compile(
    r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)\s*(?:-\s*[0-9,]+)?\s*(?:\+|pcs?|件|个|sets?|套)?\s*[:：=@]\s*\D{0,4}([0-9][0-9.,]*)"
)
_QUANTITY = re.compile(r"[≥>＞]?\s?[0-9][0-9,]*(\s?[-–—~～]\s?[0-9][0-9,]*)?\+?")
_COUNTED = "|".join(re.escape(unit) for unit in sorted(measures.COUNT_UNITS, key=len, reverse=True))
_QUANTITY_LABEL = re.compile(
    rf"(from|over|qty|moq|数量|满)?\s*[≥>=]*\s*[0-9][0-9,]*\s*(?:{_COUNTED})?"
    rf"(?:\s*[-~～至+]\s*(?:[0-9][0-9,]*)?)?\s*(?:{_COUNTED})?\s*(?:以上|起|up|and up|or more)?"
)
_RANGE = re.compile(r"[0-9]\s*[-~～至]\s*\D{0,4}[0-9]")
_PER = re.compile(r"/\s*([a-z\u3400-\u9fff]+)")
# One comma within a number: "17,5" and "2,25" hold a decimal one, "1,200" parts thousands; "38,39" may be two sizes.
_ONE_COMMA = re.compile(r"(?<![0-9.,])([0-9]+),([0-9]{1,3})(?![0-9.,])")
_MEASURED = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-zа-я\"”″㎜㎝㎏\u3400-\u9fff]{0,6})")


# A letter (Latin, Cyrillic, Greek) that was typed or recognised in place of a figure: "1,86O.00", "l,860"; at the end
# of a price "1.86O".
_LETTER_INSIDE = re.compile(r"[0-9][.,]?[OoОоΟοQIlSBZ][.,]?(?=[0-9])|(?<![A-Za-zА-я])[OОΟIl][.,]?(?=[0-9])")
_LETTER_AT_END = re.compile(r"[0-9][.,]?[OОΟQ](?![A-Za-zА-я])")


def has_letter_in_amount(text: str, *, at_its_end: bool = True) -> bool:
    """A letter stands where a figure belongs; ``at_its_end``: also behind the last one, where a unit may stand."""
    folded = unicodedata.normalize("NFKC", text)
    return bool(_LETTER_INSIDE.search(folded) or (at_its_end and _LETTER_AT_END.search(folded)))


def amount(text: str) -> str | None:
    """Decimal text of one printed amount, grouping removed: "1,299.00", "1 299,00" and "1.299,00" are 1299.00, "3,5" is
    3.5; None if unclear."""
    value = text.replace("'", "").replace(" ", "")
    if _POINTS.fullmatch(value):
        value = value.replace(".", "")
    if _DECIMAL_COMMA.fullmatch(value):
        value = value.replace(",", ".")
    value = value.replace(",", "")
    try:
        return str(Decimal(value))
    except InvalidOperation:
        return None


def currency_of(text: str) -> str | None:
    """ISO code of the first currency mark in the text; "$" alone is USD, "¥" CNY."""
    mark = currency_mark(fold(text))
    return units_of("price")[fold(mark)] if mark else None


def _mark_pattern(symbol: str) -> str:
    pattern = re.escape(symbol) if symbol != "元" else "(?<!单)元"  # "单元" is a unit of a machine
    return rf"(?<![A-Za-z]){pattern}(?![A-Za-z])" if symbol.isalpha() and not has_han(symbol) else pattern


# The longest first: "US$" is not "$".
_SYMBOLS = sorted(measures.ALL_CURRENCIES, key=len, reverse=True)
_MARKS = [re.compile(_mark_pattern(symbol), re.IGNORECASE) for symbol in _SYMBOLS]
_HAS_MARK = re.compile("|".join(map(_mark_pattern, _SYMBOLS)), re.IGNORECASE)
_ANY_MARK = re.compile("|".join(map(re.escape, _SYMBOLS)))
_NO_LETTER = re.compile(r"[^a-z\u3400-\u9fff]")


@kept(4096)  # every way of reading a page asks it of the same texts
def currency_mark(text: str) -> str | None:
    """The currency as printed in the text ("US$", "元"); None where it prints none."""
    if (marks := own_words().currencies) is not None and (mark := marks.search(text)):
        return mark.group(0)
    if _HAS_MARK.search(text) is None:
        return None
    matches = (mark.search(text) for mark in _MARKS)
    return next((mark.group(0) for mark in matches if mark), None)


def is_currency(text: str) -> bool:
    """Nothing but a currency mark."""
    return fold(text) in units_of("price")


def price(text: str, currency: str = "") -> dict[str, object] | None:
    """``{value, currency, on_request, text, unit, tiers, min, max}`` of a printed price; None where no amount is
    printed. ``text``: the words of one on request.

    ``currency``: the mark printed around it, which holds where the price prints none.
    """
    if is_on_request(text):
        return {"value": None, "currency": currency_of(currency), "on_request": True, "text": trim(text), "tiers": []}
    if has_letter_in_amount(text):
        return None
    folded, code = fold(text), currency_of(text) or currency_of(currency)
    if code in measures.POINTS_PART_THOUSANDS:
        folded = _THOUSANDS.sub(lambda parts: parts.group(0).replace(".", ""), folded)
    folded = _ROUND.sub(lambda parts: parts.group(0).replace(".", ""), folded)
    amounts = [value for printed in _AMOUNT.findall(folded) if (value := amount(printed))]
    if not amounts:
        return None
    tiers = [{"quantity": amount(quantity), "value": amount(value)} for quantity, value in _TIER.findall(folded)]
    result: dict[str, object] = {
        "value": tiers[0]["value"] if tiers else amounts[0],
        "currency": code,
        "on_request": False,
        "tiers": tiers,
    }
    if len(amounts) == 2 and _RANGE.search(folded):
        result |= {"min": amounts[0], "max": amounts[1]}
    if per := _PER.search(folded):
        result["unit"] = per.group(1)
    return result


def is_valid_price(text: str) -> bool:
    """An amount, a range, tiers or "on request" are valid (TA-RULES); other words in a price column are not."""
    if is_on_request(text):
        return True
    folded = squash(text)
    marks = own_words().currencies
    bare = _ANY_MARK.sub("", marks.sub("", folded) if marks else folded)
    letters = _NO_LETTER.sub("", _PER.sub("", bare))
    return bool(_AMOUNT.search(folded)) and len(letters) <= 12


def measured(text: str, units: Mapping[str, str], unit: str = "") -> dict[str, object] | None:
    """``{values, unit}`` of a size or weight; the unit printed in the value, else ``unit``, printed around it."""
    folded = own_words().in_known_units(fold(text))
    if _GROUPED.fullmatch(folded):
        folded = folded.replace(" ", "")
    folded = _ONE_COMMA.sub(_without_comma, folded)
    pairs = _MEASURED.findall(folded)
    if not pairs:
        return None
    own = next((units[mark] for _, mark in pairs if mark in units), None)
    values = [float(value) if "." in value else int(value) for value, _ in pairs]
    return {"values": values, "unit": own or units.get(fold(unit))}


def _without_comma(number: re.Match[str]) -> str:
    whole, rest = number.groups()
    if len(rest) == 3 and whole != "0":
        return whole + rest if len(whole) < 3 else number.group(0)
    return f"{whole}.{rest}" if len(rest) != len(whole) or len(rest) == 1 or whole == "0" else number.group(0)


def tier(label: str, text: str) -> dict[str, object] | None:
    """``{label, quantity, value}`` of one of several price columns; ``quantity`` as printed in its head, or None."""
    match = _AMOUNT.search(fold(text))
    quantity = _QUANTITY.search(label)
    if match is None:
        return None
    return {
        "label": label,
        "quantity": quantity.group(0).strip() if quantity else None,
        "value": amount(match.group(0)),
    }


def is_quantity(label: str) -> bool:
    """Nothing but a quantity as price columns are headed by: "500 pcs", "1-99", "≥1,000件", "3000+"."""
    return _QUANTITY_LABEL.fullmatch(fold(label)) is not None


def least_quantity(label: str) -> Decimal | None:
    """The smallest number that a printed quantity begins at: 1000 of "1,000-4,999 pcs"; None where it prints none."""
    match = _AMOUNT.search(fold(label))
    least = amount(match.group(0)) if match else None
    return Decimal(least) if least else None


def normalised(
    attributes: Mapping[str, str], units: Mapping[str, str], tiers: tuple[tuple[str, str], ...] = ()
) -> dict[str, object]:
    """Normalised forms of those printed attributes that have one; ``units``: the marks printed around ``size`` and
    ``weight``, as the attribute ``currency`` is the price's."""
    result: dict[str, object] = {}
    if "price" in attributes and (money := price(attributes["price"], attributes.get("currency", ""))):
        columns = [column for label, text in tiers if (column := tier(label, text))]
        result["price"] = money | ({"tiers": columns} if len(tiers) > 1 else {})
    for key in ("size", "weight"):
        if key in attributes and (value := measured(attributes[key], units_of(key), units.get(key, ""))):
            result[key] = value
    if "moq" in attributes and (count := _AMOUNT.search(fold(attributes["moq"]))):
        result["moq"] = {"value": amount(count.group(0))}
    return result
