"""What the upgrade promise says: the database of every release since 1.0.0, with documents in it, comes up to today's.

``tests/support/releases`` holds a dump of each, made by that release after both samples had gone through it.
"""

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

PROJECT = Path(__file__).resolve().parents[2]
RELEASES = sorted((PROJECT / "tests" / "support" / "releases").glob("*.sql.gz"))
HELD = {"1.0.0": {"pages": 16, "skus": 132, "tasks": 1}}
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY 1, 2"""
CONSTRAINTS = """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
COUNTS = """SELECT (SELECT count(*) FROM ingestion_page), (SELECT count(*) FROM processing_sku WHERE NOT superseded),
    (SELECT count(*) FROM annotation_humantask)"""


@pytest.fixture
def database(process_environment: dict[str, str]) -> Iterator[str]:
    """Address of an empty one beside the tests' own."""
    url = urlsplit(process_environment["DATABASE_URL"])
    name = f"upgraded_{os.getpid()}"
    with psycopg.connect(process_environment["DATABASE_URL"], autocommit=True) as beside:
        beside.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(url._replace(path=f"/{name}"))
        beside.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def plain(rows: list[tuple[object, ...]]) -> list[tuple[str, ...]]:
    """A dump says the same conditions with other casts and brackets."""
    return [tuple(re.sub(r"::[a-z ]+(\[\])?|[()]", "", str(part)) for part in row) for row in rows]


def manage(address: str, environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-W", "ignore", str(PROJECT / "manage.py"), *arguments]
    env = {**environment, "DATABASE_URL": address}
    done = subprocess.run(command, env=env, cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
def test_the_database_of_a_release_comes_up_with_its_documents(
    release: Path, database: str, process_environment: dict[str, str]
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(gzip.decompress(release.read_bytes()).decode())  # type: ignore[arg-type]
    manage(database, process_environment, "migrate", "--no-input", "-v", "0")
    with psycopg.connect(database) as upgraded, psycopg.connect(process_environment["DATABASE_URL"]) as fresh:
        for what in (COLUMNS, CONSTRAINTS, INDEXES):
            assert plain(upgraded.execute(what).fetchall()) == plain(fresh.execute(what).fetchall())
        held = upgraded.execute(COUNTS).fetchone()
        assert held == tuple(HELD[release.name.removesuffix(".sql.gz")].values())
    assert not any(json.loads(manage(database, process_environment, "audit", "--json")).values())


def test_every_release_is_here() -> None:
    assert {path.name.removesuffix(".sql.gz") for path in RELEASES} == set(HELD)
