"""Versions of prompts, what the gate said of them, and trials on a share of jobs (LA-PROMPT, X-CANARY)."""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogsku.core import clock, moments
from catalogsku.profiles.models.changes import Configuration
from catalogsku.profiles.models.versioned import VersionedRow
from catalogsku.profiles.wording import KEYS, problems

PROBLEMS = {
    "empty": _("A prompt cannot be empty."),
    "too_long": _("A prompt can have at most %(what)s characters."),
    "unknown_zone": _("There is no zone {{%(what)s}} for this prompt."),
    "missing_zone": _("This prompt must show the zone {{%(what)s}}."),
    "provider_syntax": _("“%(what)s” belongs to one provider; the same text goes to all of them."),
    "template_code": _("“%(what)s” is no zone: only {{name}} is put in, nothing is executed."),
}


class PromptVersion(VersionedRow):
    """Texts of one prompt in both languages; ``key`` is an operation, operation/variant, or "rules"."""

    text_zh = models.TextField(_("Chinese text"))
    text_en = models.TextField(_("English text"))

    class Meta:
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_prompt_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_prompt"),
        ]

    def clean(self) -> None:
        if self.key not in KEYS:
            raise ValidationError({"key": _("There is no prompt %(key)s.") % {"key": self.key}}, code="no_prompt")
        wrong = {
            field: [ValidationError(PROBLEMS[code], code, {"what": what}) for code, what in problems(self.key, text)]
            for field, text in (("text_zh", self.text_zh), ("text_en", self.text_en))
        }
        if any(wrong.values()):
            raise ValidationError({field: faults for field, faults in wrong.items() if faults})


class PromptVerdict(models.Model):
    """What a report over golden sets said of a prompt version; the newest one counts (GR-GATE)."""

    prompt = models.ForeignKey(PromptVersion, models.CASCADE, related_name="verdicts")
    report = models.UUIDField(null=True)
    passed = models.BooleanField()
    failed = models.JSONField(default=list)  # names of the figures that miss their limit
    created_at = models.DateTimeField(default=clock.now, editable=False)

    def __str__(self) -> str:
        return f"{self.prompt}: {'passed' if self.passed else 'failed'}"


class PromptActivation(models.Model):
    """That a prompt version became the active one, or went to a share of jobs: who did it, and why against the gate."""

    prompt = models.ForeignKey(PromptVersion, models.CASCADE, related_name="activations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    refusal = models.CharField(_("the gate's refusal"), max_length=40, blank=True)
    override = models.CharField(_("reason to override the gate"), max_length=200, blank=True)
    at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        verbose_name = _("activation of a prompt")
        verbose_name_plural = _("activations of prompts")
        constraints = [
            models.CheckConstraint(condition=Q(refusal="") | ~Q(override=""), name="prompt_override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.prompt} {moments.full(self.at)}"


class PromptExperiment(Configuration):
    """A trial of one prompt version on ``share`` per cent of new jobs, against the one that was active at its start."""

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        STOPPED = "stopped", _("stopped")
        PROMOTED = "promoted", _("promoted")

    ENDED: ClassVar = frozenset({State.STOPPED, State.PROMOTED})

    key = models.CharField(_("key"), max_length=60, editable=False)
    control = models.ForeignKey(
        PromptVersion, models.PROTECT, related_name="+", verbose_name=_("control"), editable=False
    )
    trial = models.ForeignKey(PromptVersion, models.PROTECT, related_name="+", verbose_name=_("trial"))
    share = models.PositiveSmallIntegerField(
        _("share of jobs in per cent"), default=10, validators=[MaxValueValidator(100)]
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PLANNED, editable=False)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)

    class Meta:
        verbose_name = _("trial of a prompt")
        verbose_name_plural = _("trials of prompts")
        constraints = [
            models.UniqueConstraint(fields=["key"], condition=Q(state="running"), name="one_running_trial"),
            models.CheckConstraint(condition=Q(share__lte=100), name="trial_share_in_per_cent"),
            models.CheckConstraint(condition=~Q(control=F("trial")), name="trial_is_not_its_control"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What jobs are dealt out by; the same for the same trial."""
        return f"{self.key}@{self.trial.version}#{self.pk}"
