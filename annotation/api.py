"""Tasks of people, for programs: the same commands as the workbench's, the same answers."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4

import msgspec
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from annotation.people.models import AnnotatorProfile
from annotation.people.services.team import team_of
from annotation.queue import filtering, selectors
from annotation.queue.services import reverting, supervising
from annotation.tasks.lifecycle import Purpose
from annotation.tasks.models import HumanTask
from annotation.workbench import around, presenters
from annotation.workbench.commands import Command, carry_out
from catalogsku.accounts.bearer import require
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from catalogsku.core.paging import step
from catalogsku.profiles.services import work_rules

router = Router(tags=["tasks"])
annotations = Router(tags=["tasks"])
operations = Router(tags=["operations"])

NO_NUL = r"^[^\x00]*$"


class TaskOut(Schema):
    """One a page. ``holder``: who has it in hand until ``lease_until``; ``reasons``: codes of what a person is needed
    for, each with its ``sku`` where it is about one; ``sku_count``: of how many SKUs there are any."""

    task_id: UUID
    job_id: UUID
    page_number: int
    type: str
    purpose: str
    status: str
    priority: str
    subject: str
    reasons: list[dict[str, Any]]
    sku_count: int
    confidence: float | None
    holder: str | None
    lease_until: datetime | None
    created_at: datetime


class Tasks(Schema):
    items: list[TaskOut]
    next: str | None


class TaskDetail(TaskOut):
    """A completion is based on ``page_version`` and ``state``. ``context.alternatives``: what another reading found."""

    page_version: int
    state: dict[str, Any]
    context: dict[str, Any]


class Given(Schema):
    model_config = ConfigDict(extra="forbid")


class Hold(Given):
    """``session``: names the program's hold; the same again renews it."""

    session: UUID | None = None


class Held(Schema):
    token: int
    session: UUID
    lease_until: datetime


class Beat(Given):
    token: int
    session: UUID


class Token(Given):
    token: int


class Lost(Schema):
    lost: bool


class Completion(Given):
    """``submit_id``: the same again gives the same answer."""

    token: int
    page_version: int
    state: dict[str, Any]
    submit_id: UUID | None = None


class Statement(Completion):
    """What a person (or a program of theirs) says of a page: ``state``, under the hold that ``token`` names."""

    task_id: UUID


class AnnotationOut(Schema):
    """One difference between the page as it was found and as it was left."""

    type: str
    sku_id: str
    field: str
    before: Any
    after: Any
    created_at: datetime


class Stated(Schema):
    """``next``: the task to go on with."""

    annotations: list[AnnotationOut]
    next: UUID | None


class Skip(Given):
    token: int
    reason: Annotated[str, Field(min_length=1, max_length=500)]
    submit_id: UUID | None = None


class Reason(Given):
    reason: Annotated[str, Field(min_length=1, max_length=400, pattern=r"^[^\x00]+$")]


class Remark(Given):
    """``said_id``: the same again says nothing twice."""

    text: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[^\x00]+$")]
    said_id: UUID | None = None


class Comment(Schema):
    """``who``: the author's name."""

    id: int
    who: str
    at: datetime
    text: str


class Comments(Schema):
    comments: list[Comment]


Chosen = Annotated[list[UUID], Field(min_length=1, max_length=supervising.AT_ONCE)]


class BatchSkip(Reason):
    tasks: Chosen


class BatchReassign(Given):
    """``to``: the name of who is to do them."""

    tasks: Chosen
    to: Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[^\x00]+$")]


class Changed(Schema):
    tasks: int


class AnnotatorOut(Schema):
    """Over thirty days; ``accuracy`` None as long as nothing of theirs was judged."""

    username: str
    display_name: str
    role: str
    open_tasks: int
    tasks: int
    duration_s: float | None
    accuracy: float | None
    kappa: float | None
    specialties: list[str]


class AnnotatorStats(AnnotatorOut):
    """``by_type``: tasks, duration_s, accuracy, kappa of each type of task."""

    by_type: dict[str, Any]
    judged: int
    golden_tasks: int
    golden_score: float | None
    updated_at: datetime | None


class Annotators(Schema):
    items: list[AnnotatorOut]


class Ended(Schema):
    """``next``: the task to go on with."""

    next: UUID | None


def _task_out(task: HumanTask) -> dict[str, Any]:
    return {
        "task_id": task.uuid,
        "job_id": task.job.uuid,
        "page_number": task.page.number,
        "type": task.type,
        "purpose": Purpose.WORK if task.purpose == Purpose.HONEYPOT else task.purpose,  # X-HONEY: never shown as such
        "status": task.status,
        "priority": task.priority,
        "subject": task.subject,
        "reasons": task.reasons,
        "sku_count": len(task.skus()),
        "confidence": task.confidence,
        "holder": task.locked_by.username if task.locked_by else None,
        "lease_until": task.lease_until,
        "created_at": task.created_at,
    }


@router.get("", response={200: Tasks, **PROBLEMS}, summary="Open tasks")
def list_tasks(
    request: HttpRequest,
    type: Annotated[str, Field(max_length=30, pattern=r"^[a-zA-Z_]*$")] = "all",
    document: UUID | None = None,
    reason: Annotated[str, Field(max_length=40, pattern=NO_NUL)] = "",
    category: Annotated[str, Field(max_length=60, pattern=NO_NUL)] = "",
    holder: Annotated[str, Field(max_length=150, pattern=NO_NUL)] = "",
    due: Literal["", "over", "risk", "hour", "later"] = "",
    cursor: str = "",
    limit: Limit = 50,
) -> Any:
    """Narrowed down as the queue's screen is. ``reason``: a code of a task's reasons, or a kind of them as that screen
    has it (``values``, ``pictures``, ...); ``holder``: a username, ``me``, or ``-`` for nobody; ``due``: ``over``, in
    ten minutes at most (``risk``), in an ``hour`` at most, or ``later`` than that."""
    actor = require(request, Action.SEE_TASKS)
    wanted = filtering.Wanted(type, document, reason, category, holder, due)
    queue = filtering.queue_of(actor, wanted, work_rules())
    items, following = step(queue, cursor, limit)
    return {"items": [_task_out(task) for task in items], "next": following}


@router.get("/{uuid:task_id}", response={200: TaskDetail, **PROBLEMS}, summary="A task with all that decides it")
def get_task(request: HttpRequest, task_id: UUID) -> Any:
    actor = require(request, Action.SEE_TASKS)
    task = presenters.get_task(actor, task_id)
    bench = presenters.bench(actor, task)
    beside = {
        "comments": selectors.comments_of(task),
        "neighbours": msgspec.to_builtins(around.neighbours(task), enc_hook=str),
    }
    context = {**bench["meta"], **beside, "document": msgspec.to_builtins(around.document_facts(task))}
    detail = {"page_version": bench["page"]["version"], "state": bench["state"], "context": context}
    return _task_out(task) | detail


@router.post("/{uuid:task_id}/lock", response={200: Held, **PROBLEMS}, summary="Take a task in hand")
def lock(request: HttpRequest, task_id: UUID, given: Hold) -> Any:
    """For 60 s, renewed by heartbeats; 409 names who has it."""
    session = given.session or uuid4()
    return {"session": session, **_run(request, "claim", task_id, session=session)}


@router.post("/{uuid:task_id}/heartbeat", response={200: Lost, **PROBLEMS}, summary="Keep it in hand")
def heartbeat(request: HttpRequest, task_id: UUID, given: Beat) -> Any:
    return _run(request, "renew", task_id, token=given.token, session=given.session)


@router.post("/{uuid:task_id}/release", response={204: None, **PROBLEMS}, summary="Put it back")
def release(request: HttpRequest, task_id: UUID, given: Token) -> Any:
    _run(request, "release", task_id, token=given.token)
    return Status(204, None)


@router.post("/{uuid:task_id}/complete", response={200: Ended, **PROBLEMS}, summary="Say how the page is")
def complete(request: HttpRequest, task_id: UUID, given: Completion) -> Any:
    """Checked as an import is: 400 names each entry that cannot stay. 409 where the hold was lost or the page has
    changed."""
    body = {**given.state, "page_version": given.page_version}
    return _run(request, "submit", task_id, token=given.token, id=given.submit_id, body=body)


@annotations.post("", response={200: Stated, **PROBLEMS}, summary="Say how a page is, and see what that changed")
def annotate(request: HttpRequest, given: Statement) -> Any:
    """Completes the task as POST /tasks/{task_id}/complete does, and answers with the annotations that came of it."""
    body = {**given.state, "page_version": given.page_version}
    ended = _run(request, "submit", given.task_id, token=given.token, id=given.submit_id, body=body)
    actor = require(request, Action.SEE_TASKS)
    return {**ended, "annotations": list(selectors.annotations_of(actor, given.task_id))}


@router.post("/{uuid:task_id}/skip", response={200: Ended, **PROBLEMS}, summary="Leave a page as it is, with a reason")
def skip(request: HttpRequest, task_id: UUID, given: Skip) -> Any:
    body = {"reason": given.reason}
    return _run(request, "skip", task_id, token=given.token, id=given.submit_id, body=body)


@router.post("/{uuid:task_id}/reject", response={200: Ended, **PROBLEMS}, summary="Send work back to its author")
def reject(request: HttpRequest, task_id: UUID, given: Skip) -> Any:
    """Of a verdict in hand: its author gets the page again with the reason."""
    return _run(request, "reject", task_id, token=given.token, id=given.submit_id, body={"reason": given.reason})


@router.post("/{uuid:task_id}/comments", response={200: Comments, **PROBLEMS}, summary="Say something about its page")
def comment(request: HttpRequest, task_id: UUID, given: Remark) -> Any:
    """To everybody who has a task of the page open; all comments of the page are answered."""
    return _run(request, "comment", task_id, id=given.said_id, body={"text": given.text})


@router.post("/{uuid:task_id}/retry", response={204: None, **PROBLEMS}, summary="Have models do it once more")
def retry(request: HttpRequest, task_id: UUID) -> Any:
    """Its page goes back to the machines; its open tasks end."""
    supervising.retry_by_models(require(request, Action.RETRY), task_id)
    return Status(204, None)


@router.post("/{uuid:task_id}/revert", response={204: None, **PROBLEMS}, summary="Take back what came of it")
def revert(request: HttpRequest, task_id: UUID, given: Reason) -> Any:
    """The page is as it was before, downstream too, and the task is open again."""
    reverting.revert_task(require(request, Action.SUPERVISE), task_id, given.reason)
    return Status(204, None)


@operations.post("/tasks/batch-skip", response={200: Changed, **PROBLEMS}, summary="Skip tasks with a reason")
def batch_skip(request: HttpRequest, given: BatchSkip) -> Any:
    return {"tasks": supervising.skip(require(request, Action.SUPERVISE), given.tasks, given.reason)}


@operations.post("/tasks/batch-reassign", response={200: Changed, **PROBLEMS}, summary="Keep tasks for a person")
def batch_reassign(request: HttpRequest, given: BatchReassign) -> Any:
    """All of them or none."""
    actor = require(request, Action.SUPERVISE)
    return {"tasks": supervising.assign(actor, given.tasks, supervising.person_named(given.to))}


@operations.get("/annotators", response={200: Annotators, **PROBLEMS}, summary="Who does tasks, and how")
def annotators(request: HttpRequest) -> Any:
    """Whom a task would go to first comes first."""
    team = team_of(require(request, Action.SUPERVISE))
    return {"items": [_annotator_out(user, facts.open_tasks) for user, facts in team]}


@operations.get("/annotators/{username}/stats", response={200: AnnotatorStats, **PROBLEMS}, summary="One of them")
def annotator_stats(request: HttpRequest, username: Annotated[str, Field(max_length=150)]) -> Any:
    team = team_of(require(request, Action.SUPERVISE))
    for user, facts in team:
        if user.username == username:
            known: AnnotatorProfile | None = getattr(user, "profile", None)
            return {
                **_annotator_out(user, facts.open_tasks),
                "by_type": known.by_type if known else {},
                "judged": known.judged if known else 0,
                "golden_tasks": known.golden_tasks if known else 0,
                "golden_score": known.golden_score if known else None,
                "updated_at": known.updated_at if known else None,
            }
    raise NotFound("not_found")


def _annotator_out(user: User, open_tasks: int) -> dict[str, Any]:
    known: AnnotatorProfile | None = getattr(user, "profile", None)
    return {
        "username": user.username,
        "display_name": user.display_name,
        "role": user.role,
        "open_tasks": open_tasks,
        "tasks": known.tasks if known else 0,
        "duration_s": known.duration_s if known else None,
        "accuracy": known.accuracy if known else None,
        "kappa": known.kappa if known else None,
        "specialties": known.specialties if known else [],
    }


def _run(
    request: HttpRequest,
    name: str,
    task_id: UUID,
    *,
    token: int = 0,
    session: UUID | None = None,
    id: UUID | None = None,
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The command of the workbench. Raises what its service raises."""
    actor = require(request, Action.SEE_TASKS)
    text = msgspec.Raw(msgspec.json.encode(body or {}))
    return carry_out(
        actor, Command(id=id or uuid4(), name=name, task=task_id, session=session or uuid4(), token=token, body=text)
    )
