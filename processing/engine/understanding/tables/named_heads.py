"""Heads that no dictionary knows and that end as heads of names do: beside prices they head what is sold."""

from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.labels import NAME_OR_TEXT, names_a_thing
from processing.engine.understanding.rules.shapes import is_date, is_number, is_price, is_sentence
from processing.engine.understanding.tables.columns import CUSTOM, Column

_IDENTITIES = frozenset(("model", "product_name", NAME_OR_TEXT))
_MOST = 0.8


def named_by_head(columns: Sequence[Column]) -> list[Column]:
    """Of a priced list without another identity the only column headed as the name of something: "器械包名称"."""
    roles = {column.role: column for column in columns}
    priced = "price" in roles and roles["price"].label.kind == "price"
    named = [column for column in columns if column.role == CUSTOM and names_a_thing(column.label.text)]
    if len(named) != 1 or not priced or roles.keys() & _IDENTITIES or named[0].share(_is_told) < _MOST:
        return list(columns)
    return [replace(column, role="product_name") if column is named[0] else column for column in columns]


def _is_told(value: str) -> bool:
    return not (is_number(value) or is_price(value) or is_date(value) or is_sentence(value))
