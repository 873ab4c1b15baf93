"""The drill: documents come in and are processed while a backup is made, everything is destroyed, and work goes on."""

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from catalogsku.core import embedded
from catalogsku.core.embedded.places import places
from ingestion.backups.manifest import backups_in, read, sha256_of
from tests.support.catalogues import make_catalogue
from tests.support.stack import Stack

pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.long,
    pytest.mark.timeout(300),
    pytest.mark.req("TA-BACKUP"),
]
PAGES, WORKED_OFF_WITHIN_S = 3, 150


@dataclass(frozen=True)
class Accepted:
    """A document whose upload was answered at that time."""

    job: str
    sha256: str
    at: datetime


class Uploader(threading.Thread):
    """One catalogue after the other, as long as it is wanted."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        super().__init__()
        self.stack, self.folder = stack, folder
        self.accepted: list[Accepted] = []
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.wait(0.2):
            self.give()

    def give(self) -> None:
        seed = len(self.accepted)
        path = self.folder / f"catalogue-{seed}.pdf"
        make_catalogue(path, PAGES, seed)
        job = self.stack.upload(path)
        self.accepted.append(Accepted(job, sha256_of(path), datetime.now(UTC)))


@pytest.fixture(scope="module")
def by_itself(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a worker makes a backup as soon as a scheduler runs, for there is none."""
    return tmp_path_factory.mktemp("by_itself")


@pytest.fixture(scope="module")
def stack(by_itself: Path) -> Iterator[Stack]:
    settings = {"BACKUP_TO": str(by_itself), "BACKUP_EVERY_HOURS": "24"}
    with Stack({"SANDBOX_OCR": "0", **settings}) as made:
        yield made


def test_a_worker_makes_one_by_itself(stack: Stack, by_itself: Path) -> None:
    stack.until(lambda: backups_in(by_itself), 90, "a backup is there")
    (folder,) = backups_in(by_itself)
    looked_at = stack.manage("backup", "--verify", str(folder))
    assert looked_at.returncode == 0, looked_at.stdout + looked_at.stderr
    told = "SELECT count(*) FROM core_periodicrun WHERE name = 'backups' AND error = '' AND finished_at IS NOT NULL"
    stack.until(lambda: stack.sql(told) == [(1,)], 20, "it is written down")


def destroy(stack: Stack) -> None:
    """Every process, the database, every file; then a server that has never been used."""
    stack.kill_all_units()
    assert stack.services is not None
    stack.services.stop()
    shutil.rmtree(places(stack.var).data)
    shutil.rmtree(stack.var / "storage")
    stack.services = embedded.start(stack.var, durable=False)


def test_nothing_that_was_accepted_before_the_point_is_lost_and_work_goes_on(stack: Stack, tmp_path: Path) -> None:
    uploader, target = Uploader(stack, tmp_path), tmp_path / "backups"
    uploader.give()
    first = uploader.accepted[0].job
    stack.wait_for(first, lambda state: state.is_left_by_machines, WORKED_OFF_WITHIN_S)
    uploader.start()
    stack.until(lambda: len(uploader.accepted) >= 4, 60, "four documents are there")
    done = stack.manage("backup", str(target))
    stack.until(lambda: len(uploader.accepted) >= 6, 60, "more came after the backup")
    uploader.enough.set()
    uploader.join()
    assert done.returncode == 0, done.stdout + done.stderr
    (folder,) = backups_in(target)
    manifest = read(folder)
    before = [document for document in uploader.accepted if document.at <= manifest.point]
    after = uploader.accepted[len(before) + 1 :]
    assert len(before) >= 4 and after, uploader.accepted
    delivered = stack.sql("SELECT merchant_id, sku_key FROM processing_localproduct ORDER BY 1, 2")

    destroy(stack)
    told = stack.manage("restore", str(folder))

    assert told.returncode == 0, told.stdout + told.stderr
    assert f"accepted until {manifest.taken_at}" in told.stdout and "--- doctor" in told.stdout
    known = dict(stack.sql("SELECT uuid::text, source_key FROM ingestion_job"))
    assert {document.job for document in before} <= known.keys()
    assert not {document.job for document in after} & known.keys(), "what came after the point is told, not here"
    for document in before:
        assert sha256_of(stack.var / "storage" / known[document.job]) == document.sha256
    in_time_to_come = (
        "SELECT count(*) FROM ingestion_page WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())",
        "SELECT count(*) FROM core_transition WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())",
    )
    assert [stack.sql(query) for query in in_time_to_come] == [[(0,)], [(0,)]]

    stack.start_units()
    stack.forget("uploader")
    for job in known:
        stack.wait_for(job, lambda state: state.is_left_by_machines, WORKED_OFF_WITHIN_S)
    uploader.give()  # it takes new ones as well
    stack.wait_for(uploader.accepted[-1].job, lambda state: state.is_left_by_machines, WORKED_OFF_WITHIN_S)
    audited = stack.manage("audit", "--json")
    assert not any(json.loads(audited.stdout[audited.stdout.index("{") :]).values()), audited.stdout
    again = stack.sql("SELECT merchant_id, sku_key FROM processing_localproduct ORDER BY 1, 2")
    assert delivered and len(again) == len(set(again)), "nothing is delivered twice"
    assert stack.person().ask(f"/jobs/{first}/")[0] == 200
