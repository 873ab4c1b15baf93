"""What a job freezes: the active profile and schema of its category at the moment it is created (TA-ADR11)."""

from catalogsku.profiles.models import CategorySchema, ThresholdProfile

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
