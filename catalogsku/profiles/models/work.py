"""Rules of human work: how long tasks may wait, whom they go to, and how much of what people did is looked at again."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogsku.profiles.models.versioned import VersionedRow

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _ratio(words: "StrOrPromise", default: str, **more: Any) -> "models.DecimalField[Decimal, Decimal]":
    return models.DecimalField(words, max_digits=3, decimal_places=2, default=Decimal(default), **more)


def _minutes(words: "StrOrPromise", default: int) -> "models.PositiveIntegerField[int, int]":
    return models.PositiveIntegerField(words, default=default, validators=[MinValueValidator(1)])


class WorkRules(VersionedRow):
    """In force for all tasks from the moment it is active; nothing freezes it (TA-T73, TA-T79, X-VERDICT, X-HONEY).

    Minutes count the time in which nobody holds a task.
    """

    DEFAULT = "default"

    high_after_min = _minutes(_("minutes until a task is pressing"), 15)
    escalate_after_min = _minutes(_("minutes until it goes to a lead"), 30)
    accept_after_min = _minutes(_("minutes until the machine's result is looked at for acceptance"), 120)
    skip_after_min = _minutes(_("minutes until the page is closed without a person"), 180)
    accept_above = _ratio(_("accept only above this confidence"), "0.60")
    audit_ratio = _ratio(_("share of what was accepted automatically that a person looks at"), "0.20")
    reserved_min = _minutes(_("minutes for which an assigned task is kept"), 10)
    open_most = models.PositiveSmallIntegerField(_("most open tasks a person"), default=10)
    hard_below = _ratio(_("a page below this confidence is hard"), "0.50")
    hard_accuracy = _ratio(_("accuracy that hard pages ask for"), "0.85")
    verdict_least = _ratio(_("smallest share of a person's tasks that a second one looks at"), "0.05")
    verdict_most = _ratio(_("largest share"), "0.50")
    honeypot_ratio = _ratio(_("share of golden pages in the queue"), "0.10")
    blind_ratio = _ratio(_("share of what went out without a person that one looks at"), "0.00", db_default=Decimal(0))

    class Meta:
        verbose_name = _("rules of human work")
        verbose_name_plural = _("rules of human work")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_work_rules_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_work_rules"),
            models.CheckConstraint(
                condition=Q(
                    high_after_min__gte=1,
                    high_after_min__lt=F("escalate_after_min"),
                    escalate_after_min__lt=F("accept_after_min"),
                    accept_after_min__lt=F("skip_after_min"),
                ),
                name="sla_levels_in_order",
            ),
            models.CheckConstraint(
                condition=Q(accept_above__gte=0, accept_above__lt=1, audit_ratio__gte=0, audit_ratio__lte=1)
                & Q(verdict_least__gte=0, verdict_least__lte=F("verdict_most"), verdict_most__lte=1)
                & Q(hard_below__lte=1, hard_accuracy__lte=1),
                name="work_ratios_in_range",
            ),
            models.CheckConstraint(
                condition=Q(honeypot_ratio=0) | Q(honeypot_ratio__range=(Decimal("0.05"), Decimal("0.15"))),
                name="honeypots_5_to_15_percent",
            ),
            models.CheckConstraint(condition=Q(blind_ratio__range=(0, 1)), name="blind_ratio_in_range"),
        ]  # fmt: skip

    def clean(self) -> None:
        ratios = {
            "accept_above",
            "audit_ratio",
            "hard_below",
            "hard_accuracy",
            "verdict_least",
            "verdict_most",
            "blind_ratio",
        }
        wrong = {
            name: _("This is a share: from 0 to 1.") for name in sorted(ratios) if not 0 <= getattr(self, name) <= 1
        }
        if self.accept_above == 1:
            wrong["accept_above"] = _("No confidence is above 1.")
        if wrong:
            raise ValidationError(wrong)
        if self.verdict_least > self.verdict_most:
            raise ValidationError({"verdict_least": _("The smallest share cannot be above the largest.")})
        times = (self.high_after_min, self.escalate_after_min, self.accept_after_min, self.skip_after_min)
        if list(times) != sorted(set(times)):
            raise ValidationError(_("Each level must come later than the one before."), code="sla_order")
        if self.honeypot_ratio and not Decimal("0.05") <= self.honeypot_ratio <= Decimal("0.15"):
            raise ValidationError({"honeypot_ratio": _("Golden pages are 5 to 15 percent of the queue, or none.")})
