"""What a printed label stands for: a column head or the part before a colon, in Chinese, English or both, and the heads
of price lists in further languages."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from catalogsku.core.text import has_han
from processing.engine.understanding.rules.dictionaries import foreign, measures
from processing.engine.understanding.rules.dictionaries import labels as words
from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.in_force import OwnWords, kept, own_words
from processing.engine.understanding.rules.shapes import is_code

_BRACKETS = re.compile(r"[(\[{（【].*?[)\]}）】]")
_POINT = re.compile(r"\s*\.\s*")
_EDGE = re.compile(r"^[\s:：*#.,;、。|/\\\-_]+|[\s:：*.,;、。|/\\\-_]+$")
# By which column a shop's list is sorted: "Products+", "Price ▲".
_SORTED = re.compile(r"(?<=\w{4})\s?[+▲▼↑↓]$")
_WITH_VALUE = re.compile(r"[:：]\s*\S")
# Never what is counted: "12位" is no label in Chinese.
_HAN_RUN = re.compile(r"(?<![0-9\u3400-\u9fff])[\u3400-\u9fff]+")
_LATIN_RUN = re.compile(r"[a-z0-9][a-z0-9 .#/&*\-]*")
_CYRILLIC_UNITS = [
    unit
    for group in (measures.LENGTHS, measures.WEIGHTS, measures.OTHER_UNITS, measures.COUNT_UNITS)
    for unit in group
    if "а" <= unit[0] <= "я"
]
_UNIT_TAIL = re.compile(
    r"[\s/,_]*(mm|cm|kgs?|inch(es)?|in|g|lbs?|pcs?|usd|rmb|cny|eur|us\$|\$|€|£|¥|￥|(?<!单)元|cbm|m³|w|v)$"
    rf"|[\s/,_]+({'|'.join(map(re.escape, _CYRILLIC_UNITS))})$"
)
_MONEY = re.compile(r"(us\$|usd|rmb|cny|eur|gbp|\$|€|£|¥|￥|元)(\s*/\s*\S{1,8}|\s+(each|per \w{1,8}))?")
# So many to a package: "Pcs/ctn", "Per case", "只/箱", "每箱数量".
_PER_PACKAGE = re.compile(
    r"((pcs|pieces?|qty|quantity|units?|sets?|pairs?)\.?\s*)?(/|per)\s*"
    r"((inner|outer|master)\s*)?(ctn|carton|case|box|pack|package|bag)s?\.?"
    r"|[只个件支套台双条张把片]?\s*[/每]\s*(外|内|大|小|中)?[箱盒包袋捆](数量|只数|个数|件数|装数)?"
)
# Between the words of a head that names two things: "产品图 / 型号", "Name & description", "品名及说明".
_BETWEEN = re.compile(r"\s*[/／、&]\s*|\s+and\s+|(?<=[\u3400-\u9fff])\s*[及和与]\s*(?=[\u3400-\u9fff])", re.IGNORECASE)
# A currency and what one pays it for, in the brackets of a head: "Egységár (Ft/db)".
_CURRENCIES = frozenset(map(fold, (*measures.CURRENCIES, *foreign.CURRENCIES)))
_PER_PIECE = re.compile(rf"({'|'.join(map(re.escape, sorted(_CURRENCIES, key=len, reverse=True)))})\s*/\s*\S{{1,8}}")
_WEIGHT_PER = re.compile(
    rf"(kgs?|g|lbs?|oz)\s*/\s*({'|'.join(map(re.escape, map(fold, (*measures.COUNT_UNITS, *foreign.COUNT_UNITS))))})"
)
# What one pays for: "Price/Box", "Price per set".
_PIECES = "|".join(map(re.escape, (*measures.COUNT_UNITS, "pack", "package", "case")))
_PRICE_PER = re.compile(rf"(?:unit )?price\s*(?:/|per)\s*(?:{_PIECES})\.?")
_INSIDE = re.compile(r"[(\[（【](.*?)[)\]）】]")
_BEHIND = re.compile(r"[/,]\s*([^\s/]+)$")
_WORDS_APART = re.compile(r"[\s()\[\]（）【】/,:]+")
# A product's measures each with its axis: "L×W×H", "长*宽*高", "(W) x (D) x (H)"; what stands before them says of what.
_AXIS = r"[(（]?(?:length|width|height|depth|[lwhdtø]|[长宽高深厚]度?)[)）]?"
_AXES = re.compile(
    rf"(?<![a-z]){_AXIS}(?:(?:\s*[x×✕*·/-]\s*{_AXIS}){{2,3}}|\s*[x×✕*]\s*{_AXIS}|/[长宽高深厚]度?)(?![a-z])"
)
# The language of the column's texts, behind what they are: "Descripción en español", "Description in English".
_LANGUAGE = re.compile(
    r"\s+(en|in|auf|em|på|w)\s+(espa[nñ]ol|ingl[eé]s|castellano|portugu[eéê]s|english|spanish|german|french|chinese"
    r"|fran[cç]ais|anglais|deutsch|englisch|italiano|inglese|polski)$"
)
# What a thing may be had in, and the words that say so.
_CHOICE = re.compile(
    r"(?:available|standard|std\.?|regular|optional|stock|common) ([a-z]+)|([a-z]+) (?:available|options?|range)"
)
_UNIT_LEAD = re.compile(r"^(usd|rmb|cny|eur|gbp|us\$|\$|€|£|¥)[\s/]*")

# Heads of names, but for names of those who make, buy or work there, and of files and the like.
_NAMED = re.compile(
    r"(?!.*(公司|企业|单位|客户|厂|供应商|银行|户|部门|学校|医院|人员|项目|文件|标准|证书))[\u3400-\u9fff]{1,6}名称"
    r"|(?!.*(company|customer|client|supplier|vendor|file|bank|account|user|contact|person|first|last|full|document))"
    r"([a-z]+ ){1,3}name"
)

# Kinds beside the attribute keys; the values below a column decide what the first three become.
NAME_OR_TEXT, CODE_OR_NUMBER, SIZE_OR_TEXT = "name_or_text", "code_or_number", "size_or_text"
SIZE_PART, ROW_NUMBER, PICTURE, BARCODE, QUANTITY = "size_part", "row_number", "picture", "barcode", "quantity"
EXTRA, FOREIGN, SUBSTANCE = "extra", "foreign", "substance"
_OF_NAMES, _OF_TEXTS = ("product_name", NAME_OR_TEXT), ("description", NAME_OR_TEXT, EXTRA)
# What the same cells may say behind a name: "Name / weight".
_OF_MEASURES = ("size", "weight", "color", "material", "packing", SIZE_OR_TEXT)


def _table() -> dict[str, str]:
    table = {fold(label): kind for kind, group in _SIDE_KINDS for label in group}
    for key, group in words.EXACT.items():
        table.update(dict.fromkeys(map(fold, group), key))
    for kind, group in (*_FOREIGN_KINDS, *foreign.EXACT.items()):
        for label in (form for word in group for form in _spellings(word)):
            table.setdefault(label, kind)
    return table


def _spellings(word: str) -> tuple[str, ...]:
    """As printed, and as capitals often are, without accents; without them a short word may be another."""
    printed = fold(word)
    parts = unicodedata.normalize("NFKD", printed).replace("ı", "i").replace("ł", "l").replace("ø", "o")
    plain = "".join(char for char in parts if not unicodedata.combining(char))
    return (printed, printed.replace("ı", "i"), *([plain] if len(plain) > _SHORT and plain.isascii() else []))


_SIDE_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (EXTRA, words.EXTRA),
    (FOREIGN, words.NOT_PRODUCTS),
    (CODE_OR_NUMBER, words.CODE_OR_NUMBER),
    (NAME_OR_TEXT, words.NAME_OR_TEXT),
    (SIZE_OR_TEXT, words.SIZE_OR_TEXT),
    (SIZE_PART, words.SIZE_PARTS),
    (PICTURE, words.PICTURE),
    (QUANTITY, words.QUANTITY),
    (BARCODE, words.BARCODE),
    (SUBSTANCE, words.SUBSTANCE),
    (ROW_NUMBER, words.ROW_NUMBER),
)
_FOREIGN_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (EXTRA, foreign.EXTRA),
    (FOREIGN, foreign.NOT_PRODUCTS),
    (CODE_OR_NUMBER, foreign.CODE_OR_NUMBER),
    (NAME_OR_TEXT, foreign.NAME_OR_TEXT),
    (SIZE_PART, foreign.SIZE_PARTS),
    (PICTURE, foreign.PICTURE),
    (QUANTITY, foreign.QUANTITY),
    (ROW_NUMBER, foreign.ROW_NUMBER),
)
_SHORT = 3
KINDS = _table()
_FOREIGN_LEADS = tuple(form for word in foreign.PRICE_LEADS for form in _spellings(word))
_FIRST_WORD = re.compile(r"[ ,/]")
_FIRST_OF_LEADS = frozenset(_FIRST_WORD.split(lead)[0] for lead in (*words.PRICE_LEADS, *_FOREIGN_LEADS))
_LAST_LATIN = re.compile(r"[^\s\u3400-\u9fff]+\s*$")
_HEADS = [(head, key, has_han(head)) for key, heads in words.HEADS.items() for head in heads]


@kept(8192)
def label_kind(label: str) -> str | None:
    """Attribute key or column kind of a printed label; None for one that the dictionaries do not know."""
    forms = label_forms(label)
    if (meant := _own_kind(forms)) is not None:
        return meant
    if forms and (axes := _AXES.search(forms[0])):
        before = _EDGE.sub("", forms[0][: axes.start()])
        return "size" if not before or (kind := label_kind(before)) == SIZE_OR_TEXT else kind
    for form in forms:
        if form in KINDS:
            return _beside_picture(forms[0]) or KINDS[form]
    if forms and (_MONEY.fullmatch(forms[0]) or _PER_PIECE.fullmatch(forms[0]) or is_price_per(label)):
        return "price"
    if forms and _WEIGHT_PER.fullmatch(forms[0]):
        return "weight"
    if forms and _PER_PACKAGE.fullmatch(forms[0]):
        return "packing"
    if any(form.endswith(words.NOT_PRODUCTS_ENDS) for form in forms):
        return FOREIGN
    by_head = next((kind for form in forms if (kind := _by_head(form) or _of_choice(form))), None) or _by_unit(forms)
    return by_head or (_of_several(forms[0]) if forms else None)


def _own_kind(forms: tuple[str, ...]) -> str | None:
    """What the merchant's dictionary says of it; before all that is built in."""
    labels = _own_labels(own_words()) if own_words().labels else {}
    return next((labels[form] for form in forms if form in labels), None)


@lru_cache(maxsize=16)
def _own_labels(words: OwnWords) -> dict[str, str]:
    """By the printed form of each."""
    return {form: means for label, means in words.labels for form in label_forms(label)[:1]}


def is_price_per(label: str) -> bool:
    """Names a price and what one gets for it; a price and a packing apart are named otherwise."""
    return _PRICE_PER.fullmatch(fold(label)) is not None


def _of_choice(form: str) -> str | None:
    """What a thing may be had in: "Sizes available", "Regular colours"."""
    match = _CHOICE.fullmatch(form)
    kind = KINDS.get(match.group(1) or match.group(2)) if match else None
    return kind if kind in ("size", "color", "material", "packing") else None


def _by_unit(forms: tuple[str, ...]) -> str | None:
    """A head whose brackets say what one pays for: "Egységár (Ft/db) adott telephelyi kiadással"."""
    inside = [part.strip("()[]{}（）【】 ") for part in _BRACKETS.findall(forms[0])] if forms else []
    return "price" if any(map(_PER_PIECE.fullmatch, inside)) else None


def label_parts(label: str) -> list[str]:
    """The words of a head that names several things; the label alone where it names one."""
    return [part for part in _BETWEEN.split(label.strip()) if part]


def _beside_picture(label: str) -> str | None:
    """The kind of the other thing that a column prints in the cells of its pictures: "产品图 / 型号"."""
    kinds = [_own_kind((part,)) or KINDS.get(part) for part in label_parts(label)]
    others = [kind for kind in kinds if kind != PICTURE]
    return others[0] if len(kinds) == 2 and len(others) == 1 else None


def _of_several(label: str) -> str | None:
    """The kind of a head of several words: what all of them stand for ("N.W./G.W. (kg)"), or the first of them where
    that is the name and the other says more of what it names."""
    if (other := _beside_picture(label)) is not None:
        return other
    kinds = [_named(label_forms(part)) for part in label_parts(label)]
    alike = len(kinds) > 1 and len(set(kinds)) == 1 and kinds[0] in words.EXACT
    measured = len(kinds) == 2 and kinds[0] == "product_name" and kinds[1] in _OF_MEASURES
    return kinds[0] if alike or measured or names_and_describes(kinds) else None


def _named(forms: tuple[str, ...]) -> str | None:
    """By an entry of the dictionaries alone."""
    return _own_kind(forms) or next((KINDS[form] for form in forms if form in KINDS), None)


def names_and_describes(kinds: Sequence[str | None]) -> bool:
    """A head that names the product and then what is said of it: "品名及说明", "Name & description"."""
    return len(kinds) == 2 and kinds[0] in _OF_NAMES and kinds[1] in _OF_TEXTS


@kept(8192)
def label_forms(label: str) -> tuple[str, ...]:
    """The folded label itself, then without brackets, units and spaces, then each of its languages alone.

    Empty for text that is no label: too long, or with a value behind a colon.
    """
    folded = _SORTED.sub("", _EDGE.sub("", fold(label)))
    if not folded or len(folded) > 48 or _WITH_VALUE.search(folded):
        return ()
    bare = _EDGE.sub("", _BRACKETS.sub(" ", folded))
    plain = _EDGE.sub("", _UNIT_LEAD.sub("", _UNIT_TAIL.sub("", bare)))
    forms = [
        folded,
        bare,
        plain,
        _LANGUAGE.sub("", plain),
        _POINT.sub(" ", plain).strip(),
        plain.replace(" ", ""),
    ]
    if has_han(plain) and not _holds_code(label):
        forms += _HAN_RUN.findall(plain.replace(" ", ""))
        forms += [_EDGE.sub("", run) for run in _LATIN_RUN.findall(plain)]
    return tuple(dict.fromkeys(form for form in forms if form))


def _holds_code(label: str) -> bool:
    """A code stands behind the label's name: its value ("货号 LY-G01"), and no label in another language."""
    match = _LAST_LATIN.search(label)
    last = match.group(0) if match else ""
    return is_code(last) and any(map(str.isalpha, last)) and sum(map(str.isdigit, last)) > 1


def _by_head(form: str) -> str | None:
    if _is_led(form, words.PRICE_LEADS, 1) or _is_led(form, _FOREIGN_LEADS, 5):
        return "price"
    for head, key, is_han in _HEADS:
        if is_han:
            if form.endswith(head) and len(form) <= len(head) + 6 and not form.endswith(words.NO_PRICES):
                return key
        elif form.endswith(" " + head) and form.count(" ") <= 3:
            return key
    return None


def _is_led(form: str, leads: tuple[str, ...], spaces: int) -> bool:
    """One of the leads and a few words behind it."""
    if _FIRST_WORD.split(form, maxsplit=1)[0] not in _FIRST_OF_LEADS:
        return False
    led = (lead for lead in leads if form.startswith((lead + " ", lead + ",", lead + "/")))
    return any(form[len(lead) + 1 :].strip().count(" ") <= spaces for lead in led)


def names_a_thing(label: str) -> bool:
    """A head that no dictionary knows and that ends as heads of names do: "器械包名称", "Treatment name"."""
    return label_kind(label) is None and any(_NAMED.fullmatch(form) is not None for form in label_forms(label))


def names_currency(label: str) -> bool:
    """One of its words is a currency: "Retail (USD)", "Katalog PLN"."""
    return any(word in _CURRENCIES for word in _WORDS_APART.split(fold(label)))


def label_currency_or_unit(label: str) -> str:
    """The part of a label that names a unit or a currency: what stands in brackets, or after a slash."""
    folded = fold(label)
    inside = _INSIDE.findall(folded)
    tail = _BEHIND.search(folded)
    lead = _UNIT_LEAD.match(folded) or _UNIT_TAIL.search(folded)
    return " ".join(inside + ([tail.group(1)] if tail else []) + ([lead.group(0)] if lead else [])).strip()
