"""What tells the products of a list apart: a size or a variant beside a name that many rows have, or the numbers of a
column of codes beside the models that the products fit."""

from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import squash
from processing.engine.understanding.rules.labels import label_forms
from processing.engine.understanding.tables.columns import CUSTOM, IGNORED, Column

# Labels of what a part fits, or of a model of which there are several versions; of codes of which each is one product.
_MODELS = frozenset(("model", "models", "modelo", "modelos", "modell", "modelle", "modèle", "modello", "型号", "机型"))
_CODES = frozenset(("code", "cod", "cód", "código", "codigo", "codice", "clave", "kod", "kód", "编码", "编号", "代码"))
# A list of so many rows prints hardly one twice.
_LEAST_ROWS, _SEVERAL = 4, 0.8


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
