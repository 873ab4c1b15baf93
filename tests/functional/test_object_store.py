"""The whole product with its files in an object store: uploads, reading, pictures, exports, deleting."""

import io
import os
import signal
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.catalogues import make_catalogue
from tests.support.object_store import Store, environment_of, store
from tests.support.stack import Stack

__all__ = ["store"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PAGES, AWAY_S = 3, 6


@pytest.fixture(scope="module")
def stack(store: Store) -> Iterator[Stack]:
    with Stack({"SANDBOX_OCR": "0", **environment_of(store)}) as running:
        yield running


@pytest.fixture(scope="module")
def job(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("catalogue") / "catalogue.pdf"
    make_catalogue(file, PAGES, 1)
    return stack.upload(file)


def files_of(stack: Stack) -> list[str]:
    return [str(path.relative_to(stack.var)) for path in (stack.var / "storage").rglob("*") if path.is_file()]


def test_a_document_goes_through_and_nothing_of_it_stays_on_this_machine(stack: Stack, job: str) -> None:
    state = stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
    assert (state.pages, state.status) == (PAGES, "FULL_IMPORTED"), state
    assert files_of(stack) == []


def test_its_source_was_fetched_once_by_this_machine(stack: Stack, job: str) -> None:
    cached = [path for path in (stack.var / "cache" / "files").rglob("*") if path.is_file()]
    assert [path.name for path in cached] == ["source.pdf"]
    assert list((stack.var / "cache" / "use").iterdir()) == []


def test_pictures_and_results_come_out(stack: Stack, job: str) -> None:
    ((image, key),) = stack.sql(
        "SELECT i.image_id, i.storage_key FROM processing_image i JOIN ingestion_job j ON j.id = i.job_id"
        " WHERE j.uuid = %s ORDER BY i.id LIMIT 1",
        job,
    ) or ((None, None),)
    assert key, "the catalogue has pictures"
    status, headers, body = stack.person().ask(f"/jobs/{job}/pictures/{image}")
    assert (status, headers["Content-Type"].partition("/")[0]) == (200, "image") and len(body) > 100
    status, _, body = stack.person().ask(f"/jobs/{job}/export/xlsx/")
    assert status == 200 and zipfile.ZipFile(io.BytesIO(body)).testzip() is None


def test_a_store_that_is_away_for_a_while_costs_no_page(stack: Stack, store: Store, job: str, tmp_path: Path) -> None:
    make_catalogue(tmp_path / "more.pdf", 12, 2)
    more = stack.upload(tmp_path / "more.pdf")
    assert store.process is not None
    stack.wait_for(more, lambda state: state.pages > 0, 60)
    os.kill(store.process.pid, signal.SIGSTOP)
    try:
        time.sleep(AWAY_S)
    finally:
        os.kill(store.process.pid, signal.SIGCONT)
    state = stack.wait_for(more, lambda state: state.is_left_by_machines, 150)
    assert (state.pages, state.status) == (12, "FULL_IMPORTED"), state


@pytest.mark.long
def test_backup_and_doctor_know_of_it(stack: Stack, job: str, tmp_path: Path) -> None:
    made = stack.manage("backup", str(tmp_path))
    assert made.returncode == 0, made.stdout + made.stderr
    (again,) = tmp_path.glob("*Z")
    assert [path.name for path in again.rglob("source.pdf")], "files of the store are in it"
    verified = stack.manage("backup", "--verify", str(again))
    assert verified.returncode == 0, verified.stderr
    told = stack.manage("doctor")
    assert "s3://catalogues/shop: a file goes there and comes back" in told.stdout, told.stdout


def test_a_deleted_document_is_gone_from_the_store_and_from_this_machine(stack: Stack, store: Store, job: str) -> None:
    deleted = stack.manage("delete", "document", job, "--yes")
    assert deleted.returncode == 0, deleted.stdout + deleted.stderr
    ((sources,),) = stack.sql("SELECT count(*) FROM ingestion_job WHERE uuid = %s", job)
    assert sources == 0
