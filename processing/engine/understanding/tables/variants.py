"""Tables whose products stand in columns: a row of codes over rows of attributes, the labels in the first column."""

import re

from catalogsku.core.box import rounded
from catalogsku.core.text import trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import BASE_KEYS, Evidence, Value
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_model, is_number, is_size
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.tables.columns import IGNORED
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, Label

# A variant may be printed as the end of its code alone: "F", "W5M".
_SHORT_CODE = re.compile(r"[A-Z][A-Z0-9]{0,4}")
_LEAST_PRODUCTS = 2
_LEAST_ATTRIBUTES = 2
_CODE_ROWS = 2
# Behind a code: "B-400 (no handle)".
REMARK = re.compile(r"\s*[(（][^()（）]*[)）]$")
# Columns of labels at the left of a table: "ERAM | 9 Kb".
_MOST_LEVELS = 3
_LONGEST_GROUP = 24
# Between the two words of a corner cell: "规格\\型号", "Item / Model".
_CORNER = re.compile(r"[\n\\/／]")
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9\-_/]*")
_MIN_PREFIX = 2


def variant_header(grid: Grid) -> Header | None:
    """The head of a turned ``grid``: its codes under a label that says so, or over attributes that only products have.

    Its rows are the columns at the table's left that hold labels, in several levels. A family's code merged above the
    variants' own is the series. One column of values alone is such a table only where it has all of that.
    """
    for stub in range(1, _MOST_LEVELS + 1):
        products = grid.n_rows - stub
        for col in range(min(_CODE_ROWS, grid.n_cols - _LEAST_ATTRIBUTES)):
            if not _codes_at(grid, col, stub) or (col > 0 and not _is_group(grid, stub)):
                continue
            named = _names_models(grid, col, stub)
            labels = tuple(_label(grid, place, col, stub, named) for place in range(grid.n_cols))
            if products < _LEAST_PRODUCTS and not (named and stub > 1 and col > 0 and grid.table.ruled):
                continue
            if not named and any(_names_models(grid, o, stub) and _codes_at(grid, o, stub) for o in _next(grid, col)):
                continue  # "DN8 | DN10" over the codes themselves
            if _are_labels(labels[col + 1 :]) and (named or _of_products(labels[col + 1 :])):
                return Header(0, stub, labels)
    return None


def _next(grid: Grid, col: int) -> range:
    """The rows below that may be the one of codes."""
    return range(col + 1, min(col + 1 + _CODE_ROWS, grid.n_cols))


def variant_codes(grid: Grid, header: Header) -> tuple[str, ...]:
    """The codes that a head found by ``variant_header`` stands over, from left to right."""
    col = next((label.col for label in header.labels if label.kind == "model"), 0)
    return tuple(grid.text(row, col) for row in range(header.body, grid.n_rows))


def family_prefix(codes: tuple[str, ...], page: ParsedPage) -> Value | None:
    """What the page prints before at least two of the short ``codes``, where it also stands alone: their family.

    The page prints "CH634M" and "CH634W6C", and "CH634" in its head: "CH634" is the family of "M" and "W6C".
    """
    lines = page.lines
    tokens = {token for line in lines for token in _TOKEN.findall(line.text)}
    ends: dict[str, set[str]] = {}
    for code in codes:
        for token in tokens:
            if len(token) >= len(code) + _MIN_PREFIX and token.endswith(code):
                ends.setdefault(token[: -len(code)], set()).add(code)
    whole = [prefix for prefix, variants in ends.items() if len(variants) >= _LEAST_PRODUCTS and prefix in tokens]
    prefix = max(whole, key=lambda p: (len(ends[p]), len(p), p), default=None)
    line = _line_with(lines, prefix) if prefix else None
    if prefix is None or line is None or not any(char.isalpha() for char in prefix):
        return None
    place = Evidence(prefix, page.number, rounded(part_box(line, prefix)), 1.0, "title")
    return Value(prefix, place, "page_inherited", 0.9)


def _line_with(lines: list[Line], token: str) -> Line | None:
    matching = [line for line in lines if token in _TOKEN.findall(line.text)]
    return min(matching, key=lambda line: (line.box[1], line.box[0]), default=None)


def _codes_at(grid: Grid, col: int, stub: int) -> bool:
    """Every product has a code of its own here, with a remark in brackets at most, and most of them look like one; the
    labels beside them do not."""
    texts = [REMARK.sub("", grid.text(row, col)) for row in range(stub, grid.n_rows)]
    is_one = is_model if _names_models(grid, col, stub) else is_code
    if len(set(texts)) != len(texts) or not all(is_one(text) or _SHORT_CODE.fullmatch(text) for text in texts):
        return False
    if stub > 1 and (_crosses(grid, col, stub) or any(is_code(grid.text(row, col)) for row in range(stub))):
        return False
    return bool(texts) and sum(map(is_one, texts)) * 2 >= len(texts)


def _crosses(grid: Grid, codes: int, stub: int) -> bool:
    """A cell below the codes holds both a label and a value; a section's title stands over all columns."""
    return any(
        grid.text(stub, col) and not grid.starts(stub, col) and not _is_section(grid, col, stub)
        for col in range(codes, grid.n_cols)
    )


def _is_section(grid: Grid, col: int, stub: int) -> bool:
    """One cell over all products and the labels, or over all but the running number beside it."""
    numbers = [grid.text(row, col) for row in range(stub) if grid.starts(row, col)][:-1]
    first = next((row for row in range(stub) if grid.depth(row, col) == grid.n_rows - row), None)
    return first == 0 or (first is not None and 0 < first == len(numbers) and all(map(is_number, numbers)))


def _is_group(grid: Grid, stub: int) -> bool:
    """Above the codes stand what several products have in common, one cell merged over them, or a title at most."""
    texts = [grid.text(row, 0) for row in range(stub, grid.n_rows)]
    merged = any(not grid.starts(row, 0) for row in range(stub + 1, grid.n_rows))
    return (merged and all(texts)) or sum(map(bool, texts)) <= 1


def _is_family(grid: Grid, col: int, stub: int) -> bool:
    texts = {grid.text(row, col) for row in range(stub, grid.n_rows)}
    return all(is_code(text) or is_series(text) for text in texts)


def _label(grid: Grid, col: int, codes: int, stub: int, named: bool) -> Label:
    """Labels of several levels joined, without their running number and what is a remark on those beside it; none
    where a title or the heads of further labels stand."""
    parts = tuple(dict.fromkeys(text for row in range(stub) if (text := grid.text(row, col))))
    parts = tuple(part for part in parts if part is parts[-1] or not is_number(part))
    text = " ".join(part for part in parts if part is parts[-1] or len(part) <= _LONGEST_GROUP)
    if col == codes:
        return Label(col, text, "model", parts)
    if col < codes:
        return Label(col, text, "series" if _is_family(grid, col, stub) else IGNORED, parts)
    if stub > 1 and (_is_section(grid, col, stub) or _heads_labels(grid, col, stub)):
        return Label(col, text, IGNORED, parts)
    kind = label_kind(text)
    # Under a label that says that the codes are models, what they are described by may be called as pins are.
    return Label(col, text, None if named and kind == FOREIGN else kind, parts)


def _heads_labels(grid: Grid, col: int, stub: int) -> bool:
    """Words over values among the labels themselves: "Package | Pitch" over "QFN 88 | 0.5" begins a second list, whose
    values have no label beside them but these."""
    if col + 1 >= grid.n_cols:
        return False
    places = [row for row in range(stub) if grid.starts(row, col) and grid.starts(row, col + 1)]
    over, under = ([grid.text(row, at) for row in places] for at in (col, col + 1))
    return len(places) > 1 and not any(map(_is_value, over)) and any(map(_is_value, under))


def _is_value(text: str) -> bool:
    return is_number(text) or is_measure(text) or is_size(text)


def _names_models(grid: Grid, col: int, stub: int) -> bool:
    """A label beside the codes is a code's, in a divided corner cell ("型号 / 功能") one of its words, or the title
    right over all of them."""
    cells = [grid.cell(row, col) for row in range(stub)]
    if col and grid.depth(stub, col - 1) == grid.n_rows - stub:
        cells.append(grid.cell(stub, col - 1))
    texts = [part for cell in cells if cell is not None for part in (cell.text, *_CORNER.split(cell.text))]
    return any(label_kind(text) == "model" for text in texts)


def _are_labels(labels: tuple[Label, ...]) -> bool:
    """Below the codes stand different words, no values."""
    texts = [trim(label.text) for label in labels]
    words = [text for text in texts if any(c.isalpha() for c in text) and not is_number(text) and not is_measure(text)]
    return len(words) == len(texts) and len(set(words)) * 3 >= len(words) * 2


def _of_products(labels: tuple[Label, ...]) -> bool:
    kinds = {label.kind for label in labels}
    return FOREIGN not in kinds and len(kinds & set(BASE_KEYS)) >= _LEAST_ATTRIBUTES
