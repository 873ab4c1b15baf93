"""What tells the products of a list apart: a size or a variant beside a name that many rows have, or the numbers of a
column of codes beside the models that the products fit."""

from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.rules.labels import label_forms, names_a_thing
from processing.engine.understanding.tables.columns import CUSTOM, IGNORED, Column
from processing.engine.understanding.tables.grid import Grid
from processing.engine.understanding.tables.header import Header, Label

# What tells two products of one name apart.
_TELLING = frozenset(("size", "size_part", "color", "material", "packing", "weight", "series", CUSTOM))
# Labels of what a part fits, or of a model of which there are several versions; of codes of which each is one product.
_MODELS = frozenset(("model", "models", "modelo", "modelos", "modell", "modelle", "modèle", "modello", "型号", "机型"))
_CODES = frozenset(("code", "cod", "cód", "código", "codigo", "codice", "clave", "kod", "kód", "编码", "编号", "代码"))
# A list of so many rows prints hardly one twice.
_LEAST_ROWS, _MOST, _SEVERAL = 4, 0.9, 0.8


def identified(columns: Sequence[Column]) -> list[Column]:
    """Where most models stand in several rows and each row has a number under a label of codes, that is its code."""
    model = next((c for c in columns if c.role == "model" and _MODELS.intersection(label_forms(c.label.text))), None)
    code = next((c for c in columns if c.role == IGNORED and _CODES.intersection(label_forms(c.label.text))), None)
    if model is None or code is None or len(set(code.values)) < max(_LEAST_ROWS, len(code.values), len(model.values)):
        return list(columns)
    if len(set(map(squash, model.values))) > _SEVERAL * len(model.values):
        return list(columns)
    roles = {model.col: CUSTOM, code.col: "model"}
    return [replace(column, role=roles.get(column.col, column.role)) for column in columns]


def _names(label: Label) -> bool:
    return label.kind == "product_name" or names_a_thing(label.text)


def told_apart(grid: Grid, header: Header, columns: Sequence[Column]) -> bool:
    """Under a head of names and one of prices hardly two rows say the same of size, colour, variant."""
    name = next((c for c in columns if c.role == "product_name" and _names(c.label)), None)
    if name is None or all(column.role != "price" for column in columns):
        return False
    telling = [name.col, *(column.col for column in columns if column.role in _TELLING)]
    named = [row for row in range(header.body, grid.n_rows) if grid.text(row, name.col)]
    rows = {tuple(squash(grid.text(row, col)) for col in telling) for row in named}
    return len(named) >= _LEAST_ROWS and len(rows) >= _MOST * len(named)
