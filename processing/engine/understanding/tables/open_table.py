"""Lists without ruled lines: a printed head, and below it codes or names at the head's left edges (TA-AROUTE).

The list becomes a Table like any other: one row a printed line, columns by the head's labels.
"""

from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, height, union
from catalogsku.core.text import trim
from processing.engine.page import Cell, Line, ParsedPage, Table
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.normalise import is_currency
from processing.engine.understanding.rules.shapes import is_number, is_price, is_sentence
from processing.engine.understanding.running import in_margin

OPEN_LIST = "open_list"
_LEAST_LABELS = 3
# A ruled table of so few rows may be the boxed head of an open list.
_HEAD_ONLY = 2
# In heights of a label's line: space to its first line, and how unlike the two lines may be in height and middle.
_LEADING, _UNLIKE = 0.7, 0.2
# Points by which labels under each other may begin apart, and how many of them make fields of cards.
_SAME_EDGE, _FIELDS = 4.0, 2
# A page's footer stands further below the list than this many of its widest steps from row to row.
_FAR = 2.0
_IDENTITY_KINDS = ("model", "product_name", "code_or_number", "name_or_text")


def open_tables(page: ParsedPage) -> list[Table]:
    """Tables read from the lines outside ruled tables, at most one a page; its head alone may be ruled."""
    ruled = [table.box for table in page.tables if table.ruled and table.n_rows > _HEAD_ONLY]
    printed = [part for line in page.lines for piece in pieces(line) for part in _without_next_mark(piece)]
    lines = [line for line in printed if not any(contains_point(box, *centre(line.box)) for box in ruled)]
    rows = baselines(lines)
    heads = [n for n, row in enumerate(rows) if _is_head(row) and not _are_fields(row, rows[n + 1 : n + 2])]
    if not heads:
        return []
    first = max(heads, key=lambda n: (_labels(rows[n]), -n))
    body = rows[first + 1 :]
    end = next((n for n, row in enumerate(body) if _closes(row) or _is_footer(page, body, n)), len(body))
    head = [_whole_label(label, rows[first - 1]) for label in rows[first]] if first else rows[first]
    table = _table(page, head, body[:end])
    return [table] if table else []


def _without_next_mark(line: Line) -> list[Line]:
    """A currency mark behind an amount that has one in front belongs to the column to the right: "$ 1510 $"."""
    words = line.words
    if len(words) < 3 or not is_currency(words[-1].text) or not is_currency(words[0].text):
        return [line]
    parts = (words[:-1], words[-1:])
    return [Line(" ".join(w.text for w in p), union(w.box for w in p), p, line.size, line.bold) for p in parts]


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
    """Labels side by side, an identity among them, no values."""
    if len(row) < _LEAST_LABELS or any(is_price(line.text) or is_number(line.text) for line in row):
        return False
    kinds = [label_kind(line.text) for line in row]
    if not any(kind in _IDENTITY_KINDS for kind in kinds) or FOREIGN in kinds:
        return False
    return _labels(row) * 2 >= len(row) and _labels(row) >= 2 and not any(is_sentence(line.text) for line in row)


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
    return any(is_sentence(line.text) and len(line.text) > 90 for line in row) and len(row) == 1


def _is_footer(page: ParsedPage, body: list[list[Line]], n: int) -> bool:
    """In the bottom margin, much further below the row before than any rows of the list stand apart."""
    tops = [min(line.box[1] for line in row) for row in body[: n + 1]]
    steps = [low - high for high, low in pairwise(tops)]
    below = all(in_margin(line.box, page.height_pt) and line.box[1] > page.height_pt / 2 for line in body[n])
    return below and len(steps) >= 2 and steps[-1] > _FAR * max(steps[:-1])


def _table(page: ParsedPage, head: list[Line], body: list[list[Line]]) -> Table | None:
    edges = _edges(head, page.width_pt)
    cells = [Cell(0, col, trim(line.text), line.box) for col, line in enumerate(head)]
    row_number = 0
    for row in body:
        placed = _placed(row, edges)
        if not placed:
            continue
        row_number += 1
        for col, lines in sorted(placed.items()):
            text = "  ".join(trim(line.text) for line in lines)
            cells.append(Cell(row_number, col, text, union(line.box for line in lines)))
    if row_number < 2:
        return None
    box = union(cell.box for cell in cells)
    return Table("L1", box, row_number + 1, len(head), tuple(cells), ruled=False, method=OPEN_LIST)


def _edges(head: list[Line], page_width: float) -> list[tuple[float, float]]:
    """Each column reaches from halfway to its left neighbour to halfway to its right one."""
    edges = []
    for n, line in enumerate(head):
        left = 0.0 if n == 0 else (head[n - 1].box[2] + line.box[0]) / 2
        right = page_width if n == len(head) - 1 else (line.box[2] + head[n + 1].box[0]) / 2
        edges.append((left, right))
    return edges


def _placed(row: list[Line], edges: list[tuple[float, float]]) -> dict[int, list[Line]]:
    """The lines of a row by column: the one in which a line begins, or has its middle when it is narrow.

    A currency mark that stands alone goes with the amount to its right.
    """
    placed: dict[int, list[Line]] = {}
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
            placed.setdefault(col, []).extend([mark, line] if mark else [line])
        mark = None
    return placed
