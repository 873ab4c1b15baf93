"""Several at once: one deletion by many workers, many askings for one document, the sweep on many machines."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now

from catalogsku.core import storage
from ingestion.keeping.services import deleting, expiring
from ingestion.models import Deletion, Emptied, Job
from tests.support.kept import long_installed, own_storage, stored
from tests.support.people import make_people
from tests.support.rows import in_threads, make_job, make_pages

pytestmark = [pytest.mark.req("TA-CLEAN", "TA-KEEP")]
DOCUMENTS = 6


@pytest.fixture(autouse=True)
def own_files(committed: None, settings: Any, tmp_path: Path) -> None:
    own_storage(settings, tmp_path / "media")
    settings.VAR_DIR = tmp_path
    long_installed()


def documents(tmp_path: Path) -> list[Job]:
    """Finished long ago, each with its source and ten pages with pictures."""
    merchant, made = make_people().merchant, []
    for _ in range(DOCUMENTS):
        job = make_job(merchant, "FULL_IMPORTED")
        folder = storage.file_prefix(merchant.pk, job.file_sha256)
        make_pages(
            job, range(1, 11), "HUMAN_COMPLETED", screenshot_key=lambda n, at=folder: f"{at}/0123456789abcdef/{n}"
        )
        (tmp_path / "file").write_text("x")
        for name in ("source.pdf", *(f"0123456789abcdef/{n}" for n in range(1, 11))):
            storage.put_file(f"{folder}/{name}", tmp_path / "file")
        Job.objects.filter(pk=job.pk).update(source_key=f"{folder}/source.pdf", finished_at=Now() - timedelta(days=40))
        made.append(Job.objects.get(pk=job.pk))
    return made


def test_many_ask_for_one_document_and_many_workers_do_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job, *rest = documents(tmp_path)
    monkeypatch.setattr(deleting, "FILES_AT_ONCE", 2)
    asked = in_threads([lambda: deleting.ask(job, None).pk] * 4)
    assert len(set(asked)) == 1

    def work() -> None:
        while Deletion.objects.filter(ended_at=None).exists():
            deleting.carry_out(asked[0])

    in_threads([work] * 4)
    done = Deletion.objects.get()
    assert (done.state, done.files, done.rows) == ("done", 11, {"ingestion.page": 10, "ingestion.job": 1})
    assert Job.objects.count() == len(rest) and len(stored()) == 11 * len(rest)


def test_the_sweep_of_many_machines_empties_each_document_once(tmp_path: Path) -> None:
    made = documents(tmp_path)
    sweep: Callable[[], dict[str, int]] = lambda: expiring.empty_documents(30)  # noqa: E731
    counts = in_threads([sweep] * 4)
    for kind in ("sources", "pictures"):
        assert sum(count[kind] for count in counts) == DOCUMENTS, kind
    assert Emptied.objects.count() == 2 * len(made) and not stored()


def test_deleting_and_emptying_at_once_leave_nothing_and_fail_nobody(tmp_path: Path) -> None:
    made = documents(tmp_path)

    def delete(job: Job) -> Callable[[], object]:
        return lambda: deleting.carry_out(deleting.ask(job, None).pk)

    def preview(job: Job) -> Callable[[], object]:
        return lambda: deleting.preview(job)

    def empty() -> dict[str, int]:
        return expiring.empty_documents(30)

    in_threads([*map(delete, made[:3]), *map(preview, made[3:]), empty, empty])
    for deletion in Deletion.objects.filter(ended_at=None):
        deleting.carry_out(deletion.pk)
    assert set(Deletion.objects.values_list("state", flat=True)) == {"done"}
    assert set(Job.objects.values_list("pk", flat=True)) == {job.pk for job in made[3:]} and not stored()
