"""Cards that repeat their labels, in whatever language, are rows of one table whose heads these labels are."""

from collections import Counter
from collections.abc import Iterator, Sequence

from catalogsku.core.box import union
from catalogsku.core.text import squash, trim
from processing.engine.page import Cell, Line, Table
from processing.engine.understanding.records.spans import lines_of_print
from processing.engine.understanding.rules.shapes import is_number, is_price
from processing.engine.understanding.view import PageView

METHOD = "labels"
# Records, and labels of each, at least; of the records, how many have a label that is one of theirs.
_LEAST, _LABELS, _SHARED = 2, 2, 0.5
_LONGEST, _COLONS = 32, ":："


def labelled_tables(view: PageView) -> list[Table]:
    """None, or one: a row for each time that the labels begin anew. Labels stand before a colon, and recur."""
    fields = [field for pieces in lines_of_print(view.pieces) for field in _fields(pieces)]
    times = Counter(squash(label) for label, _, _ in fields)
    recurring = [field for field in fields if times[squash(field[0])] >= _LEAST]
    records: list[dict[str, tuple[Line, ...]]] = []
    names: dict[str, Line] = {}
    for column in _columns(recurring):
        current: dict[str, tuple[Line, ...]] = {}
        for label, place, values in column:
            key = squash(label)
            names.setdefault(key, Line(label, place.box, place.words, place.size, place.bold))
            if key in current:
                records.append(current)
                current = {}
            current[key] = values
        records.append(current)
    records = [record for record in records if len(record) >= _LABELS]
    shared = [key for key in names if sum(key in record for record in records) >= _SHARED * len(records)]
    if len(records) < _LEAST or len(shared) < _LABELS:
        return []
    heads = [Cell(0, col, names[key].text, names[key].box) for col, key in enumerate(shared)]
    cells = [
        Cell(row, col, " ".join(trim(line.text) for line in record[key]), union(line.box for line in record[key]))
        for row, record in enumerate(records, 1)
        for col, key in enumerate(shared)
        if key in record
    ]
    box = union(cell.box for cell in (*heads, *cells))
    return [Table("L1", box, len(records) + 1, len(shared), (*heads, *cells), ruled=False, method=METHOD)]


Field = tuple[str, Line, tuple[Line, ...]]


def _fields(pieces: Sequence[Line]) -> Iterator[Field]:
    """Each label of a line with where it stands and what stands behind its colon, up to the next label."""
    label: str | None = None
    place, values = pieces[0], list[Line]()
    for n, piece in enumerate(pieces):
        text = trim(piece.text)
        head, colon, rest = _parted(text)
        if colon and not head and n and label is None:
            label, place, values = trim(pieces[n - 1].text), pieces[n - 1], []
        elif colon and head and _may_label(head):
            if label is not None and values:
                yield label, place, tuple(values)
            label, place, values = head, piece, []
        else:
            rest = text
        if label is not None and rest:
            values.append(Line(rest, piece.box, piece.words, piece.size, piece.bold))
    if label is not None and values and _may_label(label):
        yield label, place, tuple(values)


def _parted(text: str) -> tuple[str, bool, str]:
    at = min((text.find(sign) for sign in _COLONS if sign in text), default=-1)
    return (trim(text[:at]), True, trim(text[at + 1 :])) if at >= 0 else (text, False, "")


def _may_label(text: str) -> bool:
    return 1 < len(text) <= _LONGEST and any(map(str.isalpha, text)) and not (is_price(text) or is_number(text))


def _columns(fields: Sequence[Field]) -> list[list[Field]]:
    """Fields whose labels begin at one place, top to bottom."""
    columns: list[list[Field]] = []
    for field in fields:
        left, size = field[1].box[0], field[1].size or 10.0
        own = next((column for column in columns if abs(column[0][1].box[0] - left) <= size), None)
        if own is None:
            columns.append([field])
        else:
            own.append(field)
    return columns
