"""Several machines that share PostgreSQL, Redis and an object store, and nothing else; one of them dies.

Each is `manage.py run` in namespaces of its own (process ids, hostname), with a VAR_DIR of its own. All have the same
hostname, as containers may. For root; `make test-hosts`.
"""

import base64
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.chaos.ground import compile_clock
from tests.support.catalogues import make_catalogue
from tests.support.object_store import Store, environment_of, store
from tests.support.stack import Stack

__all__ = ["store"]

NAMESPACES = ["unshare", "--uts", "--pid", "--mount-proc", "--fork", "--kill-child"]
HOSTNAME = "catalogsku-0"
PART, PAGES, DOCUMENTS = 50_000, 12, 6
seeds = itertools.count(1)
# A dead worker is known after half a minute (TA-BEAT), and what it had is taken up by the next sweep.
ON_WITHIN_S, DONE_WITHIN_S = 45, 240


def _may_isolate() -> bool:
    done = subprocess.run([*NAMESPACES, "hostname", HOSTNAME], capture_output=True) if shutil.which("unshare") else None
    return done is not None and done.returncode == 0


pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not _may_isolate(), reason="namespaces are root's"),
]


class Host(Stack):
    """One more machine beside ``first``, whose services it uses."""

    def __init__(self, first: Stack, environment: dict[str, str]) -> None:
        super().__init__({"SANDBOX_OCR": "0", **environment})
        self.within = [*NAMESPACES, "sh", "-c", f'hostname {HOSTNAME}; exec "$@"', "sh"]
        self.services = first.services

    def __enter__(self) -> "Host":
        self.start_units()
        return self

    def __exit__(self, *_: object) -> None:
        self.services = None
        self.die()
        shutil.rmtree(self.var, ignore_errors=True)

    def workers(self, unit: str) -> list[int]:
        """Of all machines; process ids say nothing here."""
        rows = self.sql("SELECT id FROM core_worker WHERE unit = %s AND seen_at > now() - interval '30 s'", unit)
        return [worker for (worker,) in rows]

    def die(self) -> None:
        """At once, with everything in it."""
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait(20)
            self._process = None


@pytest.fixture(scope="module")
def first(store: Store) -> Iterator[Stack]:
    with Services() as services, Host(services, environment_of(store)) as host:
        yield host


class Services(Stack):
    """PostgreSQL and Redis, without a machine of the product's."""

    def start_units(self) -> None:
        pass


@pytest.fixture
def second(first: Stack, store: Store) -> Iterator[Host]:
    with Host(first, environment_of(store)) as host:
        first.until(lambda: len(first.workers("cpu")) == 2, 60, "both machines have a worker")
        yield host


def upload_by_turns(path: Path, hosts: list[Stack]) -> str:
    """A part to this machine, the next one to that."""
    size, meta = path.stat().st_size, {"filename": path.name, "key": uuid.uuid4().hex, "again": "1"}
    pairs = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in meta.items())
    head = {"Tus-Resumable": "1.0.0", "Upload-Length": str(size), "Upload-Metadata": pairs}
    status, begun, body = hosts[0].person().ask("/uploads/", method="POST", body=b"", headers=head)
    assert status == 201, body
    with path.open("rb") as file:
        for host in itertools.cycle(hosts):
            if not (part := file.read(PART)):
                break
            told = {
                "Tus-Resumable": "1.0.0",
                "Upload-Offset": str(file.tell() - len(part)),
                "Content-Type": "application/offset+octet-stream",
            }
            status, answer, body = host.person().ask(begun["Location"], method="PATCH", body=part, headers=told)
            assert status == 204, (status, body)
    return answer["Job-Url"].rstrip("/").rsplit("/", 1)[-1]


def uploaded(folder: Path, hosts: list[Stack], documents: int = DOCUMENTS) -> dict[str, list[str]]:
    """Of each document's job the models that stand in it; no two are alike."""
    jobs = {}
    for _ in range(documents):
        seed = next(seeds)
        file = folder / f"catalogue-{seed}.pdf"
        truth = make_catalogue(file, PAGES, seed)
        jobs[upload_by_turns(file, hosts)] = sorted(sku.attributes["model"] for sku in truth)
    return jobs


def end_well(first: Stack, jobs: dict[str, list[str]], within_s: float = DONE_WITHIN_S) -> None:
    """All is done and delivered, and each product stands there once."""
    until_s = time.monotonic() + within_s
    for job, models in jobs.items():
        state = first.wait_for(job, lambda state: state.is_left_by_machines, max(until_s - time.monotonic(), 1))
        assert (state.pages, state.status) == (PAGES, "FULL_IMPORTED"), state
        there = first.sql(
            "SELECT k.attributes ->> 'model' FROM processing_sku k JOIN ingestion_job j ON j.id = k.job_id"
            " WHERE j.uuid::text = %s AND NOT k.superseded",
            job,
        )
        assert sorted(model for (model,) in there) == models
    doubled = first.sql(
        "SELECT target, sku_key, count(*) FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id"
        " WHERE j.uuid::text = ANY(%s) AND i.state = 'CONFIRMED' GROUP BY 1, 2 HAVING count(*) > 1",
        list(jobs),
    )
    assert doubled == []


def sources_on(host: Stack) -> list[Path]:
    return list((host.var / "cache" / "files").rglob("source.pdf"))


def test_parts_alternate_and_each_machine_fetches_a_source_once(first: Stack, second: Host, tmp_path: Path) -> None:
    before = len(sources_on(first))
    end_well(first, uploaded(tmp_path, [first, second]))
    machines = first.sql("SELECT count(DISTINCT machine), count(DISTINCT host) FROM core_worker WHERE unit = 'cpu'")
    assert machines == [(2, 1)], "two machines that call themselves the same"
    fetched = [len(sources_on(first)) - before, len(sources_on(second))]
    assert all(0 < sources <= DOCUMENTS for sources in fetched), "both worked, and fetched no source twice"
    assert not [path for host in (first, second) for path in (host.var / "storage").rglob("*") if path.is_file()]


def test_a_machine_dies_and_the_other_goes_on(first: Stack, second: Host, tmp_path: Path) -> None:
    jobs = uploaded(tmp_path, [first, second])
    held = (
        "SELECT count(*) FROM ingestion_page p JOIN core_worker w ON w.id = p.worker"
        " WHERE w.machine <> (SELECT machine FROM core_worker WHERE unit = 'cpu' ORDER BY id LIMIT 1)"
    )
    first.until(lambda: first.sql(held)[0][0] > 0, 60, "the second machine has pages in hand")
    second.die()
    died_s = time.monotonic()
    first.until(lambda: first.sql(held)[0][0] == 0, ON_WITHIN_S, "what it had is free")
    assert time.monotonic() - died_s <= ON_WITHIN_S
    end_well(first, jobs)


def test_messages_are_lost_on_the_way(first: Stack, second: Host, tmp_path: Path) -> None:
    jobs = uploaded(tmp_path, [first, second], 3)
    assert first.services is not None
    redis.Redis.from_url(first.services.services.redis_url).flushall()
    end_well(first, jobs)


@pytest.mark.skipif(shutil.which("cc") is None, reason="the wrong clock is a library that is compiled")
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_machine_whose_clock_is_an_hour_off(first: Stack, store: Store, tmp_path: Path, hours: int) -> None:
    assert compile_clock(tmp_path / "clock.so")
    (tmp_path / "offset").write_bytes((hours * 3600).to_bytes(8, sys.byteorder, signed=True))
    wrong = {"LD_PRELOAD": str(tmp_path / "clock.so"), "CHAOS_CLOCK": str(tmp_path / "offset")}
    with Host(first, environment_of(store) | wrong) as host:
        first.until(lambda: len(first.workers("cpu")) == 2, 60, "it is taken for alive")
        jobs = uploaded(tmp_path, [first, host], 3)
        end_well(first, jobs)
        began = first.sql(
            "SELECT count(*) FROM ingestion_job WHERE uuid::text = ANY(%s)"
            " AND created_at BETWEEN now() - interval '10 min' AND now()",
            list(jobs),
        )
        assert began == [(3,)]
        early = first.sql("SELECT name FROM core_periodicrun WHERE period > now() + interval '1 min'")
        assert early == [], "nothing was run before its time"
