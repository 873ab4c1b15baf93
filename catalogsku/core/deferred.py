"""Columns that a list has no use for: of fifty rows they are thousands of values to read, their JSON to parse."""

from django.db.models import Model


def all_but(model: type[Model], path: str, *kept: str) -> list[str]:
    """Names of the columns of ``model`` as ``defer`` takes them of rows that reach it by ``path``; its key is kept."""
    fields = model._meta.concrete_fields
    return [f"{path}__{field.name}" for field in fields if not field.primary_key and field.name not in kept]
