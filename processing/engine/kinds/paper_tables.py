"""Tables as journals set them: a caption, heads over columns without vertical rules, rows told by their baseline."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from catalogsku.core.box import Box, centre, height, union, width
from processing.engine.page import Block, Line, ParsedPage, Word

_CAPTION = re.compile(r"(?:Table|TABLE|Tab\.|表)\s*(?:\d+|[IVX]+)\b")
# A line of running text: so many words of letters, and so wide a share of the page.
_PROSE_WORDS, _PROSE_WIDTH = 6, 0.3
_STARTS_WITH_NUMBER = re.compile(r"[<>≤≥=~±+\-−–]?\s*\d")
# In heights of a line: lines whose middles lie nearer are of one row; rows further apart are of two tables.
_SAME_ROW, _TABLE_ENDS = 0.6, 6.0
# So far over the middle of the page a caption of both columns reaches on either side; so far over the middle a column's
# own table may; so far below the caption, and in so many lines, running text tells that the other half is no table's.
_OVER_MIDDLE_PT, _GUTTER_PT, _FIRST_ROWS_PT, _LINES_OF_PROSE = 20, 10, 80, 2
# A caption goes on in its own size of print.
_OTHER_SIZE_PT = 0.4
# In heights of a line: a space is a quarter.
_CELLS_APART = 0.45


@dataclass(frozen=True)
class Column:
    """``head``: what stands over it, from the top; of heads over several columns the text is there for each of them."""

    head: str
    left: float
    right: float


@dataclass(frozen=True)
class Row:
    """``label``: what stands before the first column; ``section``: the last label alone on its row above, or empty."""

    label: str
    section: str
    cells: tuple[Line | None, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class PaperTable:
    """``heads``: the rows above the first one with numbers, each as one text with bars between its parts."""

    page: int
    caption: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class _Start:
    """Where the rows of a table begin, and between which edges they lie."""

    caption: str
    top: float
    left: float
    right: float


def tables_of(page: ParsedPage) -> list[PaperTable]:
    """Those with a caption above them, in reading order; a table without rows of numbers is none."""
    captions = [block for block in page.blocks if block.lines and _CAPTION.match(block.text.strip())]
    whole = [line for block in page.blocks for line in block.lines if not line.vertical and line.text.strip()]
    lines = [part for line in whole for part in _parts(line)]
    found = []
    for number, block in enumerate(captions):
        below = [
            other.box[1]
            for other in captions[number + 1 :]
            if other.box[1] > block.box[1] and _is_below(other.box, block.box)
        ]
        until = min(below, default=page.height_pt)
        table = _table(page, _start(block, page), [line for line in lines if centre(line.box)[1] < until])
        if table is not None:
            found.append(table)
    return found


def _is_below(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) > max(one[0], other[0])


def _start(caption: Block, page: ParsedPage) -> _Start:
    """A caption may be of one block with its table, whose rows have several lines each. In a column beside running text
    the table is of that column, else as wide as the page."""
    told: list[str] = []
    for line in caption.lines:
        beside = sum(abs(centre(other.box)[1] - centre(line.box)[1]) < height(line.box) / 2 for other in caption.lines)
        if told and (beside > 1 or line.size < caption.lines[0].size - _OTHER_SIZE_PT):
            break
        told.append(line.text)
    top = max(line.box[3] for line in caption.lines[: len(told)])
    left, _, right, _ = union(line.box for line in caption.lines)
    middle, is_right = page.width_pt / 2, left > page.width_pt / 2 - _OVER_MIDDLE_PT
    sides = (0.0, page.width_pt)
    if (is_right or right < middle + _OVER_MIDDLE_PT) and _prose_beside(page, top, is_right):
        sides = (middle - _GUTTER_PT, page.width_pt) if is_right else (0.0, middle + _GUTTER_PT)
    return _Start(" ".join(told), top, *sides)


def _prose_beside(page: ParsedPage, top: float, is_right: bool) -> bool:
    """Running text stands in the other half of the page beside the first rows below ``top``."""
    beside = (
        _is_prose(line, page)
        for block in page.blocks
        for line in block.lines
        if top < centre(line.box)[1] < top + _FIRST_ROWS_PT and (centre(line.box)[0] < page.width_pt / 2) == is_right
    )
    return sum(beside) >= _LINES_OF_PROSE


def _is_prose(line: Line, page: ParsedPage) -> bool:
    words = sum(word.isalpha() for word in line.text.split())
    return words >= _PROSE_WORDS and width(line.box) > _PROSE_WIDTH * page.width_pt


def _parts(line: Line) -> Iterator[Line]:
    """Cells of a row that the reader took for one line: words of numbers that stand wider apart than words do."""
    words: list[Word] = []
    for word in line.words:
        if words and word.box[0] - words[-1].box[2] > _CELLS_APART * height(line.box) and _ends_cell(words[-1].text):
            yield _line(words, line)
            words = []
        words.append(word)
    yield _line(words, line) if words else line


def _ends_cell(text: str) -> bool:
    return text.endswith(tuple("0123456789)]%*"))


def _line(words: Sequence[Word], line: Line) -> Line:
    if len(words) == len(line.words):
        return line
    text = " ".join(word.text for word in words)
    return Line(text, union(word.box for word in words), tuple(words), line.size, line.bold)


def _table(page: ParsedPage, start: _Start, lines: Sequence[Line]) -> PaperTable | None:
    inside = [
        line for line in lines if line.box[1] >= start.top - 2 and start.left <= centre(line.box)[0] <= start.right
    ]
    rows = list(_until_prose(_rows(inside), page))
    body = next((n for n, row in enumerate(rows) if sum(map(_is_number, row[1:])) >= 2), None)
    if body is None:
        return None
    columns = _columns(rows[body:])
    if len(columns) < 2:
        return None
    heads = [line for row in rows[:body] for line in row]
    made = tuple(Column(_head(column, heads), *column) for column in columns)
    above = tuple(" | ".join(line.text.strip() for line in row) for row in rows[:body])
    return PaperTable(page.number, start.caption, above, made, tuple(_body(rows[body:], columns)))


def _rows(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines whose middles lie on one height, from the left; rows from the top."""
    row: list[Line] = []
    for line in sorted(lines, key=lambda one: centre(one.box)[1]):
        if row and centre(line.box)[1] - centre(row[-1].box)[1] > _SAME_ROW * median(height(one.box) for one in row):
            yield sorted(row, key=lambda one: one.box[0])
            row = []
        row.append(line)
    if row:
        yield sorted(row, key=lambda one: one.box[0])


def _until_prose(rows: Iterator[list[Line]], page: ParsedPage) -> Iterator[list[Line]]:
    last = None
    for row in rows:
        if len(row) == 1 and _is_prose(row[0], page) and last is not None:
            return
        if last is not None and row[0].box[1] - last > _TABLE_ENDS * height(row[0].box):
            return
        yield row
        last = max(line.box[3] for line in row)


def _is_number(line: Line) -> bool:
    return bool(_STARTS_WITH_NUMBER.match(line.text.strip()))


def _columns(rows: Sequence[Sequence[Line]]) -> list[tuple[float, float]]:
    """Sides of the columns of numbers, from the left: cells that overlap are of one column."""
    spans: list[tuple[float, float]] = []
    cells = (line for row in rows if len(row) > 1 for line in row[1:] if _is_number(line))
    for line in sorted(cells, key=lambda one: one.box[0]):
        if spans and line.box[0] < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], line.box[2]))
        else:
            spans.append((line.box[0], line.box[2]))
    return spans


def _head(column: tuple[float, float], heads: Sequence[Line]) -> str:
    over = [line for line in heads if line.box[0] < column[1] and line.box[2] > column[0]]
    return " ".join(line.text.strip() for line in sorted(over, key=lambda line: line.box[1]))


def _body(rows: Sequence[Sequence[Line]], columns: Sequence[tuple[float, float]]) -> Iterator[Row]:
    section = ""
    for row in rows:
        cells: list[Line | None] = [None] * len(columns)
        label = []
        for line in row:
            place = next(
                (n for n, (left, right) in enumerate(columns) if line.box[0] < right and line.box[2] > left), None
            )
            if place is None or (not _is_number(line) and line is row[0]):
                label.append(line.text.strip())
            elif cells[place] is None:
                cells[place] = line
        if not any(cells):
            section = " ".join(label)
            continue
        yield Row(" ".join(label), section, tuple(cells), tuple(row))


def _column_of(line: Line, columns: Sequence[tuple[float, float]]) -> int | None:
    return next((n for n, (left, right) in enumerate(columns) if line.box[0] < right and line.box[2] > left), None)
