"""What printed words say by their wording: a note, a total, a heading, a sentence, a series."""

import re

from catalogsku.core.text import trim
from processing.engine.understanding.rules.dictionaries import terms
from processing.engine.understanding.rules.folding import fold, in_either_language, squash
from processing.engine.understanding.rules.in_force import own_words
from processing.engine.understanding.rules.shapes import is_letter_sizes, is_price

_TOTALS = frozenset(squash(word) for word in terms.TOTALS)
_NOTE = re.compile(
    rf"^({'|'.join(re.escape(fold(word)) for word in terms.NOTES)})\s*[0-9①-⑩]?\s*[:：.、]", re.IGNORECASE
)
_NOTES = frozenset(squash(word) for word in terms.NOTES)
# "TOTAL FOB NINGBO:", "Total CIF".
_TRADE_TOTAL = re.compile(r"(?:grand )?total (?:fob|fca|fas|exw|cif|cip|cfr|cnf|c&f|cpt|dap|ddp|ddu)\b[^0-9]*")
_BEHIND_TOTAL = re.compile(r"[:：(（]|\s[0-9$€¥]")
_FRAMED = re.compile(r"[-–—=~*#_·]{2,}\s*\w.*\w\s*[-–—=~*#_·]{2,}")
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
_SERIES = re.compile(r"^(\S.{0,38}?)\s*(系列|(?<=\s)(series|collection|range))$|^series\s+(\S{1,20})$", re.IGNORECASE)
_NO_SERIES = frozenset(squash(word) for word in terms.NO_SERIES)
_SMALL_WORDS = frozenset(("of", "and", "by", "the", "de", "la", "le", "e", "et", "&"))
_SMALL_IN_NAMES = _SMALL_WORDS | {"a", "an", "with", "without", "for", "in", "on", "to", "or", "from", "per", "x"}
# A comma inside of a number is none of a sentence's.
_COMMA = r"(?:[,，](?!\d)|(?<!\d)[,，])"
_SENTENCE = re.compile(rf"[。；！？]|{_COMMA}.*{_COMMA}|[.;!?]\s+[A-Z\u3400-\u9fff]")
_LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+")
_MAIL = re.compile(r"\w@[\w-]+(\.[\w-]+)*\.[a-z]{2,}", re.IGNORECASE)
_LATIN_SENTENCE = re.compile(r"[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}\s+[a-z]{2,}", re.IGNORECASE)


def is_total(text: str) -> bool:
    """The text begins a total row: the word alone, or with a colon, an amount or the terms of trade after it."""
    folded = fold(text)
    if _TRADE_TOTAL.fullmatch(folded):
        return True
    if own_words().says("total", _BEHIND_TOTAL.split(folded)[0].strip()):
        return True
    return in_either_language(text, _TOTALS) or _BEHIND_TOTAL.split(folded)[0].strip() in terms.TOTALS


def is_framed(text: str) -> bool:
    """Words between rows of signs, as headings inside a list are: "--- Food ---"."""
    return _FRAMED.fullmatch(text.strip()) is not None


def heads_introduction(text: str) -> bool:
    """Heads a page that introduces one product: "产品介绍 Product Introduction:"."""
    return in_either_language(trim(text).rstrip(":： "), _INTRODUCTIONS)


def is_note(text: str) -> bool:
    """Begins a note, or is the word alone, its text standing in the next cell."""
    if _NOTE.match(fold(text)) is not None or in_either_language(text, _NOTES):
        return True
    return own_words().begins("note", text)


def holds_mail_address(text: str) -> bool:
    return _MAIL.search(text) is not None


def is_figure_caption(text: str) -> bool:
    return _FIGURE.match(trim(text)) is not None


def is_sentence(text: str) -> bool:
    """Running text rather than a name or a caption."""
    value = trim(text)
    if is_letter_sizes(value):
        return False
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
    return any(word in folded for word in terms.DOCUMENT_WORDS) or own_words().says("document", text)


def is_heading_word(text: str) -> bool:
    """A heading of catalogue pages that names no product ("About us", "1.2 目录", "User manual V1.0")."""
    bare = _CHAPTER.sub("", text)
    if squash(bare) in _NOT_A_NAME or own_words().says("heading", bare):
        return True
    return is_title_of_document(text) or heads_swatches(text)


def is_series(text: str) -> bool:
    """Names a series as its heading does: "X 系列", "Milano Collection", "Series K200"; not "Our Collection" and not
    "Inductive and photoelectric range", for a name's words are written large."""
    value = trim(text)
    match = _SERIES.match(value)
    if match is None or is_sentence(value) or is_price(value) or is_heading_word(value):
        return False
    name = match.group(1) or match.group(4)
    words = name.split()
    if any(word[0].islower() and word not in _SMALL_WORDS for word in words):
        return False
    return len(words) <= 4 and squash(name) not in _NO_SERIES and squash(words[0]) not in _NO_SERIES
