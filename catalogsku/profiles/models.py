"""Thresholds, weights and category schemas: append-only versions, of which jobs freeze the exact one (TA-FREEZE)."""

from decimal import Decimal
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogsku.core.attributes import BASE_KEYS
from catalogsku.profiles import schemas

# Default weights of the six dimensions (TA-DIMS): tables and their text carry a catalogue, pictures come next.
DEFAULT_WEIGHTS: dict[str, str] = {
    "text_readability": "0.20",
    "layout_quality": "0.15",
    "table_structure": "0.20",
    "image_quality": "0.10",
    "image_text_relation": "0.15",
    "product_density": "0.20",
}
# TA-P1-6; the variance threshold forces HYBRID (TA-CDOC).
DEFAULT_PRESCAN_RULES: dict[str, float | bool] = {
    "all_blank_reject": True,
    "ocr_rate_penalty_threshold": 0.1,
    "ocr_rate_penalty_weight": 0.15,
    "no_images_penalty_weight": 0.10,
    "min_text_chars_for_blank": 10,
    "score_variance_threshold": 0.05,
}
DEFAULT_CLASSIFICATION: dict[str, float] = {"page_type_min_confidence": 0.7, "no_product_skip_confidence": 0.7}


def default_weights() -> dict[str, str]:
    return dict(DEFAULT_WEIGHTS)


def default_prescan_rules() -> dict[str, float | bool]:
    return dict(DEFAULT_PRESCAN_RULES)


def default_classification() -> dict[str, float]:
    return dict(DEFAULT_CLASSIFICATION)


class VersionedRow(models.Model):
    """A version of a named configuration; rows are never changed, a new version replaces the active one."""

    key = models.CharField(_("key"), max_length=60)
    version = models.PositiveIntegerField(_("version"), editable=False)
    previous = models.ForeignKey("self", models.PROTECT, null=True, blank=True, editable=False, related_name="+")
    active = models.BooleanField(_("active"), default=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @classmethod
    def get_active(cls, key: str) -> Any:
        return cls._default_manager.get(key=key, active=True)

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
    validity_mode = models.CharField(_("validity"), max_length=8, choices=ValidityMode, default=ValidityMode.STRICT)

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
        if not (self.threshold_b < self.threshold_pv < self.threshold_a):
            raise ValidationError(_("The thresholds must be in the order B < PV < A."), code="inv_01")
        if set(self.weights) != set(DEFAULT_WEIGHTS):
            raise ValidationError({"weights": _("The weights must name the six dimensions.")}, code="inv_02")
        if sum(Decimal(str(weight)) for weight in self.weights.values()) != 1:
            raise ValidationError({"weights": _("The weights must sum to 1.")}, code="inv_02")


class GoldenVerdict(models.Model):
    """What a report over golden sets said of a profile version; the newest one counts (GR-GATE).

    ``report``: the report's address; null for a version that was active before there was a gate.
    """

    profile = models.ForeignKey(ThresholdProfile, models.CASCADE, related_name="verdicts")
    report = models.UUIDField(null=True)
    passed = models.BooleanField()
    failed = models.JSONField(default=list)  # names of the figures that miss their limit
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.profile}: {'passed' if self.passed else 'failed'}"


class Activation(models.Model):
    """That a profile version became the active one: who did it, and why where the gate had to be overridden."""

    profile = models.ForeignKey(ThresholdProfile, models.CASCADE, related_name="activations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    refusal = models.CharField(_("the gate's refusal"), max_length=40, blank=True)
    override = models.CharField(_("reason to override the gate"), max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("activation")
        verbose_name_plural = _("activations")
        constraints = [
            models.CheckConstraint(condition=Q(refusal="") | ~Q(override=""), name="override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.profile} {self.at:%Y-%m-%d %H:%M}"


class CategorySchema(VersionedRow):
    """Attributes and rules of a category; ``key`` is the category. Its attributes add to the base ones and to those of
    its parent, whose entries of the same key it replaces.

    ``attributes`` and ``rules`` are the category's own, as in profiles.schemas; the ``resolved`` ones are what holds
    with the parent's, written with the version and never changed, so that a job that keeps the version keeps both.
    """

    label_zh = models.CharField(_("Chinese name"), max_length=60)
    label_en = models.CharField(_("English name"), max_length=60)
    parent_key = models.CharField(_("parent"), max_length=60, blank=True)
    attributes = models.JSONField(_("attributes"), default=list, blank=True)
    rules = models.JSONField(_("rules"), default=list, blank=True)
    resolved_attributes = models.JSONField(default=list, editable=False)
    resolved_rules = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("category schema")
        verbose_name_plural = _("category schemas")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_schema_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_schema"),
        ]

    @transaction.atomic
    def add_version(self, expected: int | None = None, *, active: bool = True) -> "CategorySchema":
        """Categories below it get a new version of their own, which takes over what has changed here."""
        super().add_version(expected, active=active)
        for child in CategorySchema.objects.filter(parent_key=self.key, active=True).order_by("key"):
            child.reason = str(self)
            child.add_version()
        return self

    def clean(self) -> None:
        """Checks the JSON that a person wrote, and resolves it."""
        parent = self._parent()
        above: tuple[schemas.Attribute, ...] = ()
        rules_above: tuple[schemas.Rule, ...] = ()
        if parent is not None:
            above = schemas.attributes_of(parent.resolved_attributes)
            rules_above = msgspec.convert(parent.resolved_rules, tuple[schemas.Rule, ...])
        try:
            attributes = schemas.inherited(schemas.attributes_of(self.attributes), above, by=("key",))
            self.resolved_attributes = msgspec.to_builtins(list(attributes))
            schemas.attributes_of(self.resolved_attributes)  # labels may meet the parent's
        except schemas.SchemaError as error:
            raise ValidationError({"attributes": _said(error)}, code=error.code) from error
        try:
            own = schemas.rules_of(self.rules, (*BASE_KEYS, *(entry.key for entry in attributes)))
        except schemas.SchemaError as error:
            raise ValidationError({"rules": _said(error)}, code=error.code) from error
        self.resolved_rules = msgspec.to_builtins(list(schemas.inherited(own, rules_above, by=("rule", "field"))))

    def _parent(self) -> "CategorySchema | None":
        """The active schema above it. Raises ValidationError where there is none, or it stands below this one."""
        key, seen, first = self.parent_key, {self.key}, None
        while key:
            parent = CategorySchema.objects.filter(key=key, active=True).first()
            if parent is None:
                raise ValidationError(
                    {"parent_key": _("There is no category %(key)s.") % {"key": key}}, code="no_parent"
                )
            if key in seen:
                raise ValidationError({"parent_key": _("A category cannot be above itself.")}, code="parent_circle")
            first, key = first or parent, parent.parent_key
            seen.add(parent.key)
        return first


SCHEMA_FAULTS = {
    "not_a_list": _("This must be a list: [ ... ]."),
    "bad_entry": _("Entry %(place)s cannot be read: %(what)s"),
    "bad_key": _("Entry %(place)s needs a key of small letters, digits and underscores, not %(what)s."),
    "key_twice": _("The key %(what)s stands here twice."),
    "label_twice": _("The label %(what)s would name two attributes (perhaps one of the parent category)."),
    "unknown_field": _("Rule %(place)s speaks of %(what)s, which is no attribute."),
    "bad_range": _("Rule %(place)s needs a smallest or a largest value, the smallest first."),
    "bad_pattern": _("The pattern of rule %(place)s cannot be used: %(what)s"),
}


def _said(error: schemas.SchemaError) -> str:
    return str(SCHEMA_FAULTS[error.code]) % {"place": error.place, "what": error.what}
