"""Starting the services once a folder: the process that holds the lock owns them, every other one uses them."""

import fcntl
import json
import os
import time
from pathlib import Path
from types import TracebackType

from catalogsku.core.embedded.places import EmbeddedServicesError, Places, Services, explain, make_folders, places
from catalogsku.core.embedded.postgres import PostgreSQL
from catalogsku.core.embedded.redis import Redis

_HOLDER_READY_WITHIN_S = 60.0  # the other process may be making its cluster on a slow disk

# Record locks end with any close of the file in this process: it is opened once for each folder.
_held: dict[Path, "Running"] = {}


class Running:
    """The services of one folder. Only the owner's ``stop`` and ``revive`` do anything."""

    def __init__(self, where: Places, lock: int | None, postgresql: PostgreSQL | None, redis: Redis | None) -> None:
        self.where, self.services = where, where.services()
        self.postgresql, self.redis = postgresql, redis
        self._lock, self._pid = lock, os.getpid()

    @property
    def is_owner(self) -> bool:
        return self._lock is not None and self._pid == os.getpid()

    def revive(self) -> list[str]:
        """Start again what has died, and name it. Raises EmbeddedServicesError where that fails."""
        dead = [service for service in (self.postgresql, self.redis) if service and not service.is_alive()]
        for service in dead if self.is_owner else []:
            service.start()
        return [service.name for service in dead]

    def stop(self, patience_s: float = 10) -> None:
        """Redis, then PostgreSQL, then the lock. Nothing in a process that does not own them, or twice."""
        lock = self._lock
        if lock is None or not self.is_owner:
            return
        self._lock = None
        try:
            self.where.services_file.unlink(missing_ok=True)
            if self.redis:
                self.redis.stop()
            if self.postgresql:
                self.postgresql.stop(patience_s)
        finally:
            _held.pop(self.where.var, None)
            os.close(lock)

    def __enter__(self) -> "Running":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(
    var: Path | None = None,
    *,
    postgresql: bool = True,
    redis: bool = True,
    durable: bool = True,
    may_create_databases: bool = False,
) -> Running:
    """Start the wanted services of ``var``, or join those that another process runs there.

    Call it from the main thread: the services end with the thread that started them, also by kill -9.
    Raises EmbeddedServicesError with a sentence for people.
    """
    where = places(var)
    make_folders(where)
    until = time.monotonic() + _HOLDER_READY_WITHIN_S
    while (lock := _take_lock(where)) is None:
        if where.var in _held or _is_served(where, postgresql, redis):
            return Running(where, None, None, None)
        if time.monotonic() > until:
            raise EmbeddedServicesError(f"Another process holds {where.lock} and does not get ready. End it, or wait.")
        time.sleep(0.05)
    where.services_file.unlink(missing_ok=True)  # of a holder that was killed
    try:
        running = Running(
            where,
            lock,
            PostgreSQL(where, durable, may_create_databases) if postgresql else None,
            Redis(where) if redis else None,
        )
    except BaseException:
        os.close(lock)
        raise
    _held[where.var] = running
    try:
        running.revive()
        _announce(running)
    except BaseException:
        running.stop()
        raise
    return running


def _take_lock(where: Places) -> int | None:
    if where.var in _held:
        return None
    try:
        file = os.open(where.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EmbeddedServicesError(explain(f"{error.strerror}: {error.filename}", where)) from error
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _is_served(where: Places, postgresql: bool, redis: bool) -> bool:
    """Whether the holder has announced what is wanted. Raises where it runs too little and will not change."""
    try:
        announced = json.loads(where.services_file.read_text())
    except (OSError, ValueError):
        return False
    if (postgresql and not announced["database_url"]) or (redis and not announced["redis_url"]):
        raise EmbeddedServicesError(
            f"Process {announced['pid']} runs only a part of the services of {where.var}. "
            "Stop it, or give this process the same DATABASE_URL and REDIS_URL."
        )
    return True


def _announce(running: Running) -> None:
    services: Services = running.services
    announced = {
        "pid": os.getpid(),
        "database_url": services.database_url if running.postgresql else "",
        "redis_url": services.redis_url if running.redis else "",
    }
    part = running.where.services_file.with_suffix(".part")
    part.write_text(json.dumps(announced, indent=1) + "\n")
    part.replace(running.where.services_file)
