"""Above 85 % of the disk room is made in an order, no longer than needed, and never of what is still to be kept."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from catalogsku.core import storage
from ingestion.models import Job
from ingestion.services import disk
from processing.models import Export, TraceBundle
from processing.sandboxed import sandboxes
from tests.support.kept import at_work, ended, process, stored
from tests.support.people import People

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-DISK", "TA-CLEAN", "TA-KEEP")]
ORDER = ["uploads", "work_folders", "exports", "traces", "documents"]
OLD = "2026-01-01T00:00Z"


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")
    settings.VAR_DIR = tmp_path
    (tmp_path / "work").mkdir()


def filled(monkeypatch: pytest.MonkeyPatch, *ratios: float) -> None:
    """The disk says one after the other, and then the last one for good."""
    left = list(ratios)
    monkeypatch.setattr(storage, "disk_usage_ratio", lambda more_bytes=0: left.pop(0) if len(left) > 1 else left[0])


def export(people: People, job: Job, name: str, *, fetched: bool, ended_at: Any = OLD) -> str:
    row = Export.objects.create(merchant=people.merchant, job=job, kind="csv", columns=[], status="DONE")
    key = f"m{people.merchant.pk}/exports/{name}.csv"
    path = Path(storage.default_storage.path(key))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(name)
    Export.objects.filter(pk=row.pk).update(storage_key=key, ended_at=ended_at, fetched_at=Now() if fetched else None)
    return key


def test_steps_are_asked_in_their_order_and_no_longer_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [step.name for step in disk.in_order()] == ORDER
    asked = list[str]()

    def asks(name: str) -> Any:
        return lambda: asked.append(name) or 1  # type: ignore[func-returns-value]

    steps = {name: disk.Step(step.order, name, asks(name)) for name, step in disk.STEPS.items()}
    monkeypatch.setattr(disk, "STEPS", steps)
    for ratios, expected in (
        ((0.74,), []),
        ((0.80,), []),
        ((0.90, 0.90, 0.84), ["uploads"]),
        ((0.90, 0.90, 0.90, 0.90, 0.85), ["uploads", "work_folders", "exports"]),
        ((0.99,), ORDER),
    ):
        asked.clear()
        filled(monkeypatch, *ratios)
        assert disk.watch_disk() == dict.fromkeys(expected, 1) and asked == expected, ratios


def test_a_step_that_fails_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise OSError("no such device")

    monkeypatch.setitem(disk.STEPS, "exports", disk.Step(30, "exports", fail))
    filled(monkeypatch, 0.9)
    gone = disk.watch_disk()
    assert list(gone) == ORDER and gone["exports"] == 0


def test_on_a_full_disk_only_what_may_go_goes(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    young, old = (ended(process(people, tmp_path / f"{n}.pdf", [n]), days) for n, days in (("AB", 29), ("CD", 31)))
    again, unfetched = export(people, young, "again", fetched=True), export(people, young, "unfetched", fetched=False)
    Export.objects.filter(storage_key=unfetched).update(ended_at=Now())
    fresh = export(people, young, "fresh", fetched=True, ended_at=Now())
    TraceBundle.objects.filter(job=old).update(created_at=OLD)
    of_old = set(TraceBundle.objects.filter(job=old).values_list("storage_key", flat=True))
    pictures = set(old.pages.values_list("preview_key", flat=True))
    monkeypatch.setattr(sandboxes, "LEFT_BEHIND_S", -1)
    (tmp_path / "work" / "chunk-dead").mkdir()
    before = stored()
    filled(monkeypatch, 0.97)

    gone = disk.watch_disk()

    assert gone == {"uploads": 0, "work_folders": 1, "exports": 1, "traces": len(of_old), "documents": 2}
    assert before - stored() == {again, old.source_key, *of_old, *pictures}
    assert {unfetched, fresh, young.source_key} < stored()
    for _ in range(3):
        disk.watch_disk()
    assert before - stored() == {again, old.source_key, *of_old, *pictures}, "however long it stays full"


def test_the_doctor_says_what_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    from collections import namedtuple

    from processing.management.commands import doctor

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda folder: usage(100 << 30, 86 << 30, 14 << 30))
    told = [finding.text for finding in doctor.check_storage() if finding.level == "warning"]
    assert f"above 85% this goes by itself, in this order: {', '.join(ORDER)}; the rest never does" in " ".join(told)


def test_a_round_by_hand(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    filled(monkeypatch, 0.9)
    call_command("sweep", "disk")
    assert "'documents': 0" in capsys.readouterr().out
