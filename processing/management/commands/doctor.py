"""`manage.py doctor`: looks at everything the product stands on and says what is wrong and what helps."""

import json
import os
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from catalogsku.core.models import Worker
from catalogsku.core.sandbox import SandboxUnavailable, capabilities
from catalogsku.core.work import live_threads
from processing.services.sandboxes import new_sandbox

GIB = 1 << 30
FREE_DISK_BYTES = 2 * GIB
UNITS = ("cpu", "llm", "out", "quick")


@dataclass(frozen=True)
class Finding:
    """``level``: ok, warning or error."""

    name: str
    level: str
    text: str


class Command(BaseCommand):
    help = (
        "Checks services, workers, sandbox, OCR, storage, disk and fonts. Exit code 1 where something must be mended."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = [finding for check in CHECKS for finding in self._run(check)]
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                self.stdout.write(f"{finding.level:<8} {finding.name:<12} {finding.text}")
        if any(finding.level == "error" for finding in findings):
            raise CommandError("Something must be mended.", returncode=1)

    def _run(self, check: Callable[[], Iterator[Finding]]) -> list[Finding]:
        try:
            return list(check())
        except Exception as error:  # a check that cannot even be made is its finding
            return [
                Finding(
                    check.__name__.removeprefix("check_"), "error", f"{type(error).__name__}: {error}".splitlines()[0]
                )
            ]


def check_python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = (3, 11) <= sys.version_info[:2] <= (3, 12)
    yield Finding("python", "ok" if fits else "warning", f"{version}; 3.11 and 3.12 are supported")


def check_database() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), usesuper FROM pg_user WHERE usename = current_user")
        version, is_super = cursor.fetchone()
    kind = "embedded" if settings.EMBEDDED_DATABASE else "DATABASE_URL"
    yield Finding("database", "ok", f"PostgreSQL {version}, {kind}")
    if is_super:
        yield Finding("database", "warning", "the application's role is a superuser; give it a role of its own")
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    level = "error" if waiting else "ok"
    yield Finding("migrations", level, f"{len(waiting)} waiting; run `manage.py migrate`" if waiting else "all applied")


def check_redis() -> Iterator[Finding]:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    info: Any = client.info("server")
    version = info["redis_version"]
    kind = "embedded" if settings.EMBEDDED_REDIS else "REDIS_URL"
    yield Finding("redis", "ok", f"Redis {version}, {kind}")


def check_workers() -> Iterator[Finding]:
    for unit in UNITS:
        threads = live_threads(unit)
        level = "ok" if threads else "warning"
        yield Finding("workers", level, f"{unit}: {threads} threads" if threads else f"{unit}: none is running")
    stale = Worker.objects.count()
    yield Finding("workers", "ok", f"{stale} processes known")


def check_sandbox() -> Iterator[Finding]:
    offered = capabilities()
    for name, present in (("landlock", offered.landlock), ("seccomp", offered.seccomp)):
        missing = "error" if settings.SANDBOX_REQUIRED else "warning"
        text = f"{name} is there" if present else f"the kernel lacks {name}; documents are confined by limits alone"
        yield Finding("sandbox", "ok" if present else missing, text)
    try:
        with new_sandbox() as sandbox:
            ready = sandbox.start()
    except SandboxUnavailable as error:
        yield Finding("sandbox", "error", str(error))
        return
    loaded = settings.SANDBOX_OCR
    yield Finding("ocr", "ok" if loaded else "warning", "the OCR engine loads" if loaded else "OCR is switched off")
    if ready.threads != 1:
        yield Finding("sandbox", "error", f"the fork server has {ready.threads} threads instead of one")


def check_storage() -> Iterator[Finding]:
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        yield Finding("storage", "error", f"{folder} cannot be written")
    usage = shutil.disk_usage(folder)
    ratio = usage.used / usage.total
    level = "error" if ratio > settings.DISK_REFUSE_RATIO else "warning" if usage.free < FREE_DISK_BYTES else "ok"
    yield Finding("disk", level, f"{usage.free / GIB:.1f} GiB free of {usage.total / GIB:.0f}")


def check_keys() -> Iterator[Finding]:
    if settings.SECRET_KEY.startswith("insecure-"):
        level = "error" if settings.PRODUCTION else "ok"
        yield Finding("secret key", level, "the development key is used; set SECRET_KEY in production")
    if settings.DEBUG:
        yield Finding("debug", "warning", "DEBUG is on: errors show their insides")


CHECKS = (check_python, check_database, check_redis, check_workers, check_sandbox, check_storage, check_keys)
