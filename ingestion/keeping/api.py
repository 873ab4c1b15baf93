"""How long things are kept, and deleting on request, for programs of administrators."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from ingestion.keeping import selectors
from ingestion.keeping.models import DAYS_MAX, Deletion, KeepingRule
from ingestion.keeping.policies import DEFAULT_DAYS
from ingestion.keeping.selectors import Target
from ingestion.keeping.services import deleting, rules

router = Router(tags=["operations"])

MerchantId = Annotated[int | None, Field(ge=1, lt=2**63)]
Days = Annotated[int | None, Field(ge=0, le=DAYS_MAX)]


class KeepingOut(Schema):
    """``days`` that hold by kind, null: until somebody deletes it. ``own``: what the rule itself says, 0: for good,
    null: as it holds for all."""

    merchant_id: int | None
    days: dict[str, int | None]
    own: dict[str, int | None]


class KeepingIn(Schema):
    """The whole rule: a kind that is left out holds as for all. Without ``merchant_id`` it is the rule for all."""

    model_config = ConfigDict(extra="forbid")
    days: dict[Literal[tuple(DEFAULT_DAYS)], Days]  # type: ignore[valid-type]
    merchant_id: MerchantId = None


class TargetIn(Schema):
    """``which``: a document's id, a merchant's number or name, a person's user name."""

    model_config = ConfigDict(extra="forbid")
    subject: Literal["document", "merchant", "person"]
    which: Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\x00]+$")]


class PreviewOut(Schema):
    """``rows`` by table; of a merchant how many ``documents`` instead."""

    rows: dict[str, int]
    files: int
    bytes: int
    documents: int


class DeletionOut(Schema):
    """``hashes``: SHA-256 of names and files, by which who has them can tell that they went. ``found``: where the scan
    found something left."""

    id: int
    subject: Literal["document", "merchant", "person"]
    number: int
    merchant_number: int | None
    state: Literal["rows", "files", "done", "left"]
    by_rule: bool
    hashes: dict[str, str]
    rows: dict[str, int]
    files: int
    bytes: int
    found: dict[str, int]
    asked_at: datetime
    ended_at: datetime | None


class Deletions(Schema):
    items: list[DeletionOut]


@router.get("/keeping", response={200: KeepingOut, **PROBLEMS}, summary="How long things are kept")
def get_keeping(request: HttpRequest, merchant_id: MerchantId = None) -> Any:
    """Without ``merchant_id``: what holds where a merchant has no rule of its own."""
    return _rule(_merchant(require(request, Action.OPERATE), merchant_id))


@router.put("/keeping", response={200: KeepingOut, **PROBLEMS}, summary="Say how long things are kept")
def set_keeping(request: HttpRequest, given: KeepingIn) -> Any:
    """In force with the next sweep; what has gone does not come back."""
    actor = require(request, Action.OPERATE)
    merchant = _merchant(actor, given.merchant_id)
    rules.set_rule(merchant, given.days, actor)
    return _rule(merchant)


@router.post("/deletions/preview", response={200: PreviewOut, **PROBLEMS}, summary="What a deletion would take")
def preview_deletion(request: HttpRequest, given: TargetIn) -> Any:
    require(request, Action.OPERATE)
    return asdict(deleting.preview(_target(given)))


@router.post("/deletions", response={202: DeletionOut, **PROBLEMS}, summary="Delete a document, merchant or person")
def delete(request: HttpRequest, given: TargetIn) -> Any:
    """Begun at once, and done when its ``state`` is ``done``; asked for twice it is one. Nothing brings it back but a
    backup. 409 for what is under way."""
    actor = require(request, Action.OPERATE)
    return Status(202, deleting.ask(_target(given), actor))


@router.get("/deletions", response={200: Deletions, **PROBLEMS}, summary="What was deleted, the newest first")
def list_deletions(request: HttpRequest, limit: Limit = 50) -> Any:
    require(request, Action.OPERATE)
    return {"items": list(Deletion.objects.order_by("-pk")[:limit])}


@router.get("/deletions/{int:deletion_id}", response={200: DeletionOut, **PROBLEMS}, summary="One deletion")
def get_deletion(request: HttpRequest, deletion_id: int) -> Any:
    require(request, Action.OPERATE)
    deletion = Deletion.objects.filter(pk=deletion_id).first()
    if deletion is None:
        raise NotFound("not_found")
    return deletion


def _merchant(actor: User, merchant_id: int | None) -> Merchant | None:
    return named_merchant(actor, merchant_id) if merchant_id is not None else None


def _rule(merchant: Merchant | None) -> dict[str, Any]:
    rule = KeepingRule.objects.filter(merchant=merchant).first()
    return {
        "merchant_id": merchant.pk if merchant else None,
        "days": selectors.days(merchant.pk if merchant else None),
        "own": {kind: getattr(rule, f"{kind}_days", None) for kind in DEFAULT_DAYS},
    }


def _target(given: TargetIn) -> Target:
    target = selectors.find_target(given.subject, given.which)
    if target is None:
        raise NotFound("not_found")
    return target
