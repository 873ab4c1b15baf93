"""Columns that together print one size, each headed by a letter alone: "d | D | B", "L | B | H"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import fold
from processing.engine.understanding.rules.labels import SIZE_OR_TEXT, SIZE_PART, label_currency_or_unit, label_kind
from processing.engine.understanding.rules.shapes import is_number
from processing.engine.understanding.tables.columns import CUSTOM, Column

# A letter of a drawing: "B", "d1", "H2".
_LETTER = re.compile(r"[A-Za-zØø]\d?")
# Not of measures but of garments, of which the cells say how many, or how long.
_CLOTHES = frozenset("SM")
# Three measures are a whole size; four are the most that one has.
_WHOLE, _MOST = 3, 4
# Share of a column's values that are numbers.
_MOSTLY = 0.8


def whole_sizes(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns with all parts of a size told: letters under one head about size are its parts, and so is one that no
    dictionary knows beside known parts in the same unit of length. Otherwise it may be one, and less than three others
    beside it are no size; nor are more letters than a size has."""
    roles = {column.col: column.role for column in columns}
    for run in _runs(columns):
        known = sum(column.role == SIZE_PART for column in run)
        if known == len(run) or len(run) == 1:
            continue
        told = _share_head(run) or (known > 0 and _share_unit(run))
        if told and len(run) <= _MOST and not _CLOTHES.issubset(map(_letter, run)):
            roles |= {column.col: SIZE_PART for column in run}
        elif told or 0 < known < _WHOLE:
            roles |= {column.col: CUSTOM for column in run}
    return tuple(replace(column, role=roles[column.col]) if column.part == "" else column for column in columns)


def _runs(columns: Sequence[Column]) -> Iterator[list[Column]]:
    """Neighbours that are parts of a size or may be one."""
    run: list[Column] = []
    for column in columns:
        if column.part == "" and (column.role == SIZE_PART or _may_be_part(column)):
            run.append(column)
        else:
            yield run
            run = []
    yield run


def _letter(column: Column) -> str:
    """The head's last word, its unit aside."""
    return re.split(r"[\s(（\[]", column.label.parts[-1])[0] if column.label.parts else ""


def _may_be_part(column: Column) -> bool:
    measured = column.share(is_number) >= _MOSTLY and _unit(column) in ("", *measures.LENGTHS)
    return column.role in (CUSTOM, "size") and _LETTER.fullmatch(_letter(column)) is not None and measured


def _share_head(run: Sequence[Column]) -> bool:
    heads = {column.label.parts[:-1] for column in run}
    return len(heads) == 1 and any(label_kind(part) in ("size", SIZE_OR_TEXT) for part in heads.pop())


def _share_unit(run: Sequence[Column]) -> bool:
    units = set(map(_unit, run))
    return len(units) == 1 and units.pop() in measures.LENGTHS


def _unit(column: Column) -> str:
    return fold(column.label.unit).strip("()[] ") or label_currency_or_unit(column.label.text)
