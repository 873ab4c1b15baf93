"""Whether who reads a merchant's results may correct a value at once, or reports it to people who do tasks."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import Configuration, ScopedConfigurationManager


class CorrectionRule(Configuration):
    """A merchant's own rule; without a row nothing is corrected at once."""

    merchant = models.OneToOneField(
        Merchant, models.CASCADE, primary_key=True, related_name="+", verbose_name=_("merchant")
    )
    at_once = models.BooleanField(_("uploaders may correct values of results at once"), default=False)

    objects = ScopedConfigurationManager()  # type: ignore[misc]  # in place of the abstract one

    class Meta:
        verbose_name = _("rule for corrections")
        verbose_name_plural = _("rules for corrections")

    def __str__(self) -> str:
        word = (
            pgettext_lazy("corrections", "at once") if self.at_once else pgettext_lazy("corrections", "by tasks alone")
        )
        return f"{self.merchant}: {word}"
