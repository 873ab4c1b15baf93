"""Tables that no rule took although their labels and values are a product list's: a person must look at them."""

import re
from collections.abc import Collection
from os.path import commonprefix

from processing.engine.page import Table
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.normalise import amount, is_valid_price
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code, is_price, is_size
from processing.engine.understanding.tables.columns import Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.variants import REMARK

_LEAST_ROWS = 3
_LEAST_LABELS, _LEAST_CARDS = 2, 2
_MOSTLY = 0.6
# Rows of a list that tells itself by its values, the least of its amounts, and signs before the dash of a family.
_LEAST_LISTED, _LEAST_AMOUNT, _FAMILY = 5, 10, 4
_SIDES = re.compile(r"[0-9]\s?[x×*X]\s?[0-9]")


def lists_products_unread(grid: Grid, columns: tuple[Column, ...]) -> bool:
    """Codes under a model's label, prices under a price's, or barcodes under theirs beside names, and nothing that only
    other tables have; whatever the heads say counted names with amounts, or the codes of one family; under no head at
    all codes, words and sizes."""
    table = grid.table
    if _is_cards(Grid(table)):
        return False
    if _heads_variants(Grid(table, turned=True)):
        return True
    if table.n_rows < _LEAST_ROWS or table.n_cols < _LEAST_ROWS or any(c.label.kind == FOREIGN for c in columns):
        return False
    if _is_numbered_list(columns) or _are_of_one_family(columns):
        return True
    if not any(column.label.text for column in columns):
        return _lists_without_a_head(columns)
    labelled = {column.label.kind: column for column in columns if column.label.text}
    model, price = labelled.get("model"), labelled.get("price")
    if model is not None and len(model.values) >= 2 and model.share(is_code) >= 0.5:
        return True
    if price is not None and len(price.values) >= 2 and price.share(is_valid_price) >= 0.5:
        return True
    if "barcode" in labelled and len(set(labelled["barcode"].values)) >= _LEAST_ROWS and any(map(_names_rows, columns)):
        return True
    return _has_model_row(Grid(table, turned=True))


def _is_numbered_list(columns: tuple[Column, ...]) -> bool:
    """Rows that are counted, a name of its own in each, and amounts at the end; pages of contents would rise, and how
    many of each part there are is less."""
    filled = [column.values for column in columns if len(column.values) >= _LEAST_LISTED]
    if len(filled) < _LEAST_ROWS or len({len(filled[n]) for n in (0, 1, -1)}) > 1:
        return False
    counted = [value.strip(".、") for value in filled[0]] == [str(n) for n in range(1, len(filled[0]) + 1)]
    named = len({value for value in filled[1] if _in_words(value)}) >= _MOSTLY * len(filled[1])
    amounts = [float(text) for text in map(amount, filled[-1]) if text]
    return (
        counted
        and named
        and len(amounts) == len(filled[-1])
        and amounts != sorted(amounts)
        and min(amounts) >= _LEAST_AMOUNT
    )


def _are_of_one_family(columns: tuple[Column, ...]) -> bool:
    """Long codes in the first column, each another one, that begin alike: what a device may be ordered as."""
    codes = [value for value in columns[0].values if is_code(value) and any(map(str.isalpha, value))]
    alike = len(codes) >= _LEAST_LISTED and len(codes) >= len(columns[0].values) - 1 and len(set(codes)) == len(codes)
    return (
        alike
        and "-" in commonprefix(codes)[_FAMILY - 1 :]
        and sum(bool(column.values) for column in columns) >= _LEAST_ROWS
    )


def _lists_without_a_head(columns: tuple[Column, ...]) -> bool:
    """One column of different codes with letters, one of words and one of sizes with several sides."""
    coded = any(column.role == "model" and len(set(column.values)) >= _LEAST_ROWS for column in columns)
    named = any(column.share(_in_words) >= _MOSTLY and len(column.values) >= _LEAST_ROWS for column in columns)
    sized = any(column.share(_is_sized) >= _MOSTLY and len(column.values) >= _LEAST_ROWS for column in columns)
    return coded and named and sized


def _names_rows(column: Column) -> bool:
    return len(set(column.values)) >= _LEAST_ROWS and column.share(_in_words) >= _MOSTLY


def _in_words(value: str) -> bool:
    return sum(map(str.isalpha, value)) >= _LEAST_ROWS and not is_code(value) and not _is_sized(value)


def _is_sized(value: str) -> bool:
    return is_size(value) and _SIDES.search(value) is not None


def goes_on_unread(table: Table, products: Collection[str]) -> bool:
    """A part of a grid that lists ``products`` (ids of tables) in another part: it begins with a product's label too
    and prints a price."""
    whole = table.id.partition(".")[0]
    named = label_kind(Grid(table).text(0, 0)) in ("product_name", "model")
    priced = any(is_price(cell.text) for cell in table.cells)
    return named and priced and any(other.partition(".")[0] == whole for other in products)


def _is_cards(grid: Grid) -> bool:
    """Several columns of labels, each beside its values: cards of products, read as such, and no list."""
    rows = range(grid.table.n_rows)
    known = [sum(1 for row in rows if label_kind(grid.text(row, col)) in BASE_KEYS) for col in range(grid.n_cols)]
    return sum(1 for count in known if count >= _LEAST_LABELS and count * 2 >= len(rows)) >= _LEAST_CARDS


def _heads_variants(turned: Grid) -> bool:
    """Seen from the side, nothing but different codes, with a remark in brackets at most, beside an empty corner, over
    rows of words with values."""
    codes = [REMARK.sub("", turned.text(row, 0)) for row in range(1, turned.n_rows)]
    words = [turned.text(0, col) for col in range(1, turned.n_cols)]
    foreign = sum(label_kind(word) == FOREIGN for word in words)
    worded = len(words) >= _LEAST_ROWS and all(map(_in_words, words)) and foreign * _LEAST_ROWS < len(words)
    lettered = all(map(is_lettered_code, codes))
    return worded and not turned.text(0, 0) and len(set(codes)) == len(codes) >= _LEAST_LABELS and lettered


def _has_model_row(turned: Grid) -> bool:
    """Seen from the side, a label in the first column names models and codes stand beside it."""
    kinds = [label_kind(turned.text(0, col)) for col in range(turned.n_cols)]
    if "model" not in kinds or FOREIGN in kinds:
        return False
    col = kinds.index("model")
    codes = [text for row in range(1, turned.n_rows) if (text := turned.text(row, col))]
    return len(codes) >= 2 and sum(map(is_code, codes)) * 2 >= len(codes)
