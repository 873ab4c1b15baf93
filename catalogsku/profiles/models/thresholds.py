"""Threshold profiles, what the gate said of them, and which became active (GR-GATE)."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogsku.core import clock, moments
from catalogsku.profiles import figures
from catalogsku.profiles.models.versioned import VersionedRow

DEFAULT_WEIGHTS = figures.WEIGHTS
FAULTS = {
    "not_an_object": _("This must be an object with keys and values."),
    "missing": _("%(key)s is missing."),
    "unknown": _("There is no %(key)s here."),
    "switch": _("%(key)s must be true or false."),
    "whole": _("%(key)s must be a whole number from %(least)g to %(most)g."),
    "number": _("%(key)s must be a number from %(least)g to %(most)g."),
    "not_one": _("The weights must sum to 1."),
}


def default_weights() -> dict[str, str]:
    return dict(DEFAULT_WEIGHTS)


def default_prescan_rules() -> dict[str, float | bool]:
    return figures.defaults(figures.PRESCAN_RULES)


def default_classification() -> dict[str, float | bool]:
    return figures.defaults(figures.CLASSIFICATION)


class ThresholdProfile(VersionedRow):
    """How sure the machine must be (INV-01: B < PV < A; INV-02: weights sum to 1)."""

    class ValidityMode(models.TextChoices):
        STRICT = "strict", _("strict: partial SKUs go to a person")
        LENIENT = "lenient", _("lenient: partial SKUs are delivered with a warning")

    category = models.CharField(_("category"), max_length=60, blank=True)
    threshold_a = models.DecimalField(_("A: automatic from"), max_digits=4, decimal_places=3, default=Decimal("0.900"))
    threshold_pv = models.DecimalField(
        _("PV: page passes from"), max_digits=4, decimal_places=3, default=Decimal("0.700")
    )
    threshold_b = models.DecimalField(
        _("B: people only below"), max_digits=4, decimal_places=3, default=Decimal("0.400")
    )
    weights = models.JSONField(_("weights"), default=default_weights)
    prescan_rules = models.JSONField(_("prescan rules"), default=default_prescan_rules)
    classification = models.JSONField(_("classification thresholds"), default=default_classification)
    limits = models.JSONField(_("binding and consistency"), default=dict, db_default={}, blank=True)
    validity_mode = models.CharField(_("validity"), max_length=8, choices=ValidityMode, default=ValidityMode.STRICT)
    sla_acceptance = models.BooleanField(
        _("what no person came to is accepted"),
        default=False,
        db_default=False,
        help_text=_("After the time that the rules of human work give, and only where all is printed and complete."),
    )

    class Meta:
        verbose_name = _("threshold profile")
        verbose_name_plural = _("threshold profiles")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_profile_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_profile"),
            models.CheckConstraint(
                condition=Q(threshold_b__lt=F("threshold_pv"), threshold_pv__lt=F("threshold_a"))
                & Q(threshold_b__gte=0, threshold_a__lte=1),
                name="inv_01_b_lt_pv_lt_a",
            ),
        ]

    def clean(self) -> None:
        if not (0 <= self.threshold_b < self.threshold_pv < self.threshold_a <= 1):
            raise ValidationError(_("The thresholds must be in the order B < PV < A, from 0 to 1."), code="inv_01")
        faults = self.faults()
        if faults:
            raise ValidationError(faults)

    def faults(self) -> dict[str, list[ValidationError]]:
        """Of what is kept as JSON, by column. A row that an older version stored may have some: the figures at fault
        count as their defaults then."""
        by_column = {
            "weights": figures.faults_of_weights(self.weights),
            "prescan_rules": figures.faults_of(self.prescan_rules, figures.PRESCAN_RULES),
            "classification": figures.faults_of(self.classification, figures.CLASSIFICATION),
            "limits": figures.faults_of(self.limits, figures.LIMITS),
        }
        return {column: [figure_fault(fault) for fault in faults] for column, faults in by_column.items() if faults}

    def lacking(self) -> dict[str, dict[str, Any]]:
        """Columns that an older version stored without a figure which is needed by now, with its default in them."""
        whole: dict[str, dict[str, Any]] = {
            "prescan_rules": {**default_prescan_rules(), **self.prescan_rules},
            "classification": {**default_classification(), **self.classification},
        }
        return {column: values for column, values in whole.items() if values != getattr(self, column)}


def figure_fault(fault: figures.Fault) -> ValidationError:
    return ValidationError(FAULTS[fault.code], "inv_02" if fault.code == "not_one" else fault.code, fault._asdict())


class GoldenVerdict(models.Model):
    """What a report over golden sets said of a profile version; the newest one counts (GR-GATE).

    ``report``: the report's address; null for a version that was active before there was a gate.
    """

    profile = models.ForeignKey(ThresholdProfile, models.CASCADE, related_name="verdicts")
    report = models.UUIDField(null=True)
    passed = models.BooleanField()
    failed = models.JSONField(default=list)  # names of the figures that miss their limit
    created_at = models.DateTimeField(default=clock.now, editable=False)

    def __str__(self) -> str:
        return f"{self.profile}: {'passed' if self.passed else 'failed'}"


class Activation(models.Model):
    """That a profile version became the active one: who did it, and why where the gate had to be overridden."""

    profile = models.ForeignKey(ThresholdProfile, models.CASCADE, related_name="activations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    refusal = models.CharField(_("the gate's refusal"), max_length=40, blank=True)
    override = models.CharField(_("reason to override the gate"), max_length=200, blank=True)
    at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        verbose_name = _("activation")
        verbose_name_plural = _("activations")
        constraints = [
            models.CheckConstraint(condition=Q(refusal="") | ~Q(override=""), name="override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.profile} {moments.full(self.at)}"
