"""Whether a merchant's files with scripts or attachments are refused, or read from a copy without them."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import Configuration, ScopedConfigurationManager


class ActiveFiles(models.TextChoices):
    REFUSE = "refuse", pgettext_lazy("files with scripts", "are refused; a person may have a copy read")
    COPY = "copy", pgettext_lazy("files with scripts", "are read at once, from a copy without them")


class FileRule(Configuration):
    """A merchant's own rule; without a row such files are refused."""

    merchant = models.OneToOneField(
        Merchant, models.CASCADE, primary_key=True, related_name="+", verbose_name=_("merchant")
    )
    active_files = models.CharField(
        _("files with scripts, actions or attachments"),
        max_length=6,
        choices=ActiveFiles,
        default=ActiveFiles.REFUSE,
    )

    objects = ScopedConfigurationManager()  # type: ignore[misc]  # in place of the abstract one

    class Meta:
        verbose_name = _("rule for files with scripts")
        verbose_name_plural = _("rules for files with scripts")
        constraints = [
            models.CheckConstraint(condition=models.Q(active_files__in=ActiveFiles.values), name="file_rule_known")
        ]

    def __str__(self) -> str:
        return f"{self.merchant}: {self.get_active_files_display()}"
