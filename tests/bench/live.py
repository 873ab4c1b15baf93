"""How soon a commit is seen, and what it costs: by 200 sockets and one real browser on a 2000-page document, quiet and
while it runs; and by ten times as many, held at once."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import F

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.core import live
from ingestion.lifecycle import JobStatus, PageStage, PageStatus
from ingestion.models import Job, Page
from ingestion.services.jobs import cancel_job
from tests.bench.browser import find_browser
from tests.bench.product import Product
from tests.bench.web import percentile

SOCKETS, COMMITS = 200, 120
HELD, HELD_COMMITS = 2000, 40
PAUSES_S = (0.05, 0.25)
READY_WITHIN_S = 120.0
SEEN_WITHIN_S = 5.0
CANCEL_WATCHED_S = 3.0


@dataclass(frozen=True)
class Commit:
    """``page_id``: or another row's."""

    page_id: int | str
    version: int
    at: float


def measure_live(product: Product, file: Path) -> dict[str, Any]:
    """A document of many pages is watched while it runs, then cancelled, then watched in the quiet that follows."""
    job = product.submit(file)
    product.wait(lambda: _is_running(job), READY_WITHIN_S * 2, "The document for the live events did not start.")
    with watched(product, job) as watchers:
        busy = watchers.see(product, job)
        left = Page.objects.filter(job=job).exclude(stage=PageStage.NONE).count()
        cancelled = measure_cancel(product, job)
        quiet = watchers.see(product, job)
    return {"sockets": SOCKETS, "pages": job.total_pages, "busy": {**busy, "pages_left": left}, "quiet": quiet,
            "cancel": cancelled, "held": measure_held(product, job)}  # fmt: skip


def measure_held(product: Product, job: Job) -> dict[str, Any]:
    """Ten times as many on one document. Administrators, of whom no merchant's number is bounded."""
    live_pid = product.supervisor.pids()["live"]
    before_mb, worked_s, began_s = resident_mb(live_pid), cpu_s(live_pid), time.monotonic()
    with crowd_of(product, job, sessions(product.merchant_id, HELD, Role.ADMIN)) as crowd:
        opened = {
            "opened_s": round(time.monotonic() - began_s, 1),
            "cpu_ms_a_socket_opened": round((cpu_s(live_pid) - worked_s) / HELD * 1000, 2),
            "kb_a_socket": round((resident_mb(live_pid) - before_mb) * 1024 / HELD),
        }
        found, heard = Watchers(crowd, None).hear(product, job, HELD_COMMITS)
    hearing = sum(map(bool, heard)) if not found["socket_missed"] else 0
    return {"sockets": HELD, "hear_every_commit": hearing, **opened, **found}


def _is_running(job: Job) -> bool:
    job.refresh_from_db()
    return job.status == JobStatus.PROCESSING


def measure_cancel(product: Product, job: Job) -> dict[str, Any]:
    """Until no page of it waits or is in hand any more; and whether anything of it was recorded afterwards."""
    began_s = time.monotonic()
    stopped = cancel_job(job, "bench")
    at = time.time()
    waiting = Page.objects.filter(job=job).exclude(stage=PageStage.NONE)
    product.wait(lambda: not waiting.exists(), 30, "Pages of the cancelled document still wait.", 0.01)
    taken_s = time.monotonic() - began_s
    until_s = time.monotonic() + CANCEL_WATCHED_S
    product.wait(lambda: time.monotonic() > until_s, CANCEL_WATCHED_S * 2, "")
    late = [page for page in Page.objects.filter(job=job) if page.finished_at and page.finished_at.timestamp() > at]
    return {"pages_stopped": stopped, "ms": round(taken_s * 1000), "recorded_afterwards": len(late)}


# --- who watches ---------------------------------------------------------------------------------


class Watchers:
    """The crowd and the browser, each a process; ``see`` commits changes and asks them when they saw each."""

    def __init__(self, crowd: "Watcher", browser: "Watcher | None") -> None:
        self.crowd, self.browser = crowd, browser

    def see(self, product: Product, job: Job) -> dict[str, Any]:
        return self.hear(product, job, COMMITS)[0]

    def hear(self, product: Product, job: Job, count: int) -> tuple[dict[str, Any], list[Any]]:
        """The figures, and what each socket has heard."""
        live_pid, web_pid = (product.supervisor.pids()[name] for name in ("live", "web"))
        live_s, web_s = cpu_s(live_pid), cpu_s(web_pid)
        commits = list(self._commit(product, job, count))
        until_s = time.monotonic() + SEEN_WITHIN_S
        product.wait(lambda: time.monotonic() > until_s, SEEN_WITHIN_S * 2, "")
        found: dict[str, Any] = {
            "commits": len(commits),
            "cpu_ms_a_commit": round((cpu_s(live_pid) - live_s) / len(commits) * 1000, 1),
            "web_cpu_ms_a_commit": round((cpu_s(web_pid) - web_s) / len(commits) * 1000, 1),
        }
        heard = self.crowd.ask()
        found |= delays("socket", commits, heard)
        if self.browser is not None:
            found |= delays("dom", commits, [self.browser.ask()])
        return found, heard

    def _commit(self, product: Product, job: Job, count: int) -> Iterator[Commit]:
        """Changes of pages that machines leave alone, committed and hinted at as a worker does."""
        chance = random.Random(7)
        quiet = Page.objects.filter(job=job, status__in=(PageStatus.BLANK, PageStatus.SKIPPED)).order_by("number")
        ids = list(quiet.values_list("pk", flat=True)[:COMMITS])
        for number in range(count):
            page_id = ids[number % len(ids)]
            with transaction.atomic():
                rows = Page.objects.filter(pk=page_id)
                rows.update(failures=F("failures"), **Page.visible_change())
                version = rows.values_list("version", flat=True).get()
                live.hint_after_commit(job.pk)
            yield Commit(page_id, version, time.time())
            until_s = time.monotonic() + chance.uniform(*PAUSES_S)
            product.wait(lambda until_s=until_s: time.monotonic() > until_s, 5, "", 0.005)  # type: ignore[misc]


def delays(
    name: str, commits: Sequence[Commit], heard: Sequence[Sequence[tuple[int | str, int, float]]]
) -> dict[str, Any]:
    """ms from each commit to the first message with that version or a later one, over all watchers."""
    delays_ms, missed = [], 0
    for one in heard:
        shown: dict[int | str, list[tuple[float, float]]] = {}
        for page_id, version, at in one:
            shown.setdefault(page_id, []).append((version, at))
        for commit in commits:
            times = [at for version, at in shown.get(commit.page_id, ()) if version >= commit.version]
            if times:
                delays_ms.append(max(0.0, min(times) - commit.at) * 1000)
            else:
                missed += 1
    if not delays_ms:
        raise CommandError(f"No {name} has seen anything.")
    return {
        f"{name}_p50_ms": percentile(delays_ms, 50),
        f"{name}_p95_ms": percentile(delays_ms, 95),
        f"{name}_max_ms": round(max(delays_ms), 1),
        f"{name}_missed": missed,
    }


def cpu_s(pid: int) -> float:
    """What the process has had of the processors."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


class Watcher:
    """A process that says `ready`, and after a line of input what it saw since it was asked last."""

    def __init__(self, module: str, told: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=settings.BASE_DIR,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._say(json.dumps(told))

    def is_ready(self) -> bool:
        """Waits for its first word."""
        assert self.process.stdout is not None
        return self.process.stdout.readline() == "ready\n"

    def ask(self) -> Any:
        assert self.process.stdout is not None
        self._say("tell")
        return json.loads(self.process.stdout.readline())

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


@contextmanager
def watched(product: Product, job: Job) -> Iterator[Watchers]:
    """While 200 people have the document open, one of them in a real browser where there is one."""
    cookies = sessions(product.merchant_id, SOCKETS)
    with crowd_of(product, job, cookies) as crowd, ExitStack() as stack:
        chromium, browser = find_browser(), None
        if chromium:
            browser = Watcher("tests.bench.browser", {
                "address": product.address, "path": f"/jobs/{job.uuid}/", "cookie": cookies[0], "chromium": chromium,
            })  # fmt: skip
            stack.callback(browser.end)
            if not browser.is_ready():
                raise CommandError("The browser did not get ready.")
        yield Watchers(crowd, browser)


@contextmanager
def crowd_of(product: Product, job: Job, cookies: list[str]) -> Iterator[Watcher]:
    """As many sockets on the document, each of which has had its first whole region."""
    host, port = product.address.removeprefix("http://").split(":")
    crowd = Watcher("tests.bench.sockets", {
        "host": host, "port": int(port), "path": f"/ws/jobs/{job.uuid}/", "cookies": cookies,
    })  # fmt: skip
    try:
        if not crowd.is_ready():
            raise CommandError("The watchers of live events did not get ready.")
        yield crowd
    finally:
        crowd.end()


def sessions(merchant_id: int, count: int, role: str = Role.UPLOADER) -> list[str]:
    """Cookies of as many people of the merchant, each signed in."""
    found = []
    for number in range(count):
        user = User.objects.create(username=f"{role} {merchant_id} {number}", role=role, language="en")
        user.merchants.set(Merchant.objects.filter(pk=merchant_id))
        session = SessionStore()
        session.update(
            {
                SESSION_KEY: str(user.pk),
                BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[-1],
                HASH_SESSION_KEY: user.get_session_auth_hash(),
            }
        )
        session.create()
        found.append(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
    return found
