"""Documents, their pages and progress, for programs."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import File, Router, Schema, Status
from ninja.files import UploadedFile
from ninja.params.functions import Form, Header
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.grants import grant_of
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from ingestion import lines, models_shown, page_groups, presentation, selectors, watch
from ingestion.events import job_events
from ingestion.kinds import CATALOGUE, KINDS
from ingestion.models import Job, Page
from ingestion.presentation import Groups
from ingestion.queueing import held_turns
from ingestion.reasons import reason_sentence
from ingestion.services import copies, jobs, permission, receiving
from ingestion.standing import UserStatus, reason_code, standing

router = Router(tags=["documents"])
operations = Router(tags=["operations"])

Text = Annotated[str, Field(max_length=100, pattern=r"^[^\x00]*$")]
Key = Annotated[str | None, Field(min_length=8, max_length=100, pattern=r"^[\x21-\x7e]+$")]
Show = Literal["all", "running", "people", "finished", "failed", "cancelled"]


class ModelsOut(Schema):
    """Whether models are asked about its pages, and for how much: ``asking`` waits for POST /jobs/ID/models,
    ``estimating`` until the rules have done with all pages. ``pages_to_ask`` and ``estimated_usd``: null until then.
    ``waiting_in_batches``: pages whose question waits for a batch."""

    state: models_shown.State
    pages_to_ask: int | None
    pages: int | None
    estimated_usd: float | None
    spent_usd: float
    waiting_in_batches: int


class JobOut(Schema):
    """``status`` is ours, ``user_status`` one of five in the words of who uploaded it: ``message`` says why, and
    ``action_hint`` what can be done now. ``copy_hash``: of the copy without scripts that was read, null where the file
    itself was. ``kind``: what it is, a catalogue or a study; ``template``: what is asked of a study, as
    "key/version"."""

    job_id: UUID
    source_file: str
    file_hash: str
    copy_hash: str | None
    kind: str
    template: str | None
    category: str | None
    status: str
    user_status: UserStatus
    urgency: Literal["now", "batch"]
    route: str | None
    reason_code: str | None
    message: str
    action_hint: str
    total_pages: int | None
    completed_pages: int
    completed_skus: int
    progress_percent: int
    models: ModelsOut
    created_at: datetime
    finished_at: datetime | None
    url: str


class Jobs(Schema):
    items: list[JobOut]
    next: str | None


class Blocker(Schema):
    code: str
    message: str


class PageOut(Schema):
    """``holder``: the name of who has it in hand. ``personal_data``: how many different telephone numbers (phone), mail
    addresses (mail), identity numbers (identity), cards (card) and bank accounts (iban) it shows; null where nobody has
    looked."""

    page_number: int
    status: str
    import_state: str
    page_type: str | None
    layout_type: str | None
    confidence: float | None
    needs_review: bool
    sku_count: int
    holder: str | None
    blockers: list[Blocker]
    parser_backend: str
    extraction_method: str
    personal_data: dict[str, int] | None


class Pages(Schema):
    items: list[PageOut]
    next: str | None


class Progress(Schema):
    """``phase_detail``: of its pages, or, once they are read, of a document from which something is taken as a whole.
    ``estimated_remaining_sec``: until its pages are read and understood."""

    job_id: UUID
    total_pages: int
    completed_pages: int
    current_phase: Literal["evaluating", "processing", "importing", "human_pending"] | None
    phase_detail: str | None
    estimated_remaining_sec: int | None
    page_breakdown: dict[str, int]


class Retried(Schema):
    """``code``: only pages that stopped for this reason."""

    model_config = ConfigDict(extra="forbid")
    code: Text = "all"


class Dashboard(Schema):
    """Waiting and claimed work by stage, live workers by unit, documents by state, pages that stopped, holds."""

    queues: list[dict[str, Any]]
    workers: dict[str, int]
    documents: dict[str, int]
    stopped_pages: int
    held_documents: int


class Stopped(Schema):
    pages: int


class Password(Schema):
    model_config = ConfigDict(extra="forbid")
    password: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]


class Go(Schema):
    """``go``: true asks models, false leaves the pages to people, exactly as without a key."""

    model_config = ConfigDict(extra="forbid", strict=True)
    go: bool


class Rerun(Schema):
    """``pages``: their numbers; none for all that failed."""

    model_config = ConfigDict(extra="forbid")
    pages: Annotated[list[Annotated[int, Field(ge=1, le=100_000)]], Field(max_length=1000)] | None = None


def job_out(job: Job) -> dict[str, Any]:
    return _job_out(job, page_groups.groups_of(job), models_shown.spent_micro([job.pk]).get(job.pk, 0))


def _job_out(job: Job, groups: Groups, spent_micro: int) -> dict[str, Any]:
    done = groups.done
    total, stands = groups.total or job.total_pages, standing(job, groups)
    return {
        "job_id": job.uuid,
        "source_file": job.source_name,
        "file_hash": job.file_sha256,
        "copy_hash": job.copy_sha256 or None,
        "kind": job.kind,
        "template": job.template or None,
        "category": job.category or None,
        "status": job.status,
        "user_status": stands.user_status,
        "urgency": job.urgency,
        "route": job.route or None,
        "reason_code": reason_code(job),
        "message": stands.reason,
        "action_hint": stands.hint,
        "total_pages": total,
        "completed_pages": done,
        "completed_skus": groups.skus,
        "progress_percent": 100 * done // total if total else 0,
        "models": models_shown.models_shown(job, groups, spent_micro),
        "created_at": job.created_at,
        "finished_at": job.finished_at,
        "url": reverse("job", args=[job.uuid]),
    }


@router.get("", response={200: Jobs, **PROBLEMS}, summary="Documents, newest first")
def list_jobs(request: HttpRequest, show: Show = "all", q: Text = "", cursor: str = "", limit: Limit = 50) -> Any:
    actor = require(request, Action.SEE_JOBS)
    items, following = step(selectors.list_jobs(actor, show, q), cursor, limit, newest_first=True)
    groups = page_groups.groups_of_jobs(items)
    spent = models_shown.spent_micro([job.pk for job in items])
    return {"items": [_job_out(job, groups[job.pk], spent.get(job.pk, 0)) for job in items], "next": following}


@router.post("", response={200: JobOut, 201: JobOut, **PROBLEMS}, summary="A new document of up to 8 MB")
def create_job(
    request: HttpRequest,
    file: File[UploadedFile],
    kind: Text = Form(CATALOGUE.key),  # noqa: B008
    template: Text = Form(""),  # noqa: B008
    category: Text = Form(""),  # noqa: B008
    profile: Text = Form(""),  # noqa: B008
    again: bool = Form(False),
    edition_of: UUID | None = Form(None),  # noqa: B008
    urgency: Literal["now", "batch"] = Form("now"),
    idempotency_key: Key = Header(None, alias="Idempotency-Key"),  # noqa: B008
) -> Any:
    """The same key again gives the same document with 200; with another file, kind, template, category, profile,
    urgency or earlier edition it is refused with key_taken. Larger files: POST /api/v1/uploads/ (tus 1.0). A file
    that the merchant has already is refused with duplicate_file, unless ``again`` is set. ``kind``: what it is, a
    catalogue or a study; another one is refused with unknown_kind. ``template``: by which a study is read, as its
    key or "key/version"; category, edition_of and urgency batch say nothing of a study and are refused with
    not_of_kind. ``edition_of``: the document of which it is the next edition, where that is not to be found
    out. ``urgency`` batch: models answer within about a day, at a part of the price; refused with no_batches where
    no model has batches."""
    actor = require(request, Action.UPLOAD)
    key = idempotency_key or f"api-{uuid4()}"
    known = selectors.job_of_key(actor, key)
    job = known or receiving.receive_whole(
        actor,
        file,
        key,
        category,
        profile,
        again=again,
        edition_of=edition_of,
        urgency=urgency,
        kind=kind,
        template=template,
    )
    receiving.refuse_another_body(job, file, kind, template, category, profile, edition_of, urgency)
    return Status(200 if known else 201, job_out(job))


@router.get("/{uuid:job_id}", response={200: JobOut, **PROBLEMS}, summary="How a document stands")
def get_job(request: HttpRequest, job_id: UUID) -> Any:
    return job_out(selectors.get_job(require(request, Action.SEE_JOBS), job_id))


@router.get("/{uuid:job_id}/pages", response={200: Pages, **PROBLEMS}, summary="Its pages in order")
def list_pages(request: HttpRequest, job_id: UUID, cursor: str = "", limit: Limit = 50) -> Any:
    job = selectors.get_job(require(request, Action.SEE_JOBS), job_id)
    items, following = step(Page.objects.filter(job=job), cursor, limit, key="number")
    return {"items": [_page_out(page, by_pages=KINDS[job.kind].by_pages) for page in items], "next": following}


def _page_out(page: Page, *, by_pages: bool) -> dict[str, Any]:
    is_claimed = page.worker is not None
    state = presentation.shown_state(page.status, page.import_state, page.stage, claimed=is_claimed, by_pages=by_pages)
    return {
        "page_number": page.number,
        "status": state,
        "import_state": page.import_state,
        "page_type": page.page_type or None,
        "layout_type": page.layout_type or None,
        "confidence": page.confidence,
        "needs_review": page.needs_review,
        "sku_count": page.sku_count,
        "holder": page.holder or None,
        "blockers": [
            {"code": b["code"], "message": reason_sentence(b["code"], b.get("params"))} for b in page.blockers
        ],
        "parser_backend": page.reader,
        "extraction_method": page.extraction_method,
        "personal_data": page.personal_data,
    }


@router.get("/{uuid:job_id}/progress", response={200: Progress, **PROBLEMS}, summary="How far a document is")
def progress(request: HttpRequest, job_id: UUID) -> Any:
    job = selectors.get_job(require(request, Action.SEE_JOBS), job_id)
    groups = page_groups.groups_of(job)
    done, total = (
        groups.total - groups.counts["queued"] - groups.counts["reading"],
        groups.total or job.total_pages or 0,
    )
    pace, stands = page_groups.pace(job, groups), standing(job, groups)
    of_pages = KINDS[job.kind].by_pages or groups.with_machines
    detail = _("Page %(n)s of %(of)s") % {"n": done, "of": total} if of_pages else stands.reason
    return {
        "job_id": job.uuid,
        "total_pages": total,
        "completed_pages": done,
        "current_phase": stands.phase,
        "phase_detail": detail if groups.total else None,
        "estimated_remaining_sec": round(pace[1]) if pace else None,
        "page_breakdown": {key: count for key, count in groups.counts.items() if key != "all"},
    }


@router.get(
    "/{uuid:job_id}/events",
    summary="Its progress as server-sent events",
    openapi_extra={
        "responses": {
            200: {
                "description": "page_started, page_completed, phase_started, human_needed, go_needed, job_completed,"
                " job_failed, machines_done",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            }
        }
    },
)
def events(request: HttpRequest, job_id: UUID) -> StreamingHttpResponse:
    """Begins with what has happened already; ends when machines have nothing left to do in the document. A comment
    every 15 s keeps the line open. A person has 8 such lines; the next one ends the one that has been silent longest,
    or is refused with too_many_streams."""
    actor = require(request, Action.SEE_JOBS)
    job = selectors.get_job(actor, job_id)
    stream = job_events(grant_of(request), lines.take_stream(actor, job), job)
    response = StreamingHttpResponse(stream, content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


@router.post("/{uuid:job_id}/requeue", response={200: JobOut, **PROBLEMS}, summary="Let a held document go on")
def requeue(request: HttpRequest, job_id: UUID) -> Any:
    actor = require(request, Action.SUPERVISE)
    jobs.requeue_job(selectors.get_job(actor, job_id), actor.username)
    return job_out(selectors.get_job(actor, job_id))


@router.post("/{uuid:job_id}/rerun", response={200: Stopped, **PROBLEMS}, summary="Send pages through again")
def rerun(request: HttpRequest, job_id: UUID, given: Rerun) -> Any:
    actor = require(request, Action.RETRY)
    return {"pages": jobs.rerun_pages(selectors.get_job(actor, job_id), given.pages, actor.username)}


@router.post("/{uuid:job_id}/models", response={200: JobOut, **PROBLEMS}, summary="Whether models are asked")
def say_go(request: HttpRequest, job_id: UUID, given: Go) -> Any:
    """Answers a document in AWAITING_GO; 409 models_not_asked where none is asked, or somebody was first."""
    actor = require(request, Action.UPLOAD)
    permission.answer(selectors.get_job(actor, job_id), actor.username, go=given.go)
    return job_out(selectors.get_job(actor, job_id))


@router.post("/{uuid:job_id}/password", response={200: JobOut, **PROBLEMS}, summary="Give a locked file's password")
def password(request: HttpRequest, job_id: UUID, given: Password) -> Any:
    actor = require(request, Action.UPLOAD)
    jobs.give_password(selectors.get_job(actor, job_id), given.password, actor.username)
    return job_out(selectors.get_job(actor, job_id))


@router.post("/{uuid:job_id}/copy", response={200: JobOut, **PROBLEMS}, summary="Read a refused file without scripts")
def read_copy(request: HttpRequest, job_id: UUID) -> Any:
    """A copy without scripts, actions and attachments is made, checked and read; the original is kept. Asked twice it
    is done once; 409 no_copy_asked for a file that was not refused for these."""
    actor = require(request, Action.READ_COPY)
    copies.read_copy(selectors.get_job(actor, job_id), actor.username)
    return job_out(selectors.get_job(actor, job_id))


@operations.post("/jobs/batch-retry", response={200: Stopped, **PROBLEMS}, summary="Send stopped pages through again")
def batch_retry(request: HttpRequest, given: Retried) -> Any:
    """Of all documents that the person may see; up to 1000 pages at once."""
    actor = require(request, Action.SUPERVISE)
    return {"pages": jobs.retry_stopped(watch.stopped(actor, given.code), actor.username)}


@operations.get("/dashboard", response={200: Dashboard, **PROBLEMS}, summary="How the product stands")
def dashboard(request: HttpRequest) -> Any:
    actor = require(request, Action.SUPERVISE)
    turns = held_turns(actor.merchant_ids())
    live: dict[str, int] = {}
    for worker in watch.workers():
        live[worker.unit] = live.get(worker.unit, 0) + int(worker.alive)
    return {
        "queues": [{"work": q.key, "waiting": q.waiting, "in_hand": q.in_hand} for q in watch.queues(actor, turns)],
        "workers": live,
        "documents": {entry.key: entry.count for entry in selectors.job_filters(actor)},
        "stopped_pages": selectors.stopped_pages(actor).count(),
        "held_documents": selectors.held_jobs(actor).count(),
    }
