"""What a printed value looks like: a code, a price, a size, a plain number, nothing at all."""

import re
from functools import lru_cache

from catalogsku.core.text import trim
from processing.engine.understanding.rules.dictionaries import measures, terms
from processing.engine.understanding.rules.folding import fold, in_either_language, squash
from processing.engine.understanding.rules.in_force import kept, own_words

_NO_VALUE = frozenset(squash(word) for word in terms.NO_VALUE)
_MARKED_NOTHING = _NO_VALUE - {""}
_CURRENCY_SIGNS = "$€£¥￥"
_ON_REQUEST = frozenset(squash(word) for word in terms.ON_REQUEST)
_CODE = re.compile(r"^(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9\-_./+#*()~]*(\s[A-Za-z0-9.\-_/()+]+){0,2}\s?-?$")
_LETTER_CODE = re.compile(r"^[A-Z]{2,}[-_.][A-Z0-9][A-Z0-9\-_.]*$")
# Cyrillic capitals and figures, but for the numbers of standards and of steels: "ТФ 001", "АБ-12/3".
_CYRILLIC_CODE = re.compile(r"(?!(?:ГОСТ|ОСТ|ТУ|СТО|СП|СНИП|СТ)[ .-]?\d)[А-ЯЁ]{2,4}[ .-]?\d{2,}[\dА-ЯЁ./-]*")
# Capitals of Latin scripts with marks, a hyphen and figures: "AHŞAP-500"; never the sign of a diameter.
_CAPITALS = "A-Z\u00c0-\u00d6\u00d9-\u00de\u0100-\u017f"
_MARKED_CODE = re.compile(rf"[{_CAPITALS}]{{2,}}-\d{{2,}}[\d{_CAPITALS}./-]*")
# How well housings protect (IEC 60529, IEC 62262): "IP44", "IK08".
_PROTECTION = re.compile(r"IP\s?[0-6X][0-9X]K?|IK\s?(0[0-9]|10)", re.IGNORECASE)
_NAMED_CODE, _LONG_NUMBER = re.compile(r"[0-9]{2,}[A-Z]{1,4}"), re.compile(r"^[0-9]{4,14}$")
_UNITS = "|".join(
    re.escape(unit)
    for unit in sorted({*measures.LENGTHS, *measures.WEIGHTS, *measures.OTHER_UNITS} - {*measures.NO_EXTENTS})
    if not unit.startswith("in.")
)
# Of all units those in Cyrillic letters: any other word in these is none.
_CYRILLIC = "|".join(
    sorted(
        unit
        for unit in (*measures.LENGTHS, *measures.WEIGHTS, *measures.OTHER_UNITS, *measures.COUNT_UNITS)
        if "а" <= unit[0] <= "я"
    )
)
# "350 ml", "10-12 kg", "长5m", "直径22cm", "<20W".
_EXTENT = re.compile(
    rf"(直径|口径|(?:总|全|内|外)?[长宽高深厚]度?)?\s?[<>≤≥~≈±+-]?\s?[0-9][0-9.,]*"
    rf"(?:\s?[-~]\s?[0-9][0-9.,]*)?\s?({_UNITS})?"
)
_CONTENTS = "|".join(map(re.escape, sorted({*measures.WEIGHTS, *measures.CONTENTS}, key=len, reverse=True)))
_CONTENT = re.compile(rf"([1-9][0-9]* ?[x×*] ?)?[0-9][0-9.,]* ?({_CONTENTS})\.?")
_THINGS = re.compile(r"[1-9][0-9]{0,3} ?[^\W\d_]{2,12}\.?")
_RANGE = re.compile(r"([0-9.]+)\s?[-~～]\s?([0-9.]+)")
_COUNTED = "|".join(map(re.escape, (*measures.COUNT_UNITS, *measures.COUNTED)))
_COUNT = re.compile(rf"[0-9][0-9.,]*\s?({_COUNTED})", re.IGNORECASE)
# So many of a thing to a package: "Case 24", "Pack of 6", "12 pcs/ctn", "48支/箱".
_HOLDS = r"case|carton|ctn|pack|box|bag"
_PACKED = re.compile(
    rf"((inner|outer|master) )?({_HOLDS}|pkt)( (of|qty))?:? ?[1-9][0-9]{{0,3}}( ?(pcs|pieces|units))?"
    rf"|[1-9][0-9]{{0,3}} ?({'|'.join(map(re.escape, measures.COUNT_UNITS))})?"
    rf" ?(/|per|a) ?({_HOLDS}|[内外大中小]?[箱盒袋包])"
)
_NUMBER = re.compile(r"^[-+±~≈<>≤≥＜＞]?\s?[0-9]{1,3}([, ]?[0-9]{3})*([.,][0-9]+)?\s?%?$")
_DATE = re.compile(
    r"^((19|20)\d{2}[-/.年](0?[1-9]|1[0-2])([-/.月]\d{1,2}日?)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}-[A-Za-z]{3}-\d{2,4})$"
)
_MEASURE = re.compile(
    rf"^[<>≤≥~≈±+＜＞-]?\s?[0-9][0-9.,]*\s?([a-zA-Zμµ°℃ΩΩ%㎜㎝]{{1,5}}(/[a-z]+)?|(?i:{_CYRILLIC})\.?)$"
    rf"|^[0-9.]+\s?[-~～]\s?[0-9.]+\s?([a-zA-Zμ°℃%]{{0,5}}|(?i:{_CYRILLIC})\.?)$"
)
# The sign between the sides may be the Cyrillic letter.
_SIZE = re.compile(
    r"[0-9.]+\s?(mm|cm|m|in|inch|\"|''|”|″|英寸|寸|мм|см|м)?[巾幅宽長长高深]?\s?[x\u0445*×✕]\s?[0-9.]+"
    r"|(?<![a-z0-9])[lwhd长宽高深]\s?[:=：]?\s?[0-9.]+\s?(mm|cm|m|\"|in)?[\s,/x*×]+[lwhdt长宽高深]\s?[:=：]?\s?[0-9.]"
    r"|[lwhd长宽高深]\s?[:=：]?\s?[0-9.]+\s?(mm|cm|in\b|\")|[øφ∅]\s?[0-9]"
    r"|^[0-9.]+\s?(mm|cm|inch|in|\"|”|英寸|寸|毫米|厘米|мм|см)$",
    re.IGNORECASE,
)
# Letters that sizes of clothes are called by, and several of them: "S, M, L".
_LETTER_SIZE = r"(?:\d?X{0,4}[SL]|M)"
_LETTER_SIZES = re.compile(rf"{_LETTER_SIZE}(?:\s?[,/、]\s?{_LETTER_SIZE})+,?")
# What was measured, and how much: "SNR 96dB", "CPU 240 MHz", "HT90mm".
_NAMED_MEASURE = re.compile(
    r"^[A-Za-z]{3,4}\s[0-9.,]+\s?[a-zA-Zμµ%°Ω]{1,4}$|^[A-Za-z]{1,4}\s?[0-9.,]+\s?(mm|cm)$", re.IGNORECASE
)
_BY_TIMES = re.compile(r"^[0-9.]+\s?[a-z\"]{0,4}\s?[x*×]\s?[0-9.]+", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{3,}")
# At least two words, or one in Chinese, without a colon behind them.
_NAMING = re.compile(r"^(?=.*([a-z]{3,}.*[ ,][a-z]{3,}|[\u3400-\u9fff]{2,}))[^:：]*$")
_SYMBOLS = sorted(measures.CURRENCIES, key=len, reverse=True)
_CODES = "|".join(measures.CURRENCY_CODES)
_MARK = "|".join(re.escape(symbol) for symbol in _SYMBOLS if symbol != "元")
_ISO = "|".join(symbol for symbol in _SYMBOLS if symbol.isalpha() and symbol.isascii() and len(symbol) == 3)
_AMOUNT = (
    r"[0-9]{1,3}(?:[, ][0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]{1,2})?(?![0-9])"
    r"|[0-9]{1,3}(?: [0-9]{3})+,[0-9]{2}(?![0-9])|[0-9]+(?:[.,][0-9]+)?"
)
# Beyond doubt an amount: with groups of thousands, or with cents.
_GROUPED = r"[0-9]{1,3}(?:[.,][0-9]{3})+(?:[.,][0-9]{1,2})?(?![0-9])|[0-9]+[.,][0-9]{2}(?![0-9])"
_BEHIND = "|".join(["€", _CODES, *measures.CURRENCIES_BEHIND, *measures.CURRENCIES_APART])
_DIGIT = re.compile("[0-9]")
_FULL_WIDTH = str.maketrans("０１２３４５６７８９，．", "0123456789,.")
_MARKED_PRICE = re.compile(
    rf"(?<![A-Za-z0-9])(?<![A-Za-z]-(?=[A-Za-z]))(?:(?:{_MARK})\s?|(?:{_CODES})\s)(?:{_AMOUNT})"
    rf"|(?<![A-Za-z]-)(?<![0-9])(?<![0-9][.,])(?:{_AMOUNT})\s?(?:元|円|원|€|[₽₺₴₪₱₫₸])(?![A-Za-z0-9])"
    # Letters on both sides are a code's: "JD75TL", "JD132/60TL".
    rf"|(?<![A-Za-z]-)(?<![A-Za-z0-9/])(?<![0-9][.,])(?:{_AMOUNT})\s?"
    # So is a number behind them: "1300TL-10", and not "100 TL-200 TL".
    rf"(?:{_ISO}|{_CODES}|{'|'.join(measures.CURRENCIES_BEHIND)})(?![A-Za-z0-9])(?!-[0-9]{{1,3}}(?![0-9.,]|\s?[A-Za-z]))"
    rf"|(?<![\w.,/-])(?:{_AMOUNT})\s(?:{'|'.join(measures.CURRENCIES_APART)})(?![A-Za-z0-9])"
    rf"|(?<![A-Za-z0-9])(?:{'|'.join(measures.CURRENCIES_GROUPED)})\.?\s?(?:{_GROUPED})(?![\w.,])"
    rf"|(?<![\w.,/-])(?:{_AMOUNT})[.,][-\u2013\u2014]+(?:\s?(?:{_BEHIND})(?![A-Za-z0-9]))?(?![\w/])"
    rf"|(?<![\w.,/-])(?:{_AMOUNT})\s?/[-=](?![\w/])",  # round sums: of Scandinavia and Germany, of rupees and shillings
    re.IGNORECASE,
)
_COMMAS, _AT_MOST = re.compile(r"[,，、;；]"), re.compile(r"^(?:max\.?|maximum|up to|最大|最高)\s*")


@kept(16384)
def is_no_value(text: str) -> bool:
    """Empty, or a word that means "nothing is known here", also beside a currency sign ("$ N/A")."""
    squashed = squash(text)
    if not squashed or squashed in _NO_VALUE or squashed.strip(_CURRENCY_SIGNS) in _MARKED_NOTHING:
        return True
    return own_words().says("no_value", text)


@kept(4096)
def is_on_request(text: str) -> bool:
    return in_either_language(text, _ON_REQUEST) or own_words().says("on_request", text)


def has_value(key: str | None, text: str) -> bool:
    """The text says something about attribute ``key``; only of a price also that it is given on request."""
    return not is_no_value(text) or (key == "price" and is_on_request(text))


@kept(16384)
def is_code(text: str) -> bool:
    """Looks like a model or article code: letters with digits, or a long number; never a price, date or measure, nor an
    address or the end of what a bracket holds."""
    value = trim(text)
    if (own_code := _by_own_patterns(value)) is not None:
        return own_code
    if value[:4].casefold() == "www." or value.count(")") > value.count("(") or is_protection_class(value):
        return False
    if not 2 <= len(value) <= 32 or is_no_value(value) or is_date(value) or value.casefold() in terms.NOT_CODES:
        return False
    if _LETTER_CODE.match(value) or _LONG_NUMBER.match(value) or _CYRILLIC_CODE.fullmatch(value):
        return True
    if value.isupper() and _MARKED_CODE.fullmatch(value):
        return True
    if not _CODE.match(value) or _BY_TIMES.match(value) or _WORD.search(value):
        return False
    words = [token for token in value.split() if token.isalpha()]
    if value.split()[0].rstrip("0123456789").casefold() in terms.NOT_CODED:
        return False
    if len(words) > 1 or any(len(word) > 4 for word in words) or _NAMED_MEASURE.match(value):
        return False
    if is_number(value) or is_measure(value.rstrip(".")) or is_price(value) or _are_amounts(fold(value)):
        return False
    return any(char.isalpha() for char in value) or "-" in value or value.count(".") > 1


def _by_own_patterns(value: str) -> bool | None:
    """What the merchant's dictionary says; one that says it is none is believed before one that says it is."""
    if own_words().matches("not_model", value):
        return False
    return True if own_words().matches("model", value) else None


def is_protection_class(text: str) -> bool:
    """How well a housing keeps out dust, water and blows, and no more."""
    return _PROTECTION.fullmatch(text.strip()) is not None


def is_model(text: str) -> bool:
    """A code; also a figure with capitals behind it, under a label of models no measure: "610WP"."""
    return is_code(text) or (_NAMED_CODE.fullmatch(trim(text)) is not None and _by_own_patterns(trim(text)) is None)


def is_number(text: str) -> bool:
    return _NUMBER.match(trim(text)) is not None


def is_date(text: str) -> bool:
    return _DATE.match(trim(text)) is not None


def is_measure(text: str) -> bool:
    """One number with a unit, or a range of numbers."""
    value = own_words().in_known_units(trim(text))
    return _MEASURE.match(value) is not None and (_RANGE.fullmatch(value) is None or _is_range(value))


def is_lettered_code(text: str) -> bool:
    """A code of letters and figures: neither a number nor a word."""
    return is_code(text) and any(map(str.isalpha, text)) and any(map(str.isdigit, text))


@kept(4096)
def is_extent(text: str) -> bool:
    """How large, heavy or strong a thing is: a size, or one amount or range with a unit of such, in Chinese also behind
    the word for what is measured; no count ("24色", "16 pcs") and no grade ("304不锈钢")."""
    if is_size(text) or is_letter_sizes(text):
        return True
    folded = own_words().in_known_units(fold(text))
    match = _EXTENT.fullmatch(folded)
    return _are_amounts(folded) or (match is not None and (match.group(2) is not None or _is_range(folded)))


@kept(4096)
def is_content(text: str) -> bool:
    """How much is in it, perhaps so many times: "355 ml", "10 x 2 ml", "500 г"."""
    return _CONTENT.fullmatch(own_words().in_known_units(fold(text))) is not None


def is_count_of_things(text: str) -> bool:
    """A whole number and the one word for what is counted, whichever it is: "30 Drops", "2 pk", "6 Pack"."""
    return _THINGS.fullmatch(trim(text)) is not None


def is_letter_sizes(text: str) -> bool:
    """Several sizes of clothes, more of which may follow a last comma."""
    return _LETTER_SIZES.fullmatch(trim(text)) is not None


def _are_amounts(folded: str) -> bool:
    """Several to choose from, each with its unit: "250g/500g"."""
    matches = [_EXTENT.fullmatch(trim(part)) for part in folded.split("/")]
    return len(matches) > 1 and all(match is not None and match.group(2) is not None for match in matches)


def is_rating(text: str) -> bool:
    """What a thing takes or gives at most, also behind the code of a socket: "E27, max 40 W"; no name."""
    parts = [_AT_MOST.sub("", trim(part)) for part in _COMMAS.split(fold(text))]
    return any(map(is_extent, parts)) and all(is_extent(part) or is_code(part) for part in parts)


def _is_range(text: str) -> bool:
    """Two numbers, the larger one behind: "38-43", and not the code "877-19"."""
    match = _RANGE.fullmatch(text)
    low, high = (amount.replace(".", "", 1) for amount in match.groups()) if match else ("", "")
    return match is not None and low.isdigit() and high.isdigit() and float(match.group(1)) < float(match.group(2))


def is_count(text: str) -> bool:
    """A number of things and no more: "16 pcs", "24色", "3件套", "5年"."""
    return _COUNT.fullmatch(fold(text)) is not None


def is_packing(text: str) -> bool:
    """How many a package holds, and no more."""
    return _PACKED.fullmatch(fold(text)) is not None


def is_size(text: str) -> bool:
    return _SIZE.search(own_words().in_known_units(fold(text))) is not None


def names_before_size(text: str) -> bool:
    """Words that are no label stand before the size: "Set screw, zinc plated, M5 x 16"."""
    match = _SIZE.search(fold(text))
    return match is not None and _NAMING.search(fold(text)[: match.start()]) is not None


@kept(4096)
def is_price(text: str) -> bool:
    """Carries a currency mark beside an amount."""
    folded = fold(text)
    return _MARKED_PRICE.search(folded) is not None or (own_words().currencies is not None and bool(_prices(folded)))


def prices_in(text: str) -> int:
    return len(_prices(fold(text)))


def _prices(text: str) -> list[tuple[int, int]]:
    """Where each stands, by the built-in marks, then by those of the merchant."""
    spans = [match.span() for match in _MARKED_PRICE.finditer(text)]
    marks = own_words().currencies
    if marks is None:
        return spans
    further = (match.span() for match in _own_prices(marks).finditer(text))
    return sorted([*spans, *((a, b) for a, b in further if not any(a < d and c < b for c, d in spans))])


@lru_cache(maxsize=16)
def _own_prices(marks: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(
        rf"{marks.pattern}\s?(?:{_AMOUNT})|(?<![A-Za-z]-)(?<![A-Za-z0-9/])(?<![0-9][.,])(?:{_AMOUNT})\s?{marks.pattern}",
        re.IGNORECASE,
    )


@kept(4096)
def price_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where in the text the amounts with their currency marks stand."""
    text = text.translate(_FULL_WIDTH)
    return tuple(_prices(text)) if _DIGIT.search(text) else ()
