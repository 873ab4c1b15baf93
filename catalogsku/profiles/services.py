"""Profiles and schemas: what a job freezes at its creation (TA-ADR11), and how a version becomes the active one."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Refused
from catalogsku.profiles.gate import refusal_of
from catalogsku.profiles.models import Activation, CategorySchema, GoldenVerdict, ThresholdProfile

DEFAULT_PROFILE = "default"
BASE_CATEGORY = "general"


def profile_for(category: str, key: str | None = None) -> ThresholdProfile:
    """The named profile, else the category's own, else the default one; always the active version."""
    active = ThresholdProfile.objects.filter(active=True)
    if key:
        return active.get(key=key)
    own = active.filter(category=category).order_by("key").first() if category else None
    return own or active.get(key=DEFAULT_PROFILE)


def schema_for(category: str) -> CategorySchema:
    """The category's active schema; the base one where the category has none."""
    active = CategorySchema.objects.filter(active=True)
    return active.filter(key=category).first() or active.get(key=BASE_CATEGORY)


def find_profile(name: str) -> ThresholdProfile:
    """``KEY`` names the active version, ``KEY@VERSION`` any. Raises ThresholdProfile.DoesNotExist."""
    key, _, version = name.partition("@")
    if not version:
        return ThresholdProfile.objects.get(key=key, active=True)
    if not version.isdecimal() or len(version) > 9:
        raise ThresholdProfile.DoesNotExist(name)
    return ThresholdProfile.objects.get(key=key, version=int(version))


def record_verdict(profile: ThresholdProfile, report: UUID, failed: Sequence[str]) -> None:
    """What a stored report says of the version, in the caller's transaction; ``failed``: figures below their limit."""
    GoldenVerdict.objects.create(profile=profile, report=report, passed=not failed, failed=list(failed))


@transaction.atomic
def activate_profile(profile: ThresholdProfile, by: User | None, override: str = "") -> Activation:
    """Make this version, new or old, the active one of its key.

    Raises Refused where its report on golden sets fails or is missing, unless an administrator gives a reason to
    override that; the refusal and the reason are kept with the activation.
    """
    rows = ThresholdProfile.objects.filter(key=profile.key)
    list(rows.select_for_update().order_by("pk"))  # one activation of a key at a time
    refused = refusal_of(profile)
    if refused is not None:
        if not override.strip():
            raise refused
        if by is None or not may(by, Action.OPERATE):
            raise Refused("gate_override_forbidden")
    rows.filter(active=True).update(active=False)
    rows.filter(pk=profile.pk).update(active=True)
    profile.active = True
    return Activation.objects.create(
        profile=profile, by=by, refusal=refused.code if refused else "", override=override.strip() if refused else ""
    )
