"""Whether a merchant's documents are shown to models at once, after a word of theirs, or never."""

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import Configuration, ScopedConfigurationManager

# Below a dollar a document nobody wants to be asked.
ASK_FIRST_ABOVE_MICRO_USD = 1_000_000


class AskModels(models.TextChoices):
    AT_ONCE = "at_once", pgettext_lazy("models are asked", "at once, whatever it costs")
    ASK_FIRST = "ask_first", pgettext_lazy("models are asked", "above an amount only once somebody agrees")
    NEVER = "never", pgettext_lazy("models are asked", "never")


class AskingRule(Configuration):
    """A merchant's own rule; without a row the defaults hold. A budget of the day holds beside it."""

    merchant = models.OneToOneField(
        Merchant, models.CASCADE, primary_key=True, related_name="+", verbose_name=_("merchant")
    )
    ask_models = models.CharField(_("models are asked"), max_length=10, choices=AskModels, default=AskModels.ASK_FIRST)
    ask_first_above_micro_usd = models.BigIntegerField(
        _("somebody is asked above this many micro-USD a document"),
        default=ASK_FIRST_ABOVE_MICRO_USD,
        validators=[MinValueValidator(0)],
    )

    objects = ScopedConfigurationManager()  # type: ignore[misc]  # in place of the abstract one

    class Meta:
        verbose_name = _("rule for asking models")
        verbose_name_plural = _("rules for asking models")
        constraints = [
            models.CheckConstraint(condition=models.Q(ask_models__in=AskModels.values), name="asking_rule_known"),
            models.CheckConstraint(
                condition=models.Q(ask_first_above_micro_usd__gte=0), name="asking_limit_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merchant}: {self.get_ask_models_display()}"

    @property
    def spends_unasked(self) -> bool:
        """Whether anything at all may be spent before somebody has agreed."""
        if self.ask_models == AskModels.ASK_FIRST:
            return self.ask_first_above_micro_usd > 0
        return self.ask_models == AskModels.AT_ONCE
