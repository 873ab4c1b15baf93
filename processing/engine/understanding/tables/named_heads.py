"""Heads that no dictionary knows and that end as heads of names do, or whose own word all their values end with: beside
prices they head what is sold. The same of heads of models over a first column of codes."""

import re
from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.labels import FOREIGN, NAME_OR_TEXT, label_forms, names_a_thing
from processing.engine.understanding.rules.shapes import is_date, is_lettered_code, is_number, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.columns import CUSTOM, Column

_IDENTITIES = frozenset(("model", "product_name", NAME_OR_TEXT))
_MOST = 0.8
# Rows of a list of models, columns that tell of them, and the share of codes among them.
_LEAST, _TOLD, _MOSTLY = 2, 3, 0.5
# Models of a thing, and not of what it fits or holds: "相机型号", "Camera model", but no "适用型号".
_MODELS = re.compile(
    r"(?!.*(适|配|兼容|接头|对应|替代|原|旧))[\u3400-\u9fff]{1,4}(型号|机型)"
    r"|(?!(compatible|applicable|suitable|vehicle|car|phone|engine|old|other|machine|printer|equipment) )"
    r"[a-z]{3,} model(s| no)?"
)
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


def modelled_by_head(columns: Sequence[Column]) -> list[Column]:
    """The first column, headed as the models of something ("相机型号"), with another code in each row and several
    columns of what is said of them."""
    first = columns[0] if columns else None
    if first is None or any(c.role in _IDENTITIES or c.label.kind == FOREIGN for c in columns):
        return list(columns)
    told = sum(bool(column.label.text) and len(column.values) >= _LEAST for column in columns[1:])
    distinct = set(map(fold, first.values))
    if not _is_of_models(first.label.text) or told < _TOLD or not len(distinct) == len(first.values) >= _LEAST:
        return list(columns)
    if first.share(is_lettered_code) < _MOSTLY:
        return list(columns)
    return [replace(first, role="model", label=replace(first.label, kind="model")), *columns[1:]]


def _is_of_models(head: str) -> bool:
    return any(_MODELS.fullmatch(form) is not None for form in label_forms(head))


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
