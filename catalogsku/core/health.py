"""/healthz and /readyz: is this process alive, and can the product be used; for load balancers and people in a hurry.

Nothing here is secret and nothing costs much: what was found holds for a second, whoever asks.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from catalogsku.core import facts

KEPT_S = 1.0
DATABASE_WITHIN_MS = 2000
OK, DEGRADED, FAILED = "ok", "degraded", "failed"


@dataclass(frozen=True)
class Health:
    """``checks`` say ok, degraded (the product goes on without) or failed (it does not), each with its reason."""

    checks: dict[str, dict[str, str]]
    workers: dict[str, int] = field(default_factory=dict)
    disk_usage_ratio: dict[str, float] = field(default_factory=dict)

    @property
    def status(self) -> str:
        states = {check["state"] for check in self.checks.values()}
        return "not_ready" if FAILED in states else DEGRADED if DEGRADED in states else "ready"


def look() -> Health:
    """What can be used now. Without Redis everything goes on, later; without workers documents wait; on a full disk
    everything but uploading goes on: none of these is a reason to turn people away (TA-DISK)."""
    checks = _database()
    workers: dict[str, int] = {}
    if all(check["state"] == OK for check in checks.values()):
        try:
            workers = {labels[0]: int(n) for labels, n in facts.workers().items() if labels[0] in facts.UNITS}
        except DatabaseError:
            checks["database"] = _says(FAILED, "PostgreSQL does not answer")
        else:
            missing = sorted(unit for unit, n in workers.items() if not n)
            checks["workers"] = _says(DEGRADED, f"none for {', '.join(missing)}") if missing else _says(OK)
    redis = _says(OK) if facts.queue_lengths() is not None else _says(DEGRADED, "Redis does not answer")
    disk = facts.disk_ratios()
    full = disk["storage"] > settings.DISK_REFUSE_RATIO
    room = _says(DEGRADED, "storage is almost full, uploads are refused") if full else _says(OK)
    ratios = {place: round(used, 3) for place, used in disk.items()}
    return Health({**checks, "redis": redis, "disk": room}, workers, ratios)


def _says(state: str, reason: str = "") -> dict[str, str]:
    return {"state": state, "reason": reason} if reason else {"state": state}


def _database() -> dict[str, dict[str, str]]:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = %s", [DATABASE_WITHIN_MS])
            cursor.execute("SELECT 1")
        waiting = migrations_waiting()
    except DatabaseError:  # its text may name the server: it stays in the log of the database
        connection.close()
        return {"database": _says(FAILED, "PostgreSQL does not answer"), "migrations": _says(FAILED, "unknown")}
    migrations = _says(FAILED, f"{waiting} are not applied") if waiting else _says(OK)
    return {"database": _says(OK), "migrations": migrations}


_all_applied = False


def migrations_waiting() -> int:
    """How many this version still needs; once none does, it stays so for the life of the process."""
    global _all_applied
    if _all_applied:
        return 0
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    _all_applied = waiting == 0
    return waiting


class Kept:
    """The last look, for a second; those who ask while somebody looks wait for that one."""

    def __init__(self, look: Callable[[], Health]) -> None:
        self._look, self._lock = look, threading.Lock()
        self._health: Health | None = None
        self._at_s = 0.0

    def __call__(self) -> Health:
        with self._lock:
            if self._health is None or time.monotonic() - self._at_s > KEPT_S:
                self._health, self._at_s = self._look(), time.monotonic()
            return self._health


current_health = Kept(look)


@require_GET
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while this process answers, whatever else is away: restarting it would mend nothing."""
    return _answer({"status": "ok"})


@require_GET
def readyz(request: HttpRequest) -> JsonResponse:
    """200 while people can work, 503 while they cannot; JSON says why, and what is missing where it still goes on."""
    health = current_health()
    body = {
        "status": health.status,
        "checks": health.checks,
        "workers": health.workers,
        "disk_usage_ratio": health.disk_usage_ratio,
    }
    return _answer(body, 503 if health.status == "not_ready" else 200)


def _answer(body: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
