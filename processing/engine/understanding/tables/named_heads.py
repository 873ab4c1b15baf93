"""Heads that no dictionary knows and that end as heads of names do, or whose own word all their values end with: beside
prices they head what is sold. The same of heads of models over a first column of codes."""

import re
from collections.abc import Sequence
from dataclasses import replace

from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.labels import FOREIGN, NAME_OR_TEXT, label_forms
from processing.engine.understanding.rules.shapes import is_lettered_code
from processing.engine.understanding.tables.columns import Column

_IDENTITIES = frozenset(("model", "product_name", NAME_OR_TEXT))
# Rows of a list of models, columns that tell of them, and the share of codes among them.
_LEAST, _TOLD, _MOSTLY = 2, 3, 0.5
# Models of a thing, and not of what it fits or holds: "相机型号", "Camera model", but no "适用型号".
_MODELS = re.compile(
    r"(?!.*(适|配|兼容|接头|对应|替代|原|旧))[\u3400-\u9fff]{1,4}(型号|机型)"
    r"|(?!(compatible|applicable|suitable|vehicle|car|phone|engine|old|other|machine|printer|equipment) )"
    r"[a-z]{3,} model(s| no)?"
)


def modelled_by_head(columns: Sequence[Column]) -> list[Column]:
    """The first column, headed as the models of something ("相机型号"), with another code in each row and several
    columns of what is said of them."""
    first = columns[0] if columns else None
    if first is None or any(c.role in _IDENTITIES or c.label.kind == FOREIGN for c in columns):
        return list(columns)
    described = sum(bool(column.label.text) and len(column.values) >= _LEAST for column in columns[1:])
    distinct = set(map(fold, first.values))
    if not _is_of_models(first.label.text) or described < _TOLD or not len(distinct) == len(first.values) >= _LEAST:
        return list(columns)
    if first.share(is_lettered_code) < _MOSTLY:
        return list(columns)
    return [replace(first, role="model", label=replace(first.label, kind="model")), *columns[1:]]


def _is_of_models(head: str) -> bool:
    return any(_MODELS.fullmatch(form) is not None for form in label_forms(head))
