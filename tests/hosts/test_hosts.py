"""Three machines that share PostgreSQL, Redis and an object store, and nothing else, meet one harm after the other.

For root; `make test-hosts`, in ten minutes of a machine that does nothing else.
"""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.chaos import verdict
from tests.hosts.crowd import Crowd
from tests.hosts.ground import Installation, previous_release
from tests.hosts.harms import Harms
from tests.hosts.network import missing
from tests.hosts.waiting import make_waiting
from tests.support.stack import PROJECT

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]

SEED, DOCUMENTS, PAGES, SOCKETS = 20261130, 6, 200, 100
WAITING_PAGES, AS_FAST = 160, 2.7
ENDS_WITHIN_S = 150


@dataclass
class Run:
    """What came of it."""

    alone_s: float = 0.0
    together_s: float = 0.0
    alike: bool = False
    late: list[str] = field(default_factory=list)
    missed: int = 0
    left_out: str = ""


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with Installation() as installation:
        yield installation


@pytest.fixture(scope="module")
def run(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All of it, once."""
    run, chance, folder = Run(), Random(SEED), tmp_path_factory.mktemp("hosts")
    one, two, three = installation.machines
    began_s = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began_s:6.1f} s  {line}", file=sys.stderr, flush=True)

    seeds = [chance.randrange(10**9) for _ in range(DOCUMENTS)]
    one.start_units()
    say("one machine")
    alone = installation.give(PAGES, seeds[-1], user="other")
    assert verdict.left_by_machines(installation, ENDS_WITHIN_S), installation.state(alone.job)
    say(f"one document, {PAGES} pages")
    run.alone_s = waited(installation, folder / "alone.pdf")
    say(f"{WAITING_PAGES} pages that take their time: {run.alone_s:.1f} s")
    for machine in (two, three):
        machine.start_units()
    say("three machines")
    run.together_s = waited(installation, folder / "together.pdf")
    say(f"{WAITING_PAGES} pages that take their time: {run.together_s:.1f} s")

    harms, crowds = Harms(installation, chance, say), list[Crowd]()
    release = previous_release(folder)
    run.left_out = "" if release else "this clone has no previous release"
    table = [
        ("a machine dies", lambda: harms.a_machine_dies(three)),
        ("it comes back as it was a release ago", lambda: harms.it_comes_back_as(three, release or PROJECT)),
        ("it is upgraded", lambda: harms.it_is_upgraded(three)),
        ("a clock is an hour ahead", lambda: harms.its_clock_is_wrong(two, 1)),
        ("a clock is an hour behind", lambda: harms.its_clock_is_wrong(two, -1)),
        ("a link is down", lambda: harms.its_link_is_down(two)),
        ("a machine is far away", lambda: harms.it_is_far_away(three)),
        ("the store is away", lambda: harms.the_store_is_away(one)),
        ("Redis is emptied", lambda: harms.redis_is_emptied(one)),
    ]

    def arrive(seed: int) -> None:
        """A document, while something befalls a machine, and people who watch it from then on."""
        crowds.append(Crowd(installation, installation.give(PAGES, seed).job, -(-SOCKETS // DOCUMENTS)))
        crowds[-1].open()

    try:
        with ThreadPoolExecutor(1) as aside:
            for number, (name, do) in enumerate(table):
                arriving = aside.submit(arrive, seeds[number]) if number < DOCUMENTS else None
                say(f"{name} ({installation.pages_done()} pages are done)")
                do()
                if arriving is not None:
                    arriving.result()
        assert verdict.left_by_machines(installation, ENDS_WITHIN_S), (
            [installation.state(document.job) for document in installation.documents],
            installation.last_words(),
        )
        say("machines have left every document")
        time.sleep(3)  # a socket that was cut comes again after a second
        run.missed = sum(crowd.missed() for crowd in crowds)
    finally:
        for crowd in crowds:
            crowd.end()
    run.late = harms.late
    return run


def waited(installation: Installation, file: Path) -> float:
    """Seconds for its pages that take their time, once they are known."""
    make_waiting(file, WAITING_PAGES)
    job = installation.upload(file)
    installation.wait_for(job, lambda state: state.is_left_by_machines, ENDS_WITHIN_S)
    ((took_s,),) = installation.sql(
        "SELECT extract(epoch FROM max(p.finished_at) - min(j.checked_at)) FROM ingestion_page p"
        " JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s",
        job,
    )
    return float(took_s)


def content(installation: Installation, job: str) -> list[tuple[Any, ...]]:
    """All that became of a document, without the ids of rows."""
    return installation.sql(
        "SELECT p.number, p.status, p.page_type, s.sku_id, s.attributes, s.evidence, s.box, s.confidence,"
        " (SELECT array_agg((i.content_hash, b.role, b.method, b.rank) ORDER BY b.rank, i.content_hash)"
        "  FROM processing_skuimage b JOIN processing_image i ON i.id = b.image_id WHERE b.sku_id = s.id)"
        " FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id"
        " LEFT JOIN processing_sku s ON s.page_id = p.id AND NOT s.superseded WHERE j.uuid = %s ORDER BY 1, 4",
        job,
    )


def test_work_goes_on_soon_after_each_harm(run: Run) -> None:
    assert not run.late
    if run.left_out:
        pytest.skip(run.left_out)


def test_nothing_is_lost_doubled_or_stuck(installation: Installation, run: Run) -> None:
    found = verdict.faults(installation)
    assert not any(found.values()), ({name: count for name, count in found.items() if count}, installation.last_words())


def test_the_result_is_that_of_one_machine(installation: Installation, run: Run) -> None:
    alone, together = (
        installation.documents[0],
        next(document for document in installation.documents[1:] if document.truth == installation.documents[0].truth),
    )
    assert content(installation, together.job) == content(installation, alone.job) != []


def test_a_machine_fetches_a_source_once(installation: Installation, run: Run) -> None:
    fetched = installation.proxy.fetched()
    sizes = dict(installation.sql("SELECT file_sha256, max(source_bytes) FROM ingestion_job GROUP BY 1"))
    assert {machine for machine, _ in fetched} == {machine.host for machine in installation.machines}
    twice = {key: got for key, got in fetched.items() if got > 1.5 * sizes[key[1].rpartition("/")[2]]}
    assert not twice
    stored = [path for machine in installation.machines for path in (machine.var / "storage").rglob("*")]
    assert not [path for path in stored if path.is_file()]


def test_parts_of_uploads_came_by_turns(installation: Installation, run: Run) -> None:
    assert sum(machines > 1 for machines in installation.proxy.machines_of_uploads()) >= DOCUMENTS


def test_sockets_have_heard_all(run: Run) -> None:
    assert run.missed == 0


def test_three_machines_are_nearly_three_times_as_fast(run: Run) -> None:
    assert run.alone_s >= AS_FAST * run.together_s, run
