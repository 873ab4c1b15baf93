"""Tables whose products stand in columns: a row of codes over rows of attributes, the labels in the first column."""

import re

from catalogsku.core.box import rounded
from catalogsku.core.text import trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import BASE_KEYS, Evidence, Value
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_measure, is_number
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, Label

# A variant may be printed as the end of its code alone: "F", "W5M".
_SHORT_CODE = re.compile(r"[A-Z][A-Z0-9]{0,4}")
_LEAST_PRODUCTS = 2
_LEAST_ATTRIBUTES = 2
_CODE_ROWS = 2
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9\-_/]*")
_MIN_PREFIX = 2


def variant_header(grid: Grid) -> Header | None:
    """The head of a turned ``grid``: its codes under a label that says so, or over attributes that only products have.

    A family's code merged above the variants' own is the series.
    """
    if grid.n_rows <= _LEAST_PRODUCTS:
        return None
    for col in range(min(_CODE_ROWS, grid.n_cols - _LEAST_ATTRIBUTES)):
        if _codes_at(grid, col) and (col == 0 or _is_family(grid, 0)):
            labels = tuple(_label(grid, place, col) for place in range(grid.n_cols))
            if _are_labels(grid, col) and (_names_models(grid, col) or _of_products(labels[col + 1 :])):
                return Header(0, 1, labels)
    return None


def variant_codes(grid: Grid, header: Header) -> tuple[str, ...]:
    """The codes that a head found by ``variant_header`` stands over, from left to right."""
    col = next((label.col for label in header.labels if label.kind == "model"), 0)
    return tuple(grid.text(row, col) for row in range(1, grid.n_rows))


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
    whole = [prefix for prefix, found in ends.items() if len(found) >= _LEAST_PRODUCTS and prefix in tokens]
    prefix = max(whole, key=lambda p: (len(ends[p]), len(p), p), default=None)
    line = _line_with(lines, prefix) if prefix else None
    if prefix is None or line is None or not any(char.isalpha() for char in prefix):
        return None
    place = Evidence(prefix, page.number, rounded(part_box(line, prefix)), 1.0, "title")
    return Value(prefix, place, "page_inherited", 0.9)


def _line_with(lines: list[Line], token: str) -> Line | None:
    found = [line for line in lines if token in _TOKEN.findall(line.text)]
    return min(found, key=lambda line: (line.box[1], line.box[0]), default=None)


def _codes_at(grid: Grid, col: int) -> bool:
    """Every product has a code of its own here, and most of them look like one."""
    texts = [grid.text(row, col) for row in range(1, grid.n_rows)]
    if len(set(texts)) != len(texts) or not all(is_code(text) or _SHORT_CODE.fullmatch(text) for text in texts):
        return False
    return sum(1 for text in texts if is_code(text)) * 2 >= len(texts)


def _is_family(grid: Grid, col: int) -> bool:
    """Codes, of which at least one is merged over several products."""
    merged = any(not grid.starts(row, col) for row in range(2, grid.n_rows))
    return merged and all(is_code(grid.text(row, col)) for row in range(1, grid.n_rows))


def _label(grid: Grid, col: int, codes: int) -> Label:
    text = grid.text(0, col)
    if col == codes:
        return Label(col, text, "model", (text,))
    return Label(col, text, "series" if col < codes else label_kind(text), (text,))


def _names_models(grid: Grid, col: int) -> bool:
    """The label is a code's; in a divided corner cell ("型号 / 功能") one of its lines is."""
    cell = grid.cell(0, col)
    return cell is not None and any(label_kind(part) == "model" for part in (cell.text, *cell.text.splitlines()))


def _are_labels(grid: Grid, codes: int) -> bool:
    """Below the codes the first column holds different words, no values."""
    texts = [trim(grid.text(0, col)) for col in range(codes + 1, grid.n_cols)]
    words = [text for text in texts if any(c.isalpha() for c in text) and not is_number(text) and not is_measure(text)]
    return len(words) == len(texts) and len(set(words)) * 3 >= len(words) * 2


def _of_products(labels: tuple[Label, ...]) -> bool:
    kinds = {label.kind for label in labels}
    return FOREIGN not in kinds and len(kinds & set(BASE_KEYS)) >= _LEAST_ATTRIBUTES
