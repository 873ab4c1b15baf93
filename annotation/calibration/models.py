"""What a period says of a profile, written once; thresholds proposed from it, on which a person decides (TA-CAL)."""

from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.core import moments
from catalogsku.profiles.models import ThresholdProfile


class WrittenOnce(models.QuerySet["CalibrationRecord"]):
    def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:
        raise PermissionDenied("What was measured stays as it is.")

    update = bulk_update = _refuse


class CalibrationRecord(models.Model):
    """``run``: of all rows that were written together. ``profile``: the version of its key that was active then.
    ``category`` and ``reason``: one of them, or neither: all pages. ``counts``, ``rates`` (the share and the ends of
    its interval) and ``routes`` as in looks.py. Of all pages alone: ``promises`` of each threshold (promises.py) and
    ``drifted``, rates that have become worse by more than chance (drift.py): [rate, now, and the ends of what was to be
    expected].

    Spans all merchants, as profiles do; the database refuses to change it.
    """

    run = models.UUIDField(editable=False)
    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, related_name="+", verbose_name=_("profile"))
    category = models.CharField(_("category"), max_length=60, blank=True)
    reason = models.CharField(_("reason"), max_length=60, blank=True)
    since = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("to"))
    counts = models.JSONField(_("counts"))
    rates = models.JSONField(_("rates"))
    routes = models.JSONField(_("routes"))
    promises = models.JSONField(_("promises"), default=dict)
    drifted = models.JSONField(_("became worse"), default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = models.Manager.from_queryset(WrittenOnce)()

    class Meta:
        verbose_name = _("calibration record")
        verbose_name_plural = _("calibration records")
        constraints = [
            models.UniqueConstraint(fields=["run", "profile", "category", "reason"], name="one_record_a_run"),
            models.CheckConstraint(condition=models.Q(category="") | models.Q(reason=""), name="one_kind_of_record"),
        ]
        indexes = [models.Index(fields=["profile", "-id"], name="records_of_profile")]

    def __str__(self) -> str:
        return f"{self.profile} {self.category or self.reason or '-'} {moments.full(self.until)}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise PermissionDenied("What was measured stays as it is.")
        super().save(*args, **options)


class CalibrationProposal(models.Model):
    """Another threshold for ``profile``, the version that was active then. ``target``: the share of right pages that is
    promised of those that pass; ``stated``: that share as measured from the proposed threshold on, the ends of its
    interval, and the number of pages. ``effect``: what it would have done, as told when it was proposed.

    ``made``: the version that came of it; like every version it becomes active past the gate alone.
    """

    class Figure(models.TextChoices):
        PV = "threshold_pv", pgettext_lazy("threshold", "A page passes from")
        A = "threshold_a", pgettext_lazy("threshold", "A document is automatic from")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "Proposed")
        ACCEPTED = "accepted", pgettext_lazy("proposal", "Accepted")
        DECLINED = "declined", pgettext_lazy("proposal", "Declined")
        REPLACED = "replaced", pgettext_lazy("proposal", "Replaced by a newer one")

    record = models.ForeignKey(CalibrationRecord, models.CASCADE, related_name="proposals")
    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, related_name="+", verbose_name=_("profile"))
    figure = models.CharField(_("threshold"), max_length=12, choices=Figure)
    now = models.DecimalField(_("now"), max_digits=4, decimal_places=3)
    proposed = models.DecimalField(_("proposed"), max_digits=4, decimal_places=3)
    target = models.FloatField(_("promised share of right pages"))
    stated = models.JSONField(_("measured share of right pages"))
    effect = models.JSONField(_("what it would have done"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    made = models.ForeignKey(ThresholdProfile, models.PROTECT, null=True, related_name="+")
    proposed_at = models.DateTimeField(_("proposed at"), db_default=Now(), editable=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(_("decided"), null=True)
    why = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("proposed threshold")
        verbose_name_plural = _("proposed thresholds")
        constraints = [
            models.UniqueConstraint(
                fields=["profile", "figure"], condition=models.Q(state="open"), name="one_open_proposal_a_figure"
            )
        ]
        indexes = [models.Index(fields=["-id"], name="thresholds_open", condition=models.Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.profile} {self.figure} {self.now} -> {self.proposed}"
