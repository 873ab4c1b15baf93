"""A printed label with its value on one line, with a colon, behind a space or right behind it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from catalogsku.core.box import Box
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.offers import FORMER, held, is_former, is_named, offers
from processing.engine.understanding.rules.dictionaries.measures import COLOURS
from processing.engine.understanding.rules.finishes import DOTS, all_in, is_material
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import (
    CODE_OR_NUMBER,
    EXTRA,
    ROW_NUMBER,
    SIZE_OR_TEXT,
    label_kind,
)
from processing.engine.understanding.rules.shapes import (
    has_value,
    is_code,
    is_count,
    is_extent,
    is_measure,
    is_number,
    is_on_request,
    is_price,
)
from processing.engine.understanding.rules.wording import is_sentence

# Signs before the items of a list; those of symbol fonts lie in the private area.
PAIR = re.compile(r"^[\s•·●○▪■□◆◇➢➤►▶✓√\uf000-\uf0ff]*([^:：]{1,32}?)\s*[:：]\s*(.*)$", re.DOTALL)
_CODE_AT_END = re.compile(r"^(\D{2,24}?)[\s.]\s*([A-Za-z0-9][\w\-/.]{1,30})$")
_NUMBERED = re.compile(r"[0-9][0-9./-]*[0-9]{2}")
_AMOUNT = re.compile(r"^[0-9][0-9.,]*\s?[^\W\d]{1,4}$")
HAN = re.compile(r"[\u3400-\u9fff]+")
_SHORTEST_HAN, _LONGEST_HAN = 2, 6
_IDENTITIES = ("model", CODE_OR_NUMBER)
_SIZES, _SIZE_WORDS = ("size", SIZE_OR_TEXT), ("规格", "尺寸")
# A label without a colon has at most so many words.
_LABEL_WORDS = 3
_DOTS_BETWEEN = re.compile(r"\s+[·•|]\s+")
_SPLIT = re.compile(r"\s{2,}|[;；|]\s*")


@dataclass(frozen=True)
class Field:
    """A printed label with its value; ``value`` None where nothing or a "no value" word is printed;
    ``open`` where nothing at all follows the colon."""

    label: str
    kind: str | None
    box: Box
    value: Value | None
    size: float = 0.0
    open: bool = False


@kept(2048)  # every way of reading a page asks it of the same lines
def line_fields(line: Line, page_number: int) -> tuple[Field, ...]:
    """The fields of one line: "Size: 20 cm  Color: red" holds two, "Item No. A-10 · 12 pieces" one without a colon."""
    return tuple(_fields_of(line, page_number))


def _fields_of(line: Line, page_number: int) -> list[Field]:
    if priced := _priced(line, page_number):
        return priced
    fields = []
    if ":" not in line.text and "：" not in line.text:
        lead = Line(_DOTS_BETWEEN.split(line.text, maxsplit=1)[0], line.box, line.words, line.size, line.bold)
        return _glued(line, page_number) or _labelled_code(lead, page_number) or _spaced(lead, page_number)
    for segment in _SPLIT.split(line.text):
        pair = PAIR.match(segment)
        if not pair:
            continue
        label, text = trim(pair.group(1)), trim(pair.group(2))
        kind = label_kind(label)
        text = without_dots(text) if kind == "color" else text
        if kind is None and (len(label) > 24 or not any(char.isalpha() for char in label)):
            continue
        value = None
        if has_value(kind, text):
            value = text_value(text, part_box(line, text), page_number, "label")
        fields.append(Field(label, kind, line.box, value, line.size, not text))
    return fields


def _priced(line: Line, page_number: int) -> list[Field]:
    """Prices behind words that tell them apart: "Now $29.00 Was $39.00"; a former price is under its label alone."""
    priced = offers(line)
    if not priced or (not any(map(is_named, priced)) and (len(priced) < 2 or not any(offer.label for offer in priced))):
        return []
    price = None if all(map(is_former, priced)) else held(priced)
    own = [
        offer
        for offer in priced
        if offer is price or offer.rank == FORMER or (offer.label and all(o.label for o in priced))
    ]
    heading = priced[0].label if priced[0].rank != FORMER else ""
    return [
        Field(
            offer.label or heading,
            "price" if offer is price else None,
            line.box,
            text_value(offer.text, offer.box, page_number, "label"),
            line.size,
        )
        for offer in own
    ]


def without_dots(text: str) -> str:
    """A list of colours without the dots that show them: "● 黑色 ○ 白色" is "黑色 白色"."""
    return trim(re.sub(f"[{DOTS}]", " ", text))


def _labelled_code(line: Line, page_number: int) -> list[Field]:
    """A code right behind its label: "Item No. A-10", "型号 A-10"."""
    match = _CODE_AT_END.match(trim(line.text))
    if match is None or label_kind(match.group(1)) != "model" or not is_coded(match.group(2)):
        return []
    value = text_value(match.group(2), part_box(line, match.group(2)), page_number, "label")
    return [Field(match.group(1), "model", line.box, value, line.size)]


def is_coded(text: str) -> bool:
    """Behind its label, a code may be of digits alone."""
    return is_code(text) or _NUMBERED.fullmatch(text) is not None


def _is_amount(text: str) -> bool:
    """Behind the label of a size, whatever is counted: "规格 12支"."""
    return is_extent(text) or is_measure(text) or _AMOUNT.match(text) is not None


# What a value looks like that may follow its label without a colon.
_VALUE_OF: dict[str, Callable[[str], bool]] = {
    "model": is_coded,
    CODE_OR_NUMBER: is_code,
    "size": _is_amount,
    SIZE_OR_TEXT: _is_amount,
    "weight": _is_amount,
    "price": lambda text: not is_sentence(text) and (is_price(text) or is_number(text) or is_on_request(text)),
    "moq": lambda text: is_count(text) or is_number(text),
    "material": is_material,
    "color": lambda text: all_in(text, COLOURS),
}


# The same of one right behind its label.
_GLUED: dict[str, Callable[[str], bool]] = {
    "model": lambda text: is_code(text) and not text.isdigit(),
    CODE_OR_NUMBER: lambda text: is_code(text) and not text.isdigit(),
    "size": is_extent,
    SIZE_OR_TEXT: is_extent,
    "weight": is_extent,
    EXTRA: is_extent,
    "moq": is_count,
    "material": is_material,
    "color": lambda text: all_in(text, COLOURS),
}


def _spaced(line: Line, page_number: int) -> list[Field]:
    """A label and, behind a mere space, a value of its kind: "规格 650毫升", "Unit price $20"."""
    words = trim(line.text).split(" ")
    for n in range(min(_LABEL_WORDS, len(words) - 1), 0, -1):
        label, text = " ".join(words[:n]), trim(" ".join(words[n:]))
        kind = None if any(map(str.isdigit, label)) or not any(map(str.isalpha, label)) else label_kind(label)
        fits = _VALUE_OF.get(kind or "")
        if kind and label_kind(text) == kind:  # the label in another language
            return []
        if fits and fits(text) and not is_on_request(line.text) and is_price(line.text) == is_price(text):
            value = text_value(text, part_box(line, text), page_number, "label")
            return [Field(label, kind, line.box, value, line.size)]
    return []


def _glued(line: Line, page_number: int) -> list[Field]:
    """A Chinese label and its value right behind it: "净重1.2kg", "型号A-10", "材质竹"; the words of a measure ("长5m")
    are part of it."""
    text = trim(line.text)
    first = HAN.match(text)
    for n in range(_SHORTEST_HAN, min(_LONGEST_HAN, first.end() if first else 0, len(text) - 1) + 1):
        label, rest = text[:n], trim(text[n:])
        kind = label_kind(label)
        behind = label_kind(rest.partition(" ")[0])
        # In another language: "材质 Material", "编号 No.", "规格 Size 20cm".
        twice = kind in (label_kind(rest), behind) or any(
            kind in kinds and behind in other for kinds, other in ((_IDENTITIES, (ROW_NUMBER,)), (_SIZES, _SIZES))
        )
        fits = None if twice else _GLUED.get(kind or "")
        if fits and rest and fits(rest) and (kind not in _SIZES or label.endswith(_SIZE_WORDS)):
            return [
                Field(label, kind, line.box, text_value(rest, part_box(line, rest), page_number, "label"), line.size)
            ]
    return []
