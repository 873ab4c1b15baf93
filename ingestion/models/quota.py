"""Quota: what one merchant may have at once, where the installation's defaults do not fit."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import Configuration

_LIMIT: dict[str, Any] = {
    "null": True,
    "blank": True,
    "validators": [MinValueValidator(0)],
    "help_text": _("Empty: the default."),
}


class Quota(Configuration):
    """A field that is null leaves the default of the settings in force."""

    merchant = models.OneToOneField(Merchant, models.CASCADE, related_name="quota", verbose_name=_("merchant"))
    storage_mb = models.BigIntegerField(_("MB of documents"), **_LIMIT)
    jobs_in_work = models.IntegerField(_("documents in work"), **_LIMIT)
    open_uploads = models.IntegerField(_("open uploads"), **_LIMIT)
    weight = models.FloatField(
        _("weight"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0.1), MaxValueValidator(100.0)],
        help_text=_("Share of machine time while several merchants wait; empty: 1, as others; 2: twice as much."),
    )

    class Meta:
        verbose_name = _("quota")
        verbose_name_plural = _("quotas")

    def __str__(self) -> str:
        return str(self.merchant)
