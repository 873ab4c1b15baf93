"""Which unit or currency a head, a section or a note prints for the values that it stands for."""

import re
from collections.abc import Iterator

from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.in_force import units_of
from processing.engine.understanding.rules.labels import label_currency_or_unit
from processing.engine.understanding.rules.normalise import currency_mark, currency_of, is_currency, measured

# Attributes that are measured, each in units of its own (``in_force.units_of``).
MEASURED = ("price", "size", "weight")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+(?:\.[^\W\d_\u3400-\u9fff]+)*\.?|[\"”″㎜㎝㎏]|[\u3400-\u9fff]+")
_BRACKETS = re.compile(r"[(\[（【](.*?)[)\]）】]")
_APART = re.compile(r"\u3000+|\s{2,}|[,，;；|。]|\.\s")
# "单位：元/件", "All prices in EUR", "Dimensions are given in mm", "Currency: USD", "尺寸单位 mm".
_NOTE = re.compile(
    r"[(\[（【]?(?:(?:.*\s)?(?P<en>price|size|dimension|measurement|weight)s?(?:\s+(?:are|is))?(?:\s+\w+)?\s+in\b"
    r"|(?P<word>currency|币种)|units?(?=\s*[:：])|(?P<zh>价格|报价|货币|尺寸|规格|长度|重量)?单位)"
    r"\s*[:：]?\s*(?P<marks>[^\s)\]）】]{1,8})[)\]）】]?(?:\s.*)?",
    re.IGNORECASE,
)
# What a note speaks of; of all that is measured where it names nothing.
_SPOKEN_OF = {
    **dict.fromkeys(("price", "currency", "币种", "价格", "报价", "货币"), "price"),
    **dict.fromkeys(("size", "dimension", "measurement", "尺寸", "规格", "长度"), "size"),
    **dict.fromkeys(("weight", "重量"), "weight"),
}


def prints_unit(key: str, text: str) -> bool:
    """Whether the value says itself what it is measured in, or measures nothing."""
    if key == "price":
        return currency_of(text) is not None
    measure = measured(text, units_of(key))
    return measure is None or measure["unit"] is not None


def head_mark(key: str, label: str) -> str | None:
    """The unit or currency that a head or label prints for ``key``, as printed: "KGS" of "G.W. (KGS)"; else None.

    A letter alone is one in brackets, behind a slash or at the end: "G.W." is not in grams.
    """
    if key == "price":
        return currency_mark(label)
    own, words = set(_words(label_currency_or_unit(label))), list(_words(label))
    marks = [
        word
        for n, word in enumerate(words)
        if fold(word) in units_of(key) and (len(word) > 1 or fold(word) in own or 0 < n == len(words) - 1)
    ]
    return next((word for word in marks if fold(word) != "in"), marks[0] if marks else None)  # "(in cm)"


def _words(text: str) -> Iterator[str]:
    """The words of a label; of those that points join ("N.W.KGS") the ones of more than a letter."""
    for word in _WORD.findall(text):
        bare = word.rstrip(".")
        yield from (part for part in bare.split(".") if len(part) > 1) if "." in bare else [bare]


def section_mark(key: str, text: str) -> str | None:
    """What a section's title says of all rows below it: in a note, or alone in brackets ("Brackets (mm)")."""
    alone = (inside for inside in _BRACKETS.findall(text) if fold(inside) in units_of(key))
    return note_marks(text).get(key) or next(alone, None)


def note_marks(text: str) -> dict[str, str]:
    """What a line says that values are given in, by attribute: {"price": "元"} of "单位：元/件"."""
    marks: dict[str, str] = {}
    for said in filter(None, (_NOTE.fullmatch(part.strip()) for part in _APART.split(text))):
        of = _SPOKEN_OF.get(fold(said["en"] or said["word"] or said["zh"] or ""))
        for mark in re.split(r"[/、]", said["marks"].rstrip(".。")):
            key = "price" if is_currency(mark) else next((k for k in MEASURED if fold(mark) in units_of(k)), None)
            if key is not None and of in (None, key):
                marks.setdefault(key, mark)
    return marks
