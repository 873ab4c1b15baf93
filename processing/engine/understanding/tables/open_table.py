"""Lists without ruled lines: a printed head, and below it codes or names at the head's left edges (TA-AROUTE).

The list becomes a Table like any other: one row a printed line, columns by the head's labels.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, centre, contains_point, height, holds_centre, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import part_line, pieces
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import FOREIGN, NAME_OR_TEXT, label_kind
from processing.engine.understanding.rules.normalise import is_currency
from processing.engine.understanding.rules.shapes import is_code, is_number, is_price
from processing.engine.understanding.rules.wording import holds_mail_address, is_sentence
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.same_page import SamePage
from processing.engine.understanding.tables.halves import are_alike
from processing.engine.understanding.tables.unknown_heads import may_head

OPEN_LIST = "open_list"
# How a reader calls tables whose rows stand between level rules, with white between the columns.
BANDED = "bands"
_LEAST_LABELS = 3
# A ruled table of so few rows may be the boxed head of an open list.
_HEAD_ONLY = 2
# In heights of a label's line: space to its first line, and how unlike the two lines may be in height and middle.
_LEADING, _UNLIKE = 0.7, 0.2
# In heights of a line: the least gap between two labels of one head.
_LABEL_GAP = 0.8
# Points by which labels under each other may begin apart, and how many of them make fields of cards.
_SAME_EDGE, _FIELDS = 4.0, 2
# A page's footer stands further below the list than this many of its widest steps from row to row.
_FAR = 2.0
# Of the usual step from row to row: the space in which a picture and a title stand between two parts of a list.
_PART = 4.0
# Points by which words under a label begin apart from it, and of how many rows which share does.
FLUSH, _LEAST_FLUSH, _MOST_FLUSH = 1.0, 4, 0.8
# A title is so much larger than what stands under it.
_LARGER = 1.25
# In heights of a line: the least gap between two heads that the rows under them tell apart.
_HEADS_APART = 0.4
# Beside a label of models so many of these make up for one that other tables have too ("Section").
_OF_GOODS, _TRADED = frozenset(("product_name", NAME_OR_TEXT, "price", "moq", "packing", "material", "color")), 2
_IDENTITY_KINDS = ("model", "product_name", "code_or_number", "name_or_text")


def open_tables(page: ParsedPage) -> list[Table]:
    """Tables read from the lines outside ruled tables: one list a page, or two side by side, in parts where its head
    stands again after a wide gap. A head alone may be ruled."""
    return list(_open_tables(SamePage(page)))


@kept(32)
def _open_tables(this: SamePage) -> list[Table]:
    page = this.page
    ruled = [table.box for table in page.tables if table.ruled and table.n_rows > _HEAD_ONLY]
    printed = [part for line in page.lines for piece in pieces(line) for part in _without_next_mark(piece)]
    printed = [label for line in printed for label in _labels_apart(line)]
    lines = [line for line in printed if not holds_centre(ruled, line.box)]
    parts = _lists(page, lines)
    tables = [_table(page, n, *part) for n, part in enumerate(parts, 1)]
    return [table for table in tables if table]


def _lists(page: ParsedPage, lines: Sequence[Line]) -> list[tuple[list[Line], list[list[Line]]]]:
    """Heads with the rows under each: of two lists side by side under the same head each by itself."""
    rows = baselines(lines)
    heads = [n for n, row in enumerate(rows) if _is_head(row) and not _are_fields(row, rows[n + 1 : n + 2])]
    if not heads:
        heads = [n for n, row in enumerate(rows) if _heads_twice(row)][:1]
    if not heads:
        return []
    first = max(heads, key=lambda n: (_labels(rows[n]), -n))
    if (middle := _fold(rows[first])) is not None:
        sides = [[line for line in lines if (line.box[0] < middle) == on_left] for on_left in (True, False)]
        return [part for side in sides for part in _lists(page, side)]
    body = rows[first + 1 :]
    ends = (n for n, row in enumerate(body) if _closes(row) or _is_footer(page, body, n) or _opens_box(page, body[n:]))
    body = _without_tab(rows[first], body[: next(ends, len(body))])
    head = [_whole_label(label, rows[first - 1]) for label in rows[first]] if first else rows[first]
    return _parts(head, body)


def _heads_twice(row: list[Line]) -> bool:
    """Words that no dictionary knows, twice the same side by side."""
    return may_head(row) and _fold(row) is not None


def _fold(head: list[Line]) -> float | None:
    """Where a head begins anew with the same labels or nearly so, the middle of the page between both."""
    half, rest = divmod(len(head), 2)
    texts = [squash(line.text) for line in head]
    if (
        rest
        or half < _LEAST_LABELS
        or not are_alike(texts[:half], texts[half:])
        or not (_is_head(head[:half]) or may_head(head))
    ):
        return None
    return (head[half - 1].box[2] + head[half].box[0]) / 2


def _parts(head: list[Line], body: list[list[Line]]) -> list[tuple[list[Line], list[list[Line]]]]:
    """The list, cut where its head is printed again far below the row before: there a picture and a title come
    between, which are no rows."""
    step = median([low[0].box[1] - high[0].box[1] for high, low in pairwise(body)] or [0.0])
    parts = [(head, list[list[Line]]())]
    for row in body:
        rows = parts[-1][1]
        several = [n for n, other in enumerate(rows) if len(other) > 1]
        if several and _is_same_head(row, head) and row[0].box[1] - rows[several[-1]][0].box[1] > _PART * step > 0:
            del rows[several[-1] + 1 :]
            parts.append((row, []))
        else:
            rows.append(row)
    return parts


def _is_same_head(row: list[Line], head: list[Line]) -> bool:
    return [squash(line.text) for line in row] == [squash(line.text) for line in head]


def _without_next_mark(line: Line) -> list[Line]:
    """A currency mark behind an amount that has one in front belongs to the column to the right: "$ 1510 $"."""
    words = line.words
    if len(words) < 3 or not is_currency(words[-1].text) or not is_currency(words[0].text):
        return [line]
    return [part_line(line, words[:-1]), part_line(line, words[-1:])]


def _labels_apart(line: Line) -> list[Line]:
    """The line cut where a gap parts two labels: a scan's narrow head is read as one line."""
    least = _LABEL_GAP * height(line.box)
    for n, (left, right) in enumerate(pairwise(line.words), 1):
        if right.box[0] - left.box[2] < least:
            continue
        parts = (part_line(line, line.words[:n]), part_line(line, line.words[n:]))
        if all(label_kind(part.text) for part in parts):
            return [parts[0], *_labels_apart(parts[1])]
    return [line]


def baselines(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand side by side, from top to bottom, each row from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (centre(item.box)[1], item.box[0])):
        if line.vertical or not line.text.strip():
            continue
        if rows and _beside(rows[-1][0].box, line.box):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box[0]) for row in rows]


def _beside(a: Box, b: Box) -> bool:
    common = min(a[3], b[3]) - max(a[1], b[1])
    return common > 0.5 * min(height(a), height(b))


def _labels(row: list[Line]) -> int:
    return sum(1 for line in row if label_kind(line.text))


def _is_head(row: list[Line]) -> bool:
    """Labels of different kinds side by side, an identity among them, no values."""
    if len(row) < _LEAST_LABELS or any(is_price(line.text) or is_number(line.text) for line in row):
        return False
    kinds = [label_kind(line.text) for line in row]
    if any(kind is None and is_sentence(line.text) for kind, line in zip(kinds, row, strict=True)):
        return False
    if not any(kind in _IDENTITY_KINDS for kind in kinds) or len({*kinds} - {None}) < 2:
        return False
    if FOREIGN in kinds and not ("model" in kinds and len(_OF_GOODS.intersection(kinds)) >= _TRADED):
        return False
    return _labels(row) * 2 >= len(row) and _labels(row) >= 2


def _whole_label(label: Line, above: list[Line]) -> Line:
    """The label with its first line, where that stands closely and centred over it in the same print."""
    box = label.box
    for line in above:
        close = box[1] - line.box[3] <= _LEADING * height(box)
        alike = abs(height(line.box) - height(box)) <= _UNLIKE * height(box) and line.bold == label.bold
        centred = abs(centre(line.box)[0] - centre(box)[0]) <= _UNLIKE * height(box)
        if close and alike and centred and not is_sentence(line.text):
            both = f"{line.text} {label.text}"
            return Line(both, union((line.box, box)), line.words + label.words, label.size, label.bold)
    return label


def _are_fields(row: list[Line], below: list[list[Line]]) -> bool:
    """Labels beside values rather than a head: right below its labels stand further labels."""
    labels = [line for line in row if label_kind(line.text)]
    further = [line for other in below for line in other if label_kind(line.text)]
    under = [label for label in labels if any(abs(line.box[0] - label.box[0]) <= _SAME_EDGE for line in further)]
    return len(under) >= _FIELDS and len(under) < len(row)


def _closes(row: list[Line]) -> bool:
    """Running text over the page, or whom to write to."""
    running = any(is_sentence(line.text) and len(line.text) > 90 for line in row) and len(row) == 1
    return running or any(holds_mail_address(line.text) for line in row)


def _is_footer(page: ParsedPage, body: list[list[Line]], n: int) -> bool:
    """In the bottom margin, much further below the row before than any rows of the list stand apart."""
    tops = [min(line.box[1] for line in row) for row in body[: n + 1]]
    steps = [low - high for high, low in pairwise(tops)]
    below = all(in_margin(line.box, page.height_pt) and line.box[1] > page.height_pt / 2 for line in body[n])
    return below and len(steps) >= 2 and steps[-1] > _FAR * max(steps[:-1])


def _opens_box(page: ParsedPage, rows: list[list[Line]]) -> bool:
    """A title in larger print than what stands under it on a shaded box of their own, where nothing has a code: a
    chart or a remark."""
    title = rows[0][0]
    box = next((panel for panel in page.panels if contains_point(panel, *centre(title.box))), None)
    inside = [line for row in rows[1:] for line in row if box and contains_point(box, *centre(line.box))]
    if box is None or len(rows[0]) > 1 or len(inside) < 2 or any(is_code(line.text) for line in inside):
        return False
    above = [line for line in page.lines if line.box[3] <= title.box[1] and contains_point(box, *centre(line.box))]
    return not above and title.size > _LARGER * max(line.size for line in inside)


def _without_tab(head: list[Line], body: list[list[Line]]) -> list[list[Line]]:
    """The rows without the letters of a word that is printed downwards beside the list: a tab of the page."""
    right = head[-1].box[2]
    signs = [line for row in body for line in row if len(line.text.strip()) == 1 and line.text.strip().isalpha()]
    beside = [line for line in signs if line.box[0] >= right + height(line.box)]
    under = [line for line in beside if sum(abs(centre(line.box)[0] - centre(o.box)[0]) <= FLUSH for o in beside) > 1]
    rows = [[line for line in row if not any(line is letter for letter in under)] for row in body] if under else body
    return [row for row in rows if row]


def _table(page: ParsedPage, number: int, head: list[Line], body: list[list[Line]]) -> Table | None:
    head = [part for label in head for part in _labels_by_rows(label, body)]
    edges = edges_of(head, page.width_pt)
    body = _cut_at_labels(head, body)
    cells = [Cell(0, col, trim(line.text), line.box) for col, line in enumerate(head)]
    row_number = 0
    for row in body:
        placed = by_column(row, edges)
        if not placed:
            continue
        row_number += 1
        for col, lines in sorted(placed.items()):
            text = "  ".join(trim(line.text) for line in lines)
            cells.append(Cell(row_number, col, text, union(line.box for line in lines)))
    if row_number < 2:
        return None
    box = union(cell.box for cell in cells)
    table = Table(f"L{number}", box, row_number + 1, len(head), tuple(cells), ruled=False, method=OPEN_LIST)
    return table


def _cut_at_labels(head: list[Line], body: list[list[Line]]) -> list[list[Line]]:
    """The rows with lines cut where a word stands at the left edge of a later label, as most rows have one there: a
    narrow space parts a number from its name. A note alone in its row may have a word there by chance."""
    begun = [label.box[0] for label in head[1:] if _begins_columns(label.box[0], body)]
    parts = [[part for line in row for part in cut_at(line, begun)] for row in body]
    return [cut if len(row) > 1 or _leads_row(cut[0].text) else row for row, cut in zip(body, parts, strict=True)]


def _leads_row(text: str) -> bool:
    return is_number(text) or is_code(text)


def _labels_by_rows(label: Line, body: list[list[Line]]) -> list[Line]:
    """The label cut at a wide space where a word begins a column, as the rows tell: two heads close together."""
    least = _HEADS_APART * height(label.box)
    for n, (left, right) in enumerate(pairwise(label.words), 1):
        if right.box[0] - left.box[2] >= least and _begins_columns(right.box[0], body):
            return [part_line(label, label.words[:n]), *_labels_by_rows(part_line(label, label.words[n:]), body)]
    return [label]


def _begins_columns(x: float, body: list[list[Line]]) -> bool:
    rows = [row for row in body if len(row) > 1] or body
    at = sum(1 for row in rows if any(abs(word.box[0] - x) <= FLUSH for line in row for word in line.words))
    return len(rows) >= _LEAST_FLUSH and at >= _MOST_FLUSH * len(rows)


def cut_at(line: Line, edges: Sequence[float]) -> list[Line]:
    starts = [n for n, word in enumerate(line.words) if n and any(abs(word.box[0] - x) <= FLUSH for x in edges)]
    return [part_line(line, line.words[a:b]) for a, b in pairwise([0, *starts, len(line.words)])] if starts else [line]


def edges_of(head: list[Line], page_width: float) -> list[tuple[float, float]]:
    """Each column reaches from halfway to its left neighbour to halfway to its right one."""
    edges = []
    for n, line in enumerate(head):
        left = 0.0 if n == 0 else (head[n - 1].box[2] + line.box[0]) / 2
        right = page_width if n == len(head) - 1 else (line.box[2] + head[n + 1].box[0]) / 2
        edges.append((left, right))
    return edges


def by_column(row: list[Line], edges: list[tuple[float, float]]) -> dict[int, list[Line]]:
    """The lines of a row by column: the one in which a line begins, or has its middle when it is narrow.

    A currency mark that stands alone goes with the amount to its right.
    """
    columns: dict[int, list[Line]] = {}
    mark: Line | None = None
    for line in row:
        if is_currency(line.text):
            mark = line
            continue
        start, middle = line.box[0], centre(line.box)[0]
        col = next((n for n, (left, right) in enumerate(edges) if left <= start < right), None)
        narrow = line.box[2] - line.box[0] < 60
        if narrow:
            col = next((n for n, (left, right) in enumerate(edges) if left <= middle < right), col)
        if col is not None:
            columns.setdefault(col, []).extend([mark, line] if mark else [line])
        mark = None
    return columns
