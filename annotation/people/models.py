"""What is known of the people who do tasks: judgements of their work, their profile, and pages whose truth is known."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.tasks.lifecycle import TaskType
from annotation.tasks.models import HumanTask
from catalogsku.core.scope import ScopedManager


class Judgement(models.Model):
    """One look at somebody's finished work: by a second person, against a page whose truth is known, or by a revert.

    ``task``: the judging one (a verdict, a golden page), or the one that was reverted; ``about``: the judged one.
    ``counts`` and ``by_field`` as in agreement; ``score`` from 0 to 1.
    """

    class Kind(models.TextChoices):
        VERDICT = "verdict", _("second person")
        GOLDEN = "golden", _("golden page")
        REVERT = "revert", _("reverted")

    class Outcome(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        FIXED = "fixed", _("fixed and accepted")
        REJECTED = "rejected", _("sent back")
        SCORED = "scored", _("measured")

    kind = models.CharField(_("by"), max_length=8, choices=Kind)
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome)
    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="judgements")
    about = models.ForeignKey(HumanTask, models.CASCADE, null=True, related_name="judged_by")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("annotator")
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    type = models.CharField(max_length=20, choices=TaskType)
    score = models.FloatField(_("score"))
    counts = models.JSONField(default=dict)
    by_field = models.JSONField(default=dict)
    reason = models.CharField(max_length=400, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "task__job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("judgement")
        verbose_name_plural = _("judgements")
        indexes = [models.Index(fields=["annotator", "at"], name="judgements_of_person")]

    def __str__(self) -> str:
        return f"{self.annotator_id} {self.kind} {self.outcome}"


class AnnotatorProfile(models.Model):
    """A person's last 30 days (TA-T79); written every night. Without one: 0.8 and 300 s.

    ``by_type``: tasks, duration_s, accuracy, kappa of each type; ``specialties``: types done well and fast.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="profile", verbose_name=_("person")
    )
    tasks = models.IntegerField(_("tasks"), default=0)
    duration_s = models.FloatField(_("seconds a task"))
    accuracy = models.FloatField(_("accuracy"))
    judged = models.IntegerField(_("judged tasks"), default=0)
    kappa = models.FloatField(_("kappa"), null=True)
    golden_tasks = models.IntegerField(_("golden pages"), default=0)
    golden_score = models.FloatField(_("score on golden pages"), null=True)
    specialties = models.JSONField(_("specialties"), default=list)
    by_type = models.JSONField(default=dict)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("profile of an annotator")
        verbose_name_plural = _("profiles of annotators")

    def __str__(self) -> str:
        return f"{self.user_id} {self.accuracy:.2f}"


class GoldenPage(models.Model):
    """A finished page whose truth is known, to be shown as it was before anybody had worked on it (X-HONEY).

    ``task``: the one that made it right; its result holds the page before. ``truth``: items, as in agreement.
    """

    task = models.OneToOneField(HumanTask, models.CASCADE, related_name="golden")
    truth = models.JSONField()
    active = models.BooleanField(_("in use"), default=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"), db_default=Now(), editable=False)

    merchant_path = "task__job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("golden page")
        verbose_name_plural = _("golden pages")

    def __str__(self) -> str:
        return f"{self.task_id}"
