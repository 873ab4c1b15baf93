"""What versions of a configuration have in common: they are added, never changed (TA-FREEZE)."""

import math
from collections.abc import Collection
from typing import Self, cast

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogsku.core import clock
from catalogsku.profiles.models.changes import Configuration


class VersionedRow(Configuration):
    """A version of a named configuration; rows are never changed, a new version replaces the active one."""

    UNTOLD = Configuration.UNTOLD | {"previous_id", "reason"}

    key = models.CharField(_("key"), max_length=60)
    version = models.PositiveIntegerField(_("version"), editable=False)
    previous = models.ForeignKey("self", models.PROTECT, null=True, blank=True, editable=False, related_name="+")
    active = models.BooleanField(_("active"), default=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @property
    def words(self) -> str:
        """As a person reads it; ``str`` is what programs and commands name it by."""
        return gettext("%(key)s, version %(n)s") % {"key": self.key, "n": self.version}

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Also refuses JSON that a person may write and no database keeps."""
        super().clean_fields(exclude)
        for field in self._meta.concrete_fields:
            if isinstance(field, models.JSONField) and not _can_be_stored(getattr(self, field.attname)):
                raise ValidationError(
                    {field.name: _("No number may be infinite or none, and no text hold a NUL sign.")}
                )

    @property
    def change_row(self) -> str:
        return self.key

    def stands_on(self) -> Configuration | None:
        """A new version is told by what it changes of the one before."""
        return self.previous if self._state.adding else super().stands_on()

    @classmethod
    def get_active(cls, key: str) -> Self:
        return cast(Self, cls._default_manager.get(key=key, active=True))

    @transaction.atomic
    def add_version(self, expected: int | None = None, *, active: bool = True) -> "VersionedRow":
        """Store this unsaved row as the next version of its key; without ``active`` the one that is active stays so.

        ``expected``: the newest version that the editor saw; a newer one raises ValidationError (a stale form).
        """
        model = type(self)
        latest = model._default_manager.select_for_update().filter(key=self.key).order_by("-version").first()
        if latest is not None and expected is not None and latest.version != expected:
            raise ValidationError(
                _("%(key)s has moved on to version %(now)d while you edited version %(seen)d."),
                params={"key": self.key, "now": latest.version, "seen": expected},
            )
        if active:
            model._default_manager.filter(key=self.key, active=True).update(active=False)
        self.pk, self._state.adding = None, True
        self.version, self.previous, self.active = (latest.version + 1 if latest else 1), latest, active
        self.full_clean(exclude=["created_by"])
        self.save()
        return self


def _can_be_stored(value: object) -> bool:
    if isinstance(value, dict):
        return all(_can_be_stored(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return all(map(_can_be_stored, value))
    return "\0" not in value if isinstance(value, str) else not isinstance(value, float) or math.isfinite(value)
