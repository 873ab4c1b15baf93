"""The whole product on a database behind PgBouncer in transaction mode: three sessions for all of its connections."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from catalogsku.core import embedded
from tests.support.catalogues import make_catalogue
from tests.support.pooler import SESSIONS, pooled
from tests.support.prepared import place_cluster
from tests.support.stack import PROJECT, Stack
from tests.support.unpacked import server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(server("pgbouncer") is None, reason="no PgBouncer: scripts/unpack.sh"),
]
DOCUMENTS, PAGES = 3, 3


class PooledStack(Stack):
    """``self.sql`` looks past the pooler."""

    def __enter__(self) -> "PooledStack":
        try:
            place_cluster(self.var)
            self.services = embedded.start(self.var, durable=False)
            direct = self.services.services.database_url
            self.pooler = pooled(direct, self.var)
            self.environment |= {"DATABASE_URL": self.pooler.__enter__(), "DATABASE_DIRECT_URL": direct}
            self.start_units()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *arguments: object) -> None:
        self.stop_units()
        if "DATABASE_DIRECT_URL" in self.environment:
            self.pooler.__exit__(None, None, None)
        super().__exit__(*arguments)


@pytest.fixture(scope="module")
def stack() -> Iterator[PooledStack]:
    with PooledStack({"SANDBOX_OCR": "0"}) as running:
        yield running


@pytest.fixture(scope="module")
def jobs(stack: PooledStack, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("pooled")
    files = [folder / f"catalogue-{number}.pdf" for number in range(DOCUMENTS)]
    for number, file in enumerate(files):
        make_catalogue(file, PAGES, number)
    stack.person()
    with ThreadPoolExecutor(DOCUMENTS) as uploads:
        return list(uploads.map(stack.upload, files))


def test_documents_go_through(stack: PooledStack, jobs: list[str]) -> None:
    for job in jobs:
        state = stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
        assert (state.pages, state.status) == (PAGES, "FULL_IMPORTED"), state


def test_no_more_sessions_are_taken_than_the_pooler_has(stack: PooledStack, jobs: list[str]) -> None:
    """And by nobody past it, once the schema is there."""
    own = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ((open_sessions,),) = stack.sql(f"{own} AND backend_type = 'client backend'")
    assert 0 < open_sessions <= SESSIONS


def test_what_one_connection_sets_another_does_not_have(stack: PooledStack, jobs: list[str]) -> None:
    """The schema was made by a session whose patience was set; statements of health are given less of it."""
    with ThreadPoolExecutor(8) as asking:
        assert set(asking.map(lambda _: stack.person().ask("/readyz")[0], range(24))) == {200}
    for _ in range(4 * SESSIONS):
        with psycopg.connect(stack.environment["DATABASE_URL"], autocommit=True) as connection:
            shown = [
                connection.execute(f"SHOW {name}").fetchone()
                for name in ("statement_timeout", "idle_in_transaction_session_timeout", "synchronous_commit")
            ]
            assert shown == [("0",), ("0",), ("on",)]


def test_results_come_out(stack: PooledStack, jobs: list[str]) -> None:
    ((imported,),) = stack.sql("SELECT count(*) FROM processing_sku WHERE status = 'IMPORTED'")
    assert imported > 0
    total = 0
    for job in jobs:
        status, _, body = stack.person().ask(f"/jobs/{job}/export/json/")
        assert status == 200, body
        total += len(json.loads(body)["skus"])
    assert total == imported


IN_TURNS = """
import django, psycopg, sys
django.setup()
from django.contrib.auth.models import Permission
from django.db import connection, transaction
rows = Permission.objects.order_by("pk").iterator(7)
seen = [next(rows).pk]
taken = []
for _ in range({sessions} - 1):  # whichever session it was, others have it now, all but one
    other = psycopg.connect(sys.argv[1])
    other.execute("SELECT 1")
    taken.append(other)
seen += [row.pk for row in rows]
assert seen == list(Permission.objects.order_by("pk").values_list("pk", flat=True)), seen
with transaction.atomic():
    rows = Permission.objects.order_by("pk").iterator(7)
    next(rows)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_cursors")
        assert cursor.fetchone() == (1,), "inside a transaction the server keeps them"
    assert len(list(rows)) + 1 == len(seen)
"""


def test_rows_come_some_at_a_time_in_spite_of_it(stack: PooledStack, jobs: list[str]) -> None:
    environment = {**stack.process_environment(), "DJANGO_SETTINGS_MODULE": "catalogsku.settings"}
    done = subprocess.run(
        [sys.executable, "-c", IN_TURNS.format(sessions=SESSIONS), stack.environment["DATABASE_URL"]],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr


def test_backups_and_migrations_go_past_it(stack: PooledStack, jobs: list[str], tmp_path: Path) -> None:
    migrated = stack.manage("migrate")
    assert migrated.returncode == 0, migrated.stderr
    made = stack.manage("backup", str(tmp_path))
    assert made.returncode == 0, made.stdout + made.stderr
    verified = stack.manage("backup", "--verify", str(next(tmp_path.glob("*Z"))))
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_nothing_went_wrong_unseen(stack: PooledStack, jobs: list[str]) -> None:
    told = "".join(file.read_text(errors="replace") for file in (stack.var / "log").glob("*.log"))
    for fault in ("OperationalError", "ProgrammingError", "InterfaceError", "InvalidCursorName", "prepared statement"):
        assert fault not in told, told[-3000:]
