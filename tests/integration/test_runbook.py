"""The runbook's chapters in their trouble: every command of a chapter is run as it stands, and the trouble is gone."""

import io
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from catalogsku.core import secrets
from catalogsku.core.models import PeriodicRun
from ingestion.backups.manifest import backups_in
from ingestion.keeping.models import Deletion
from ingestion.models import Job, Page, Upload
from processing.llm import gate
from processing.management.commands import doctor
from processing.models import ImportRecord, LanguageModel, ModelBatch
from processing.shadows.models import Shadow
from tests.support.kept import own_storage
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku, make_worker, waiting_pages

PROJECT = Path(__file__).resolve().parents[2]
RUNBOOK = (PROJECT / "docs" / "runbook.md").read_text(encoding="utf-8")
CHAPTERS = {
    part.partition("\n")[0]: re.sub(r"\s+", " ", part)
    for part in RUNBOOK.split("\n## ")[1:]
    if "**Sign.**" in part and "`manage.py " in part
}
MODEL = "gemini-3.8-flash"
# Loading OCR and confining a child is tried by other tests.
SLOW = {doctor.check_ocr, doctor.check_sandbox}

pytestmark = [pytest.mark.req("TA-RUNBOOK"), pytest.mark.usefixtures("committed"), pytest.mark.timeout(180)]


@dataclass
class Scene:
    """A trouble that is there. ``values``: of what stands for something in the commands. ``sign``: what the commands
    must have said; ``mended``: whether it is gone after them."""

    values: dict[str, str] = field(default_factory=dict)
    sign: str = ""
    mended: Callable[[], object] = lambda: True


def of_job(job: Job, mended: Callable[[], object] = lambda: True, **values: str) -> Scene:
    return Scene({"JOB": str(job.uuid), "NUMBER": "1", **values}, str(job.uuid), mended)


def a_worker_died(people: People, folder: Path) -> Scene:
    page = make_page(make_job(people.merchant), 1, "DEAD_LETTER", losses=10)
    return of_job(page.job, lambda: Page.objects.get().status == "AI_QUEUED")


def something_is_left(people: People, folder: Path) -> Scene:
    needles = secrets.encrypt(json.dumps({"parts": ["nothing-has-this"], "words": [], "file": None}))
    Deletion.objects.create(subject="person", number=7, state="left", needles=needles, ended_at=timezone.now())
    return Scene(sign="deletions", mended=lambda: Deletion.objects.get().state == "done")


def no_worker_runs(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant, "ORPHANED", stage="INSPECT")
    return Scene({}, str(job.uuid))


def a_document_is_held(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant, "ORPHANED", held_reason="no_progress")
    waiting_pages(job, [1])
    return of_job(job, lambda: Job.objects.get().held_reason == "" and Job.objects.get().status == "CANCELLED")


def a_document_asks(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant, "AWAITING_GO", models_state="asking", models_pages=1)
    waiting_pages(job, [1], stage="PRICE")
    return of_job(job, lambda: Job.objects.get().models_state == "go")


def a_batch_is_overdue(people: People, folder: Path) -> Scene:
    closed = timezone.now() - timedelta(hours=27)
    columns = {"merchant": people.merchant, "model": MODEL, "provider": "gemini", "closed_at": closed}
    batch = ModelBatch.objects.create(state="SENDING", **columns)
    return Scene({"NAME": batch.name}, f"{batch.name} to {MODEL} was closed")


def a_document_takes_long(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant)
    waiting_pages(job, [1, 2])
    return of_job(job)


def pages_failed(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant)
    make_page(job, 1, "DEAD_LETTER", last_error={"code": "internal_error"})
    return of_job(job, lambda: not Page.objects.filter(status="DEAD_LETTER").exists(), CODE="internal_error")


def a_sku_is_not_delivered(people: People, folder: Path) -> Scene:
    page = make_page(make_job(people.merchant), 1, "AI_COMPLETED")
    sku = make_sku(page)
    of_page = {"merchant": people.merchant, "job": page.job, "page": page, "sku": sku, "sku_key": sku.sku_id}
    sent = {"target": "local", "generation": 1, "payload": b"{}", "payload_hash": "0" * 64}
    ImportRecord.objects.create(**of_page, **sent, state="REFUSED")
    values = {"JOB": str(page.job.uuid), "URL": "http://127.0.0.1:9/products"}
    return Scene(values, sku.sku_id, lambda: not ImportRecord.objects.filter(state="REFUSED").exists())


def an_upload_is_stuck(people: People, folder: Path) -> Scene:
    soon = timezone.now() + timedelta(hours=1)
    common = {"merchant": people.merchant, "user": people.uploader, "expires_at": soon}
    upload = Upload.objects.create(name="a.pdf", size_bytes=9, idempotency_key="k", **common)
    return Scene({"UPLOAD": str(upload.uuid)}, str(upload.uuid), lambda: not Upload.objects.exists())


def a_model(people: People, folder: Path) -> Scene:
    return Scene({"NAME": MODEL, "N": "5"}, MODEL)


def periodic_work_failed(people: People, folder: Path) -> Scene:
    now = timezone.now()
    PeriodicRun.objects.create(name="audit", period=now, finished_at=now, error="boom")
    newest = PeriodicRun.objects.order_by("-period")
    return Scene({"NAME": "audit"}, "boom", lambda: newest[0].error == "")


def no_backup_is_made(people: People, folder: Path) -> Scene:
    now = timezone.now()
    PeriodicRun.objects.create(name="backups", period=now, finished_at=now, error="target_full: the disk of it")
    return Scene({"TO": str(folder / "to"), "FROM": "NEWEST"}, "whole", lambda: backups_in(folder / "to"))


def a_shadow_differs(people: People, folder: Path) -> Scene:
    shadow = Shadow.objects.create(reader="pymupdf", running=True)
    return Scene({"NUMBER": str(shadow.pk)}, "pymupdf", lambda: not Shadow.objects.get().running)


def tasks_pile_up(people: People, folder: Path) -> Scene:
    job = make_job(people.merchant)
    return Scene({"JOB": str(job.uuid)}, str(job.uuid), lambda: Job.objects.get().status == "CANCELLED")


def a_dead_workers_page(people: People, folder: Path) -> Scene:
    worker = make_worker()
    make_page(make_job(people.merchant), stage="READ", worker=worker.pk, claim_token=1, claimed_at=timezone.now())
    type(worker).objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    return Scene({}, "", lambda: Page.objects.get().worker is None)


def nothing_more(people: People, folder: Path) -> Scene:
    return Scene({"JOB": str(make_job(people.merchant).uuid)})


SCENES: dict[str, Callable[[People, Path], Scene]] = {
    "A worker died": a_worker_died,
    "Something is left of what was deleted": something_is_left,
    "No worker runs": no_worker_runs,
    "A document is held": a_document_is_held,
    "A document asks about models": a_document_asks,
    "A batch of questions is overdue": a_batch_is_overdue,
    "A document takes long": a_document_takes_long,
    "Redis is gone": a_dead_workers_page,
    "PostgreSQL is gone": nothing_more,
    "The disk is full": nothing_more,
    "Pages failed": pages_failed,
    "A SKU is not delivered": a_sku_is_not_delivered,
    "A target differs": nothing_more,
    "An upload is stuck": an_upload_is_stuck,
    "A model does not answer": a_model,
    "A model is refused by its provider": a_model,
    "A model comes to its end": a_model,
    "The budget for models is spent": a_model,
    "A profile or table is completed with defaults": nothing_more,
    "A hostile file is suspected": tasks_pile_up,
    "Tasks pile up": tasks_pile_up,
    "Periodic work failed": periodic_work_failed,
    "Results become worse": nothing_more,
    "No backup is made": no_backup_is_made,
    "A shadow finds pages otherwise": a_shadow_differs,
    "The audit found something": nothing_more,
    "Messages are dropped": nothing_more,
}


def run(command: str, scene: Scene) -> str:
    """What it prints. A command that says no does so with a sentence; one that was called wrongly, or raises, fails."""
    words = shlex.split(re.sub(r"\[[^\]]*\]", "", command))
    values = dict(scene.values)
    if values.get("FROM") == "NEWEST":
        made = backups_in(Path(values["TO"]))
        values["FROM"] = str(made[-1]) if made else values["TO"]
    name, *arguments = [values.get(word, word) for word in words]
    written = io.StringIO()
    try:
        call_command(name, *arguments, stdout=written)
    except CommandError as told:
        assert told.returncode == 1 and " " in str(told), (command, told)
        return written.getvalue() + str(told)
    return written.getvalue()


def test_every_chapter_has_its_scene() -> None:
    assert set(SCENES) == set(CHAPTERS)


@pytest.mark.parametrize("chapter", sorted(SCENES))
def test_the_commands_of_a_chapter_run_and_the_trouble_is_gone(
    chapter: str, people: People, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_storage(settings, tmp_path / "storage")
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(doctor, "CHECKS", tuple(check for check in doctor.CHECKS if check not in SLOW))
    scene, model = SCENES[chapter](people, tmp_path), LanguageModel.objects.filter(name=MODEL)
    as_it_was = model.values().get()
    try:
        said = [run(command, scene) for command in re.findall(r"`manage\.py ([^`]+)`", CHAPTERS[chapter])]
    finally:
        model.update(**as_it_was)
        gate.set_state(MODEL, "closed", "tests")
    assert said and scene.sign in "\n".join(said), said
    assert scene.mended(), (chapter, said)
