"""A small network on this machine: a bridge, behind which each machine has a namespace, an address and a cable; and on
its near end HAProxy, behind which the shared services and everybody's web processes stand.
"""

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from catalogsku.core.embedded import Services as Addresses
from catalogsku.core.embedded.identity import command
from tests.support.stack import PROJECT
from tests.support.unpacked import environment, server

_ONE_RUN = Path(tempfile.gettempdir(), "csku-bridge.lock")
BRIDGE, HERE = "csku-bridge", "10.77.77.1"
WEB, POSTGRESQL, REDIS, STORE = 8000, 5432, 6379, 9000
# HAProxy: a machine is away once it has not answered so often, and back after as many answers.
LOOKED_AT_EVERY_S, LOOKS = 1, 2
_PART = re.compile(r"parts (\d+) (\S+)")
_FETCHED = re.compile(r"fetched (\S+) 20[06] (\d+) GET \S+/(m\d+/\w\w/[0-9a-f]{64})/source\.pdf")


def address(number: int) -> str:
    return f"10.77.77.{10 + number}"


def _card(number: int) -> str:
    return f"02:00:00:00:77:{number:02}"


def ip(*arguments: str, within: str = "") -> bool:
    program = ["ip", *(("-n", within) if within else ()), *arguments]
    return subprocess.run(program, capture_output=True).returncode == 0


def missing() -> str:
    """What this machine lacks for such a network; nothing where it has all."""
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        return "namespaces are root's, and made by util-linux and iproute2"
    if server("haproxy") is None:
        return "no HAProxy here (scripts/unpack.sh unpacks one)"
    works = ip("link", "add", "csku-probe", "type", "bridge")
    ip("link", "del", "csku-probe")
    return "" if works and Path("/dev/net/tun").exists() else "this kernel makes no bridges or TAP devices"


class Place:
    """Where a machine stands: a namespace with an address and a cable to the bridge. ``far``: its frames pass through
    a process, which may hold them up and lose some."""

    def __init__(self, number: int, far: bool = False) -> None:
        self.name, self.address, self._near = f"csku-{number}", address(number), f"csku-c{number}"
        self._wire: subprocess.Popen[str] | None = None
        self.remove()
        ip("netns", "add", self.name)
        if far:
            self._wire = subprocess.Popen(
                command("same", signal.SIGKILL, [sys.executable, "-m", "tests.hosts.wire", self._near, "csku-far"]),
                cwd=PROJECT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert self._wire.stdout is not None and self._wire.stdout.readline() == "ready\n"
            ip("link", "set", "csku-far", "netns", self.name)
            ip("link", "set", "csku-far", "name", "eth0", within=self.name)
        else:
            ip("link", "add", self._near, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", self._near, "master", BRIDGE)
        ip("link", "set", self._near, "up")
        for device in ("lo", "eth0"):
            ip("link", "set", device, "up", within=self.name)
        assert ip("addr", "add", f"{self.address}/24", "dev", "eth0", within=self.name), "no network"
        # As if a router stood between: nobody in its own network finds out, and tells it, that the other is not there.
        ip("link", "set", "eth0", "address", _card(number), within=self.name)
        ip("neigh", "replace", HERE, "lladdr", _card(0), "dev", "eth0", "nud", "permanent", within=self.name)
        ip("neigh", "replace", self.address, "lladdr", _card(number), "dev", BRIDGE, "nud", "permanent")

    def cut(self, is_cut: bool) -> None:
        """In the middle: whoever is at its end sees a link, and nobody answers. (Of a link that its own device knows
        to be down TCP tries each half second whether it is back.)"""
        assert ip("link", "set", self._near, *(("nomaster",) if is_cut else ("master", BRIDGE)))

    def lengthen(self, delay_s: float, loss: float) -> None:
        """Of each frame, in each direction."""
        assert self._wire is not None and self._wire.stdin is not None
        self._wire.stdin.write(f"{delay_s} {loss}\n")
        self._wire.stdin.flush()

    def remove(self) -> None:
        if self._wire is not None:
            self._wire.kill()
            self._wire.wait(10)
            self._wire = None
        ip("link", "del", self._near)
        ip("netns", "del", self.name)


@contextmanager
def bridge() -> Iterator[None]:
    """One at a time. What a run before left, which was killed, is taken away."""
    with _ONE_RUN.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ip("link", "del", BRIDGE)
        try:
            assert ip("link", "add", BRIDGE, "address", _card(0), "type", "bridge"), "no bridge"
            assert ip("addr", "add", f"{HERE}/24", "dev", BRIDGE) and ip("link", "set", BRIDGE, "up")
            yield
        finally:
            ip("link", "del", BRIDGE)


class Proxy:
    """HAProxy: PostgreSQL, Redis and the object store for the machines, the machines' web processes for everybody."""

    def __init__(self, folder: Path, services: Addresses, store_port: int, machines: int) -> None:
        self.folder, self.address = folder, f"http://{HERE}:{WEB}"
        database, redis = urlsplit(services.database_url), urlsplit(services.redis_url)
        sockets = parse_qs(database.query)["host"][0]
        self.database_url = f"postgresql://{database.username}@{HERE}:{POSTGRESQL}{database.path}"
        self.redis_url = f"redis://{HERE}:{REDIS}/0"
        self._control = folder / "haproxy.sock"
        (folder / "haproxy.cfg").write_text(
            f"""
global
  maxconn 4000
  stats socket {self._control} level admin
  log stdout format raw local0
defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  retries 3
  option redispatch
frontend postgresql
  bind {HERE}:{POSTGRESQL}
  default_backend postgresql
backend postgresql
  server one unix@{sockets}/.s.PGSQL.5432
frontend redis
  bind {HERE}:{REDIS}
  default_backend redis
backend redis
  server one unix@{redis.path}
frontend store
  mode http
  bind {HERE}:{STORE}
  log global
  log-format "fetched %ci %ST %B %HM %HP"
  default_backend store
backend store
  mode http
  server one 127.0.0.1:{store_port}
frontend web
  mode http
  bind {HERE}:{WEB}
  timeout client 60s
  log global
  log-format "parts %s %HP"
  http-request set-log-level silent unless {{ method PATCH }}
  default_backend web
backend web
  mode http
  balance random
  option forwardfor
  timeout server 60s
  timeout tunnel 1h
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host {HERE}
  default-server check inter {LOOKED_AT_EVERY_S}s fall {LOOKS} rise {LOOKS} on-marked-down shutdown-sessions
"""
            + "".join(f"  server {number} {address(number)}:{WEB}\n" for number in range(1, machines + 1))
        )

    def __enter__(self) -> "Proxy":
        program = server("haproxy")
        assert program is not None
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command("same", signal.SIGKILL, [program, "-db", "-f", self.folder / "haproxy.cfg"]),
                env=environment("haproxy"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until_s = time.monotonic() + 10
        while not self._control.exists():
            assert self._process.poll() is None and time.monotonic() < until_s, self.log.read_text()
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(10)

    @property
    def log(self) -> Path:
        return self.folder / "haproxy.log"

    def cut(self, service: str, away: bool) -> None:
        """Nobody reaches it, and connections end; or it is there again."""
        self._say(f"set server {service}/one state {'maint' if away else 'ready'}")
        if away:
            self._say(f"shutdown sessions server {service}/one")

    def fetched(self) -> Counter[tuple[str, str]]:
        """Bytes, with the heads of answers, that each machine (its address) got of each source (merchant and hash)."""
        got: Counter[tuple[str, str]] = Counter()
        for machine, count, source in _FETCHED.findall(self.log.read_text()):
            got[machine, source] += int(count)
        return got

    def machines_of_uploads(self) -> list[int]:
        """To how many machines the parts of each upload came."""
        machines: dict[str, set[str]] = {}
        for machine, upload in _PART.findall(self.log.read_text()):
            machines.setdefault(upload, set()).add(machine)
        return [len(names) for names in machines.values()]

    def _say(self, line: str) -> None:
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(5)
            control.connect(str(self._control))
            control.sendall(line.encode() + b"\n")
            with suppress(OSError):
                control.recv(4096)
