"""ShownColumns: which attributes a person sees as columns, in lists of one merchant's products."""

from django.conf import settings
from django.db import models

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager


class ListName(models.TextChoices):
    """Lists whose columns are chosen."""

    DOCUMENT = "document"
    CATALOGUE = "catalogue"


class ShownColumns(models.Model):
    """``columns``: keys of processing.lists.columns, in the order of the list. No row: the usual ones."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)  # one_choice
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+")
    name = models.CharField(max_length=9, choices=ListName)
    columns = models.JSONField()

    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "merchant", "name"], name="one_choice_of_columns")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"
