"""Form fields for columns that keep JSON: an input for each figure of an object, a row for each entry of a list.

They read what was typed and nothing more; what may stand there is said by the model alone, for every way in.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from catalogsku.profiles.columns import ENTRIES, OBJECTS, Column

SPARE_ROWS, MOST_ROWS = 1, 500


class Cell(NamedTuple):
    """One input. ``text``: what stands in it; ``is_on``: of a switch."""

    column: Column
    name: str
    id: str
    text: str
    is_on: bool


def read(column: Column, data: Any, name: str) -> Any:
    """What was typed, as JSON holds it; text that is no number stays text, so that the model can name it."""
    if column.kind == "switch":
        return name in data
    text = str(data.get(name, "")).strip()
    if column.kind == "words":
        return [line.strip() for line in text.splitlines() if line.strip()]
    if column.kind not in ("number", "whole"):
        return text
    if not text:
        return None
    try:
        return int(text) if column.kind == "whole" or text.lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def shown(column: Column, value: Any) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if column.kind == "words" and isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return str(value)


def cell(column: Column, value: Any, name: str) -> Cell:
    return Cell(column, name, f"id_{name}", shown(column, value), value is True)


class JsonWidget(forms.Widget):
    """Drawn by a template of the project."""

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self.columns = columns

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        return render_to_string(template_name, context)

    def id_for_label(self, id_: str) -> str:
        """No single input is what the label names."""
        return ""

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False


class ObjectWidget(JsonWidget):
    template_name = "admin/profiles/json_object.html"

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        stored = value if isinstance(value, dict) else {}
        return {"cells": [cell(column, stored.get(column.key), f"{name}-{column.key}") for column in self.columns]}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        typed = {column.key: read(column, data, f"{name}-{column.key}") for column in self.columns}
        return {key: value for key, value in typed.items() if value not in (None, "")}


class EntriesWidget(JsonWidget):
    template_name = "admin/profiles/json_entries.html"

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        stored = [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
        rows = [*stored, *({} for _ in range(SPARE_ROWS))]
        return {
            "name": name,
            "columns": self.columns,
            "rows": [(n, self._cells(name, n, entry)) for n, entry in enumerate(rows)],
            "blank": self._cells(name, "__n__", {}),
            "count": len(rows),
        }

    def _cells(self, name: str, n: int | str, entry: dict[str, Any]) -> list[Cell]:
        return [
            cell(column, entry.get(column.key, column.default), f"{name}-{n}-{column.key}") for column in self.columns
        ]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        count = str(data.get(f"{name}-rows", "0"))
        most = min(int(count), MOST_ROWS) if count.isdecimal() and len(count) < 6 else 0
        typed = (
            {column.key: read(column, data, f"{name}-{n}-{column.key}") for column in self.columns}
            for n in range(most)
            if f"{name}-{n}-remove" not in data
        )
        return [self._entry(row) for row in typed if self._is_filled(row)]

    def _is_filled(self, row: dict[str, Any]) -> bool:
        """A spare row has nothing but choices in it."""
        return any(
            row[column.key] not in (None, "", []) for column in self.columns if column.kind not in ("choice", "switch")
        )

    def _entry(self, row: dict[str, Any]) -> dict[str, Any]:
        """Without what an entry means by itself."""
        return {
            column.key: row[column.key]
            for column in self.columns
            if column.is_needed or row[column.key] not in (None, "", [], column.default)
        }


class JsonField(forms.Field):
    """Its value is what JSON holds."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(initial != data)


def json_field(name: str, **options: Any) -> JsonField | None:
    """For the model's column of this name; None where it keeps no JSON that has columns."""
    if name in OBJECTS:
        return JsonField(widget=ObjectWidget(OBJECTS[name]), **options)
    if name in ENTRIES:
        return JsonField(widget=EntriesWidget(ENTRIES[name]), **options)
    return None
