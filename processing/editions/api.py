"""What a new edition of a document changes, and the merchant's word on it, for programs."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from catalogsku.core.paging import step
from ingestion import selectors as documents
from ingestion.models import Job
from processing.editions import presenters
from processing.editions.models import Edition, EditionChange, EditionRenaming, RenamingState
from processing.editions.services import approving, recognising

router = Router(tags=["editions"])

Kind = Literal["changed", "added", "renamed", "removed"]

SkuId = Annotated[str, Field(max_length=40, pattern=r"^[^\x00]*$")]


class EditionOut(Schema):
    """``share``: of the pages with products, in common; ``digest`` names the changes, for the approval."""

    job_id: UUID
    edition_of: UUID
    origin: Literal["recognised", "declared"]
    state: Literal["open", "approving", "approved"]
    share: float
    pages_carried: int
    pages_open: int
    counts: dict[str, int]
    digest: str
    decided_at: datetime | None


class FieldChange(Schema):
    key: str
    before: str | None
    after: str | None


class ChangeOut(Schema):
    """``goes``: it is carried out on approval; a removed product is then taken back. ``price_change``: a share."""

    key: str
    kind: Kind
    sku_id: str | None
    earlier_sku_id: str | None
    page_number: int | None
    earlier_page_number: int | None
    fields: list[FieldChange]
    price_change: float | None
    goes: bool


class Changes(Schema):
    items: list[ChangeOut]
    next: str | None


class Declared(Schema):
    model_config = ConfigDict(extra="forbid")
    edition_of: UUID


class Chosen(Schema):
    """``keys`` of changes, or all of a ``kind``."""

    model_config = ConfigDict(extra="forbid")
    goes: bool
    keys: Annotated[list[Annotated[str, Field(max_length=41)]], Field(max_length=1000)] = []
    kind: Kind | None = None


class RenamingOut(Schema):
    """A removed and an added product that are alike in all but their codes. ``taken``: null until somebody has said
    whether they are one; ``score``: 0 to 1."""

    earlier_sku_id: str
    sku_id: str
    score: float
    taken: bool | None


class Renamings(Schema):
    items: list[RenamingOut]
    next: str | None


class RenamingSaid(Schema):
    model_config = ConfigDict(extra="forbid")
    earlier_sku_id: SkuId
    sku_id: SkuId
    taken: bool


class Noted(Schema):
    changes: int


class Approval(Schema):
    model_config = ConfigDict(extra="forbid")
    digest: Annotated[str, Field(max_length=16)]


def _edition(job: Job) -> Edition:
    edition = presenters.edition_of(job)
    if edition is None:
        raise NotFound("not_found")
    return edition


def _out(job: Job) -> dict[str, Any]:
    edition = _edition(job)
    head = presenters.edition_head(job, edition)
    return {
        "job_id": job.uuid,
        "edition_of": edition.predecessor.uuid,
        "origin": edition.origin,
        "state": edition.state,
        "share": edition.share,
        "pages_carried": head.pages_carried,
        "pages_open": head.pages_open,
        "counts": edition.tally,
        "digest": edition.digest,
        "decided_at": edition.decided_at,
    }


@router.get("/{uuid:job_id}/edition", response={200: EditionOut, **PROBLEMS}, summary="Whose next edition it is")
def get_edition(request: HttpRequest, job_id: UUID) -> Any:
    """404 for a document of its own."""
    return _out(documents.get_job(require(request, Action.SEE_RESULTS), job_id))


@router.get("/{uuid:job_id}/edition/changes", response={200: Changes, **PROBLEMS}, summary="What it changes")
def list_changes(
    request: HttpRequest, job_id: UUID, kind: Kind | None = None, cursor: str = "", limit: Limit = 50
) -> Any:
    """In the order in which they were found; ``price_change`` tells those with another price."""
    edition = _edition(documents.get_job(require(request, Action.SEE_RESULTS), job_id))
    rows = presenters.list_changes(edition, kind or "all").order_by()
    items, following = step(rows, cursor, limit)
    return {"items": [_change(change) for change in items], "next": following}


def _change(change: EditionChange) -> dict[str, Any]:
    later, earlier = change.later, change.earlier
    return {
        "key": change.key,
        "kind": change.kind,
        "sku_id": later.sku_id if later else None,
        "earlier_sku_id": earlier.sku_id if earlier else None,
        "page_number": later.page.number if later else None,
        "earlier_page_number": earlier.page.number if earlier else None,
        "fields": [{"key": key, "before": before, "after": after} for key, before, after in change.fields],
        "price_change": change.price_change,
        "goes": change.goes,
    }


@router.post("/{uuid:job_id}/edition", response={200: EditionOut, **PROBLEMS}, summary="It is the next edition of")
def declare(request: HttpRequest, job_id: UUID, given: Declared) -> Any:
    """Nothing of it goes out until it is approved."""
    actor = require(request, Action.APPROVE)
    job = documents.get_job(actor, job_id)
    recognising.declare(job, documents.get_job(actor, given.edition_of), actor.username)
    return _out(job)


@router.post("/{uuid:job_id}/edition/undo", response={204: None, **PROBLEMS}, summary="It is a document of its own")
def undo(request: HttpRequest, job_id: UUID) -> Any:
    """Pages that were taken over go through the machines."""
    actor = require(request, Action.APPROVE)
    recognising.undo(documents.get_job(actor, job_id), actor.username)
    return Status(204, None)


@router.post("/{uuid:job_id}/edition/choose", response={200: Noted, **PROBLEMS}, summary="Take changes in or out")
def choose(request: HttpRequest, job_id: UUID, given: Chosen) -> Any:
    job = documents.get_job(require(request, Action.APPROVE), job_id)
    return {"changes": approving.choose(job, goes=given.goes, keys=given.keys, kind=given.kind or "")}


@router.post("/{uuid:job_id}/edition/choose/undo", response={200: Noted, **PROBLEMS}, summary="Undo a choice of many")
def undo_choice(request: HttpRequest, job_id: UUID) -> Any:
    """Of the last choice of all changes of a ``kind``; what was chosen before it, or singly since, stays."""
    job = documents.get_job(require(request, Action.APPROVE), job_id)
    return {"changes": approving.take_back_choice(job)}


@router.get("/{uuid:job_id}/edition/renamings", response={200: Renamings, **PROBLEMS}, summary="What may be renamed")
def list_renamings(request: HttpRequest, job_id: UUID, cursor: str = "", limit: Limit = 50) -> Any:
    edition = _edition(documents.get_job(require(request, Action.SEE_RESULTS), job_id))
    items, following = step(EditionRenaming.objects.filter(edition=edition), cursor, limit)
    said: dict[str, bool] = {RenamingState.TAKEN: True, RenamingState.LEFT: False}
    rows = [
        {
            "earlier_sku_id": renaming.earlier,
            "sku_id": renaming.later,
            "score": renaming.score,
            "taken": said.get(renaming.state),
        }
        for renaming in items
    ]
    return {"items": rows, "next": following}


@router.post(
    "/{uuid:job_id}/edition/renamings", response={200: EditionOut, **PROBLEMS}, summary="Whether it is renamed"
)
def say_renamed(request: HttpRequest, job_id: UUID, given: RenamingSaid) -> Any:
    """Taken, the two are one change of the kind ``renamed`` in the place of a removed and an added product; the digest
    is a new one. 404 for a pair that was not proposed."""
    actor = require(request, Action.APPROVE)
    job = documents.get_job(actor, job_id)
    pair = given.earlier_sku_id, given.sku_id
    approving.say_renamed(job, *pair, taken=given.taken, actor=actor.username)
    return _out(job)


@router.post("/{uuid:job_id}/edition/approve", response={200: EditionOut, **PROBLEMS}, summary="Let the changes go out")
def approve(request: HttpRequest, job_id: UUID, given: Approval) -> Any:
    """409 edition_not_ready while pages are in work, edition_moved_on where the changes are newer than ``digest``.

    The state is ``approving`` until all products are prepared, then ``approved``; ``open`` again where pages have
    changed in that moment."""
    actor = require(request, Action.APPROVE)
    job = documents.get_job(actor, job_id)
    approving.approve(job, given.digest, actor.username)
    return _out(job)
