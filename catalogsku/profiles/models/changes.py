"""The log of changes: whatever changes a row of configuration is written down with it, in the same transaction."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models.functions import Now
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.core import moments
from catalogsku.core.scope import ScopedQuerySet
from catalogsku.core.secrets import SecretField
from catalogsku.profiles import asking

Values = dict[str, Any]
Row = TypeVar("Row", bound="Configuration")


class ChangeKind(models.TextChoices):
    MADE = "made", pgettext_lazy("change", "made")
    CHANGED = "changed", pgettext_lazy("change", "changed")
    DELETED = "deleted", pgettext_lazy("change", "deleted")


class AppendOnly(models.QuerySet["ConfigChange"]):
    def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:
        raise PermissionDenied("What was written down stays as it is.")

    update = delete = bulk_update = _refuse


class ConfigChange(models.Model):
    """A change of one row. ``model``: as in "profiles.workrules"; ``row``: its key where it has versions, or its id.
    ``before`` and ``after``: the columns that differ, by name. The database refuses to change or delete it."""

    model = models.CharField(_("configuration"), max_length=80)
    row = models.CharField(_("row"), max_length=80)
    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(_("change"), max_length=8, choices=ChangeKind)
    before = models.JSONField(_("before"), encoder=DjangoJSONEncoder)
    after = models.JSONField(_("after"), encoder=DjangoJSONEncoder)
    by = models.CharField(_("changed by"), max_length=asking.NAME_LENGTH_MAX)
    why = models.CharField(_("reason"), max_length=asking.WHY_LENGTH_MAX, blank=True)
    at = models.DateTimeField(_("time"), db_default=Now(), editable=False)

    objects = models.Manager.from_queryset(AppendOnly)()

    class Meta:
        verbose_name = _("change of configuration")
        verbose_name_plural = _("changes of configuration")
        indexes = [models.Index(fields=["model", "row", "-id"], name="changes_of_row")]

    def __str__(self) -> str:
        return f"{self.name} {moments.full(self.at)}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise PermissionDenied("What was written down stays as it is.")
        super().save(*args, **options)


class ConfigurationQuerySet(models.QuerySet[Row]):
    """``update`` writes down what it changes; ``save`` and deletions do it by themselves."""

    def update(self, **changes: Any) -> int:
        with transaction.atomic(using=self.db):
            before = {row.pk: row for row in self.order_by().select_for_update(of=("self",))}
            done = super().update(**changes)
            for row in self.model._base_manager.filter(pk__in=list(before)):
                record(row, before[row.pk].values_told(), row.values_told())
        return done

    update.alters_data = True  # type: ignore[attr-defined]


class ScopedConfigurationQuerySet(ConfigurationQuerySet[Row], ScopedQuerySet[Row]):  # type: ignore[override]  # as_manager, which nobody calls
    """Of configuration that belongs to a merchant."""


ConfigurationManager = models.Manager.from_queryset(ConfigurationQuerySet)
ScopedConfigurationManager = models.Manager.from_queryset(ScopedConfigurationQuerySet)


class Configuration(models.Model):
    """A row that people or programs of theirs configure the product by. Whoever saves, updates or deletes it, by admin,
    API or command, leaves a row in the log of changes."""

    # Besides the id, what no reader of the log asks for.
    UNTOLD = frozenset({"created_at", "created_by_id"})

    objects = ConfigurationManager()

    class Meta:
        abstract = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        post_delete.connect(_tell_deleted, sender=cls, dispatch_uid=f"{cls.__module__}.{cls.__qualname__}")

    @transaction.atomic
    def save(self, *args: Any, **options: Any) -> None:
        before = self.stands_on()
        super().save(*args, **options)
        now = type(self)._base_manager.get(pk=self.pk)
        record(now, before.values_told() if before else {}, now.values_told())

    @property
    def change_row(self) -> str:
        return str(self.pk)

    def values_told(self) -> Values:
        """Columns by name, as JSON holds them; secrets are left out."""
        columns = {
            field.attname: getattr(self, field.attname)
            for field in self._meta.concrete_fields
            if field.attname not in self.UNTOLD and not isinstance(field, models.AutoField | SecretField)
        }
        values: Values = json.loads(json.dumps(columns, cls=DjangoJSONEncoder))
        return values

    def stands_on(self) -> "Configuration | None":
        """The stored row that a save replaces, locked."""
        stored = type(self)._base_manager.filter(pk=self.pk).select_for_update(of=("self",))
        row: Configuration | None = None if self._state.adding else stored.first()
        return row


def _tell_deleted(sender: type[Configuration], instance: Configuration, **_named: Any) -> None:
    record(instance, instance.values_told(), {})


def record(row: models.Model, before: Mapping[str, Any], after: Mapping[str, Any], why: str = "") -> None:
    """One entry of the log, in the caller's transaction; none where nothing differs."""
    names = [
        name for name in {**before, **after} if name not in before or name not in after or before[name] != after[name]
    ]
    if not names:
        return
    kind = ChangeKind.MADE if not before else ChangeKind.DELETED if not after else ChangeKind.CHANGED

    def of_row(values: Mapping[str, Any]) -> Values:
        return {name: values[name] for name in names if name in values}

    ConfigChange.objects.create(
        model=row._meta.label_lower,
        row=str(getattr(row, "change_row", row.pk))[:80],
        name=str(row)[:200],
        kind=kind,
        before=of_row(before),
        after=of_row(after),
        by=asking.who(),
        why=(asking.why() or why or str(getattr(row, "reason", "")))[: asking.WHY_LENGTH_MAX],
    )
