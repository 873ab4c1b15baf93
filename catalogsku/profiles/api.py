"""Threshold profiles and what became of them, for programs of administrators."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from catalogsku.profiles.gate import refusal_of
from catalogsku.profiles.models import Activation, ThresholdProfile
from catalogsku.profiles.services import activate_profile, active_versions, append_profile, get_profile

router = Router(tags=["configuration"])
operations = Router(tags=["operations"])

Threshold = Annotated[Decimal, Field(ge=0, le=1, max_digits=4, decimal_places=3)]
Reason = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]
Key = Annotated[str, Field(max_length=60, pattern=r"^[^\x00]+$")]
Number = Annotated[float, Field(allow_inf_nan=False)]


class Profile(Schema):
    """One version. ``gate``: passed, or the code of what its report on golden sets lacks."""

    id: int
    key: str
    version: int
    active: bool
    category: str
    threshold_a: Decimal
    threshold_pv: Decimal
    threshold_b: Decimal
    weights: dict[str, float]
    prescan_rules: dict[str, Any]
    classification: dict[str, Any]
    limits: dict[str, Any]
    validity_mode: str
    reason: str
    created_at: datetime
    gate: str

    @staticmethod
    def resolve_gate(row: ThresholdProfile) -> str:
        refused = refusal_of(row)
        return "passed" if refused is None else refused.code


class Profiles(Schema):
    items: list[Profile]
    next: str | None


class ProfileChange(Schema):
    """A new version with these values; ``expected_version`` is the newest that its author has seen."""

    model_config = ConfigDict(extra="forbid")

    expected_version: int
    reason: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
    threshold_a: Threshold | None = None
    threshold_pv: Threshold | None = None
    threshold_b: Threshold | None = None
    weights: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None
    prescan_rules: dict[Key, bool | int | Number] | None = None
    classification: dict[Key, bool | int | Number] | None = None
    limits: dict[Key, bool | int | Number] | None = None
    validity_mode: Literal["strict", "lenient"] | None = None


class Override(Schema):
    """``override``: why, where the gate refuses the version."""

    model_config = ConfigDict(extra="forbid")
    override: Reason = ""


class Entry(Schema):
    """One activation: who made which version the active one, and why against the gate."""

    id: int
    profile: str
    by: str | None
    refusal: str
    override: str
    at: datetime

    @staticmethod
    def resolve_profile(row: Activation) -> str:
        return str(row.profile)

    @staticmethod
    def resolve_by(row: Activation) -> str | None:
        return row.by.username if row.by else None


class AuditLog(Schema):
    items: list[Entry]
    next: str | None


class InForce(Schema):
    """Versions by key: what the next document is frozen with."""

    profiles: dict[str, int]
    schemas: dict[str, int]
    prompts: dict[str, int]
    routing: int
    work_rules: int


@router.post("/reload", response={200: InForce, **PROBLEMS}, summary="What is in force now, in every process")
def reload(request: HttpRequest) -> Any:
    """Nothing has to be reloaded: no process keeps configuration, each document reads the active versions when it is
    given and keeps them. A change holds with its activation; this says which versions that are."""
    require(request, Action.OPERATE)
    return active_versions()


@router.get("/profiles", response={200: Profiles, **PROBLEMS}, summary="All versions of threshold profiles")
def list_profiles(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.OPERATE)
    items, following = step(ThresholdProfile.objects.all(), cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.get("/profiles/{int:profile_id}", response={200: Profile, **PROBLEMS}, summary="One version")
def show_profile(request: HttpRequest, profile_id: int) -> Any:
    require(request, Action.OPERATE)
    return get_profile(profile_id)


@router.put("/profiles/{int:profile_id}", response={201: Profile, **PROBLEMS}, summary="Append a version")
def change_profile(request: HttpRequest, profile_id: int, given: ProfileChange) -> Any:
    """Versions are never changed: a new one follows, not active. 409 where somebody else has appended one meanwhile."""
    actor = require(request, Action.OPERATE)
    changes = given.model_dump(exclude_none=True, exclude={"expected_version", "reason"})
    return Status(201, append_profile(get_profile(profile_id), actor, given.expected_version, given.reason, changes))


@operations.get("/config/audit-log", response={200: AuditLog, **PROBLEMS}, summary="Which profiles were activated")
def audit_log(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.OPERATE)
    rows = Activation.objects.select_related("profile", "by")
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@operations.post("/config/rollback/{int:profile_id}", response={200: Profile, **PROBLEMS}, summary="Activate a version")
def rollback(request: HttpRequest, profile_id: int, given: Override) -> Any:
    """An earlier version, or a new one past its gate."""
    actor = require(request, Action.OPERATE)
    profile = get_profile(profile_id)
    activate_profile(profile, actor, given.override)
    return get_profile(profile_id)
