"""What a list of products is filtered by, column by column: read from an address, and put into SQL.

A condition is written ``column:is:value``, such as ``color:has:oak``. Columns and operators are those that there are;
values are parameters.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from catalogsku.core.errors import Refused
from catalogsku.core.text import fold
from processing.lists.columns import CUSTOM, NAME_MOST_CHARS, Fragment, ListColumn

CONDITIONS_MOST, VALUE_MOST_CHARS = 6, 100
NUMBER_MOST = Decimal(10) ** 15
TEXT_OPERATORS, NUMBER_OPERATORS, BARE_OPERATORS = ("has", "is"), ("from", "to"), ("filled", "empty")
OPERATORS = (*TEXT_OPERATORS, *NUMBER_OPERATORS, *BARE_OPERATORS)
_WRITTEN = re.compile(rf"(?s)(.+?):({'|'.join(OPERATORS)})(?::(.*))?")


@dataclass(frozen=True)
class Condition:
    """``operator``: one of OPERATORS; ``value``: empty for ``filled`` and ``empty``."""

    column: ListColumn
    operator: str
    value: str = ""

    @property
    def written(self) -> str:
        return f"{self.column.key}:{self.operator}" + (f":{self.value}" if self.value else "")

    def sql(self, sku: str) -> Fragment:
        """About the row ``sku`` of processing_sku."""
        if self.operator in NUMBER_OPERATORS:
            text, values = self.column.number(sku)
            return f"{text} {'>=' if self.operator == 'from' else '<='} %s", [*values, Decimal(self.value)]
        if self.operator in BARE_OPERATORS:
            text, values = self.column.text(sku)
            return f"{text} IS {'NOT ' if self.operator == 'filled' else ''}NULL", values
        text, values = self.column.folded(sku)
        if self.operator == "is":
            return f"{text} = %s", [*values, fold(self.value)]
        return f"position(%s in {text}) > 0", [fold(self.value), *values]


def conditions_of(written: Iterable[str], known: Mapping[str, ListColumn]) -> tuple[Condition, ...]:
    """Each once. Raises Refused: filter_unreadable, filter_column, filter_value, filter_number, too_many_filters."""
    conditions = dict.fromkeys(_condition(text, known) for text in written if text)
    if len(conditions) > CONDITIONS_MOST:
        raise Refused("too_many_filters", max=CONDITIONS_MOST)
    return tuple(conditions)


def _condition(written: str, known: Mapping[str, ListColumn]) -> Condition:
    parts = _WRITTEN.fullmatch(written)
    if parts is None or "\x00" in written:
        raise Refused("filter_unreadable", what=written[:60].replace("\x00", ""))
    key, operator, value = parts[1], parts[2], " ".join((parts[3] or "").split())
    column = column_of(key, known)
    if operator in BARE_OPERATORS:
        return Condition(column, operator)
    if not 0 < len(value) <= VALUE_MOST_CHARS:
        raise Refused("filter_value", what=column.label, max=VALUE_MOST_CHARS)
    if operator in NUMBER_OPERATORS:
        if column.kind != "number":
            raise Refused("filter_no_number_column", what=column.label)
        value = _number(value, column)
    return Condition(column, operator, value)


def column_of(key: str, known: Mapping[str, ListColumn]) -> ListColumn:
    """A custom attribute may have any name: where no product has it, none is found. Raises Refused(filter_column)."""
    if key in known:
        return known[key]
    name = key.removeprefix(CUSTOM)
    if not key.startswith(CUSTOM) or not 0 < len(name) <= NAME_MOST_CHARS or "\x00" in key:
        raise Refused("filter_column", what=key[:60].replace("\x00", ""))
    return ListColumn(key, name)


def _number(text: str, column: ListColumn) -> str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number) >= NUMBER_MOST:
        raise Refused("filter_number", what=column.label, value=text[:40])
    return text
