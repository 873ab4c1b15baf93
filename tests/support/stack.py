"""The whole product as a person starts it, for tests that talk to it from outside: web, workers, scheduler, services.

PostgreSQL and Redis belong to the test process, so that a test can stop them; everything else runs under `manage.py
run` in a process of its own and ends with the test process, also by kill -9.
"""

import base64
import contextlib
import http.cookiejar
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import psycopg
import pytest

from catalogsku.core import embedded
from catalogsku.core.embedded import Running
from catalogsku.core.embedded.identity import command
from catalogsku.core.fork_server import FD
from catalogsku.units import UNITS
from tests.support.prepared import place_cluster

PROJECT = Path(__file__).resolve().parents[2]
PART_BYTES = 8 << 20
STARTED_WITHIN_S = 90
# A job that machines have left: what remains is for people, or nothing remains.
LEFT_BY_MACHINES = frozenset({"FULL_IMPORTED", "PARTIAL_IMPORTED", "PARTIAL_FAILED", "DEGRADED_HUMAN", "REJECTED"})
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(frozen=True)
class JobState:
    """One look at a job and its pages, as committed."""

    status: str
    stage: str
    failure_code: str
    route: str
    pages: int
    read: int
    finished: int
    in_hand: int
    importing: int

    @property
    def is_left_by_machines(self) -> bool:
        """Nothing of it moves by itself any more."""
        return (
            self.status in LEFT_BY_MACHINES
            and self.stage == "NONE"
            and self.finished == self.pages
            and not self.in_hand
            and not self.importing
        )


class NotInTime(AssertionError):
    """What a test waited for did not come."""


@dataclass
class Person:
    """A signed-in browser without a screen."""

    address: str
    cookies: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def ask(
        self, path: str, *, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of the answer, whatever the status. Raises OSError where nobody answers."""
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )
        own = {"X-CSRFToken": self._token(), "Origin": self.address} if method not in ("GET", "HEAD") else {}
        request = urllib.request.Request(
            urllib.parse.urljoin(self.address, path), body, {**own, **(headers or {})}, method=method
        )
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def sign_in(self, name: str, password: str) -> None:
        _, _, form = self.ask("/login/")
        found = _TOKEN.search(form.decode())
        token = found.group(1) if found else self._token()
        fields = {"username": name, "password": password, "csrfmiddlewaretoken": token}
        self.ask("/login/", method="POST", body=urllib.parse.urlencode(fields).encode())
        assert any(cookie.name == "sessionid" for cookie in self.cookies), f"{name} could not sign in"

    def _token(self) -> str:
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken"), "")


class Stack:
    """``environment`` is given to every unit. Use as a context manager, from the main thread."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.environment = dict(environment or {})
        self.var = Path(tempfile.mkdtemp(prefix="catalogsku-stack-"))
        self.services: Running | None = None
        self.address = ""
        self.within: list[str] = []  # a program that runs what follows it, as somebody else's machine would
        self.project, self.host, self.port = PROJECT, "127.0.0.1", 0  # 0: any port that is free
        self.started_within_s = STARTED_WITHIN_S
        self._process: subprocess.Popen[bytes] | None = None
        self._people: dict[str, Person] = {}

    def __enter__(self) -> "Stack":
        try:
            place_cluster(self.var)
            self.services = embedded.start(self.var, durable=False)
            self.start_units()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop_units()
        if self.services:
            self.services.stop()
        shutil.rmtree(self.var, ignore_errors=True)

    # --- starting and ending ---------------------------------------------------------------------

    def start_units(self) -> None:
        """`manage.py run` until its web app answers and a cpu worker lives."""
        port = self.port or _free_port()
        program = [*self.within, sys.executable, str(self.project / "manage.py"), "run", "--no-sample"]
        program += ["--host", self.host, "--port", str(port)]
        with (self.var / "run.log").open("ab") as log:
            self._process = subprocess.Popen(
                command("same", signal.SIGKILL, program),
                cwd=self.project,
                env=self.process_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.address = f"http://{self.host}:{port}"
        self.until(self._serves, self.started_within_s, "the web app answers")
        self.until(lambda: self.workers("cpu"), self.started_within_s, "a cpu worker lives")

    def stop_units(self) -> None:
        """As Ctrl-C does."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(40)
        except subprocess.TimeoutExpired:
            self.kill_all_units()
        self._process = None

    def kill_all_units(self) -> None:
        """kill -9 of `manage.py run`: the kernel ends what it started."""
        assert self._process is not None
        process, left = self._process, self.processes()
        self._process = None
        process.kill()
        process.wait()
        self.until(lambda: not any(map(_is_running, left)), 10, "every unit is gone")

    def process_environment(self) -> dict[str, str]:
        """For any process that shall work on this stack's data."""
        assert self.services is not None
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "CATALOGSKU_"))}
        return {
            **kept,
            "VAR_DIR": str(self.var),
            "DATABASE_URL": self.services.services.database_url,
            "REDIS_URL": self.services.services.redis_url,
            "PYTHONUNBUFFERED": "1",
            **self.environment,
        }

    def manage(self, *arguments: str, timeout_s: float = 240) -> subprocess.CompletedProcess[str]:
        """A management command beside the running units."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self.process_environment(),
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )

    # --- harm ------------------------------------------------------------------------------------

    def units(self) -> dict[str, int]:
        """Process id of each running unit's leader, by name."""
        assert self._process is not None
        return {name: pid for pid in _children(self._process.pid) if (name := _unit_name(pid))}

    def processes(self) -> list[int]:
        """Process ids of all units' leaders and of all that they started."""
        return [pid for unit in self.units().values() for pid in family(unit)]

    def kill_unit(self, name: str) -> int:
        """kill -9 of the unit's leader and, through it, of all that it started; its pid."""
        pid = self.units()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def workers(self, unit: str) -> list[int]:
        """Process ids of the unit's live workers, as the sweeps see them."""
        rows = self.sql(
            "SELECT pid FROM core_worker WHERE unit = %s AND seen_at > now() - interval '30 s' ORDER BY id", unit
        )
        return [pid for (pid,) in rows if _is_running(pid)]

    @contextlib.contextmanager
    def standing_still(self, *units: str) -> Iterator[None]:
        """Nothing of theirs is done meanwhile; for less than the 30 s after which they count as dead."""
        with stopped(pid for unit in units for pid in family(self.units()[unit])):
            yield

    def stop_redis(self) -> None:
        """What was in it is lost: it keeps nothing on disk."""
        assert self.services is not None and self.services.redis is not None
        self.services.redis.stop()

    def start_redis(self) -> None:
        """Again, where it is stopped."""
        assert self.services is not None and self.services.redis is not None
        if not self.services.redis.is_alive():
            self.services.redis.start()

    # --- looking and waiting ---------------------------------------------------------------------

    def sql(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Rows of a query, or nothing for a statement; committed at once."""
        assert self.services is not None
        with psycopg.connect(self.services.services.database_url, autocommit=True) as connection:
            cursor = connection.execute(query, parameters)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def state(self, job: str) -> JobState:
        row = self.sql(
            """SELECT job.status, job.stage, job.failure_code, job.route, count(page.id),
                      count(page.id) FILTER (WHERE page.stage <> 'READ'),
                      count(page.id) FILTER (WHERE page.stage = 'NONE'),
                      count(page.id) FILTER (WHERE page.worker IS NOT NULL)
                          + max(CASE WHEN job.worker IS NULL THEN 0 ELSE 1 END),
                      (SELECT count(*) FROM processing_importrecord i
                       WHERE i.job_id = job.id AND i.state IN ('PENDING', 'SENDING', 'UNKNOWN'))
               FROM ingestion_job job LEFT JOIN ingestion_page page ON page.job_id = job.id
               WHERE job.uuid = %s GROUP BY job.id""",
            job,
        )[0]
        return JobState(*row)

    def wait_for(self, job: str, predicate: Callable[[JobState], bool], timeout_s: float) -> JobState:
        """The first state that satisfies; NotInTime with the last one and the units' last words."""
        seen: list[JobState] = []

        def look() -> bool:
            seen.append(self.state(job))
            return predicate(seen[-1])

        self.until(look, timeout_s, lambda: f"{seen[-1]}")
        return seen[-1]

    def until(self, condition: Callable[[], object], timeout_s: float, what: str | Callable[[], str]) -> None:
        until_s = time.monotonic() + timeout_s
        while not condition():
            if self._process is not None and self._process.poll() is not None:
                raise NotInTime(f"`run` ended with {self._process.returncode}\n{self.last_words()}")
            if time.monotonic() > until_s:
                told = what() if callable(what) else what
                raise NotInTime(f"not within {timeout_s} s: {told}\n{self.last_words()}")
            time.sleep(0.05)

    def last_words(self) -> str:
        """The end of every log."""
        logs = [self.var / "run.log", *sorted((self.var / "log").glob("*.log"))]
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in logs if log.exists())

    def _serves(self) -> bool:
        try:
            return Person(self.address).ask("/healthz")[0] == 200
        except OSError:
            return False

    # --- people ----------------------------------------------------------------------------------

    def person(self, name: str = "uploader") -> Person:
        """The demo account of that name, signed in."""
        if name not in self._people or self._people[name].address != self.address:
            self._people[name] = Person(self.address)
            self._people[name].sign_in(name, f"demo-{name}")
        return self._people[name]

    def forget(self, name: str) -> None:
        """That person signs in anew: their sessions have been ended."""
        self._people.pop(name, None)

    def upload(self, path: Path, user: str = "uploader", *, name: str = "") -> str:
        """Send a file as the browser does (tus, parts of 8 MB); the job's uuid."""
        person, size = self.person(user), path.stat().st_size
        meta = {"filename": name or path.name, "key": uuid.uuid4().hex, "again": "1"}
        pairs = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in meta.items())
        head = {"Tus-Resumable": "1.0.0", "Upload-Length": str(size), "Upload-Metadata": pairs}
        status, headers, body = person.ask("/uploads/", method="POST", body=b"", headers=head)
        assert status == 201, (status, body[:300])
        with path.open("rb") as file:
            while part := file.read(PART_BYTES):
                told = {
                    "Tus-Resumable": "1.0.0",
                    "Upload-Offset": str(file.tell() - len(part)),
                    "Content-Type": "application/offset+octet-stream",
                }
                status, answer, body = person.ask(headers["Location"], method="PATCH", body=part, headers=told)
                assert status == 204, (status, body[:300], self.last_words())
        return answer["Job-Url"].rstrip("/").rsplit("/", 1)[-1]

    def submit(self, *paths: Path, merchant: str = "", timeout_s: float = 240) -> list[dict[str, Any]]:
        """`manage.py extract --json` on this stack's workers: its summaries, also of documents that were refused."""
        done = self.manage("extract", "--json", "--merchant", merchant, *map(str, paths), timeout_s=timeout_s)
        start = done.stdout.find("[")
        assert start >= 0, done.stdout + done.stderr
        summaries: list[dict[str, Any]] = json.loads(done.stdout[start:])
        return summaries


_shared: Stack | None = None


@pytest.fixture(scope="session")
def stack(pytestconfig: pytest.Config) -> Stack:
    """One stack for all tests that leave it whole. Modules import this fixture; the stack behind it is one."""
    global _shared
    if _shared is None:
        _shared = Stack().__enter__()
        pytestconfig.add_cleanup(_shared.__exit__)
    return _shared


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _children(pid: int) -> Iterator[int]:
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        yield from map(int, file.read_text().split())


@contextlib.contextmanager
def stopped(pids: Iterable[int]) -> Iterator[None]:
    """Processes that stand still meanwhile; those that end are left alone."""
    pids = list(pids)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def family(pid: int) -> list[int]:
    """Ids of a process and of all that it and those have started."""
    try:
        return [pid, *(one for child in _children(pid) for one in family(child))]
    except OSError:
        return [pid]


def _unit_name(pid: int) -> str:
    """Of ``python -m catalogsku.worker cpu --threads 2`` it is cpu."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ").split()
        for unit in UNITS:
            if all(wanted in (word, FD) for wanted, word in zip_longest(unit.arguments, words[1:])):
                return unit.name
    return ""


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
