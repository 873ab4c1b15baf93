"""What a person is told of, and for what they want mail besides."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import Actor, ScopedQuerySet
from ingestion.notices.kinds import Choice, Kind

TOPIC = "notices"  # where screens hear that somebody's have changed


class NoticeQuerySet(ScopedQuerySet["Notice"]):
    def visible_to(self, actor: Actor | User) -> Self:
        """Those of this person, of merchants that they still work for."""
        return super().visible_to(actor).filter(person=getattr(actor, "pk", None))

    def unread(self) -> Self:
        return self.filter(read_at=None)


class Notice(LiveRow):
    """One a person, document and kind: told again it is the same row, with a later ``told_at``.

    ``about``: what it tells of where that is no document: an import target, or the day of a budget; ``merchant`` is
    empty where it concerns all of them.
    ``facts``: what the words need of that moment (ingestion.notices.presenters). ``over_at``: nothing is left to do.
    ``mailed_at``: it went out by mail; ``mail_tries`` attempts have begun, the next one not before ``mail_not_before``.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, null=True, related_name="+")
    job = models.ForeignKey("ingestion.Job", models.CASCADE, null=True, related_name="+")
    about = models.CharField(max_length=120, blank=True, db_default="", default="")
    kind = models.CharField(max_length=10, choices=Kind)
    facts = models.JSONField(default=dict)
    told_at = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)
    mail_tries = models.SmallIntegerField(db_default=0, default=0)
    mail_not_before = models.DateTimeField(null=True)

    objects = models.Manager.from_queryset(NoticeQuerySet)()

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "job", "kind", "merchant", "about"], nulls_distinct=False, name="one_notice_a_kind"
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="notice_kind_known"),
        ]
        indexes = [
            models.Index(fields=["person", "-told_at", "-id"], name="notices_of_person"),
            models.Index(fields=["person"], name="notices_unread", condition=Q(read_at=None)),
            models.Index(fields=["told_at"], name="notices_unmailed", condition=Q(read_at=None, mailed_at=None)),
            models.Index(fields=["changed"], name="notice_changed"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.job_id or self.about}"


class MailChoice(models.Model):
    """For what a person wants mail; without a row the defaults hold: what ended, not what asks for somebody."""

    person = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    needs = models.BooleanField(Choice.NEEDS.label, default=False)
    finished = models.BooleanField(Choice.FINISHED.label, default=True)
    failed = models.BooleanField(Choice.FAILED.label, default=True)

    def __str__(self) -> str:
        return str(self.person_id)

    def wants(self, choice: str) -> bool:
        return bool(getattr(self, choice))
