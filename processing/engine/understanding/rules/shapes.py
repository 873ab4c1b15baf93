"""What a printed value looks like: a code, a price, a size, a plain number, nothing at all."""

import re
from functools import lru_cache

from catalogsku.core.text import has_han, trim
from processing.engine.understanding.rules.dictionaries import measures, terms
from processing.engine.understanding.rules.folding import fold, squash

_NO_VALUE = frozenset(squash(word) for word in terms.NO_VALUE)
_MARKED_NOTHING = _NO_VALUE - {""}
_CURRENCY_SIGNS = "$€£¥￥"
_ON_REQUEST = frozenset(squash(word) for word in terms.ON_REQUEST)
_TOTALS = frozenset(squash(word) for word in terms.TOTALS)
_NOTE = re.compile(
    rf"^({'|'.join(re.escape(fold(word)) for word in terms.NOTES)})\s*[0-9①-⑩]?\s*[:：.、]", re.IGNORECASE
)
_NOTES = frozenset(squash(word) for word in terms.NOTES)
# "TOTAL FOB NINGBO:", "Total CIF".
_TRADE_TOTAL = re.compile(r"(?:grand )?total (?:fob|fca|fas|exw|cif|cip|cfr|cnf|c&f|cpt|dap|ddp|ddu)\b[^0-9]*")
_FRAMED = re.compile(r"[-–—=~*#_·]{2,}\s*\w.*\w\s*[-–—=~*#_·]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_NO_HAN = re.compile(r"[^\u3400-\u9fff]+")
_FIGURE = re.compile(terms.FIGURE_CAPTION, re.IGNORECASE)
_INTRODUCTIONS = frozenset(map(squash, terms.INTRODUCTIONS))
_SWATCHES = re.compile(
    r"(?:可选|面料|皮革|布料|皮料|材质|饰面|木纹|漆面|多种|其它|其他|更多)?(?:可选)?(?:颜色|色彩|配色|色卡|色板|花色|皮色|饰面)(?:可选|选择|展示)?"
    r"|(?:(?:available|standard|other|more|fabric|leather|frame|wood|metal|optional|our) )*"
    r"(?:colou?rs?|finish(?:es)?|swatches|upholstery|fabrics)(?: (?:options?|available|swatches|chart))?"
)
_NOT_A_NAME = frozenset(squash(word) for word in terms.NOT_A_NAME)
# The number of a chapter before its heading.
_CHAPTER = re.compile(r"^\d{1,2}(\.\d{1,2})*[.、]?\s+")
# Words of a name in capitals; more are a slogan or a note, and so is what has one of these.
_LONGEST_IN_CAPITALS = 8
_OF_SENTENCES = frozenset(("a", "an", "the", "to", "from", "is", "are", "be", "your", "our", "we", "you", "it", "this"))
_CODE = re.compile(r"^(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9\-_./+#*()~]*(\s[A-Za-z0-9.\-_/()+]+){0,2}\s?-?$")
_LETTER_CODE = re.compile(r"^[A-Z]{2,}[-_.][A-Z0-9][A-Z0-9\-_.]*$")
# Cyrillic capitals and figures, but for the numbers of standards and of steels: "ТФ 001", "АБ-12/3".
_CYRILLIC_CODE = re.compile(r"(?!(?:ГОСТ|ОСТ|ТУ|СТО|СП|СНИП|СТ)[ .-]?\d)[А-ЯЁ]{2,4}[ .-]?\d{2,}[\dА-ЯЁ./-]*")
_NAMED_CODE, _LONG_NUMBER = re.compile(r"[0-9]{2,}[A-Z]{1,4}"), re.compile(r"^[0-9]{4,14}$")
_UNITS = "|".join(
    re.escape(unit)
    for unit in sorted({*measures.LENGTHS, *measures.WEIGHTS, *measures.OTHER_UNITS} - {*measures.NO_EXTENTS})
    if not unit.startswith("in.")
)
# "350 ml", "10-12 kg", "长5m", "直径22cm", "<20W".
_EXTENT = re.compile(
    rf"(直径|口径|(?:总|全|内|外)?[长宽高深厚]度?)?\s?[<>≤≥~≈±+-]?\s?[0-9][0-9.,]*"
    rf"(?:\s?[-~]\s?[0-9][0-9.,]*)?\s?({_UNITS})?"
)
_RANGE = re.compile(r"([0-9.]+)\s?[-~～]\s?([0-9.]+)")
_COUNTED = "|".join(map(re.escape, (*measures.COUNT_UNITS, *measures.COUNTED)))
_COUNT = re.compile(rf"[0-9][0-9.,]*\s?({_COUNTED})", re.IGNORECASE)
_NUMBER = re.compile(r"^[-+±~≈<>≤≥＜＞]?\s?[0-9]{1,3}([, ]?[0-9]{3})*([.,][0-9]+)?\s?%?$")
_DATE = re.compile(
    r"^((19|20)\d{2}[-/.年](0?[1-9]|1[0-2])([-/.月]\d{1,2}日?)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}-[A-Za-z]{3}-\d{2,4})$"
)
_MEASURE = re.compile(
    r"^[<>≤≥~≈±+＜＞-]?\s?[0-9][0-9.,]*\s?[a-zA-Zμµ°℃ΩΩ%㎜㎝]{1,5}(/[a-z]+)?$|^[0-9.]+\s?[-~～]\s?[0-9.]+\s?[a-zA-Zμ°℃%]{0,5}$"
)
# The sign between the sides may be the Cyrillic letter.
_SIZE = re.compile(
    r"[0-9.]+\s?(mm|cm|m|in|inch|\"|''|”|″|英寸|寸)?[巾幅宽長长高深]?\s?[x\u0445*×✕]\s?[0-9.]+"
    r"|(?<![a-z0-9])[lwhd长宽高深]\s?[:=：]?\s?[0-9.]+\s?(mm|cm|m|\"|in)?[\s,/x*×]+[lwhdt长宽高深]\s?[:=：]?\s?[0-9.]"
    r"|[lwhd长宽高深]\s?[:=：]?\s?[0-9.]+\s?(mm|cm|in\b|\")|[øφ∅]\s?[0-9]"
    r"|^[0-9.]+\s?(mm|cm|inch|in|\"|”|英寸|寸|毫米|厘米)$",
    re.IGNORECASE,
)
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
_DIGIT = re.compile("[0-9]")
_MARKED_PRICE = re.compile(
    rf"(?<![A-Za-z0-9])(?<![A-Za-z]-(?=[A-Za-z]))(?:(?:{_MARK})\s?|(?:{_CODES})\s)(?:{_AMOUNT})"
    rf"|(?<![A-Za-z]-)(?<![0-9])(?<![0-9][.,])(?:{_AMOUNT})\s?"
    rf"(?:元|円|원|€|[₽₺₴₪₱₫₸]|{_ISO}|{_CODES}|{'|'.join(measures.CURRENCIES_BEHIND)})(?![A-Za-z0-9])"
    rf"|(?<![\w.,/-])(?:{_AMOUNT})\s?/[-=](?![\w/])",  # as rupees and shillings are written
    re.IGNORECASE,
)
# Colours are shown as dots before their names; readers take some for letters.
DOTS = "●○◯⬤◉◐◑"
_HAN_COLOURS = "".join(
    sorted({word[0] for word in measures.COLOURS if has_han(word) and len(word) == 1} | {"色", "青"})
)
_COLOUR = re.compile(
    rf"[{DOTS}]?(?:[\u3400-\u9fff]{{0,3}}[{_HAN_COLOURS}]|{'|'.join(re.escape(word) for word in measures.COLOURS)})"
)
# A colour's name has fewer spaces: "army green".
_COLOUR_WORDS = 2
_COMMAS, _AT_MOST = re.compile(r"[,，、;；]"), re.compile(r"^(?:max\.?|maximum|up to|最大|最高)\s*")
# Between materials; not in "18/8" or "304/316".
_BETWEEN_MATERIALS = re.compile(r"[,、+&;]|(?<![0-9])/|/(?![0-9])|\band\b")
# Silver without its grade is a colour.
_HAN_ENDS = "|".join([*filter(has_han, measures.MATERIALS), *measures.MATERIAL_ENDS, "(?<=[0-9])银"])
_NO_MATERIAL = "|".join(measures.NO_MATERIALS)
# A longer one is a line about the product that happens to end so; "食品级304不锈钢" has seven signs beside its number.
_GRADED_HAN = re.compile(
    rf"(?!.*(?:的|如|{_NO_MATERIAL}))[0-9./%#a-z-]*[\u3400-\u9fff]{{0,4}}[0-9./%#]*[\u3400-\u9fff]{{0,3}}({_HAN_ENDS})"
)
_MATERIALS_LONGEST_FIRST = sorted((word for word in measures.MATERIALS if not has_han(word)), key=len, reverse=True)
_GRADES = {*measures.MATERIAL_GRADES, *measures.MATERIALS, *measures.COLOURS}
_GRADE_NUMBER = re.compile(r"[0-9][0-9./-]*%?")
_MOST_GRADES = 3
_SERIES = re.compile(r"^(\S.{0,38}?)\s*(系列|(?<=\s)(series|collection|range))$|^series\s+(\S{1,20})$", re.IGNORECASE)
_NO_SERIES = frozenset(squash(word) for word in terms.NO_SERIES)
_SMALL_WORDS = frozenset(("of", "and", "by", "the", "de", "la", "le", "e", "et", "&"))
_SMALL_IN_NAMES = _SMALL_WORDS | {"a", "an", "with", "without", "for", "in", "on", "to", "or", "from", "per", "x"}
# A comma inside of a number is none of a sentence's.
_COMMA = r"(?:[,，](?!\d)|(?<!\d)[,，])"
_SENTENCE = re.compile(rf"[。；！？]|{_COMMA}.*{_COMMA}|[.;!?]\s+[A-Z\u3400-\u9fff]")
_LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+")
_LATIN_SENTENCE = re.compile(r"[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}", re.IGNORECASE)


@lru_cache(maxsize=16384)
def is_no_value(text: str) -> bool:
    """Empty, or a word that means "nothing is known here", also beside a currency sign ("$ N/A")."""
    squashed = squash(text)
    return not squashed or squashed in _NO_VALUE or squashed.strip(_CURRENCY_SIGNS) in _MARKED_NOTHING


@lru_cache(maxsize=4096)
def is_on_request(text: str) -> bool:
    return _in_either_language(text, _ON_REQUEST)


def has_value(key: str | None, text: str) -> bool:
    """The text says something about attribute ``key``; only of a price also that it is given on request."""
    return not is_no_value(text) or (key == "price" and is_on_request(text))


def is_total(text: str) -> bool:
    """The text begins a total row: the word alone, or with a colon, an amount or the terms of trade after it."""
    folded = fold(text)
    if _TRADE_TOTAL.fullmatch(folded):
        return True
    return _in_either_language(text, _TOTALS) or re.split(r"[:：(（]|\s[0-9$€¥]", folded)[0].strip() in terms.TOTALS


def is_framed(text: str) -> bool:
    """Words between rows of signs, as headings inside a list are: "--- Food ---"."""
    return _FRAMED.fullmatch(text.strip()) is not None


def heads_introduction(text: str) -> bool:
    """Heads a page that introduces one product: "产品介绍 Product Introduction:"."""
    return _in_either_language(trim(text).rstrip(":： "), _INTRODUCTIONS)


def is_note(text: str) -> bool:
    """Begins a note, or is the word alone, its text standing in the next cell."""
    return _NOTE.match(fold(text)) is not None or _in_either_language(text, _NOTES)


def _in_either_language(text: str, words: frozenset[str]) -> bool:
    """The text is one of the words, or one in Chinese followed by one in English ("合计 Total")."""
    if squash(text) in words:
        return True
    parts = [_NO_HAN.sub("", fold(text)), squash(_HAN.sub("", fold(text)).strip(" /|()"))]
    return all(part in words for part in parts)


def is_figure_caption(text: str) -> bool:
    return _FIGURE.match(trim(text)) is not None


@lru_cache(maxsize=16384)
def is_code(text: str) -> bool:
    """Looks like a model or article code: letters with digits, or a long number; never a price, date or measure, nor an
    address or the end of what a bracket holds."""
    value = trim(text)
    if value[:4].casefold() == "www." or value.count(")") > value.count("("):
        return False
    if not 2 <= len(value) <= 32 or is_no_value(value) or is_date(value) or value.casefold() in terms.NOT_CODES:
        return False
    if _LETTER_CODE.match(value) or _LONG_NUMBER.match(value) or _CYRILLIC_CODE.fullmatch(value):
        return True
    if not _CODE.match(value) or _BY_TIMES.match(value) or _WORD.search(value):
        return False
    words = [token for token in value.split() if token.isalpha()]
    if value.split()[0].rstrip("0123456789").casefold() in terms.NOT_CODED:
        return False
    if len(words) > 1 or any(len(word) > 4 for word in words) or _NAMED_MEASURE.match(value):
        return False
    if is_number(value) or is_measure(value) or is_price(value):
        return False
    return any(char.isalpha() for char in value) or "-" in value or value.count(".") > 1


def is_model(text: str) -> bool:
    """A code; also a figure with capitals behind it, under a label of models no measure: "610WP"."""
    return is_code(text) or _NAMED_CODE.fullmatch(trim(text)) is not None


def is_number(text: str) -> bool:
    return _NUMBER.match(trim(text)) is not None


def is_date(text: str) -> bool:
    return _DATE.match(trim(text)) is not None


def is_measure(text: str) -> bool:
    """One number with a unit, or a range of numbers."""
    value = trim(text)
    return _MEASURE.match(value) is not None and (_RANGE.fullmatch(value) is None or _is_range(value))


def is_lettered_code(text: str) -> bool:
    """A code of letters and figures: neither a number nor a word."""
    return is_code(text) and any(map(str.isalpha, text)) and any(map(str.isdigit, text))


@lru_cache(maxsize=4096)
def is_extent(text: str) -> bool:
    """How large, heavy or strong a thing is: a size, or one amount or range with a unit of such, in Chinese also behind
    the word for what is measured; no count ("24色", "16 pcs") and no grade ("304不锈钢")."""
    if is_size(text):
        return True
    folded = fold(text)
    found = _EXTENT.fullmatch(folded)
    return found is not None and (found.group(2) is not None or _is_range(folded))


def is_rating(text: str) -> bool:
    """What a thing takes or gives at most, also behind the code of a socket: "E27, max 40 W"; no name."""
    parts = [_AT_MOST.sub("", trim(part)) for part in _COMMAS.split(fold(text))]
    return any(map(is_extent, parts)) and all(is_extent(part) or is_code(part) for part in parts)


def _is_range(text: str) -> bool:
    """Two numbers, the larger one behind: "38-43", and not the code "877-19"."""
    found = _RANGE.fullmatch(text)
    low, high = (amount.replace(".", "", 1) for amount in found.groups()) if found else ("", "")
    return found is not None and low.isdigit() and high.isdigit() and float(found.group(1)) < float(found.group(2))


def is_count(text: str) -> bool:
    """A number of things and no more: "16 pcs", "24色", "3件套", "5年"."""
    return _COUNT.fullmatch(fold(text)) is not None


def is_size(text: str) -> bool:
    return _SIZE.search(fold(text)) is not None


def names_before_size(text: str) -> bool:
    """Words that are no label stand before the size: "Set screw, zinc plated, M5 x 16"."""
    found = _SIZE.search(fold(text))
    return found is not None and _NAMING.search(fold(text)[: found.start()]) is not None


@lru_cache(maxsize=4096)
def is_price(text: str) -> bool:
    """Carries a currency mark beside an amount."""
    return _MARKED_PRICE.search(fold(text)) is not None


def prices_in(text: str) -> int:
    return len(_MARKED_PRICE.findall(fold(text)))


@lru_cache(maxsize=4096)
def price_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where in the text the amounts with their currency marks stand."""
    return tuple(found.span() for found in _MARKED_PRICE.finditer(text)) if _DIGIT.search(text) else ()


def is_sentence(text: str) -> bool:
    """Running text rather than a name or a caption."""
    value = trim(text)
    if len(value) > 80 or _SENTENCE.search(value):
        return True
    return _LATIN_SENTENCE.search(value) is not None and not _is_title(value)


def without_number(text: str) -> str:
    """Without the number that it has in a list: "12. Frying pan"."""
    return _LIST_NUMBER.sub("", text)


def _is_title(text: str) -> bool:
    """Every word is written large, as names of products are: "Kraft Paper Bag with Twisted Handle"."""
    words = [word for word in text.split() if word[0].isalpha()]
    if text.isupper():
        return len(words) <= _LONGEST_IN_CAPITALS and _OF_SENTENCES.isdisjoint(word.lower() for word in words)
    return all(not word[0].islower() or word in _SMALL_IN_NAMES for word in words)


def heads_swatches(text: str) -> bool:
    """Stands over samples of what a product may be had in: "面料颜色", "Available colours", "Finishes"."""
    return _SWATCHES.fullmatch(fold(trim(text)).strip(" :：")) is not None


def is_title_of_document(text: str) -> bool:
    """Names what one holds in hand: a catalogue, a manual, a price list."""
    folded = fold(text)
    return any(word in folded for word in terms.DOCUMENT_WORDS)


def is_heading_word(text: str) -> bool:
    """A heading of catalogue pages that names no product ("About us", "1.2 目录", "User manual V1.0")."""
    return squash(_CHAPTER.sub("", text)) in _NOT_A_NAME or is_title_of_document(text) or heads_swatches(text)


def is_series(text: str) -> bool:
    """Names a series as its heading does: "X 系列", "Milano Collection", "Series K200"; not "Our Collection" and not
    "Inductive and photoelectric range", for a name's words are written large."""
    value = trim(text)
    found = _SERIES.match(value)
    if found is None or is_sentence(value) or is_price(value) or is_heading_word(value):
        return False
    name = found.group(1) or found.group(4)
    words = name.split()
    if any(word[0].islower() and word not in _SMALL_WORDS for word in words):
        return False
    return len(words) <= 4 and squash(name) not in _NO_SERIES and squash(words[0]) not in _NO_SERIES


def all_in(text: str, words: tuple[str, ...]) -> bool:
    """Nothing but words of the list: "Black / White", "橡木、玻璃"."""
    parts = [part.strip() for part in re.split(r"[,，、/+&;；]|\band\b", fold(text)) if part.strip()]
    return bool(parts) and all(part in words for part in parts)


def is_colours(text: str) -> bool:
    """What a list of colours may go on with: known ones, Chinese words that end in one, what a dot stands before."""
    folded = fold(text)
    if not folded or is_sentence(text):
        return False
    return folded[0] in DOTS or all(_COLOUR.fullmatch(part) for part in re.split(r"[\s,、/]+", folded) if part)


def is_row_of_colours(text: str) -> bool:
    """Nothing but colours, with signs or mere spaces between: "Black / White", "Gold Silver Rose"."""
    if all_in(text, measures.COLOURS):
        return True
    words = [] if has_han(text) else fold(text).split()
    sure = [word for word in words if word in measures.COLOURS]
    return len(words) > 1 and bool(sure) and all(word in sure or word in measures.COLOURS_IN_ROWS for word in words)


@lru_cache(maxsize=4096)
def names_colour(text: str) -> bool:
    """Nothing but colours, in Chinese mostly with their name in English behind: "橙色 Orange", "雪地灰 Snow grey"."""
    if all_in(text, measures.COLOURS):
        return True
    han, latin = "".join(_HAN.findall(text)), fold(_HAN.sub(" ", text)).strip(" /()")
    told = all_in(han, measures.COLOURS) or all_in(latin.rpartition(" ")[2], measures.COLOURS)
    return told and is_colours(han) and latin.count(" ") < _COLOUR_WORDS and latin.replace(" ", "").isalpha()


@lru_cache(maxsize=4096)
def is_material(text: str) -> bool:
    """Nothing but materials, each with what grades it before it: "304不锈钢", "Enamelled cast iron", "95%羊毛 5%羊绒".

    Chinese names of materials are told by their end and their length, English ones by every word before the last.
    """
    folded = fold(text)
    if all_in(text, measures.MATERIALS):
        return True
    parts = [part.strip() for part in _BETWEEN_MATERIALS.split(folded) if part.strip()]
    han, _, latin = folded.partition(" ")
    if has_han(han) and latin and not has_han(latin):  # in two languages
        return is_material(han) and is_material(latin)
    if has_han(folded):
        return bool(parts) and all(_GRADED_HAN.fullmatch(one) is not None for part in parts for one in part.split())
    return bool(parts) and all(map(_is_graded, parts))


def _is_graded(part: str) -> bool:
    """English: the last words are a material, and each before them says of which grade or kind."""
    ends = (word for word in _MATERIALS_LONGEST_FIRST if part == word or part.endswith(" " + word))
    material = next(ends, None)
    if material is None:
        return False
    before = part[: len(part) - len(material)].split()
    return len(before) <= _MOST_GRADES and all(
        word in _GRADES or word.endswith("ed") or _GRADE_NUMBER.fullmatch(word) for word in before
    )
