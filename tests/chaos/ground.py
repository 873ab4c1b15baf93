"""The product under harm: a Stack whose disk can be full, whose clock can be set, whose code can be stopped by name.

What a test reads of it comes from PostgreSQL, and PostgreSQL's clock says when something happened.
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import redis

from tests.support.catalogues import TruthSku, make_catalogue
from tests.support.catalogues.bulk import KINDS
from tests.support.stack import PROJECT, Person, Stack

DISK_BYTES = 2 << 30  # room for 3000 pages; it is memory
# Below this a harm would find nothing to hit.
FEW_PAGES, REFILL_PAGES = 24, 60
NAMESPACE = "catalogsku"
_DONE = (
    "SELECT count(*) FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id"
    " WHERE j.uuid = ANY(%s::uuid[]) AND p.stage = 'NONE' AND p.status <> 'BLANK'"
)
_CLOCK_SOURCE = Path(__file__).with_name("clock.c")


@dataclass(frozen=True)
class Document:
    """One uploaded catalogue and what it really contains."""

    job: str
    truth: tuple[TruthSku, ...]
    pages: int
    is_blank: bool = False
    is_main: bool = True


class ChaosStack(Stack):
    """``has_disk``: its VAR_DIR is a small file system of its own, where this user may mount one. ``has_clock``: its
    processes take the time that they are told, where there is a C compiler; services and sandboxes keep the true one
    (libfaketime would do, but Python's sleep fails under it)."""

    def __init__(self, disk_bytes: int = DISK_BYTES) -> None:
        super().__init__({"SANDBOX_OCR": "0"})
        self.documents: list[Document] = []
        self.has_disk = _mount(self.var, disk_bytes)
        self._crash, self._clock = self.var / "crash", self.var / "clock"
        self._crash.mkdir()
        self.environment["CRASH_FOLDER"] = str(self._crash)
        self.set_clock(0)
        self.has_clock = compile_clock(self.var / "clock.so")
        if self.has_clock:
            self.environment |= {"LD_PRELOAD": str(self.var / "clock.so"), "CHAOS_CLOCK": str(self._clock)}

    def __exit__(self, *arguments: object) -> None:
        self.fill_disk(False)
        try:
            super().__exit__(*arguments)
        finally:
            if self.has_disk:
                subprocess.run(["umount", "--lazy", str(self.var)], check=False)
                shutil.rmtree(self.var, ignore_errors=True)

    # --- harm ------------------------------------------------------------------------------------

    def arm(self, point: str, how: str = "KILL") -> None:
        """The next process that reaches the crash point gets that signal."""
        part = self._crash / f".{point}"
        part.write_text(how)
        part.rename(self._crash / point)

    def disarm(self) -> None:
        """Forget what nobody has reached."""
        for path in list(self._crash.iterdir()):
            path.unlink(missing_ok=True)

    def is_armed(self, point: str) -> bool:
        return (self._crash / point).exists()

    def set_clock(self, offset_s: int) -> None:
        """What the product's own processes take for the time, beside the true one. They have the file mapped."""
        if not self._clock.exists():
            self._clock.write_bytes(bytes(8))
        with self._clock.open("r+b") as file:
            file.write(offset_s.to_bytes(8, sys.byteorder, signed=True))

    def fill_disk(self, full: bool) -> None:
        """Nothing can be written any more; or again."""
        ballast = self.var / "ballast"
        if not full:
            ballast.unlink(missing_ok=True)
            return
        with ballast.open("wb") as file:
            for block_bytes in (1 << 24, 1 << 16, 1 << 12):
                while _grow(file.fileno(), block_bytes):
                    pass

    def revive_services(self) -> list[str]:
        """What the supervisor does for services of its own; here they belong to the test."""
        assert self.services is not None
        return self.services.revive()

    @contextmanager
    def second_worker(self, unit: str) -> Iterator[int]:
        """One more worker of that unit, beside the supervised one; the pid of the process that works."""
        from catalogsku.units import UNITS

        (wanted,) = (entry for entry in UNITS if entry.name == unit)
        known = set(self.workers(unit))
        environment = {**self.process_environment(), **wanted.environment, "CATALOGSKU_UNIT": unit}
        with (self.var / "log" / f"{unit}-second.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *wanted.arguments],
                cwd=PROJECT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self.until(lambda: set(self.workers(unit)) - known, 60, f"a second worker of {unit} lives")
            (pid,) = set(self.workers(unit)) - known
            yield pid
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def redis_client(self) -> "redis.Redis[bytes]":
        assert self.services is not None
        return redis.Redis.from_url(self.services.services.redis_url, socket_timeout=10)

    # --- documents -------------------------------------------------------------------------------

    def give(self, pages: int, seed: int, *, user: str = "uploader", blank: bool = False) -> Document:
        """Draw a catalogue and upload it, as a browser does whose connection may break again and again."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"catalogue-{seed}.pdf")
            truth = make_catalogue(path, pages, seed, kinds=("blank",) if blank else KINDS)
            job = upload_resuming(self, path, user)
        document = Document(job, tuple(truth), pages, blank, is_main=user == "uploader")
        self.documents.append(document)
        return document

    def keep_busy(self, chance: Random) -> None:
        """One more document where little is left to do."""
        if self.pages_left() < FEW_PAGES:
            self.give(REFILL_PAGES, chance.randrange(10**9))

    # --- looking ---------------------------------------------------------------------------------

    def look(self, query: str, *parameters: Any) -> list[tuple[Any, ...]] | None:
        """As ``sql``; None where the database does not answer just now."""
        try:
            return self.sql(query, *parameters)
        except psycopg.OperationalError:
            return None

    def pages_left(self) -> int:
        """Pages that machines still have something to do with, of all documents."""
        found = self.look("SELECT count(*) FROM ingestion_page WHERE stage <> 'NONE'")
        return found[0][0] if found else 0

    def pages_done(self) -> int:
        """Of the documents that are there to be harmed; without blank pages, which are done from the beginning."""
        jobs = [document.job for document in self.documents if document.is_main]
        found = self.look(_DONE, jobs)
        return found[0][0] if found else 0

    def audit(self) -> dict[str, int]:
        """`manage.py audit --json`."""
        done = self.manage("audit", "--json")
        counts: dict[str, int] = json.loads(done.stdout[done.stdout.index("{") :])
        return counts


def upload_resuming(stack: ChaosStack, path: Path, user: str, patience_s: float = 90) -> str:
    """Upload in parts of a third, asking after each break how far the server has got; the job's uuid."""
    size, key = path.stat().st_size, uuid.uuid4().hex
    meta = {"filename": path.name, "key": key, "again": "1"}
    pairs = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in meta.items())
    head = {"Tus-Resumable": "1.0.0", "Upload-Length": str(size), "Upload-Metadata": pairs}
    until_s, place, said = time.monotonic() + patience_s, "", ""
    while time.monotonic() < until_s:
        try:
            if not place:
                status, headers, body = stack.person(user).ask("/uploads/", method="POST", body=b"", headers=head)
                said = f"{status} {body[:200]!r}"
                place = headers.get("Location", "") if status == 201 else ""
            if place and (job := _send_rest(stack.person(user), place, path)):
                return job
        except OSError as error:
            said = repr(error)
        time.sleep(0.2)
    raise AssertionError(f"not uploaded within {patience_s} s: {said}\n{stack.last_words()}")


def _send_rest(person: Person, place: str, path: Path) -> str:
    """One part from where the server stands; the job's uuid once it has all."""
    status, headers, _ = person.ask(place, method="HEAD")
    whole = path.read_bytes()
    if status == 200 and (offset := int(headers["Upload-Offset"])) < len(whole):
        told = {
            "Tus-Resumable": "1.0.0",
            "Upload-Offset": str(offset),
            "Content-Type": "application/offset+octet-stream",
        }
        part = whole[offset : offset + -(-len(whole) // 3)]
        _, headers, _ = person.ask(place, method="PATCH", body=part, headers=told)
    return headers.get("Job-Url", "").rstrip("/").rsplit("/", 1)[-1]


def wait_until(condition: Callable[[], object], within_s: float, every_s: float = 0.05) -> bool:
    """Whether it came in time."""
    until_s = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > until_s:
            return False
        time.sleep(every_s)
    return True


def _mount(folder: Path, size_bytes: int) -> bool:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size_bytes},mode=0700", "chaos", str(folder)],
        capture_output=True,
    )
    return done.returncode == 0


def compile_clock(library: Path) -> bool:
    """A library that sets the clock of whatever loads it; whether there is a compiler."""
    compiler = shutil.which("cc")
    options = ("-shared", "-fPIC", "-O2", "-o")
    return compiler is not None and subprocess.run([compiler, *options, library, _CLOCK_SOURCE]).returncode == 0


def _grow(fd: int, block_bytes: int) -> bool:
    """Room of its own: unlike a sparse file's, nobody else can take it."""
    try:
        os.posix_fallocate(fd, os.fstat(fd).st_size, block_bytes)
    except OSError:
        return False
    return True
