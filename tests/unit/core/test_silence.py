"""Connections over TCP find out that nobody is at the other end any more."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import redis
import redis.asyncio

from catalogsku.settings.silence import ASKED_AFTER_S, GONE_AFTER_S, POSTGRESQL, SERVERS_SIDE, of_redis

EXPECTED = {"TCP_KEEPIDLE": ASKED_AFTER_S, "TCP_USER_TIMEOUT": GONE_AFTER_S * 1000}


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def asked(connection: socket.socket) -> dict[str, Any]:
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    return {name: connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in EXPECTED}


def test_one_to_redis(listener: socket.socket) -> None:
    url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
    connection = redis.ConnectionPool.from_url(url, **of_redis(url)).make_connection()
    with connection._connect() as opened:
        assert asked(opened) == EXPECTED


async def test_one_that_listens_to_redis(listener: socket.socket) -> None:
    url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
    connection = redis.asyncio.ConnectionPool.from_url(url, **of_redis(url)).make_connection()
    await connection._connect()
    assert asked(connection._writer.get_extra_info("socket")) == EXPECTED
    connection._writer.close()


def test_one_to_postgresql(listener: socket.socket) -> None:
    where = {"host": "127.0.0.1", "port": listener.getsockname()[1], "user": "anybody", **POSTGRESQL}
    begun = psycopg.pq.PGconn.connect_start(psycopg.conninfo.make_conninfo(**where).encode())
    with socket.socket(fileno=socket.dup(begun.socket)) as opened:
        assert asked(opened) == EXPECTED


def test_a_unix_socket_has_no_such_options() -> None:
    assert of_redis("unix:///run/redis.sock") == {}


def test_the_settings_give_them_to_all_that_stay_open() -> None:
    redis_url, direct_url = "redis://redis.example.org:6379/0", "postgresql://me@db.example.org/shop"
    program = (
        "import json; from catalogsku.settings import base as b; print(json.dumps(["
        "b.DATABASES['default']['OPTIONS'], b.DATABASE_DIRECT['OPTIONS'],"
        "b.DRAMATIQ_BROKER['OPTIONS'], b.CHANNEL_LAYERS['default']['CONFIG']['hosts'][0]]))"
    )
    environment = {**os.environ, "REDIS_URL": redis_url, "DATABASE_DIRECT_URL": direct_url}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    pooled, direct, broker, layer = json.loads(done.stdout.splitlines()[-1])
    assert pooled.items() >= POSTGRESQL.items()
    assert direct.items() >= POSTGRESQL.items()
    assert "options" not in pooled and SERVERS_SIDE in direct["options"], "a pooler passes none of them on"
    wanted = json.loads(json.dumps(of_redis(redis_url)))
    for options in (broker, layer):
        assert {name: options.get(name) for name in wanted} == wanted
