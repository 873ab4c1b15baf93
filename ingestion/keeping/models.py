"""How long what is kept for a merchant, what has gone by that already, and what was deleted on request."""

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager
from catalogsku.core.secrets import SecretField
from catalogsku.profiles.models import Configuration, ScopedConfigurationManager
from ingestion.keeping.policies import DEFAULT_DAYS, Kind
from ingestion.models.job import Job

DAYS_MAX = 36_500
FOR_GOOD = 0


def _days(kind: Kind) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(kind.label, null=True, blank=True, validators=[MaxValueValidator(DAYS_MAX)])


class KeepingRule(Configuration):
    """Days by kind; 0: until somebody deletes it, empty: as it holds for all. ``merchant``: empty for all of them."""

    merchant = models.OneToOneField(
        Merchant, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("merchant")
    )
    sources_days = _days(Kind.SOURCES)
    pictures_days = _days(Kind.PICTURES)
    traces_days = _days(Kind.TRACES)
    answers_days = _days(Kind.ANSWERS)
    drafts_days = _days(Kind.DRAFTS)
    exports_days = _days(Kind.EXPORTS)
    audit_days = _days(Kind.AUDIT)
    results_days = _days(Kind.RESULTS)

    objects = ScopedConfigurationManager()  # type: ignore[misc]  # in place of the abstract one

    class Meta:
        verbose_name = _("rule for keeping")
        verbose_name_plural = _("rules for keeping")
        constraints = [
            models.UniqueConstraint(fields=["merchant"], name="one_keeping_rule", nulls_distinct=False),
            *(
                models.CheckConstraint(condition=models.Q(**{f"{kind}_days__lte": DAYS_MAX}), name=f"keeping_{kind}")
                for kind in DEFAULT_DAYS
            ),
        ]

    def __str__(self) -> str:
        return str(self.merchant or _("all merchants"))


class Emptied(models.Model):
    """That what is kept of a document for a time has gone by its rule: it is not looked at again."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="+", db_index=False)  # emptied_once
    kind = models.CharField(max_length=10, choices=Kind)
    files = models.IntegerField(default=0)
    at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "kind"], name="emptied_once")]

    def __str__(self) -> str:
        return f"{self.job_id}: {self.kind}"


class Subject(models.TextChoices):
    DOCUMENT = "document", pgettext_lazy("deleted", "document")
    MERCHANT = "merchant", pgettext_lazy("deleted", "merchant")
    PERSON = "person", pgettext_lazy("deleted", "person")


class DeletionState(models.TextChoices):
    """Rows go first, in one transaction a document; then the files that nobody else has; then it is looked for."""

    ROWS = "rows", pgettext_lazy("deletion", "under way")
    FILES = "files", pgettext_lazy("deletion", "under way: files")
    DONE = "done", pgettext_lazy("deletion", "deleted")
    LEFT = "left", pgettext_lazy("deletion", "something is left")


class Deletion(models.Model):
    """What was deleted on request, kept for good; it names nobody and holds nothing of what is gone.

    ``number``: the id that the subject had. ``hashes``: SHA-256 of its name and of its files, by which who has them can
    tell that they were deleted. ``rows``: how many of each table. ``pending``: names in storage that are still to go.
    ``needles``: what the scan looks for, encrypted until it has ended. ``found``: where it found how many.
    """

    subject = models.CharField(max_length=8, choices=Subject)
    number = models.BigIntegerField()
    merchant_number = models.BigIntegerField(null=True)
    state = models.CharField(max_length=5, choices=DeletionState, default=DeletionState.ROWS)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    by_rule = models.BooleanField(default=False)
    hashes = models.JSONField(default=dict)
    rows = models.JSONField(default=dict)
    files = models.IntegerField(default=0)
    bytes = models.BigIntegerField(default=0)
    pending = models.JSONField(default=list)
    needles = SecretField(null=True, editable=False)
    found = models.JSONField(default=dict)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("deletion")
        verbose_name_plural = _("deletions")
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "number"],
                condition=models.Q(state__in=["rows", "files"]),
                name="one_deletion_under_way",
            )
        ]
        indexes = [models.Index(fields=["id"], name="deletions_open", condition=models.Q(ended_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.subject} {self.number}: {self.state}"
