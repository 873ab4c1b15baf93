"""Threshold profiles and category schemas by name."""

from typing import Any, cast

from django.core.exceptions import ValidationError

from catalogsku.accounts.models import User
from catalogsku.core.errors import Conflict, NotFound, Refused
from catalogsku.profiles.models import Activation, CategorySchema, PromptVersion, ThresholdProfile, WorkRules
from catalogsku.profiles.services.activation import activate
from catalogsku.profiles.services.prompts import routing_now

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


def work_rules() -> WorkRules:
    """What holds for human work now."""
    return WorkRules.objects.get(key=WorkRules.DEFAULT, active=True)


def find_profile(name: str) -> ThresholdProfile:
    """``KEY`` names the active version, ``KEY@VERSION`` any. Raises ThresholdProfile.DoesNotExist."""
    key, _, version = name.partition("@")
    if not version:
        return ThresholdProfile.objects.get(key=key, active=True)
    if not version.isdecimal() or len(version) > 9:
        raise ThresholdProfile.DoesNotExist(name)
    return ThresholdProfile.objects.get(key=key, version=int(version))


def get_profile(profile_id: int) -> ThresholdProfile:
    """Raises NotFound(not_found)."""
    profile = ThresholdProfile.objects.filter(pk=profile_id).first()
    if profile is None:
        raise NotFound("not_found")
    return profile


def append_profile(
    base: ThresholdProfile, by: User, expected: int, reason: str, changes: dict[str, object]
) -> ThresholdProfile:
    """The next version of the base's key: its values with these changes, not active.

    Raises Conflict(version_taken) where ``expected`` is not the newest version, Refused(profile_invalid).
    """
    newest = ThresholdProfile.objects.filter(key=base.key).order_by("-version").values_list("version", flat=True)[0]
    if newest != expected:
        raise Conflict("version_taken", profile=base.key, now=newest)
    row = ThresholdProfile.objects.get(pk=base.pk)
    for name, value in {**changes, "reason": reason, "created_by": by}.items():
        setattr(row, name, value)
    try:
        return cast(ThresholdProfile, row.add_version(expected, active=False))
    except ValidationError as error:
        raise Refused("profile_invalid", why=" ".join(error.messages)) from None


def activate_profile(profile: ThresholdProfile, by: User | None, override: str = "") -> Activation:
    """As ``activate``."""
    return cast(Activation, activate(profile, by, override))


def active_versions() -> dict[str, Any]:
    """What a document that is given now is frozen with, and what holds for human work: versions by key."""
    versioned = {"profiles": ThresholdProfile, "schemas": CategorySchema, "prompts": PromptVersion}
    versions: dict[str, Any] = {
        name: dict(model._default_manager.filter(active=True).order_by("key").values_list("key", "version"))
        for name, model in versioned.items()
    }
    return {**versions, "routing": routing_now().version, "work_rules": work_rules().version}
