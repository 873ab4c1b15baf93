"""What the database keeps and logs of a page: rows by table, and the write-ahead log by step."""

from typing import Any

from django.db import connection

# Rows with what is kept beside them (TOAST), without indexes.
_HEAPS = """
    SELECT c.relname,
           pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0)
    FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"""
_INDEXES = """
    SELECT sum(pg_indexes_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""


class Storage:
    """Of what is done between ``__init__`` and ``report``, by nobody else at once."""

    def __init__(self) -> None:
        self._heaps, self._indexes = _heaps(), _indexes()

    def report(self, pages: int) -> dict[str, Any]:
        """Bytes a page; of tables those that have a hundredth at least."""
        grown = {table: size - self._heaps.get(table, 0) for table, size in _heaps().items()}
        heap = sum(grown.values())
        tables = sorted(((size, table) for table, size in grown.items() if size * 100 >= heap), reverse=True)
        return {
            "heap_bytes": round(heap / pages),
            "index_bytes": round((_indexes() - self._indexes) / pages),
            "tables": {table: round(size / pages) for size, table in tables},
        }


def log_position() -> int:
    """Bytes of the write-ahead log since the cluster began."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
        return int(cursor.fetchone()[0])


def _heaps() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_HEAPS)
        return dict(cursor.fetchall())


def _indexes() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES)
        return int(cursor.fetchone()[0])
