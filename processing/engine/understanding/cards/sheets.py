"""Pages of one product, printed as a sheet: a large name with its code, and labels beside values in two columns."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, gap, union
from catalogsku.core.text import fold, squash, trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, Value
from processing.engine.understanding.rules.labels import EXTRA, FOREIGN, QUANTITY, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_number, is_on_request, is_price
from processing.engine.understanding.rules.wording import is_heading_word, is_sentence
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import PageView

# Different attributes that must stand in one column of labels before it counts as one.
_LEAST_KINDS = 3
# Of these, so many in each card; one value or the other may be missing.
_LEAST_IN_CARD = 2
_LEAST_CARDS = 3
# Labels that two cards beside each other have in common.
_LEAST_LABELS = 4
_ALIGNED_PT = 5.0
# Print sizes: a dot with its space, and what stands between the colours of a list, a dot among it.
_DOT, _LISTED = 2.0, 4.0
# What labels of packages stand for.
_PACKED = ("packing", EXTRA)
# Points by which the print of one list differs where it was recognised.
_SAME_PRINT_PT = 1.5
_LARGE = 1.6
# Print of a card's title against that of its fields.
TITLE = 1.3
# Of the page's height: a sheet's name stands above this.
_UPPER = 0.5


def column_pairs(lines: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Label and value lines of every two columns in which at least three attributes are named, and no register's."""
    labels = sum(1 for line in lines if label_kind(line.text) in BASE_KEYS)
    if labels < _LEAST_KINDS:
        return []
    columns: list[list[tuple[Line, Line]]] = []
    for row in map(_with_lists, baselines(lines)):
        for label, value in pairwise(row):
            if may_be_label(label) and (label_kind(value.text) is None or _packs(row)):
                column = next((pairs for pairs in columns if _stand_under(pairs[0], (label, value))), None)
                if column is None:
                    columns.append([(label, value)])
                else:
                    column.append((label, value))
    labelled = [pairs for pairs in columns if _has_kinds(pairs) or _has_cards(pairs) or _is_repeated(pairs, columns)]
    blocks = [block for pairs in labelled for block in _blocks(pairs)]
    return [pair for block in blocks if _names_attributes(block) for pair in block]


def _packs(row: Sequence[Line]) -> bool:
    """What a product is packed in may be called as labels are: "Packing", "Gift box"."""
    kinds = [label_kind(line.text) for line in row]
    return len(kinds) == len(_PACKED) and kinds[0] == "packing" and kinds[1] in _PACKED


def _has_kinds(pairs: Sequence[tuple[Line, Line]]) -> bool:
    return len({label_kind(label.text) for label, _ in pairs} & set(BASE_KEYS)) >= _LEAST_KINDS


def _has_cards(pairs: Sequence[tuple[Line, Line]]) -> bool:
    """The same two attributes again and again."""
    times = Counter(kind for label, _ in pairs if (kind := label_kind(label.text)) in BASE_KEYS)
    return len(times) == _LEAST_IN_CARD and min(times.values()) >= _LEAST_CARDS


def _is_repeated(pairs: Sequence[tuple[Line, Line]], columns: Sequence[Sequence[tuple[Line, Line]]]) -> bool:
    """The same labels once more in a column of their own, at least two attributes among them: the cards of a page."""
    own = {squash(label.text) for label, _ in pairs}
    kinds = {label_kind(label.text) for label, _ in pairs} & set(BASE_KEYS)
    others = [{squash(label.text) for label, _ in other} for other in columns if other is not pairs]
    return len(kinds) >= _LEAST_IN_CARD and any(len(own & other) >= _LEAST_LABELS for other in others)


def _blocks(pairs: Sequence[tuple[Line, Line]]) -> list[list[tuple[Line, Line]]]:
    """Cards that stand under each other begin again with the label of the first."""
    first = next(squash(label.text) for label, _ in pairs if label_kind(label.text) in BASE_KEYS)
    blocks: list[list[tuple[Line, Line]]] = [[]]
    for label, value in pairs:
        if squash(label.text) == first and any(squash(other.text) == first for other, _ in blocks[-1]):
            blocks.append([])
        blocks[-1].append((label, value))
    return blocks


def _stand_under(first: tuple[Line, Line], pair: tuple[Line, Line]) -> bool:
    """Label under label and value under value, which may end in one place beside labels in one print; a dot may stand
    before colours."""
    (label, value), (other, said) = first, pair
    dotted = any(label_kind(line.text) == "color" for line in (label, other))
    off = _DOT * said.size if dotted else _ALIGNED_PT
    ended = abs(value.box[2] - said.box[2]) <= _ALIGNED_PT and abs(label.size - other.size) <= _SAME_PRINT_PT
    valued = abs(value.box[0] - said.box[0]) <= off or ended
    return abs(label.box[0] - other.box[0]) <= _ALIGNED_PT and valued


def _with_lists(row: Sequence[Line]) -> list[Line]:
    """The row, the colours that stand apart behind their label as one line."""
    whole: list[Line] = []
    for line in row:
        listed = len(whole) > 1 and label_kind(whole[-2].text) == "color"
        if listed and _goes_on(whole[-1], line):
            last = whole[-1]
            whole[-1] = Line(
                f"{last.text} {line.text}", union([last.box, line.box]), last.words + line.words, last.size
            )
        else:
            whole.append(line)
    return whole


def _goes_on(last: Line, line: Line) -> bool:
    """The next word of a list: close by, in the same print, and no label, price or code."""
    near = 0.0 <= line.box[0] - last.box[2] <= _LISTED * last.size and abs(line.size - last.size) <= _SAME_PRINT_PT
    return near and label_kind(line.text) is None and may_be_label(line)


def may_be_label(line: Line) -> bool:
    text = trim(line.text)
    if len(text) > 32 or not any(char.isalpha() for char in text) or text[-1] in ":：":
        return False
    # A full stop may stand behind a short word: "Item No. 货号".
    said = is_sentence(text) and label_kind(text) is None
    return not (said or is_price(text) or is_number(text) or is_code(text))


def _names_attributes(pairs: Sequence[tuple[Line, Line]]) -> bool:
    kinds = [label_kind(label.text) for label, _ in pairs]
    known = [kind for kind in kinds if kind in BASE_KEYS]
    once = len(
        {(kind, squash(label.text)) for kind, (label, _) in zip(kinds, pairs, strict=True) if kind in known}
    ) == len(known)
    return len(known) >= _LEAST_IN_CARD and once and FOREIGN not in kinds and QUANTITY not in kinds


def sheet_title(view: PageView) -> Line | None:
    """The page's largest line, prices aside, where it stands in the upper half in clearly larger print than others."""
    lines = [line for line in view.lines if not is_price(line.text)]
    sizes = sorted(line.size for line in lines)
    upper = [line for line in lines if line.box[1] < _UPPER * view.page.height_pt]
    largest = max(upper, key=lambda line: (line.size, -line.box[1]), default=None)
    if largest is None or largest.size < _LARGE * sizes[len(sizes) // 2] or largest.size < sizes[-1]:
        return None
    return largest if may_be_title(largest) else None


def title_of_page(view: PageView, fields: Box, size: float, code: Value | None) -> Line | None:
    """The page's title; where the fields give a code, which may do without a name, only if it begins where they do, or
    by the padding of their cells, of their print's ``size``, before that, or if the code stands under it too, or if it
    is printed on the page's one large photo over the fields."""
    title = sheet_title(view)
    if title is None or code is None:
        return title
    before = fields[0] - title.box[0]
    aligned = -_ALIGNED_PT <= before <= max(_ALIGNED_PT, size) and title.box[3] <= fields[1]
    photos = [p.box for p in view.large_photos]
    shown = len(photos) == 1 and contains_point(photos[0], *centre(title.box)) and photos[0][3] <= fields[1]
    return title if aligned or shown or _is_told_under(view, title, code.text) else None


def _is_told_under(view: PageView, title: Line, code: str) -> bool:
    """The first line under the title, which begins where it does, holds the code as a word of its own."""
    column = [line for line in view.lines if line is not title and abs(line.box[0] - title.box[0]) <= _ALIGNED_PT]
    under = [line for line in column if centre(title.box)[1] <= line.box[1] <= title.box[3] + title.size]
    first = min(under, key=lambda line: line.box[1], default=None)
    return first is not None and fold(code) in map(fold, first.text.split())


def may_be_title(line: Line) -> bool:
    text = trim(line.text)
    named = 2 <= len(text) <= 70 and sum(char.isalpha() for char in text) >= 2 and label_kind(text) is None
    return named and not is_heading_word(text) and not is_sentence(text)


def title_over(lines: Sequence[Line], box: Box, size: float) -> Line | None:
    """The nearest line above in clearly larger print that begins where ``box`` does and may name a product.

    ``size``: of the print in ``box``. What stands between, a picture or a text about the product, does not matter.
    """
    above = [
        line
        for line in lines
        if line.box[3] <= box[1]
        and abs(line.box[0] - box[0]) <= _ALIGNED_PT
        and line.size >= TITLE * size > 0
        and may_be_title(line)
        and not any(test(line.text) for test in (is_code, is_price, is_on_request, is_measure))
    ]
    return max(above, key=lambda line: line.box[1], default=None)


def title_area(title: Line, titles: Sequence[Line], page: Box) -> Box:
    """From the title's top and left edge to the next title below it and the next one beside it, else the page's end."""
    x0, y0 = title.box[0] - _ALIGNED_PT, title.box[1]
    below = [t.box[1] for t in titles if t.box[1] > title.box[3] and abs(t.box[0] - title.box[0]) <= _ALIGNED_PT]
    bottom = min(below, default=page[3])
    right = [t.box[0] - _ALIGNED_PT for t in titles if t.box[0] > title.box[2] and y0 < t.box[3] and t.box[1] < bottom]
    return x0, y0, min(right, default=page[2]), bottom


def only_code(lines: Sequence[Line], area: Box) -> Line | None:
    """The one line there that is nothing but a lettered code."""
    codes = [line for line in lines if contains_point(area, *centre(line.box)) and _is_lettered_code(line)]
    return codes[0] if len(codes) == 1 else None


def _is_lettered_code(line: Line) -> bool:
    return is_code(line.text) and any(char.isalpha() for char in line.text)


def code_beside(lines: Sequence[Line], title: Line) -> Line | None:
    """A line that is nothing but a lettered code, right above or below the title and beginning where it begins."""
    near = [
        line
        for line in lines
        if _is_lettered_code(line)
        and gap(line.box, title.box) <= title.size
        and abs(line.box[0] - title.box[0]) <= 2 * _ALIGNED_PT
    ]
    return min(near, key=lambda line: gap(line.box, title.box), default=None)
