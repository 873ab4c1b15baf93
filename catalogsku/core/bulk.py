"""Many rows in one statement: their values go to the server as one JSON text, which it takes apart by column type.

A page of eleven products is some fifty rows; written one by one, or as a thousand parameters, that costs more than
finding the products.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import connection, models
from django.db.models import NOT_PROVIDED
from django.db.models.expressions import RawSQL


def insert_rows(
    model: type[models.Model],
    rows: Sequence[Mapping[str, Any]],
    *,
    unique: Sequence[str] = (),
    returning: Sequence[str] = ("id",),
) -> list[tuple[Any, ...]]:
    """Insert ``rows`` (all with the same column names; bytes as they are) and give back the columns ``returning``.

    A row that is there already by the columns ``unique`` is written over. Columns that are not named get the database's
    default. Raises what the database raises.
    """
    if not rows:
        return []
    table, columns = connection.ops.quote_name(model._meta.db_table), [_quoted(name) for name in rows[0]]
    names = ", ".join(columns)
    conflict = ""
    if unique:
        other = [name for name in columns if name not in {_quoted(key) for key in unique}]
        writes = ", ".join(f"{name} = excluded.{name}" for name in other)
        conflict = f"ON CONFLICT ({', '.join(map(_quoted, unique))}) DO UPDATE SET {writes}"
    sql = (
        f"INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{table}, %s)"
        f" {conflict} RETURNING {', '.join(map(_quoted, returning))}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [encode(model, rows)])
        given: list[tuple[Any, ...]] = cursor.fetchall()
        return given


def update_rows(
    model: type[models.Model], rows: Sequence[Mapping[str, Any]], changes: Mapping[str, Any] | None = None
) -> None:
    """Set the named columns of the rows with these ``id``; ``changes``: further columns, the same for all."""
    if not rows:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    own = [f"{_quoted(name)} = r.{_quoted(name)}" for name in rows[0] if name != "id"]
    shared, values = assignments(model, changes or {})
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} AS t SET {', '.join([*own, *shared])}"
            f" FROM json_populate_recordset(NULL::{table}, %s) AS r WHERE t.id = r.id",
            [*values, encode(model, rows)],
        )


def assignments(model: type[models.Model], changes: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """The SET parts and parameters of an UPDATE of the table as ``t``; values, or RawSQL."""
    parts: list[str] = []
    values: list[Any] = []
    for name, value in changes.items():
        field: Any = model._meta.get_field(name)
        if isinstance(value, RawSQL):
            parts.append(f"{_quoted(field.column)} = {value.sql}")
            values.extend(value.params)
        else:
            parts.append(f"{_quoted(field.column)} = %s")
            values.append(field.get_db_prep_save(value, connection))
    return parts, values


def columns_of(objects: Sequence[models.Model]) -> list[dict[str, Any]]:
    """The objects as rows, without the key and without what the database fills in."""
    if not objects:
        return []
    fields = [
        f
        for f in objects[0]._meta.concrete_fields
        if not f.primary_key and isinstance(f.db_default, type(NOT_PROVIDED))
    ]
    return [{str(f.column): getattr(row, f.attname) for f in fields} for row in objects]


def encode(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> str:
    """JSON in which bytes are written as PostgreSQL's hexadecimal bytea."""
    fields = [f for f in model._meta.concrete_fields if isinstance(f, models.BinaryField)]
    binary = [str(f.column) for f in fields if f.column in rows[0]]
    if binary:
        rows = [{**row, **{name: _hexadecimal(row[name]) for name in binary}} for row in rows]
    return msgspec.json.encode(rows).decode()


def _hexadecimal(value: bytes | None) -> str | None:
    return None if value is None else "\\x" + value.hex()


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
