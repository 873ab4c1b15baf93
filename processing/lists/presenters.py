"""Lists of products in words: heads that sort, cells of any column, what a list is filtered by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import pgettext, pgettext_lazy

from catalogsku.profiles.words import ATTRIBUTES
from processing.lists.columns import ALWAYS, CUSTOM, ListColumn
from processing.lists.conditions import Condition
from processing.lists.models import ListName
from processing.products.presenters import SkuRow, ValueCell

OPERATOR_WORDS = {
    "has": pgettext_lazy("filter", "contains"),
    "is": pgettext_lazy("filter", "is"),
    "from": pgettext_lazy("filter", "is at least"),
    "to": pgettext_lazy("filter", "is at most"),
    "filled": pgettext_lazy("filter", "is there"),
    "empty": pgettext_lazy("filter", "is missing"),
}
RIGHT = frozenset({"price", "moq"})
# Parameters of one step of a list, and of a filter that is being added.
PASSING = ("page", "cursor", "column", "is", "value")


@dataclass(frozen=True)
class Head:
    """``address``: of the list sorted by it, the other way round where it is; empty where it cannot be sorted by."""

    key: str
    label: str
    right: bool
    direction: str = ""
    address: str = ""


@dataclass(frozen=True)
class Chip:
    """``address``: of the list without this condition."""

    words: str
    address: str


@dataclass(frozen=True)
class Choice:
    key: str
    label: str
    picked: bool


def words_of(condition: Condition) -> str:
    return f"{condition.column.label} {OPERATOR_WORDS[condition.operator]} {condition.value}".rstrip()


def head(column: ListColumn, address: QueryDict, name: str, up: str, down: str) -> Head:
    """``up``, ``down``: what the parameter ``name`` is for each direction; none: the list cannot be sorted by it."""
    right = column.key in RIGHT or column.kind == "number"
    if not up:
        return Head(column.key, column.label, right)
    now = {up: "ascending", down: "descending"}.get(address.get(name, ""), "")
    return Head(column.key, column.label, right, now, _with(address, name, down if now == "ascending" else up))


def list_cell(row: SkuRow, key: str) -> ValueCell | None:
    """What a row shows in this column; None where the product has nothing there."""
    if key.startswith(CUSTOM):
        text = next((value for name, value in row.custom if name == key.removeprefix(CUSTOM)), None)
        return _plain(key, text) if text else None
    cell = next((value for value in row.values if value.key == key), None)
    if key == "currency" and row.currency and (cell is None or not cell.text):
        return _plain(key, row.currency)
    return cell


def _plain(key: str, text: str) -> ValueCell:
    label = str(ATTRIBUTES.get(key, key.removeprefix(CUSTOM)))
    return ValueCell(key, label, text, "direct", "dot", pgettext("value", "as printed"), "ink2", None)


def tools_context(
    name: ListName,
    known: Mapping[str, ListColumn],
    shown: Sequence[ListColumn],
    where: Iterable[Condition],
    address: QueryDict,
) -> dict[str, Any]:
    """What stands above a list: its filters, another one to add, and the columns to choose."""
    where, picked = list(where), [column.key for column in shown]
    offered = [column for key, column in known.items() if key not in ALWAYS]
    return {
        "list_name": name,
        "chips": [
            Chip(words_of(condition), _filtered(address, [other for other in where if other != condition]))
            for condition in where
        ],
        "choices": [Choice(column.key, column.label, column.key in picked) for column in offered],
        "filter_columns": list(known.values()),
        "operators": list(OPERATOR_WORDS.items()),
        "kept": _pairs(address),
        "address": address.urlencode(),
    }


def added(address: QueryDict) -> str:
    """The address with the filter that its form names; empty where it names none."""
    if not address.get("column"):
        return ""
    value = address.get("value", "").strip()
    written = f"{address['column']}:{address.get('is', 'has')}" + (f":{value}" if value else "")
    left = _left(address)
    left.appendlist("where", written)
    return f"?{left.urlencode()}"


def _left(address: QueryDict) -> QueryDict:
    """What of it names the list itself."""
    left = address.copy()
    for name in PASSING:
        left.pop(name, None)
    return left


def _with(address: QueryDict, name: str, value: str) -> str:
    left = _left(address)
    left[name] = value
    return f"?{left.urlencode()}"


def _filtered(address: QueryDict, where: Iterable[Condition]) -> str:
    left = _left(address)
    left.setlist("where", [condition.written for condition in where])
    return f"?{left.urlencode()}"


def _pairs(address: QueryDict) -> list[tuple[str, str]]:
    return [(name, value) for name, values in _left(address).lists() for value in values if value]
