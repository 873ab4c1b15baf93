"""What was read of a page is kept inside its merchant: the next document on the same file reads nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingestion.models import Job
from processing.models import Sku
from processing.sandboxed import frozen
from tests.support import stages
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-PARSECACHE")]
SHEETS = [stages.sheet("AB"), stages.sheet("CD"), stages.sheet("EF")]


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Pages that children of the sandbox were given to read; the test's own process is the worker."""
    given: list[int] = []
    work = stages.reading._read_missing

    def counted(job: Job, by_number: Any, sampled: Any) -> Any:
        given.extend(by_number)
        return work(job, by_number, sampled)

    stages.as_worker(monkeypatch)
    monkeypatch.setattr(stages.reading, "_read_missing", counted)
    return given


def products(job: Job) -> list[tuple[int, Any]]:
    return list(
        Sku.objects.filter(job=job).order_by("page__number", "sku_id").values_list("page__number", "attributes")
    )


def reused(job: Job) -> set[bool]:
    return set(job.pages.values_list("read_reused", flat=True))


def test_the_same_file_again_is_not_read_and_says_so(people: People, tmp_path: Path, readings: list[int]) -> None:
    first = stages.process(people, tmp_path / "a.pdf", SHEETS)
    assert (sorted(readings), reused(first)) == ([1, 2, 3], {False})
    again = stages.process(people, tmp_path / "a.pdf", SHEETS, key="again")
    assert (sorted(readings), reused(again), again.reused_pages) == ([1, 2, 3], {True}, 3)
    assert products(again) == products(first) and len(products(again)) == 9


def test_another_merchant_with_the_same_file_reads_for_itself(
    people: People, tmp_path: Path, readings: list[int]
) -> None:
    stages.process(people, tmp_path / "a.pdf", SHEETS)
    theirs = stages.process(replace(people, merchant=people.other), tmp_path / "a.pdf", SHEETS, key="theirs")
    assert (sorted(readings), reused(theirs), theirs.reused_pages) == ([1, 1, 2, 2, 3, 3], {False}, 0)


def test_what_other_settings_read_is_read_anew(
    people: People, tmp_path: Path, readings: list[int], settings: Any
) -> None:
    stages.process(people, tmp_path / "a.pdf", SHEETS)
    before = frozen.reading_key()
    settings.READER_ORDER = list(reversed(settings.READER_ORDER))
    assert frozen.reading_key() != before
    again = stages.process(people, tmp_path / "a.pdf", SHEETS, key="again")
    assert (sorted(readings), reused(again)) == ([1, 1, 2, 2, 3, 3], {False})
