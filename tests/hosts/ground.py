"""Three machines of the product that share PostgreSQL, Redis and an object store, and nothing else.

Each is `manage.py run` in namespaces of its own (network, process ids, hostname, mounts) with a VAR_DIR of its own. All
have the same hostname, as containers may.
"""

import os
import shutil
import signal
import subprocess
import tarfile
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.chaos.ground import ChaosStack
from tests.hosts.network import HERE, STORE, WEB, Place, Proxy, address, bridge
from tests.support.object_store import Store, environment_of, object_store
from tests.support.stack import PROJECT, Stack

HOSTNAME = "catalogsku-0"
MACHINES = 3
# The release before this one has no tag yet. This one knows object stores, lacks two migrations, and its web process
# holds the websockets itself.
PREVIOUS = "fe02455c"
_NAMESPACES = ("unshare", "--uts", "--pid", "--mount-proc", "--fork", "--kill-child")


class Machine(Stack):
    """One of them. It may stop, die and start as often as wanted: what lies in its VAR_DIR stays."""

    def __init__(self, place: Place, shared: "Installation", environment: dict[str, str]) -> None:
        super().__init__({**shared.of_machines, **environment})
        self.place, self.services = place, shared.services
        self.host, self.port = place.address, WEB
        self.started_within_s = 240  # a release's first start compiles all of it, beside two machines at work
        enter = ("nsenter", f"--net=/run/netns/{place.name}", *_NAMESPACES)
        self.within = [*enter, "sh", "-c", f'hostname {HOSTNAME}; exec "$@"', "sh"]

    @property
    def _first(self) -> int:
        """The first process in there, `manage.py run`, as it is called out here."""
        assert self._process is not None
        leader = self._process.pid
        (first,) = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
        return int(first)

    @property
    def name(self) -> str:
        """As `presence.this_machine` says it in there."""
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink(f'/proc/{self._first}/ns/pid')}"

    def workers(self, unit: str) -> list[int]:
        query = "SELECT id FROM core_worker WHERE unit = %s AND machine = %s AND seen_at > now() - interval '30 s'"
        return [worker for (worker,) in self.sql(query, unit, self.name)]

    def stop_units(self) -> None:
        """As a service manager does."""
        if self._process is not None:
            os.kill(self._first, signal.SIGTERM)
            self._process.wait(40)
            self._process = None

    def die(self) -> None:
        """At once, with everything in it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None

    def in_hand(self, name: str = "") -> set[tuple[int, Any]]:
        """The chunks of pages that it, or the machine of that name, has claimed just now."""
        query = (
            "SELECT DISTINCT p.worker, p.claimed_at FROM ingestion_page p JOIN core_worker w ON w.id = p.worker"
            " WHERE w.machine = %s"
        )
        return set(self.sql(query, name or self.name))


class Installation(ChaosStack):
    """The shared services and the machines, of which the second may have a wrong clock; the last may be far away."""

    def __init__(self) -> None:
        super().__init__()
        self.machines: list[Machine] = []
        self._all = ExitStack()

    def start_units(self) -> None:
        """All but the machines themselves, which are started one by one."""
        assert self.services is not None
        self._all.enter_context(bridge())
        self.store = self._all.enter_context(object_store())
        self.proxy = self._all.enter_context(Proxy(self.var, self.services.services, self.store.port, MACHINES))
        self.address = self.proxy.address
        clock = {name: self.environment[name] for name in ("LD_PRELOAD", "CHAOS_CLOCK") if self.has_clock}
        self.environment = {**environment_of(self.store), "SANDBOX_OCR": "0"}
        for number in range(1, MACHINES + 1):
            place = Place(number, far=number == MACHINES)
            self._all.callback(place.remove)
            self.machines.append(Machine(place, self, clock if number == 2 else {}))
            self._all.callback(shutil.rmtree, self.machines[-1].var, ignore_errors=True)
            self._all.callback(self.machines[-1].die)

    def stop_units(self) -> None:
        self._all.close()

    @cached_property
    def of_machines(self) -> dict[str, str]:
        """What is the same on all of them."""
        return {
            **self.environment,
            "DATABASE_URL": self.proxy.database_url,
            "REDIS_URL": self.proxy.redis_url,
            "STORAGE_URL": Store(STORE).url().replace("127.0.0.1", HERE),
            "ALLOWED_HOSTS": ",".join([HERE, *map(address, range(1, MACHINES + 1))]),
            "TRUSTED_PROXIES": "1",
            "DJANGO_SETTINGS_MODULE": "tests.hosts.settings",
        }

    def last_words(self) -> str:
        return "\n".join(f"=== machine {machine.host}\n{machine.last_words()}" for machine in self.machines)


def previous_release(folder: Path) -> Path | None:
    """Its checkout, below ``folder``; None where this clone does not have it."""
    packed = subprocess.run(["git", "-C", PROJECT, "archive", "-o", folder / "tree.tar", PREVIOUS], capture_output=True)
    if packed.returncode != 0:
        return None
    with tarfile.open(folder / "tree.tar") as tree:
        tree.extractall(folder / "tree", filter="data")
    return folder / "tree"
