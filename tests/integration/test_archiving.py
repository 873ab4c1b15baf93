"""The log of what became of a document leaves the database as a Parquet file, and goes with its document."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalogsku.core import storage
from catalogsku.core.models import Transition
from ingestion.keeping.services import archiving, deleting
from ingestion.keeping.services.rules import set_rule
from ingestion.models import Deletion, Job
from tests.support.kept import at_work, ended, process, stored
from tests.support.people import People
from tests.unit.core.test_parquet import read

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-CLEAN", "TA-KEEP")]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    at_work(monkeypatch, settings, tmp_path / "media")
    settings.VAR_DIR = tmp_path


def archived(name: str) -> list[dict[str, Any]]:
    with storage.open_file(name) as file:
        columns, rows, _ = read(file.read())
    return [dict(zip([column for column, _, _ in columns], row, strict=True)) for row in rows]


def logged(job: Job) -> int:
    return Transition.objects.filter(job_id=job.pk).count()


def test_without_a_rule_the_log_stays(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 4000)
    assert archiving.archive_logs(60) == 0 and logged(job) > 0


def test_after_its_days_it_is_in_a_file_that_names_nobody(people: People, tmp_path: Path) -> None:
    young, old = (ended(process(people, tmp_path / f"{n}.pdf", [n]), days) for n, days in (("AB", 5), ("CD", 15)))
    moved = {"entity": "task", "entity_id": 3, "job_id": old.pk, "target": "SKIPPED", "trigger": "skipped"}
    Transition.objects.create(**moved, actor="annotator", reason={"to": "lead", "said": ["Annotator", "a reason"]})
    set_rule(people.merchant, {"audit": 10}, people.admin)
    before, of_young = list(Transition.objects.filter(job_id=old.pk).order_by("pk")), logged(young)
    call_command("periodic", "run", "keeping")
    assert logged(old) == 0 and logged(young) == of_young
    (name,) = archiving.archives_of(old)
    assert name == f"m{people.merchant.pk}/archive/{old.uuid}-{before[-1].pk}.parquet"
    rows = archived(name)
    assert [(row["id"], row["target"], row["trigger"]) for row in rows] == [
        (row.pk, row.target, row.trigger) for row in before
    ]
    assert rows[0]["at"] == round(before[0].at.timestamp() * 1_000_000) and rows[0]["job"] == str(old.uuid)
    last, numbers = rows[-1], {"annotator": people.annotator.pk, "lead": people.lead.pk}
    assert last["actor"] == f"person-{numbers['annotator']}"
    said = [f"person-{numbers['annotator']}", "a reason"]
    assert json.loads(last["reason"]) == {"to": f"person-{numbers['lead']}", "said": said}
    assert archiving.archive_logs(60) == 0


def test_what_comes_later_is_a_file_of_its_own_and_all_go_with_the_document(people: People, tmp_path: Path) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 15)
    set_rule(None, {"audit": 10}, people.admin)
    assert archiving.archive_logs(60) == 1
    Transition.objects.create(entity="job", entity_id=job.pk, job_id=job.pk, target="X", trigger="x", actor="system")
    assert archiving.archive_logs(60) == 1 and len(archiving.archives_of(job)) == 2
    deletion = deleting.ask(job, None)
    deleting.carry_out(deletion.pk)
    deletion = Deletion.objects.get(pk=deletion.pk)
    assert (deletion.state, deletion.found) == ("done", {}) and not stored()


def test_cut_off_after_the_file_the_next_round_makes_it_good(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ended(process(people, tmp_path / "AB.pdf", ["AB"]), 15)
    set_rule(None, {"audit": 10}, people.admin)
    rows, real = logged(job), storage.put_file

    def put_and_die(key: str, path: Path) -> None:
        real(key, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(storage, "put_file", put_and_die)
    with pytest.raises(KeyboardInterrupt):
        archiving.archive_logs(60)
    monkeypatch.setattr(storage, "put_file", real)
    assert logged(job) == rows and len(archiving.archives_of(job)) == 1
    assert archiving.archive_logs(60) == 1
    (name,) = archiving.archives_of(job)
    assert len(archived(name)) == rows and logged(job) == 0
