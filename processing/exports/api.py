"""Exports and their layouts, for programs: asked for, waited for, fetched by a signed link."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from catalogsku.core.paging import step
from ingestion import selectors as documents
from processing.exports import selectors
from processing.exports.lifecycle import ExportStatus
from processing.exports.models import Export, ExportKind, ExportLayout, Headings
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish
from processing.products.schemas import ListAddress

router = Router(tags=["exports"])
layouts = Router(tags=["exports"])

Keys = Annotated[list[Annotated[str, Field(max_length=80, pattern=r"^[^\x00]*$")]], Field(max_length=200)]
MerchantId = Annotated[int | None, Field(ge=1, le=2**31 - 1)]


class ExportIn(Schema):
    """``job_id``: of one document; without it of all of the merchant. ``changes_only``: what differs from the last
    export of the layout that was fetched. ``full_only``: without SKUs that lack identity or specification. ``filter``:
    the parameters of a list's address, such as ``show=open&where=color:has:oak``, for what it shows alone."""

    kind: ExportKind
    job_id: UUID | None = None
    merchant_id: MerchantId = None
    layout_id: UUID | None = None
    columns: Keys = []
    headings: Headings = Headings.KEYS
    pictures: bool = False
    changes_only: bool = False
    full_only: bool = False
    filter: ListAddress = ""


class ExportOut(Schema):
    """``url`` is there once the file is, and holds for ``url_good_for_s`` seconds; the next answer has a new one."""

    id: UUID
    kind: str
    status: str
    code: str
    name: str
    job_id: UUID | None
    merchant_id: int
    layout_id: UUID | None
    columns: list[str]
    changes_only: bool
    full_only: bool
    filter: str
    skus: int
    added: int
    changed: int
    removed: int
    size_bytes: int
    sha256: str
    created_at: datetime
    ended_at: datetime | None
    fetched_at: datetime | None
    url: str | None
    url_good_for_s: int


class Exports(Schema):
    items: list[ExportOut]
    next: str | None


class LayoutIn(Schema):
    name: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")]
    columns: Keys
    headings: Headings = Headings.KEYS
    merchant_id: MerchantId = None


class LayoutOut(Schema):
    id: UUID
    name: str
    columns: list[str]
    headings: str
    merchant_id: int
    saved_at: datetime


class Layouts(Schema):
    items: list[LayoutOut]
    columns: list[str]


_COPIED = (
    *("kind", "status", "code", "merchant_id", "columns", "full_only", "skus", "added", "removed", "size_bytes"),
    *("sha256", "created_at", "ended_at", "fetched_at"),
)


def _export(export: Export, user: User) -> dict[str, Any]:
    url = signed_links.link_to(export, user).url if export.status == ExportStatus.DONE else None
    return {
        **{name: getattr(export, name) for name in _COPIED},
        "id": export.uuid,
        "name": signed_links.file_name(export),
        "job_id": export.job.uuid if export.job else None,
        "layout_id": export.layout.uuid if export.layout else None,
        "changes_only": export.is_delta,
        "filter": export.wanted,
        "changed": export.altered,
        "url": url,
        "url_good_for_s": signed_links.GOOD_FOR_S,
    }


def _layout(layout: ExportLayout) -> dict[str, Any]:
    names = ("name", "columns", "headings", "merchant_id", "saved_at")
    return {"id": layout.uuid, **{name: getattr(layout, name) for name in names}}


@router.post("", response={202: ExportOut, **PROBLEMS}, summary="Have an export made")
def ask_for(request: HttpRequest, given: ExportIn) -> Any:
    """Answered at once; ask GET /exports/ID until its status is DONE."""
    user = require(request, Action.EXPORT)
    job = documents.get_job(user, given.job_id) if given.job_id else None
    merchant = job.merchant if job else selectors.get_merchant(user, given.merchant_id)
    layout = selectors.get_layout(user, given.layout_id) if given.layout_id else None
    if layout is not None and layout.merchant_id != merchant.pk:
        raise NotFound("not_found")
    wish = Wish(
        *(given.kind, given.columns, given.headings, layout, given.pictures, given.changes_only, given.full_only),
        listed=given.filter,
    )
    made = exporting.ask_for(user, merchant, job, wish)
    return Status(202, _export(selectors.get_export(user, made.uuid), user))


@router.get("", response={200: Exports, **PROBLEMS}, summary="Exports, the newest first")
def list_exports(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    user = require(request, Action.EXPORT)
    rows = selectors.list_exports(user).select_related("merchant")
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": [_export(export, user) for export in items], "next": following}


@router.get("/{uuid:export_id}", response={200: ExportOut, **PROBLEMS}, summary="One export, with a link")
def get_export(request: HttpRequest, export_id: UUID) -> Any:
    user = require(request, Action.EXPORT)
    return _export(selectors.get_export(user, export_id), user)


@layouts.get("", response={200: Layouts, **PROBLEMS}, summary="Layouts of a merchant, and the fields there are")
def list_layouts(request: HttpRequest, merchant_id: MerchantId = None) -> Any:
    user = require(request, Action.EXPORT)
    merchant = selectors.get_merchant(user, merchant_id)
    layout_rows = selectors.list_layouts(merchant)
    return {"items": [_layout(row) for row in layout_rows], "columns": list(selectors.known_columns(merchant.pk))}


@layouts.post("", response={200: LayoutOut, **PROBLEMS}, summary="Save a layout")
def save_layout(request: HttpRequest, given: LayoutIn) -> Any:
    """One of the same name is put differently; what it was compared with stays."""
    user = require(request, Action.EXPORT)
    merchant = selectors.get_merchant(user, given.merchant_id)
    return _layout(exporting.save_layout(user, merchant, given.name, given.columns, given.headings))


@layouts.delete("/{uuid:layout_id}", response={204: None, **PROBLEMS}, summary="Delete a layout")
def delete_layout(request: HttpRequest, layout_id: UUID) -> Any:
    """Exports that were made with it stay."""
    exporting.delete_layout(selectors.get_layout(require(request, Action.EXPORT), layout_id))
    return Status(204, None)
