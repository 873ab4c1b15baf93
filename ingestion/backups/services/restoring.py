"""Bringing an installation back: everything is looked at before anything is touched, files before rows, and what the
former machines had in hand is in nobody's hands."""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import redis
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, models, transaction

from catalogsku.core import storage
from catalogsku.core.direct import directly
from catalogsku.core.keys import fingerprint
from catalogsku.core.models import Worker, WorkRow, Xid8Field
from catalogsku.core.work import CLEARED
from ingestion.backups import postgres
from ingestion.backups.manifest import DUMP, FILES, BackupRefused, Manifest, hashes_in
from ingestion.backups.restored import RESTORED
from ingestion.backups.services.making import count_rows
from ingestion.backups.services.verifying import refuse_newer, verify
from ingestion.keeping.models import Emptied
from ingestion.keeping.policies import Kind
from ingestion.models import Job, Upload

# Tables with rows of people's own: where they are empty, nothing is lost.
_OF_PEOPLE = ("ingestion_job", "accounts_user")
_DROPPED = {"r": "TABLE", "p": "TABLE", "f": "FOREIGN TABLE", "v": "VIEW", "m": "MATERIALIZED VIEW", "S": "SEQUENCE"}
# Before the first transaction of any cluster: a change that every reader has seen.
LONG_AGO = "3"


@dataclass(frozen=True)
class Restored:
    """``uploads``: how many were under way at the point and begin anew; ``sources_missing``: documents whose file the
    backup does not have; ``other_key``: what was kept under the SECRET_KEY of that time cannot be read here."""

    manifest: Manifest
    uploads: int
    sources_missing: int
    other_key: bool


def restore(source: Path, *, replace: bool = False, say: Callable[[str], object] = lambda line: None) -> Restored:
    """Into an empty installation, or (``replace``) in place of what is there. Units must not run.

    Raises BackupRefused before anything is touched: what ``verify`` raises, backup_newer, database_in_use,
    database_not_empty, storage_not_empty. Later: pg_restore_failed, rows_differ, target_full; then the installation is
    to be restored again, with ``replace``.
    """
    with directly():
        return _restore(source, replace, say)


def _restore(source: Path, replace: bool, say: Callable[[str], object]) -> Restored:
    manifest = verify(source)
    refuse_newer(manifest)
    _refuse_in_use()
    if not replace:
        _refuse_full()
    say(f"verified: {manifest.files} files, {sum(manifest.rows.values())} rows")
    _empty_storage()
    _put_back(source)
    say("files: restored")
    _empty_schema()
    postgres.bring_back(source / DUMP, manifest.schema)
    _compare(manifest)
    say("database: restored")
    connection.close()
    call_command("migrate", interactive=False, verbosity=0)
    uploads = _set_right(manifest)
    _empty_redis()
    return Restored(manifest, uploads, _sources_missing(), fingerprint(settings.SECRET_KEY) != manifest.key)


def _refuse_in_use() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        (others,) = cursor.fetchone()
    if others:
        raise BackupRefused("database_in_use", f"{others} others are connected to the database: stop every unit first.")


def _refuse_full() -> None:
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in tables.intersection(_OF_PEOPLE):
            cursor.execute(f"SELECT EXISTS (SELECT FROM {connection.ops.quote_name(table)})")
            if cursor.fetchone()[0]:
                raise BackupRefused("database_not_empty", f"{table} has rows; --replace deletes what is there.")
    if found := list(islice(storage.walk(""), 1)):
        raise BackupRefused("storage_not_empty", f"The storage holds {found[0]}; --replace deletes what is there.")


def _put_back(source: Path) -> None:
    try:
        for name, _sha256 in hashes_in(source):
            storage.put_back(name, source / FILES / name)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise BackupRefused("target_full", "The disk of the storage is full: make room, restore again.") from error
        raise


def _empty_storage() -> None:
    for name in list(storage.walk("")):
        storage.delete_file(name)


def _empty_schema() -> None:
    """Of tables, sequences and functions, whoever made them; what belongs to an extension of the server's stays."""
    not_of_extensions = "NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype = 'e')"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"SELECT relkind::text, oid::regclass::text FROM pg_class o WHERE relkind = ANY(%s)"
            f" AND relnamespace = current_schema()::regnamespace AND {not_of_extensions}"
            " ORDER BY relkind = 'S', oid",  # sequences of columns go with their tables
            [list(_DROPPED)],
        )
        for kind, name in cursor.fetchall():
            cursor.execute(f"DROP {_DROPPED[kind]} IF EXISTS {name} CASCADE")
        cursor.execute(
            f"SELECT oid::regprocedure::text FROM pg_proc o WHERE pronamespace = current_schema()::regnamespace"
            f" AND {not_of_extensions}"
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP ROUTINE IF EXISTS {name} CASCADE")


def _compare(manifest: Manifest) -> None:
    found = count_rows()
    if found != manifest.rows:
        differ = sorted(set(found.items()) ^ set(manifest.rows.items()))
        raise BackupRefused("rows_differ", f"Tables with other rows than were dumped: {differ[:5]}.")


def _set_right(manifest: Manifest) -> int:
    """In one transaction: what was true of processes, connections and half-received files is true no more."""
    with transaction.atomic(), connection.cursor() as cursor:
        for step in RESTORED:
            step()
        _rebase(manifest)
        Worker.objects.all().delete()
        for model in WorkRow.__subclasses__():
            held = models.Q(worker__isnull=False) | models.Q(dispatched_at__isnull=False)
            model._default_manager.filter(held).update(**CLEARED, **model.visible_change())
        Session.objects.all().delete()  # one that was ended after the point would live again
        uploads, _ = Upload.objects.filter(job__isnull=True).delete()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return uploads


def _rebase(manifest: Manifest) -> None:
    """Ids of transactions count from the beginning in a new cluster: a change that bears a higher one than any to come
    would be news for ever, and what is compared with it never newer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        if cursor.fetchone()[0] >= manifest.transactions:
            return  # the same cluster, or a busier one
        for model in apps.get_models():
            for column in (field.column for field in model._meta.concrete_fields if isinstance(field, Xid8Field)):
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"UPDATE {table} SET {column} = %s::text::xid8", [LONG_AGO])


def _empty_redis() -> None:
    """Messages are hints, sent again from the rows. Only keys of ours: others may share the server."""
    options: dict[str, Any] = settings.DRAMATIQ_BROKER["OPTIONS"]  # type: ignore[assignment]
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=10, socket_connect_timeout=2)
    try:
        keys = list(client.scan_iter(f"{options['namespace']}:*", count=1000))
        for n in range(0, len(keys), 1000):
            client.delete(*keys[n : n + 1000])
    except (redis.RedisError, OSError):  # it is not there yet: it will be empty
        return
    finally:
        client.close()


def _sources_missing() -> int:
    emptied = Emptied.objects.filter(kind=Kind.SOURCES, job=models.OuterRef("pk"))
    keys = Job.objects.exclude(models.Exists(emptied)).exclude(source_key="").values_list("source_key", flat=True)
    return sum(not storage.has_file(key) for key in keys.iterator(2000))
