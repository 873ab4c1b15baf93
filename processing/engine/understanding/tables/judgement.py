"""Whether a table lists products, by what its columns hold."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules import labels as kinds
from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.rules.labels import label_kind, names_a_thing
from processing.engine.understanding.rules.shapes import is_code, is_date, is_measure, is_model, is_number
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.tables.columns import Column

# Few products are called as labels are ("Box"); where this share is, the column holds labels of values beside it.
_LABELS_BELOW = 0.3
# Pictures under their own head, and of the named things the share that has one, by which a list shows products.
_LEAST_SHOWN, _SHOWN = 2, 0.8
# Things with a number of a public register, each its own: as substances have.
_LEAST_NUMBERED = 3
_LEAST_SIZED = 3
# Between the words of a name, and its signs at most.
_COMMAS, _LONGEST = re.compile(r"[,，]\s*"), 80


@dataclass(frozen=True)
class Judgement:
    """Whether a table lists products. ``reasons`` are codes for the trace; ``certainty`` 0 to 1."""

    is_product: bool
    score: int
    certainty: float
    reasons: tuple[str, ...]


def judge(
    columns: tuple[Column, ...], pictures_in_rows: int, labelled: bool, needed: int, apart: bool = False
) -> Judgement:
    """Product evidence of a table: an identity column and enough of price, code, size, material ... beside it.

    ``apart``: products of one name are told apart by what stands beside it."""
    roles = {column.role: column for column in columns}
    model, name, price = roles.get("model"), roles.get("product_name"), roles.get("price")
    points: list[tuple[str, int]] = []
    if model is not None:
        points.append(("model_column", 2 if model.label.kind == "model" else 1))
        points.append(("code_values", 1 if model.share(_coded(model)) >= 0.5 else 0))
    if name is not None:
        named = name.label.kind == "product_name" or names_a_thing(name.label.text)
        points.append(("name_column", 2 if named else 1))
    if price is not None:
        points.append(("price_column", 2))
    others = [
        r for r in roles if r in BASE_KEYS and r not in ("model", "product_name", "price", "description", "currency")
    ]
    points.append(("attribute_columns", min(3, len(others) + (1 if "size_part" in roles else 0))))
    points.append(("quantity_column", 1 if any(c.label.kind == kinds.QUANTITY for c in columns) else 0))
    points.append(
        ("registered_numbers", 2 if any(c.label.kind == kinds.SUBSTANCE and _numbers_each(c) for c in columns) else 0)
    )
    points.append(("pictures", 1 if pictures_in_rows or "picture" in roles else 0))
    shown = "picture" in roles and _shows_each(model or name, pictures_in_rows)
    points.append(("picture_in_each_row", 2 if shown else 0))
    points.append(("each_sized", 1 if _sizes_each(name, columns) else 0))
    foreign = sum(1 for column in columns if column.label.kind == kinds.FOREIGN)
    points.append(("foreign_columns", -2 * foreign))
    score = sum(value for _, value in points)
    reasons = tuple(code for code, value in points if value)
    if not _names_products(model) and not _names_products(name, apart):
        return Judgement(False, score, 0.9 if foreign or score <= 1 else 0.7, (*reasons, "no_identity_column"))
    weak = not (model is not None and (model.label.kind == "model" or model.share(is_code) >= 0.5))
    limit = needed + (1 if weak else 0) + (0 if labelled else 1)
    certainty = min(0.97, 0.8 + 0.07 * (score - limit)) if score >= limit else min(0.95, 0.6 + 0.1 * (limit - score))
    return Judgement(score >= limit, score, certainty, reasons)


def _shows_each(identity: Column | None, pictures: int) -> bool:
    """Nearly every thing that is named has its picture, under a head that says so."""
    return identity is not None and len(identity.values) >= _LEAST_SHOWN <= pictures >= _SHOWN * len(identity.values)


def _sizes_each(name: Column | None, columns: tuple[Column, ...]) -> bool:
    """Things under a product's label, each another one, that all have their size: "Product name", "Length"."""
    if name is None or name.label.kind != "product_name" or len(set(name.values)) < max(_LEAST_SIZED, len(name.values)):
        return False
    sized = (c for c in columns if c.role in ("size", "size_part") and len(c.values) == len(name.values))
    return any(column.share(is_measure) == 1 for column in sized)


def _numbers_each(column: Column) -> bool:
    """Each row has a number of its own."""
    return len(set(column.values)) == len(column.values) >= _LEAST_NUMBERED


def _coded(column: Column) -> Callable[[str], bool]:
    return is_model if column.label.kind == "model" else is_code


def _runs_on(value: str, named: bool) -> bool:
    """A sentence. Under the head of names what stands between commas is one each: "Kerb, cast, smooth, grey"."""
    parts = _COMMAS.split(value) if named and len(value) <= _LONGEST else [value]
    return any(map(is_sentence, parts))


def _names_products(column: Column | None, apart: bool = False) -> bool:
    """Identity values must mostly differ, or the products be told ``apart``; they are no bare numbers, dates, sentences
    or labels of other values."""
    if column is None or not column.values:
        return False
    distinct = len({squash(value) for value in column.values})
    coded = _coded(column)
    texts = column.share(
        lambda v: (
            not is_date(v)
            and not (is_measure(v) and not coded(v))
            and not _runs_on(v.rstrip("!！"), column.label.kind == "product_name")
            and (coded(v) or not is_number(v))
        )
    )
    if column.share(lambda v: label_kind(v) in BASE_KEYS) >= _LABELS_BELOW:
        return False
    several = distinct >= 2 or len(column.values) == 1
    return texts >= 0.6 and several and (apart or distinct * 3 >= len(column.values))
