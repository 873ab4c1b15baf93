"""Fields printed as a label with its value: on one line, in two columns, in the cells of a table without products."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, height, union
from catalogsku.core.text import has_han, trim
from processing.engine.page import Cell, Line
from processing.engine.result import BASE_KEYS, Value
from processing.engine.understanding.cards.sheets import column_pairs
from processing.engine.understanding.evidence import cell_value, part_box, text_value
from processing.engine.understanding.offers import FORMER, held, is_former, is_named, lists_price, offers, to_pay
from processing.engine.understanding.rules.dictionaries.measures import COLOURS
from processing.engine.understanding.rules.labels import (
    CODE_OR_NUMBER,
    EXTRA,
    FOREIGN,
    ROW_NUMBER,
    SIZE_OR_TEXT,
    label_kind,
)
from processing.engine.understanding.rules.shapes import (
    DOTS,
    all_in,
    has_value,
    is_code,
    is_count,
    is_extent,
    is_material,
    is_measure,
    is_number,
    is_on_request,
    is_price,
    is_sentence,
)
from processing.engine.understanding.tables.fields import stacks_fields
from processing.engine.understanding.view import PageView

# Signs before the items of a list; those of symbol fonts lie in the private area.
_PAIR = re.compile(r"^[\s•·●○▪■□◆◇➢➤►▶✓√\uf000-\uf0ff]*([^:：]{1,32}?)\s*[:：]\s*(.*)$", re.DOTALL)
_CODE_AT_END = re.compile(r"^(\D{2,24}?)[\s.]\s*([A-Za-z0-9][\w\-/.]{1,30})$")
_NUMBERED = re.compile(r"[0-9][0-9./-]*[0-9]{2}")
_AMOUNT = re.compile(r"^[0-9][0-9.,]*\s?[^\W\d]{1,4}$")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SHORTEST_HAN, _LONGEST_HAN = 2, 6
_SIZES, _SIZE_WORDS = ("size", SIZE_OR_TEXT), ("规格", "尺寸")
# Points by which what stands in one column may begin apart.
_ALIGNED_PT = 5.0
# Points by which the boxes of lines that follow each other may overlap.
_OVERLAP = 2.0
# Of a type's size: the height that its lines have without those overlapping each other.
_TALL = 1.3
# Different labels over their values, and cards in which each stands; such labels in the column of one product.
_LEAST_STACKED, _LEAST_IN_COLUMN = 2, 4
# Lines that begin with one label; kinds of labels behind which any text may be a value.
_LEAST_REPEATED, _SAID_OF_PRODUCT = 3, frozenset(("size", SIZE_OR_TEXT, "material", "color", "packing", EXTRA))
# A label that no dictionary knows is in the print of those that are known, on their line or so many of its sizes off.
_LONGEST_LABEL, _SAME_PRINT_PT, _NEXT = 32, 0.3, 6.0
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


def find_fields(view: PageView) -> list[Field]:
    """Every label with its value outside the product tables, in reading order."""
    fields = [field for line in view.lines for field in line_fields(line, view.page.number)]
    fields = with_value_column(fields, view.lines, view.page.number) + paired_fields(view)
    taken = [field.box for field in fields]
    for table in view.page.tables:
        if table.box in (*view.table_boxes, *view.chart_boxes, *view.doubtful_boxes):
            continue
        row_of: dict[int, list[Cell]] = {}
        stacked = stacks_fields(table)
        for cell in sorted(table.cells, key=lambda one: one.col):
            row_of.setdefault(cell.row, []).append(cell)
        for cell in table.cells:
            if view.in_product_table(cell.box):  # of a part of the table
                continue
            beside = [c for c in row_of[cell.row] if c.col > cell.col and c.text.strip()]
            below = [c for c in row_of.get(cell.row + 1, ()) if c.col == cell.col and c.text.strip()]
            field = _cell_field(cell, next(iter(below if stacked else beside), None), view)
            if field and not any(contains_point(field.box, *centre(box)) for box in taken):
                fields.append(field)
    return fields


def paired_fields(view: PageView) -> list[Field]:
    """Labels whose values are lines of their own: beside them in two columns, or right under them; or follow behind a
    space, in card after card."""
    fields = column_fields(view.lines, view.page.number)
    fields += stacked_fields(view.lines, view.page.number, [field.box for field in fields])
    return fields + repeated_fields(view.lines, view.page.number, [field.box for field in fields])


def repeated_fields(lines: Sequence[Line], page_number: int, taken: Sequence[Box]) -> list[Field]:
    """Values of any look behind a Chinese label and a space, where several lines of the page begin with that label:
    "材质 5Cr15钢". What its look tells is no matter of this rule."""
    found = [(line, *_headed(line)) for line in lines]
    often = Counter(label for _, label, _ in found if label)
    fields = []
    for line, label, rest in found:
        kind = label_kind(label) if often[label] >= _LEAST_REPEATED else None
        own = kind is None or line_fields(line, page_number) or any(contains_point(b, *centre(line.box)) for b in taken)
        if not own and has_value(kind, rest):
            value = text_value(rest, part_box(line, rest), page_number, "label")
            fields.append(Field(label, kind, line.box, value, line.size))
    return fields


def _headed(line: Line) -> tuple[str, str]:
    """The Chinese label that a line begins with and what follows the space behind it; both empty without one."""
    label, _, rest = trim(line.text).partition(" ")
    rest = trim(rest)
    headed = _HAN.fullmatch(label) and label_kind(label) in _SAID_OF_PRODUCT and rest and label_kind(rest) is None
    return (label, rest) if headed else ("", "")


@lru_cache(maxsize=2048)  # every way of reading a page asks it of the same lines
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
        pair = _PAIR.match(segment)
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
    found = offers(line)
    if not found or not any(map(is_named, found)) and (len(found) < 2 or not any(one.label for one in found)):
        return []
    price = None if all(map(is_former, found)) else held(found)
    own = [one for one in found if one is price or one.rank == FORMER or (one.label and all(o.label for o in found))]
    heading = found[0].label if found[0].rank != FORMER else ""
    return [
        Field(one.label or heading, "price" if one is price else None, line.box,
              text_value(one.text, one.box, page_number, "label"), line.size)
        for one in own
    ]  # fmt: skip


def without_dots(text: str) -> str:
    """A list of colours without the dots that show them: "● 黑色 ○ 白色" is "黑色 白色"."""
    return trim(re.sub(f"[{DOTS}]", " ", text))


def _labelled_code(line: Line, page_number: int) -> list[Field]:
    """A code right behind its label: "Item No. A-10", "型号 A-10"."""
    found = _CODE_AT_END.match(trim(line.text))
    if found is None or label_kind(found.group(1)) != "model" or not is_coded(found.group(2)):
        return []
    value = text_value(found.group(2), part_box(line, found.group(2)), page_number, "label")
    return [Field(found.group(1), "model", line.box, value, line.size)]


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
    "price": lambda text: is_price(text) or is_number(text) or is_on_request(text),
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
    first = _HAN.match(text)
    for n in range(_SHORTEST_HAN, min(_LONGEST_HAN, first.end() if first else 0, len(text) - 1) + 1):
        label, rest = text[:n], trim(text[n:])
        kind = label_kind(label)
        twice = kind in (label_kind(rest), label_kind(rest.partition(" ")[0]))  # in another language
        fits = None if twice else _GLUED.get(kind or "")
        if fits and rest and fits(rest) and (kind not in _SIZES or label.endswith(_SIZE_WORDS)):
            return [
                Field(label, kind, line.box, text_value(rest, part_box(line, rest), page_number, "label"), line.size)
            ]
    return []


def with_value_column(fields: list[Field], lines: list[Line], page_number: int) -> list[Field]:
    """Labels without a value take the one to their right, where at least three values stand in one common column.

    A single label beside other text proves nothing: "Package:" may simply be empty.
    """
    empty = [field for field in fields if field.value is None and field.open]
    pairs = {id(field): line for field in empty if (line := _right_of(field, lines))}
    columns = [line.box[0] for line in pairs.values()] + [f.value.evidence.bbox[0] for f in fields if f.value]
    completed = []
    for field in fields:
        line = pairs.get(id(field))
        aligned = line is not None and sum(1 for x in columns if abs(x - line.box[0]) <= _ALIGNED_PT) >= 3
        if line is None or not aligned or not has_value(field.kind, line.text):
            completed.append(field)
            continue
        whole = _whole_value(field.box, line, lines)
        value = text_value(whole.text, whole.box, page_number, "label")
        completed.append(Field(field.label, field.kind, union([field.box, whole.box]), value, field.size))
    return completed


def column_fields(lines: list[Line], page_number: int) -> list[Field]:
    """Labels and values that stand in two columns of print, without colons and rules."""
    fields = []
    for label, first in column_pairs(lines):
        kind, value = label_kind(label.text), _whole_value(label.box, first, lines)
        kind = kind or ("price" if lists_price(label.text, value.text) else None)
        text, box = to_pay(value) if kind == "price" else (value.text, value.box)
        found = text_value(text, box, page_number, "label") if has_value(kind, text) else None
        fields.append(Field(trim(label.text), kind, union([label.box, value.box]), found, label.size))
    return fields


def stacked_fields(lines: Sequence[Line], page_number: int, taken: Sequence[Box]) -> list[Field]:
    """Values that stand right under their labels, in cards: two different labels at least, or one over codes, and each
    more than once; or four and more in one column, each once.

    Under the heads of a list more than one value follows, and beside a label of a column its value.
    """
    often = Counter(kind for line in lines if (kind := label_kind(line.text)) in BASE_KEYS)
    repeated = often["model"] >= _LEAST_STACKED or sum(n >= _LEAST_STACKED for n in often.values()) >= _LEAST_STACKED
    if not repeated and len(often) < _LEAST_IN_COLUMN:
        return []
    pairs = [(label, value) for label in lines if not any(contains_point(box, *centre(label.box)) for box in taken)
             and _may_be_label(label.text) and not line_fields(label, page_number)
             and (value := _value_under(label, lines))]  # fmt: skip
    known = [(label, value) for label, value in pairs if label_kind(label.text) in BASE_KEYS]
    times = Counter(label_kind(label.text) for label, _ in known)
    coded = set(times) == {"model"} and all(is_code(value.text) for _, value in known)
    often_enough = (coded or len(times) >= _LEAST_STACKED) and min(times.values(), default=0) >= _LEAST_STACKED
    if not (often_enough or _in_one_column(known)):
        return []
    found = known + [pair for pair in pairs if pair not in known and any(_stands_like(pair, other) for other in known)]
    return [
        Field(trim(label.text), label_kind(label.text), union([label.box, value.box]),
              text_value(value.text, value.box, page_number, "label"), label.size)
        for label, value in found
    ]  # fmt: skip


def _in_one_column(pairs: Sequence[tuple[Line, Line]]) -> bool:
    """Labels of different kinds, each in the print and the column of the others right under the value before it."""
    kinds, texts, lefts = (
        {label_kind(a.text) for a, _ in pairs},
        {a.text for a, _ in pairs},
        [a.box[0] for a, _ in pairs],
    )
    apart = len(kinds) < _LEAST_IN_COLUMN or len(texts) < len(pairs) or max(lefts) - min(lefts) > _OVERLAP
    return not apart and all(_stands_like(pair, other) for pair, other in pairwise(pairs))


def _may_be_label(text: str) -> bool:
    plain = trim(text)
    words = any(map(str.isalpha, plain)) and len(plain) <= _LONGEST_LABEL and plain[-1] not in ":："
    return words and not (is_price(plain) or is_code(plain) or is_measure(plain) or is_sentence(plain))


def _value_under(label: Line, lines: Sequence[Line]) -> Line | None:
    """The line right under a label that may be its value and the last one there."""
    kind, value = label_kind(label.text), _right_under(label, lines)
    if value is None or label_kind(value.text) or is_labelled(value.text) or not has_value(kind, value.text):
        return None
    last = _right_under(value, lines)
    return value if last is None or label_kind(last.text) else None


def _stands_like(pair: tuple[Line, Line], other: tuple[Line, Line]) -> bool:
    """In the same print, and on the same line or in the same column close by."""
    (label, _), (known, _) = pair, other
    printed = all(abs(a.size - b.size) <= _SAME_PRINT_PT for a, b in zip(pair, other, strict=True))
    level = abs(label.box[1] - known.box[1]) <= _OVERLAP
    under = abs(label.box[0] - known.box[0]) <= _ALIGNED_PT and abs(label.box[1] - known.box[1]) <= _NEXT * label.size
    return printed and (level or under)


def _right_under(line: Line, lines: Sequence[Line]) -> Line | None:
    """The next line, beginning where this one does, with less than a line between them; the boxes of some fonts are
    much higher than their print."""
    overlap = max(_OVERLAP, height(line.box) - _TALL * line.size)
    low = [other for other in lines if abs(other.box[0] - line.box[0]) <= _ALIGNED_PT
           and -overlap <= other.box[1] - line.box[3] <= height(line.box)]  # fmt: skip
    return min((other for other in low if other is not line), key=lambda other: other.box[1], default=None)


def _whole_value(label: Box, value: Line, lines: Sequence[Line]) -> Line:
    """The value with its further lines: right below it, beginning where it begins, with no label beside them."""
    whole = value
    for line in sorted(lines, key=lambda one: one.box[1]):
        close = 0.0 <= line.box[1] - whole.box[3] + _OVERLAP <= 0.5 * height(value.box)
        if not close or abs(line.box[0] - value.box[0]) > _ALIGNED_PT or line.size != value.size:
            continue
        y = centre(line.box)[1]
        if any(other.box[1] <= y <= other.box[3] and abs(other.box[0] - label[0]) <= _ALIGNED_PT for other in lines):
            break
        space = "" if has_han(whole.text[-1] + line.text[0]) else " "
        whole = Line(whole.text + space + line.text, union([whole.box, line.box]), whole.words + line.words, line.size)
    return whole


def _right_of(field: Field, lines: list[Line]) -> Line | None:
    """The next line on the label's baseline, unless it is a label itself."""
    y = centre(field.box)[1]
    beside = [line for line in lines if line.box[0] > field.box[2] and line.box[1] <= y <= line.box[3]]
    nearest = min(beside, key=lambda line: line.box[0], default=None)
    return None if nearest is None or _PAIR.match(nearest.text) else nearest


def _cell_field(cell: Cell, right: Cell | None, view: PageView) -> Field | None:
    """A label in one cell and its value in the next."""
    kind = label_kind(cell.text)
    if kind is None or kind == FOREIGN or right is None or label_kind(right.text) is not None:
        return None
    if kind == ROW_NUMBER and not any(map(str.isdigit, right.text)):  # the head of a list
        return None
    value = cell_value([right], view.page.number) if has_value(kind, right.text) else None
    label = [line for line in view.lines if contains_point(cell.box, *centre(line.box))]
    box = union([*(line.box for line in label), right.box]) if label else union([cell.box, right.box])
    return Field(trim(cell.text), kind, box, value, label[0].size if label else 0.0)


def is_labelled(text: str) -> bool:
    """Reads "label: value", or only its label with the colon."""
    return _PAIR.match(text) is not None
