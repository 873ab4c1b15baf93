"""Cards on panels of their own, each headed by a name and, level with it, a code: as in a bar over photo and fields."""

from collections.abc import Sequence

from catalogsku.core.box import centre, contains_point
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code
from processing.engine.understanding.view import PageView

# Print of the name against that of the fields.
_LARGER = 1.15


def under_bars(view: PageView, fields: Sequence[Field]) -> list[list[Field]]:
    """Fields of several products, each with what heads their panel; nothing where one panel has no such head, tells
    something twice, or a field stands on none."""
    groups = []
    for card in view.cards:
        own = [field for field in fields if contains_point(card, *centre(field.box))]
        if own:
            head = _head([line for line in view.lines if contains_point(card, *centre(line.box))], view.page.number)
            groups.append([*head, *own])
    told = sum(len(group) for group in groups) == len(fields) + 2 * len(groups)
    return groups if len(groups) > 1 and told and all(map(_is_one, groups)) else []


def _head(lines: Sequence[Line], page_number: int) -> list[Field]:
    """Code and name, the only print on the panel's first line."""
    first = min(lines, key=lambda line: line.box[1])
    level = [line for line in lines if first.box[1] <= centre(line.box)[1] <= first.box[3]
             or line.box[1] <= centre(first.box)[1] <= line.box[3]]  # fmt: skip
    codes = [("model", line) for line in level if is_lettered_code(line.text)]
    names = [("product_name", line) for line in level if is_name(line.text) and not is_code(line.text)]
    found = [*codes, *names] if len(codes) == len(names) == 1 and len(level) == 2 else []
    return [Field("", kind, line.box, text_value(trim(line.text), line.box, page_number, "title", 0.95), line.size)
            for kind, line in found]  # fmt: skip


def _is_one(group: Sequence[Field]) -> bool:
    """Nothing twice, the name in larger print than what is told of it."""
    kinds = [field.kind for field in group if field.kind in BASE_KEYS]
    name = next((field.size for field in group if field.kind == "product_name" and not field.label), 0.0)
    sizes = [field.size for field in group if field.label]
    return len(set(kinds)) == len(kinds) and name >= _LARGER * max(sizes, default=0.0) > 0
