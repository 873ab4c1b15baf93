"""PgBouncer in transaction mode before a server on a socket: few sessions for many connections."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from catalogsku.core.embedded.identity import command
from tests.support.unpacked import environment, server

SESSIONS = 3


@contextmanager
def pooled(database_url: str, folder: Path) -> Iterator[str]:
    """The address of the same database through it. No connection sees which of SESSIONS it gets for a transaction."""
    program = server("pgbouncer")
    assert program is not None
    parts = urlsplit(database_url)
    name, sockets = parts.path.lstrip("/"), parse_qs(parts.query)["host"][0]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        "[databases]\n"
        f"{name} = host={sockets} user={parts.username} pool_size={SESSIONS}\n"
        "[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        "auth_type = any\npool_mode = transaction\nmax_client_conn = 1000\n"
        "idle_transaction_timeout = 10\nquery_wait_timeout = 60\n"
    )
    identity = "namespace:65534" if os.geteuid() == 0 else "same"  # it refuses root
    with (folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen(
            command(identity, signal.SIGKILL, [program, configuration]),
            env=environment("pgbouncer"),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        _answers(port, process)
        yield f"postgresql://{parts.username}@127.0.0.1:{port}/{name}"
    finally:
        process.terminate()
        process.wait(20)


def _answers(port: int, process: subprocess.Popen[bytes]) -> None:
    until_s = time.monotonic() + 20
    while time.monotonic() < until_s and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"PgBouncer does not answer; it ended with {process.poll()}")
