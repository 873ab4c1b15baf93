"""Many rows in one statement: as one JSON text, which the server takes apart by column type, or by COPY.

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
        returned: list[tuple[Any, ...]] = cursor.fetchall()
        return returned


def insert_new(objects: Sequence[models.Model]) -> None:
    """Insert objects of one model, which get their keys by it; columns with a database default get that.

    By COPY: JSON columns are taken apart once, not twice as in ``insert_rows``, which halves the server's part for rows
    that are mostly such columns. Raises what the database raises.
    """
    if not objects:
        return
    model = type(objects[0])
    table, pk = model._meta.db_table, str(model._meta.pk.column)
    fields = _given_fields(model)
    names = ", ".join(map(_quoted, [pk, *(str(field.column) for field in fields)]))
    values = [(field.attname, isinstance(field, models.JSONField)) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [table, pk, len(objects)]
        )
        keys = [key for (key,) in cursor.fetchall()]
        with connection.wrap_database_errors, cursor.copy(f"COPY {_quoted(table)} ({names}) FROM STDIN") as copy:
            for row, key in zip(objects, keys, strict=True):
                copy.write_row([key, *(_copied(getattr(row, name), is_json) for name, is_json in values)])
    for row, key in zip(objects, keys, strict=True):
        row.pk = key


def _copied(value: Any, is_json: bool) -> Any:
    return msgspec.json.encode(value).decode() if is_json and value is not None else value


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
    fields = _given_fields(type(objects[0]))
    return [{str(f.column): getattr(row, f.attname) for f in fields} for row in objects]


def _given_fields(model: type[models.Model]) -> list[Any]:
    fields = model._meta.concrete_fields
    return [f for f in fields if not f.primary_key and isinstance(f.db_default, type(NOT_PROVIDED))]


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
