"""Names in the log of changes, which is append-only: the database lets a name be taken out of it and nothing else."""

from collections.abc import Sequence

from django.apps import apps
from django.db import connection

from catalogsku.accounts.models import Merchant


def person_called(pk: int) -> str:
    """What stands for somebody's name where it must not stand, or not any more."""
    return f"person-{pk}"


def forget_in_log(rows: Sequence[tuple[str, str]], name: str, called: str = "") -> int:
    """How many entries changed, in the caller's transaction.

    ``called``: what a person is called from now on where they changed something. Without it the entries of a merchant
    lose what they said: those of ``rows``, (model, row) each, and those whose own name begins with the merchant's.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL catalogsku.forgets = 'on'")
        if called:
            cursor.execute('UPDATE profiles_configchange SET "by" = %s WHERE "by" = %s', [called, name])
        else:
            cursor.execute(
                """UPDATE profiles_configchange SET name = '', before = '{}', after = '{}', why = ''
                WHERE (model, "row") IN (SELECT * FROM unnest(%s::text[], %s::text[]))
                   OR model = ANY(%s) AND starts_with(name, %s)""",
                [[model for model, _ in rows], [row for _, row in rows], _of_merchants(), name],
            )
        changed = int(cursor.rowcount)
        cursor.execute("SET LOCAL catalogsku.forgets = 'off'")
    return changed


def _of_merchants() -> list[str]:
    """Models whose rows are a merchant's."""
    return [
        model._meta.label_lower
        for model in apps.get_models()
        if any(field.related_model is Merchant for field in model._meta.concrete_fields)
    ]
