"""Fields printed as a label with its value: on one line, in two columns, in the cells of a table without products."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, height, holds_centre, union
from catalogsku.core.text import has_han, trim
from processing.engine.page import Cell, Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.cards.sheets import column_pairs
from processing.engine.understanding.evidence import cell_value, text_value
from processing.engine.understanding.labelled_lines import PAIR, Field, line_fields
from processing.engine.understanding.offers import lists_price, to_pay
from processing.engine.understanding.rules.labels import (
    FOREIGN,
    ROW_NUMBER,
    SIZE_OR_TEXT,
    label_kind,
)
from processing.engine.understanding.rules.shapes import has_value, is_code, is_lettered_code, is_measure, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.fields import stacks_fields
from processing.engine.understanding.view import PageView

# Points by which what stands in one column may begin apart.
_ALIGNED_PT = 5.0
# Points by which the boxes of lines that follow each other may overlap.
_OVERLAP = 2.0
# Of a type's size: the height that its lines have without those overlapping each other.
_TALL = 1.3
# Different labels over their values, and cards in which each stands; such labels in the column of one product.
_LEAST_STACKED, _LEAST_IN_COLUMN = 2, 4
_STACKED = frozenset((*BASE_KEYS, SIZE_OR_TEXT))
# A label that no dictionary knows is in the print of those that are known, on their line or so many sizes off, of its
# print or its value's.
_LONGEST_LABEL, _SAME_PRINT_PT, _NEXT = 32, 0.3, 6.5


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
        for cell in sorted(table.cells, key=lambda c: c.col):
            row_of.setdefault(cell.row, []).append(cell)
        for cell in table.cells:
            begun = any(contains_point(cell.box, box[0] + _OVERLAP, box[1] + _OVERLAP) for box in taken)
            if begun or view.in_product_table(cell.box):  # of a field, or of a part of the table
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
    return fields


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
        field_value = text_value(text, box, page_number, "label") if has_value(kind, text) else None
        fields.append(Field(trim(label.text), kind, union([label.box, value.box]), field_value, label.size))
    return fields


def stacked_fields(lines: Sequence[Line], page_number: int, taken: Sequence[Box]) -> list[Field]:
    """Values that stand right under their labels, in cards: two different labels at least, or one over codes, and each
    more than once; or four and more in one column or in rows that go on in its columns, each once.

    Under the heads of a list more than one value follows, and beside a label of a column its value.
    """
    often = Counter(kind for line in lines if (kind := label_kind(line.text)) in _STACKED)
    repeated = often["model"] >= _LEAST_STACKED or sum(n >= _LEAST_STACKED for n in often.values()) >= _LEAST_STACKED
    if not repeated and len(often) < _LEAST_IN_COLUMN:
        return []
    pairs = [
        (label, value)
        for label in lines
        if not holds_centre(taken, label.box)
        and _may_be_label(label.text)
        and not line_fields(label, page_number)
        and (value := _value_under(label, lines))
    ]
    known = [(label, value) for label, value in pairs if label_kind(label.text) in _STACKED]
    times = Counter(label_kind(label.text) for label, _ in known)
    coded = set(times) == {"model"} and all(is_code(value.text) for _, value in known)
    twice = [kind for kind, n in times.items() if n >= _LEAST_STACKED]
    if not ((coded and twice) or len(twice) >= _LEAST_STACKED or _in_one_column(known) or _in_rows(known, pairs)):
        return []
    if not coded and len(twice) >= _LEAST_STACKED:
        known = [pair for pair in known if label_kind(pair[0].text) in twice]
    stacked = list(known)
    while more := [
        pair for pair in pairs if pair not in stacked and any(_stands_like(pair, other) for other in stacked)
    ]:
        stacked += more
    return [
        Field(
            trim(label.text),
            label_kind(label.text),
            union([label.box, value.box]),
            text_value(value.text, value.box, page_number, "label"),
            label.size,
        )
        for label, value in stacked
    ]


def _in_one_column(pairs: Sequence[tuple[Line, Line]]) -> bool:
    """Labels of different kinds, each in the print and the column of the others right under the value before it."""
    kinds, texts, lefts = (
        {label_kind(a.text) for a, _ in pairs},
        {a.text for a, _ in pairs},
        [a.box[0] for a, _ in pairs],
    )
    apart = len(kinds) < _LEAST_IN_COLUMN or len(texts) < len(pairs) or max(lefts) - min(lefts) > _OVERLAP
    return not apart and all(_stands_like(pair, other) for pair, other in pairwise(pairs))


def _in_rows(known: Sequence[tuple[Line, Line]], pairs: Sequence[tuple[Line, Line]]) -> bool:
    """Different labels of one product, its code's among them, smaller than their values and in rows under each other:
    all in one print, in the columns of one another or of what else stands among them. Code and price may stand out."""
    texts, kinds = {label.text for label, _ in known}, {label_kind(label.text) for label, _ in known}
    if "model" not in kinds or len(kinds) < _LEAST_IN_COLUMN or len(texts) < len(known):
        return False
    if any(label.size >= value.size for label, value in known):
        return False
    out = [pair for pair in known if label_kind(pair[0].text) in ("model", "price")]
    rest = [pair for pair in known if pair not in out]
    (label, value), reached = rest[0], [rest[0]]
    while more := [
        pair for pair in pairs if pair not in reached and any(_stands_like(pair, other) for other in reached)
    ]:
        reached += more
    larger = [pair for pair in out if abs(pair[0].size - label.size) <= _SAME_PRINT_PT and pair[1].size > value.size]
    return all(pair in reached or pair in larger for pair in known)


def _may_be_label(text: str) -> bool:
    plain = trim(text)
    words = any(map(str.isalpha, plain)) and len(plain) <= _LONGEST_LABEL and plain[-1] not in ":："
    return words and not (is_price(plain) or is_code(plain) or is_measure(plain) or is_sentence(plain))


def _value_under(label: Line, lines: Sequence[Line]) -> Line | None:
    """The line right under a label that may be its value and the last one there, but for the next label."""
    kind, value = label_kind(label.text), _right_under(label, lines)
    if value is None or label_kind(value.text) or is_labelled(value.text) or not has_value(kind, value.text):
        return None
    last = _right_under(value, lines)
    small = last is not None and abs(last.size - label.size) <= _SAME_PRINT_PT and label.size < value.size
    return value if last is None or label_kind(last.text) or small else None


def _stands_like(pair: tuple[Line, Line], other: tuple[Line, Line]) -> bool:
    """In the same print, and on the same line or in the same column close by."""
    (label, value), (known, _) = pair, other
    printed = all(abs(a.size - b.size) <= _SAME_PRINT_PT for a, b in zip(pair, other, strict=True))
    level = abs(label.box[1] - known.box[1]) <= _OVERLAP
    reach = _NEXT * max(label.size, value.size)
    under = abs(label.box[0] - known.box[0]) <= _ALIGNED_PT and abs(label.box[1] - known.box[1]) <= reach
    return printed and (level or under)


def _right_under(line: Line, lines: Sequence[Line]) -> Line | None:
    """The next line, beginning where this one does, with less than a line between them; the boxes of some fonts are
    much higher than their print."""
    overlap = max(_OVERLAP, height(line.box) - _TALL * line.size)
    low = [
        other
        for other in lines
        if abs(other.box[0] - line.box[0]) <= _ALIGNED_PT and -overlap <= other.box[1] - line.box[3] <= height(line.box)
    ]
    return min((other for other in low if other is not line), key=lambda other: other.box[1], default=None)


def _whole_value(label: Box, value: Line, lines: Sequence[Line]) -> Line:
    """The value with its further lines: right below it, beginning where it begins, with no label beside them."""
    whole = value
    for line in sorted(lines, key=lambda other: other.box[1]):
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
    return None if nearest is None or PAIR.match(nearest.text) else nearest


def _cell_field(cell: Cell, right: Cell | None, view: PageView) -> Field | None:
    """A label in one cell and its value in the next."""
    kind = label_kind(cell.text)
    if kind is None or kind == FOREIGN or right is None or label_kind(right.text) is not None:
        return None
    if kind == ROW_NUMBER and not any(map(str.isdigit, right.text)):  # the head of a list
        return None
    if kind == "price" and is_lettered_code(right.text):  # a remark on the price, and another product
        return None
    value = cell_value([right], view.page.number) if has_value(kind, right.text) else None
    label = [line for line in view.lines if contains_point(cell.box, *centre(line.box))]
    box = union([*(line.box for line in label), right.box]) if label else union([cell.box, right.box])
    return Field(trim(cell.text), kind, box, value, label[0].size if label else 0.0)


def is_labelled(text: str) -> bool:
    """Reads "label: value", or only its label with the colon."""
    return PAIR.match(text) is not None
