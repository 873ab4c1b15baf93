"""Calibration for programs: the records, the thresholds that are proposed, and deciding about them."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from annotation.calibration import selectors
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.services import deciding
from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core import messages
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step

router = Router(tags=["operations"])


class RecordOut(Schema):
    """Of all pages of a profile where ``category`` and ``reason`` are empty. ``rates``: the share and the ends of its
    interval; ``routes``: pages by the way they took, then by the way that was right; docs/quality.md has the rest."""

    run: UUID
    profile: str
    category: str
    reason: str
    since: datetime
    until: datetime
    counts: dict[str, int]
    rates: dict[str, list[float]]
    routes: dict[str, dict[str, int]]
    promises: dict[str, Any]
    drifted: list[list[Any]]

    @staticmethod
    def resolve_profile(record: CalibrationRecord) -> str:
        return f"{record.profile.key}@{record.profile.version}"


class Records(Schema):
    items: list[RecordOut]
    next: str | None


class ProposalOut(Schema):
    """``stated``: the share of right pages from the proposed threshold on, the ends of its interval, and the pages.
    ``made``: the version that came of it, KEY@VERSION."""

    id: int
    profile: str
    figure: str
    now: Decimal
    proposed: Decimal
    target: float
    stated: list[float]
    effect: dict[str, Any]
    state: str
    made: str | None
    proposed_at: datetime
    decided_at: datetime | None

    @staticmethod
    def resolve_profile(row: CalibrationProposal) -> str:
        return f"{row.profile.key}@{row.profile.version}"

    @staticmethod
    def resolve_made(row: CalibrationProposal) -> str | None:
        return f"{row.made.key}@{row.made.version}" if row.made else None


class Proposals(Schema):
    items: list[ProposalOut]
    next: str | None


class Decision(Schema):
    """``override``: why an accepted threshold holds at once, without a report on golden sets."""

    model_config = ConfigDict(extra="forbid")
    do: Literal["accept", "decline"]
    override: str = Field("", max_length=deciding.WHY_MOST_CHARS)
    why: str = Field("", max_length=deciding.WHY_MOST_CHARS)


class Started(Schema):
    started: bool


@router.get("/calibration", response={200: Records, **PROBLEMS}, summary="What people did with pages, by period")
def list_records(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.SEE_QUALITY)
    rows = CalibrationRecord.objects.select_related("profile")
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.post("/calibration/run", response={202: Started, **PROBLEMS}, summary="Calibrate now")
def run_calibration(request: HttpRequest) -> Any:
    """By a worker, in some seconds; the record is the newest then."""
    require(request, Action.OPERATE)
    messages.send("calibrate_now")
    return Status(202, {"started": True})


@router.get("/calibration/proposals", response={200: Proposals, **PROBLEMS}, summary="Proposed thresholds")
def list_proposals(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.SEE_QUALITY)
    items, following = step(selectors.proposals(), cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.post(
    "/calibration/proposals/{int:proposal_id}", response={200: ProposalOut, **PROBLEMS}, summary="Decide about one"
)
def decide(request: HttpRequest, proposal_id: int, given: Decision) -> Any:
    """An accepted one is the next version of its profile, behind the gate unless it is overridden."""
    actor = require(request, Action.OPERATE)
    if given.do == "accept":
        deciding.accept(actor, proposal_id, given.override)
    else:
        deciding.decline(actor, proposal_id, given.why)
    return selectors.proposals().get(pk=proposal_id)
