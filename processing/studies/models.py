"""Templates of studies in versions, and what was found by one for each part of a study (LX-SYS, LX-FIELDS)."""

import uuid
from typing import Any, NoReturn, Self

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import Actor, ScopedManager, ScopedQuerySet
from catalogsku.profiles.models import Configuration
from catalogsku.profiles.models.changes import ConfigurationQuerySet
from ingestion.models import Job
from processing.studies.definition import KEY_LENGTH_MAX, NAME_LENGTH_MAX, PART_LENGTH_MAX, REPEATS, SUBJECT_LENGTH_MAX
from processing.studies.lifecycle import RecordStatus


class WithShipped(ScopedQuerySet[Any]):
    """Rows of the person's merchants, and those of no merchant, which are everybody's to read."""

    def visible_to(self, actor: Actor) -> Self:
        merchants = actor.merchant_ids()
        if not actor.is_active or merchants is None:
            return super().visible_to(actor)
        path = getattr(self.model, "merchant_path", "merchant_id")
        return self.filter(Q(**{f"{path}__in": merchants}) | Q(**{f"{path}__isnull": True}))


class Templates(WithShipped, ConfigurationQuerySet[Any]):  # type: ignore[override]  # as_manager, which nobody calls
    """Whose changes are in the log of configuration."""


class Versions(WithShipped):
    def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:
        raise PermissionDenied("A version of a template stays as it is.")

    update = bulk_update = _refuse


class Template(Configuration):
    """What is asked of studies, in versions. ``merchant``: null for those that are shipped with the product, which
    everybody reads and nobody edits. ``key`` names it to programs, ``name`` to people; ``name_zh``: in Chinese, where
    it differs. ``archived``: no document begins with it any more."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, null=True, related_name="+", db_index=False)
    key = models.CharField(_("key"), max_length=60)
    name = models.CharField(_("name"), max_length=NAME_LENGTH_MAX)
    name_zh = models.CharField(max_length=NAME_LENGTH_MAX, blank=True)
    archived = models.BooleanField(_("archived"), default=False)

    objects = models.Manager.from_queryset(Templates)()  # type: ignore[misc, assignment]  # in place of the abstract one

    class Meta:
        verbose_name = _("template of studies")
        verbose_name_plural = _("templates of studies")
        constraints = [
            models.UniqueConstraint(fields=["merchant", "key"], name="one_template_a_key", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return self.key


class TemplateVersion(models.Model):
    """One state of a template; the database refuses to change it. ``definition``: as in ``studies.definition``. In the
    log of configuration it is a change of its template, and goes with it."""

    template = models.ForeignKey(Template, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField(_("version"))
    definition = models.JSONField(_("fields"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "template__merchant_id"
    objects = models.Manager.from_queryset(Versions)()

    class Meta:
        verbose_name = _("version of a template")
        verbose_name_plural = _("versions of templates")
        constraints = [models.UniqueConstraint(fields=["template", "number"], name="one_template_version")]

    def __str__(self) -> str:
        return f"{self.template} v{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise PermissionDenied("A version of a template stays as it is.")
        super().save(*args, **options)


class Record(LiveRow):
    """What a template asks of one part of a study, and what was found there.

    ``subject``: the study, by the title of its paper; before that is read, and where it has none, by its file's name.
    ``repeat``: as of the fields that it is asked for; ``part``: the arm or outcome that they are of, empty for what is
    said once; ``pages``: numbers of those that its values are on, from 1. ``values`` and ``offers``: lists of
    ``studies.values.Value``, one a field, and ``Said``. ``asked``: what became of the questions about the study, a list
    of ``studies.asking.Asked`` with what it says once.
    ``revision``: counts changes of the values.
    ``superseded``: another row of the same part counts in its place, or the part is none.
    """

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(Job, models.CASCADE, related_name="records", db_index=False)
    template_version = models.ForeignKey(TemplateVersion, models.RESTRICT, related_name="+")
    subject = models.CharField(max_length=SUBJECT_LENGTH_MAX)
    repeat = models.CharField(max_length=11, choices=[(repeat, repeat) for repeat in REPEATS], default="none")
    part = models.CharField(max_length=PART_LENGTH_MAX, blank=True)
    pages = models.JSONField(default=list)
    status = models.CharField(max_length=8, choices=RecordStatus, default=RecordStatus.WAITING)
    values = models.JSONField(default=list)
    offers = models.JSONField(default=list)
    asked = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    superseded = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("record of a study")
        verbose_name_plural = _("records of studies")
        constraints = [
            models.UniqueConstraint(
                fields=["job", "subject", "repeat", "part"], condition=Q(superseded=False), name="one_active_record"
            ),
        ]
        indexes = [
            models.Index(fields=["job", "id"], name="records_of_job"),
            models.Index(
                fields=["job"],
                name="records_open",
                condition=Q(superseded=False) & ~Q(status__in=[RecordStatus.APPROVED, RecordStatus.REJECTED]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.part}".rstrip()


class Decision(models.Model):
    """What a person has said of a field of a record. Rows stay as they are: the last one of a field counts, and what
    two people said is compared by theirs. ``value``: a ``studies.values.Value``; ``before``: what it took the place of,
    null where nothing was there."""

    record = models.ForeignKey(Record, models.CASCADE, related_name="decisions", db_index=False)
    field = models.CharField(max_length=KEY_LENGTH_MAX)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=12)
    value = models.JSONField()
    before = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "record__job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("decision on a value")
        verbose_name_plural = _("decisions on values")
        indexes = [models.Index(fields=["record", "field", "-id"], name="decisions_of_field")]

    def __str__(self) -> str:
        return f"{self.record} {self.field} {self.verdict}"
