"""The rows of a document, a merchant or a person go, by foreign keys and by what the tables' policies say.

Each function runs in the caller's transaction and gives how many rows of each table went or were emptied. A merchant
and a person stay as a row without a name: what models cost is counted on, and what people decided keeps its author,
whoever that was.
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db import connection, models
from django.db.models import QuerySet

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.core import storage
from catalogsku.profiles.models import VersionedRow
from ingestion.keeping.policies import FORGET_DOCUMENT, Kind, declared, policy_of
from ingestion.keeping.services.archiving import archives_of
from ingestion.keeping.services.forgetting import forget_in_log, person_called
from ingestion.models import Job, Upload
from ingestion.services.jobs import lock_files
from ingestion.services.receiving import abandon_upload

Counts = Counter[str]
# Rows with a foreign key to a merchant or a person that outlive them: sums, and how well people worked.
OUTLIVES = (Kind.MONEY, Kind.ANSWERS, Kind.QUALITY)


def merchant_called(pk: int) -> str:
    return f"merchant {pk}"


def erase_document(job: Job) -> tuple[Counts, list[str]]:
    """Also the files in storage that nobody else has, which are still there: they may go once this is committed."""
    lock_files(job.merchant_id)
    files, counts = _files_of(job), Counts()
    for forget in FORGET_DOCUMENT:
        counts.update({label: n for label, n in forget(job).items() if n})
    for model, policy in declared():
        if policy.document is not None:
            _go(model, policy.document(job), counts, dict(policy.emptied))
    _go(Job, Job.objects.filter(pk=job.pk), counts)
    return counts, sorted(files - still_named(files, job.merchant_id))


def _go(model: type[models.Model], rows: QuerySet[Any], counts: Counts, emptied: dict[str, Any] | None = None) -> None:
    if emptied:
        counts.update({model._meta.label_lower: n} if (n := rows.update(**emptied)) else {})
    else:
        counts.update({label.lower(): n for label, n in rows.delete()[1].items() if n})


def _files_of(job: Job) -> set[str]:
    """Whatever its rows name, and its file's own folder unless another document is of the same file."""
    files = set(archives_of(job))
    same = Job.objects.filter(merchant=job.merchant_id, file_sha256=job.file_sha256).exclude(pk=job.pk)
    if not same.exists():
        files.update(storage.walk(storage.file_prefix(job.merchant_id, job.file_sha256)))
    for model, policy in declared():
        own = policy.document(job) if policy.document else _by_foreign_key(model, job)
        for column in policy.files:
            if own is not None and not _is_json(model, column):
                files.update(own.exclude(**{column: ""}).values_list(column, flat=True))
    return files


def _by_foreign_key(model: type[models.Model], job: Job) -> QuerySet[Any] | None:
    names = {field.name for field in model._meta.concrete_fields if field.related_model is Job}
    return model._base_manager.filter(job=job) if "job" in names else None


def still_named(files: Iterable[str], merchant_id: int) -> set[str]:
    """Those that a row of the merchant names, whichever it is."""
    wanted, named = list(files), set[str]()
    for model, policy in declared() if wanted else ():
        for column in policy.files:
            named.update(_named(model, column, wanted, merchant_id))
    return named


def is_shown_elsewhere(job: Job) -> bool:
    """Whether a row of another document names files in the folder of its file: those of pages that it carried over."""
    folder = storage.file_prefix(job.merchant_id, job.file_sha256)
    return any(
        _of_merchant(model, job.merchant_id).exclude(job=job).filter(**{f"{column}__startswith": f"{folder}/"}).exists()
        for model, policy in declared()
        for column in policy.files
        if not _is_json(model, column) and _by_foreign_key(model, job) is not None
    )


def _of_merchant(model: type[models.Model], merchant_id: int) -> QuerySet[Any]:
    path = getattr(model, "merchant_path", "merchant_id")
    return model._base_manager.filter(**{path: merchant_id})


def _named(model: type[models.Model], column: str, wanted: list[str], merchant_id: int) -> Iterable[str]:
    if not _is_json(model, column):
        found = _of_merchant(model, merchant_id).filter(**{f"{column}__in": wanted})
        return found.values_list(column, flat=True)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT f.value FROM {table} t, jsonb_each_text(t.{column}) f"
            " WHERE t.merchant_id = %s AND f.value = ANY(%s)",
            [merchant_id, wanted],
        )
        return [value for (value,) in cursor.fetchall()]


def _is_json(model: type[models.Model], column: str) -> bool:
    return isinstance(model._meta.get_field(column), models.JSONField)


# --- merchants and people -------------------------------------------------------------------------


def erase_merchant(merchant: Merchant) -> Counts:
    """Once its documents are gone. Its folder in storage is the caller's."""
    counts = Counts()
    settings: list[tuple[str, str]] = []
    for model, policy in declared():
        if policy.merchant is not None:
            _go(model, policy.merchant(merchant), counts)
    for model, column in _pointing_at(Merchant):
        rows = model._base_manager.filter(**{column: merchant})
        if policy_of(model).kind in OUTLIVES:
            if emptied := dict(policy_of(model).emptied):
                _go(model, rows, counts, emptied)
            continue
        versioned = issubclass(model, VersionedRow)  # the log knows all versions by one name
        told = rows.values_list("key" if versioned else "pk", flat=True)
        settings += [(model._meta.label_lower, str(name)) for name in told]
        _go(model, rows, counts)
    counts["profiles.configchange"] += forget_in_log(settings, merchant.name)
    Merchant.objects.filter(pk=merchant.pk).update(name=merchant_called(merchant.pk), is_active=False)
    return counts


def erase_person(person: User, *, uploads: bool = True) -> Counts:
    """What only they had goes; what they did stays, as done by a number. ``uploads``: also the files of those that are
    under way, which no transaction brings back."""
    counts, called = Counts(), person_called(person.pk)
    for upload in Upload.objects.filter(user=person) if uploads else ():
        abandon_upload(upload)
        counts["ingestion.upload"] += 1
    for model, policy in declared():
        if policy.person is not None:
            _go(model, policy.person(person), counts)
        for column in policy.names:
            names = {person.username, person.username[:80]}
            counts[model._meta.label_lower] += _renamed(model, column, names, called)
        for column in policy.called:
            counts[model._meta.label_lower] += _renamed(model, column, {str(person), person.username}, called)
        for column in policy.told:
            counts[model._meta.label_lower] += _retold(model, column, {str(person), person.username}, called)
    for model, column in _pointing_at(User):
        field = model._meta.get_field(column)
        own = field.remote_field.on_delete is models.CASCADE  # type: ignore[union-attr]
        if own and policy_of(model).kind not in OUTLIVES:
            _go(model, model._base_manager.filter(**{column: person}), counts)
    counts["profiles.configchange"] += forget_in_log((), person.username, called)
    _leave_a_shell(person, called)
    return Counts({label: n for label, n in counts.items() if n})


def _leave_a_shell(person: User, called: str) -> None:
    person.set_unusable_password()
    blank = dict.fromkeys(("first_name", "last_name", "email", "display_name"), "")
    for name, value in {**blank, "username": called, "role": Role.UPLOADER, "last_login": None}.items():
        setattr(person, name, value)
    person.is_active = False
    person.save()


def _pointing_at(target: type[models.Model]) -> list[tuple[type[models.Model], str]]:
    """(model, column) of the foreign keys to it, those of many-to-many tables among them."""
    return [
        (model, field.name)
        for model, _ in declared()
        for field in model._meta.concrete_fields
        if field.related_model is target
    ]


def _renamed(model: type[models.Model], column: str, names: set[str], called: str) -> int:
    names -= {"", "system"}
    return model._base_manager.filter(**{f"{column}__in": names}).update(**{column: called})


def _retold(model: type[models.Model], column: str, names: set[str], called: str) -> int:
    """In JSON, where the name is a whole text."""
    table, done = connection.ops.quote_name(model._meta.db_table), 0
    with connection.cursor() as cursor:
        for name in names - {"", "system"}:
            old, new = json.dumps(name, ensure_ascii=False), json.dumps(called)
            cursor.execute(
                f"UPDATE {table} SET {column} = replace({column}::text, %s, %s)::jsonb"
                f" WHERE strpos({column}::text, %s) > 0",
                [old, new, old],
            )
            done += cursor.rowcount
    return done
