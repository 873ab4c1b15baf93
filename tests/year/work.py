"""What people do on a day: pages that wait, looks at what went out alone, measured pages, and thresholds decided."""

import uuid
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.calibration.models import CalibrationProposal
from annotation.calibration.selectors import open_proposals
from annotation.calibration.services.deciding import accept
from annotation.models import Annotation, Draft, HumanTask, Judgement
from annotation.tasks.lifecycle import OPEN, TaskStatus
from catalogsku.accounts.models import User
from ingestion.models import Job, Page
from tests.year import truth
from tests.year.documents import Move, World, dated, end, log

WITHOUT_GOLD = "a simulated year has no golden sets"


@transaction.atomic
def do(world: World, morning: datetime) -> None:
    """Most of what was open before this day."""
    rows = HumanTask.objects.filter(status__in=OPEN, created_at__lt=morning).select_related("job", "page")
    todo = [task for task in rows.order_by("pk") if world.chance.random() < truth.DONE_NEXT_DAY]
    for task in todo:
        _close(world, task, morning + timedelta(minutes=world.chance.randrange(8 * 60)))
    HumanTask.objects.bulk_update(todo, ["status", "closed_at", "closed_by", "worked_s", "submit_id", "result"], 500)
    Annotation.objects.bulk_create([row for task in todo for row in _corrections(world, task)], 1000)
    done = [task for task in todo if task.purpose == "work"]
    Page.objects.filter(pk__in=[task.page_id for task in done]).update(
        status="HUMAN_COMPLETED", needs_review=False, blockers=[], finished_at=timezone.now(), **Page.visible_change()
    )
    _settle(world, done)
    Draft.objects.bulk_create(
        Draft(
            task=task,
            user=world.chance.choice(world.people),
            body={"said": "x" * 200},
            seq=1,
            base_token=1,
            page_version=1,
            saved_at=task.closed_at,
        )
        for task in todo
        if world.chance.random() < 0.2
    )


def _close(world: World, task: HumanTask, at: datetime) -> None:
    task.status, task.closed_at, task.closed_by = TaskStatus.COMPLETED, at, world.chance.choice(world.people)
    task.worked_s, task.submit_id = float(world.chance.randrange(20, 180)), uuid.UUID(int=world.chance.getrandbits(128))
    task.result = {"before": {"blockers": task.page.blockers}}
    key = (timezone.localtime(at).date(), task.job.merchant_id, task.job.category)
    world.ledger.count(key, tasks=1, person_s=task.worked_s, corrections=world.wrong.get(task.page_id, 0))


def _corrections(world: World, task: HumanTask) -> list[Annotation]:
    """Whoever looks at a page sees what is wrong there, and sets it right."""
    wrong = world.wrong.pop(task.page_id, 0)
    job, number = task.job, task.page.number
    return [
        Annotation(
            task=task,
            page=task.page,
            annotator=task.closed_by,
            type="SKU_ATTRIBUTE",
            sku_id=f"{job.hash8}_p{number:02d}_{n:03d}",
            field="price",
            before="1.00",
            after="2.00",
            created_at=task.closed_at,
        )
        for n in range(1, wrong + 1)
    ]


def _settle(world: World, done: list[HumanTask]) -> None:
    moves, ended = list[Move](), list[tuple[Job, datetime]]()
    for task in sorted(done, key=lambda task: task.closed_at or timezone.now()):
        at, sent = task.closed_at or timezone.now(), world.under_way[task.job_id]
        moves.append(Move(task.page, sent.job, "HUMAN_QUEUED", "HUMAN_PROCESSING", "claimed", at))
        moves.append(Move(task.page, sent.job, "HUMAN_PROCESSING", "HUMAN_COMPLETED", "completed", at))
        key = (timezone.localtime(at).date(), sent.job.merchant_id, sent.job.category)
        world.ledger.count(key, pages_person=1, products=task.page.sku_count)
        sent.waits -= 1
        if not sent.waits:
            ended.append((sent.job, at))
    log(moves)
    end(world, ended)


@transaction.atomic
def measure(world: World, at: datetime) -> None:
    """Somebody does a page whose truth is known, and does not know that it is one."""
    known = HumanTask.objects.filter(status=TaskStatus.COMPLETED, purpose="work").select_related("job").order_by("-pk")
    if not (about := list(known[:1])):
        return
    who: User = world.chance.choice(world.people)
    with dated(HumanTask):
        task = HumanTask.objects.create(
            job=about[0].job,
            page_id=about[0].page_id,
            type="PAGE_REVIEW",
            purpose="honeypot",
            subject=str(who.pk),
            status=TaskStatus.COMPLETED,
            about=about[0],
            worked_s=60,
            closed_by=who,
            closed_at=at,
            created_at=at,
            clock_from=at,
        )
    score = 1.0 if world.chance.random() < 0.9 else 0.8
    Judgement.objects.create(
        kind="golden",
        outcome="scored",
        task=task,
        about=about[0],
        annotator=who,
        type="PAGE_REVIEW",
        score=score,
        at=at,
    )


def decide(world: World, admin: User) -> list[dict[str, Any]]:
    """The proposals for pages are followed; what they said. Those for documents are left lying."""
    told = []
    world.thaw()
    for row in open_proposals().filter(figure=CalibrationProposal.Figure.PV):
        accept(admin, row.pk, WITHOUT_GOLD)
        told.append({"category": row.profile.key, "now": float(row.now), "proposed": float(row.proposed)})
    return told


def look_aside(chance: Random) -> bytes:
    """A part of a log."""
    return chance.randbytes(20_000)
