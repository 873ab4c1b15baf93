"""The embedded PostgreSQL and Redis: real servers, started, joined, killed and refused."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from catalogsku.core import embedded
from catalogsku.core.embedded import EmbeddedServicesError, Running, identity
from catalogsku.core.embedded.places import places
from tests.support.promises import within

PROJECT = Path(__file__).resolve().parents[2]
HOLD = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from catalogsku.core import embedded
    from catalogsku.core.embedded import identity
    if sys.argv[2] != "any":
        works = identity._works
        identity._works = lambda one: not one.word.startswith("namespace") and works(one)
    with embedded.start(Path(sys.argv[1]), durable=False) as running:
        print(running.postgresql.pid, running.redis.pid, running.postgresql.identity, flush=True)
        time.sleep(120)
    """
)


@pytest.fixture
def var(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture
def running(var: Path) -> Iterator[Running]:
    with embedded.start(var, durable=False) as running:
        yield running


def hold(var: Path, way: str = "any") -> tuple[subprocess.Popen[str], list[int], str]:
    """Another process that holds the services of ``var``; its services' pids, and who PostgreSQL runs as."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(var), way], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    first, second, word = holder.stdout.readline().split()
    return holder, [int(first), int(second)], word


def wait_until_gone(pids: list[int], within_s: float = 10) -> list[int]:
    until = time.monotonic() + within_s
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        if time.monotonic() > until:
            break
        time.sleep(0.02)
    return left


def test_says_the_addresses_before_anything_runs(var: Path) -> None:
    told = embedded.addresses(var)

    assert not var.exists()
    with embedded.start(var, durable=False) as running:
        assert running.services == told
        with psycopg.connect(told.database_url) as database:
            assert database.execute("SELECT current_database()").fetchone() == ("catalogsku",)
        assert redis.Redis.from_url(told.redis_url).ping()


def test_the_applications_role_is_not_superuser_and_the_locale_is_the_builtin_one(running: Running) -> None:
    with psycopg.connect(running.services.database_url, autocommit=True) as database:
        assert database.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (False,)
        found = database.execute("SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'catalogsku'")
        assert found.fetchone() == ("b", "C.UTF-8")
        assert database.execute("SHOW listen_addresses").fetchone() == ("",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            database.execute("CREATE DATABASE another")


def test_keeps_the_data_and_starts_again_within_a_second(var: Path) -> None:
    with embedded.start(var, durable=False) as running, psycopg.connect(running.services.database_url) as database:
        database.execute("CREATE TABLE kept AS SELECT 7 AS value")
    began_s = time.monotonic()

    with embedded.start(var, durable=False) as running:
        took_s = time.monotonic() - began_s
        with psycopg.connect(running.services.database_url) as database:
            assert database.execute("SELECT value FROM kept").fetchone() == (7,)
    assert took_s < within(1)


def test_a_commit_is_flushed_to_disk_outside_of_tests(var: Path) -> None:
    with embedded.start(var) as running, psycopg.connect(running.services.database_url) as database:
        assert database.execute("SHOW fsync").fetchone() == ("on",)
        assert database.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_a_second_process_joins_and_ends_nothing(var: Path) -> None:
    holder, pids, _ = hold(var)
    try:
        with embedded.start(var) as joined:
            assert not joined.is_owner
            with psycopg.connect(joined.services.database_url) as database:
                database.execute("SELECT 1")
        assert wait_until_gone(pids, within_s=0.5) == pids
        assert json.loads(places(var).services_file.read_text())["pid"] == holder.pid
    finally:
        holder.kill()
        holder.wait()
    assert wait_until_gone(pids) == []


def test_a_second_start_in_the_same_process_keeps_the_lock(var: Path, running: Running) -> None:
    with embedded.start(var) as again:
        assert not again.is_owner
    assert running.is_owner
    taker = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    taken = subprocess.run([sys.executable, "-c", taker, str(places(var).lock)], capture_output=True)
    assert b"BlockingIOError" in taken.stderr


@pytest.mark.chaos
@pytest.mark.parametrize("way", ["any", "without-namespaces"])
def test_nothing_outlives_a_killed_holder(var: Path, way: str) -> None:
    if way != "any" and os.geteuid() != 0:
        pytest.skip("only root lends PostgreSQL another user")
    holder, pids, word = hold(var, way)
    assert way == "any" or word.split(":")[0] in ("setuid", "override")

    holder.kill()
    holder.wait()

    assert wait_until_gone(pids) == []
    with embedded.start(var, durable=False) as running, psycopg.connect(running.services.database_url) as database:
        assert database.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.chaos
def test_a_start_right_after_the_kill_waits_for_the_old_server(var: Path) -> None:
    holder, (postmaster, _), _ = hold(var)
    os.kill(postmaster, signal.SIGSTOP)  # as slow as a server that still writes its checkpoint
    holder.kill()
    holder.wait()
    threading.Timer(1, os.kill, (postmaster, signal.SIGCONT)).start()

    with embedded.start(var, durable=False) as running, psycopg.connect(running.services.database_url) as database:
        assert database.execute("SELECT 1").fetchone() == (1,)
        assert wait_until_gone([postmaster], within_s=within(2)) == []


def test_a_stale_pid_file_of_a_foreign_process_is_no_obstacle(var: Path) -> None:
    with embedded.start(var, durable=False):
        pass
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as foreign:
        told = f"{foreign.pid}\n{places(var).data}\n1\n5432\n\n\n0 0\nready\n"
        (places(var).data / "postmaster.pid").write_text(told)

        with embedded.start(var, durable=False) as running, psycopg.connect(running.services.database_url) as database:
            assert database.execute("SELECT 1").fetchone() == (1,)
        assert foreign.poll() is None


def test_revives_a_dead_service(running: Running) -> None:
    assert running.redis is not None and running.redis.pid is not None
    os.kill(running.redis.pid, signal.SIGKILL)
    while running.redis.is_alive():
        time.sleep(0.01)

    assert running.revive() == ["redis"]
    assert redis.Redis.from_url(running.services.redis_url).ping()
    assert running.revive() == []


@pytest.mark.parametrize(
    "command",
    [
        "CONFIG SET dir /tmp",
        "CONFIG GET requirepass",
        "MODULE LOAD /tmp/x.so",
        "REPLICAOF 127.0.0.1 1",
        "MIGRATE 127.0.0.1 1 key 0 1",
        "RESTORE key 0 payload",
        "SAVE",
        "DEBUG SLEEP 0",
        "ACL SETUSER default allcommands",
        "MONITOR",
        "SHUTDOWN NOSAVE",
        "CLIENT KILL TYPE normal",
    ],
)
def test_the_socket_opens_no_command_of_administrators(running: Running, command: str) -> None:
    client = redis.Redis.from_url(running.services.redis_url)
    with pytest.raises(redis.ResponseError, match="no permission|not allowed"):
        client.execute_command(*command.split())
    assert client.ping() and client.eval("return 1", 0) == 1


def test_the_embedded_redis_is_of_a_line_that_is_repaired(running: Running) -> None:
    """Valkey 9.1 is the first without CVE-2026-23479 and its like; Redis 6.2 gets nothing more."""
    info = redis.Redis.from_url(running.services.redis_url).info("server")
    assert info["server_name"] == "valkey"
    assert tuple(int(part) for part in info["valkey_version"].split(".")) >= (9, 1, 2)


def test_no_second_server_takes_the_socket_from_one_that_runs(running: Running) -> None:
    """Who came before it would go on asking the first, who comes after it the second."""
    assert running.redis is not None
    client = redis.Redis.from_url(running.services.redis_url)
    client.set("kept", "by the first")
    first = running.redis.pid
    with pytest.raises(EmbeddedServicesError, match="runs already"):
        running.redis.start()
    assert (
        running.redis.pid == first and redis.Redis.from_url(running.services.redis_url).get("kept") == b"by the first"
    )
    client.delete("kept")


@pytest.mark.chaos
def test_a_killed_server_starts_again_although_its_children_linger(running: Running) -> None:
    assert running.postgresql is not None and running.postgresql.pid is not None
    postmaster = running.postgresql.pid
    children = [int(pid) for pid in Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()]
    os.kill(children[0], signal.SIGSTOP)
    os.kill(postmaster, signal.SIGKILL)
    while running.postgresql.is_alive():
        time.sleep(0.01)
    threading.Timer(1, os.kill, (children[0], signal.SIGCONT)).start()

    assert running.revive() == ["postgres"]
    with psycopg.connect(running.services.database_url) as database:
        assert database.execute("SELECT 1").fetchone() == (1,)


def test_a_long_path_gets_short_sockets(tmp_path: Path) -> None:
    var = tmp_path / ("a" * 120) / "目录 one"
    with embedded.start(var, durable=False) as running:
        assert len(str(running.where.postgres_sockets)) < 60
        with psycopg.connect(running.services.database_url) as database:
            assert database.execute("SELECT 1").fetchone() == (1,)
        assert redis.Redis.from_url(running.services.redis_url).ping()


def test_refuses_data_of_another_major_version_with_the_commands(var: Path) -> None:
    with embedded.start(var, durable=False):
        pass
    (places(var).data / "PG_VERSION").write_text("16\n")

    with pytest.raises(
        EmbeddedServicesError, match=r"PostgreSQL 16; this installation runs 18(?s:.*)pg_dump(?s:.*)pg_restore"
    ):
        embedded.start(var, durable=False)


def test_an_interrupted_creation_leaves_nothing_half_made(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from catalogsku.core.embedded.postgres import PostgreSQL

    once = PostgreSQL._once

    def fail_late(self: PostgreSQL, program: str, *arguments: str | Path, text: str = "") -> None:
        once(self, program, *arguments, text=text)
        if program == "postgres":
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(PostgreSQL, "_once", fail_late)
        embedded.start(var, durable=False)
    assert not places(var).data.exists()
    with embedded.start(var, durable=False) as running:
        assert running.is_owner


def test_a_machine_without_the_wheel_is_told_of_database_url(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(EmbeddedServicesError, match="DATABASE_URL"):
        embedded.start(var)
    monkeypatch.undo()
    with embedded.start(var, durable=False) as running:
        assert running.is_owner  # the failed start gave the lock back


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused by PostgreSQL")
def test_root_without_any_other_user_is_told_of_database_url(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "_works", lambda one: False)
    with pytest.raises(EmbeddedServicesError, match="DATABASE_URL"):
        embedded.start(var)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize(("option", "sentence"), [("size=20m", "is full"), ("size=20m,ro", "read-only")])
def test_a_full_or_closed_disk_is_a_sentence(tmp_path: Path, option: str, sentence: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", option, "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("this container may not mount")
    try:
        with pytest.raises(EmbeddedServicesError, match=sentence):
            embedded.start(disk / "var", durable=False)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
