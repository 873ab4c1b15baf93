"""The whole product for a measurement: every unit under the supervisor of this process, followed from here."""

import socket
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.utils.module_loading import import_string

from catalogsku.accounts.models import Merchant
from catalogsku.accounts.services import ensure_demo_accounts
from catalogsku.core.management.commands.run import PRELOAD, UNITS, free_claims
from catalogsku.core.supervisor import TICK_S, Supervisor, listen
from catalogsku.core.work import live_threads
from ingestion.lifecycle import JobStatus, PageStage
from ingestion.models import Job, Page
from ingestion.services.receiving import submit_file

LOOK_EVERY_S = 1.0  # each look takes 10 ms of the machine that is measured
STARTED_WITHIN_S = 120.0
WARM_UP = "samples/fasteners.pdf"
ENDED = (JobStatus.FULL_IMPORTED, JobStatus.PARTIAL_IMPORTED, JobStatus.PARTIAL_FAILED, JobStatus.DEGRADED_HUMAN)
FIRST_PORT = 8100

Look = Callable[[], object]


class Product:
    """Use as a context manager, from the main thread; ``wait`` keeps the units alive meanwhile."""

    def __init__(self, say: Callable[[str], Any], *, web: bool = True) -> None:
        self.listener: socket.socket | None = listen(FIRST_PORT) if web else None
        units = [unit for unit in import_string(UNITS) if web or not unit.for_browsers]
        self.supervisor = Supervisor(
            units,
            services=None,
            logs=settings.VAR_DIR / "log",
            folder=settings.BASE_DIR,
            preload=import_string(PRELOAD),
            on_unit_death=free_claims,
            say=say,
            fds=[self.listener.fileno()] if self.listener else [],
        )
        self.merchant_id = 0

    @property
    def address(self) -> str:
        assert self.listener is not None
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def __enter__(self) -> "Product":
        ensure_demo_accounts()
        self.merchant_id = Merchant.objects.create(name=f"bench {uuid.uuid4()}").pk  # nothing kept of an earlier run
        connection.close()
        self.supervisor.start()
        try:
            self.wait(_is_up, STARTED_WITHIN_S, f"The workers did not start. See {settings.VAR_DIR / 'log'}.")
            warm = self.submit(settings.BASE_DIR / WARM_UP)
            self.follow(warm, STARTED_WITHIN_S)  # fork servers are ready, connections open
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.supervisor.stop()
        if self.listener:
            self.listener.close()

    def submit(self, file: Path) -> Job:
        """As an upload that has just ended."""
        return submit_file(None, self.merchant_id, file, key=f"bench-{uuid.uuid4()}")

    def wait(self, is_there: Callable[[], object], timeout_s: float, otherwise: str, every_s: float = TICK_S) -> float:
        """Seconds until it is. Raises CommandError with ``otherwise`` where it does not come in time."""
        began_s = time.monotonic()
        while not is_there():
            if time.monotonic() - began_s > timeout_s:
                raise CommandError(otherwise)
            self.supervisor.tick()
            time.sleep(every_s)
        return time.monotonic() - began_s

    def follow(self, job: Job, timeout_s: float, look: Look = lambda: None) -> None:
        """Until machines have done with the job; ``look`` is called every second."""
        self.wait(
            lambda: look() is not None or has_ended(job),
            timeout_s,
            "The job did not get through in time.",
            LOOK_EVERY_S,
        )


def _is_up() -> bool:
    return all(map(live_threads, ("cpu", "llm", "out", "quick")))


def has_ended(job: Job) -> bool:
    """Raises CommandError where it has ended without a result."""
    job.refresh_from_db(fields=["status", "failure_code"])
    if job.status in (JobStatus.REJECTED, JobStatus.CANCELLED):
        raise CommandError(f"The job did not get through: {job.status} {job.failure_code}")
    return job.status in ENDED and not Page.objects.filter(job=job).exclude(stage=PageStage.NONE).exists()


def pages_done(job: Job) -> int:
    return Page.objects.filter(job=job, stage=PageStage.NONE).count()
