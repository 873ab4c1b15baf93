"""Heads that no dictionary knows and that end as heads of names do, or whose own word all their values end with: beside
prices they head what is sold."""

import re
from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.labels import NAME_OR_TEXT, names_a_thing
from processing.engine.understanding.rules.shapes import is_date, is_number, is_price, is_sentence
from processing.engine.understanding.tables.columns import CUSTOM, Column

_IDENTITIES = frozenset(("model", "product_name", NAME_OR_TEXT))
_MOST = 0.8
# "Filter type", "轴承类型": the sort of what is sold.
_SORT = re.compile(r"([a-z]{3,}) (?:type|kind)|([\u3400-\u9fff]{2,4})(?:类型|种类)")


def named_by_head(columns: Sequence[Column]) -> list[Column]:
    """Of a priced list without another identity the only column headed as the name of something: "器械包名称"."""
    roles = {column.role: column for column in columns}
    priced = "price" in roles and roles["price"].label.kind == "price"
    named = [column for column in columns if column.role == CUSTOM and names_a_thing(column.label.text)]
    if len(named) != 1 or not priced or roles.keys() & _IDENTITIES or named[0].share(_is_told) < _MOST:
        return list(columns)
    return [replace(column, role="product_name") if column is named[0] else column for column in columns]


def named_by_sort(columns: Sequence[Column]) -> list[Column]:
    """Of a list of codes and prices without names the column right behind the codes, headed "Filter type", whose values
    end with that word: "Cabin filter". Further on in a list it is a part of what is sold ("Battery type")."""
    roles = {column.role: column for column in columns}
    model, price = roles.get("model"), roles.get("price")
    if model is None or price is None or price.label.kind != "price" or roles.keys() & {"product_name", NAME_OR_TEXT}:
        return list(columns)
    return [
        replace(column, role="product_name") if column.col == model.col + 1 and _is_sort(column) else column
        for column in columns
    ]


def _is_sort(column: Column) -> bool:
    found = _SORT.fullmatch(fold(column.label.text).strip()) if column.role == CUSTOM else None
    word = (found.group(1) or found.group(2)) if found else None
    return word is not None and bool(column.values) and column.share(lambda value: fold(value).endswith(word)) == 1.0


def _is_told(value: str) -> bool:
    return not (is_number(value) or is_price(value) or is_date(value) or is_sentence(value))
