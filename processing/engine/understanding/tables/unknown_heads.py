"""Heads in words that no dictionary knows: the values under them tell that a list names products, and how."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from catalogsku.core.text import has_han, squash
from processing.engine.page import Line
from processing.engine.understanding.rules.finishes import is_colours, is_material
from processing.engine.understanding.rules.labels import BARCODE, FOREIGN, NAME_OR_TEXT, QUANTITY, label_kind
from processing.engine.understanding.rules.shapes import is_code, is_date, is_measure, is_no_value, is_number, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.columns import CUSTOM, Column

_LEAST_LABELS, _LEAST_VALUES = 3, 4
_LONGEST_LABEL = 30
_LONG = 6
_MOST = 0.8
_IDENTITIES = frozenset(("model", "product_name"))
_NAMES = ("product_name", NAME_OR_TEXT)
# Of goods, and of nothing else that tables list with codes before words: alarms, drawings, standards.
_TRADED = ("price", "moq", "packing", BARCODE, QUANTITY)


def may_head(row: Sequence[Line]) -> bool:
    """Several short texts side by side that are words and no values, nor labels of other tables."""
    texts = [line.text for line in row]
    return len(texts) >= _LEAST_LABELS and all(map(_may_label, texts))


def _may_label(text: str) -> bool:
    values = (is_no_value, is_number, is_price, is_date, is_measure, is_code, is_sentence)
    words = any(map(str.isalpha, text)) and len(text) <= _LONGEST_LABEL
    return words and label_kind(text) != FOREIGN and not any(test(text) for test in values)


def are_priced_codes(columns: Sequence[Sequence[str]]) -> bool:
    """The values column by column: codes first, each another, and amounts of money last."""
    return len(columns) >= _LEAST_LABELS and _are_codes(columns[0]) and _is_money(columns[-1])


def inferred(columns: Sequence[Column]) -> list[Column]:
    """Where no head says what names the products: the first column of codes, the last one of money where no head names
    a price, and the first one of words between; where heads say so of codes and prices alone, the words beside the
    codes, and of names alone the codes before them."""
    columns = _coded_before_names(_named_beside_codes(columns))
    roles = {column.role for column in columns}
    headless = any(column.values and not column.label.text for column in columns)
    if roles & _IDENTITIES or headless or any(column.label.kind == FOREIGN for column in columns):
        return list(columns)
    free = [column for column in columns if column.role in (CUSTOM, "price")]
    code = next((column for column in free if _are_codes(column.values)), None)
    priced = next((column for column in free if column.role == column.label.kind == "price"), None)
    money = priced or next((column for column in reversed(free) if _is_money(column.values)), None)
    if code is None or money is None:
        return list(columns)
    words = next((column for column in free if column.share(_in_words) >= _MOST), None)
    found = {code.col: "model", **({words.col: "product_name"} if words else {})}
    found |= {money.col: "price"} if "price" not in roles else {}
    return [replace(column, role=found.get(column.col, column.role)) for column in columns]


def _coded_before_names(columns: Sequence[Column]) -> list[Column]:
    """Where heads tell the names and what only lists of goods say beside them, the first column, right before the
    names, holds their codes if each is another one and its head is a word that no dictionary knows."""
    first = next((column for column in columns if column.values), None)
    names = next((c for c in columns if c.role == "product_name" and c.label.kind in _NAMES), None)
    traded = any(column.label.kind in _TRADED for column in columns)
    foreign = any(column.label.kind == FOREIGN for column in columns)
    if first is None or names is None or not traded or foreign or any(c.role == "model" for c in columns):
        return list(columns)
    unknown = first.label.text and first.label.kind is None and first.role == CUSTOM and first.col == names.col - 1
    distinct = len(set(map(squash, first.values))) >= _MOST * len(names.values)
    if not (unknown and distinct and (_are_codes(first.values) or _are_numbers(first.values))):
        return list(columns)
    return [replace(column, role="model") if column is first else column for column in columns]


def _named_beside_codes(columns: Sequence[Column]) -> list[Column]:
    """The only column of words right beside the codes, under no head or under a title over several columns, is the
    name: phrases, hardly one of them twice, and no colours or materials."""
    by_role = {column.role: column for column in columns}
    model, price = by_role.get("model"), by_role.get("price")
    if model is None or price is None or "product_name" in by_role or model.label.kind != "model":
        return list(columns)
    heads = Counter(column.label.text for column in columns)
    beside = [column for column in columns if column.role == CUSTOM and abs(column.col - model.col) == 1]
    unnamed = [c for c in beside if not c.label.text or (c.label.kind is None and heads[c.label.text] > 1)]
    names = [c for c in unnamed if _may_name(c.values) and len(c.values) >= _MOST * len(model.values)]
    return [replace(c, role="product_name") if names == [c] else c for c in columns]


def _may_name(values: Sequence[str]) -> bool:
    words = [v for v in values if _in_words(v) and not is_colours(v) and not is_material(v) and not is_measure(v)]
    distinct = len(set(map(squash, words)))
    phrases = sum(1 for word in words if " " in word.strip() or has_han(word))
    return (
        bool(values)
        and 2 * phrases >= len(values)
        and len(words) >= _MOST * len(values)
        and distinct >= _MOST * len(words)
    )


def _are_codes(values: Sequence[str]) -> bool:
    """Codes with letters, hardly one of them twice."""
    codes = [value for value in values if is_code(value) and any(map(str.isalpha, value))]
    many = len(values) >= _LEAST_VALUES and len(codes) >= _MOST * len(values)
    return many and len(set(map(squash, codes))) >= _MOST * len(codes)


def _are_numbers(values: Sequence[str]) -> bool:
    """Numbers of one length, longer than those of rows, years and most amounts."""
    long = {len(value.strip()) for value in values}
    return len(values) >= _LEAST_VALUES and len(long) == 1 and min(long) >= _LONG and "".join(values).isdigit()


def _is_money(values: Sequence[str]) -> bool:
    """Amounts of which one prints a currency at least, as the first of a column does."""
    amounts = [value for value in values if is_number(value) or is_price(value)]
    return len(amounts) >= max(_LEAST_VALUES, _MOST * len(values)) and any(map(is_price, amounts))


def _in_words(value: str) -> bool:
    letters = sum(map(str.isalpha, value))
    return letters >= 3 and not is_price(value) and not is_code(value)
