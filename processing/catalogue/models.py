"""CatalogueEntry: what a merchant's catalogue over all documents is searched, filtered, sorted and compared by."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job, Page
from processing.products.models import Sku


class CatalogueEntry(models.Model):
    """One row for every active SKU that is a product, written in the transaction that writes the SKU.

    Apart from Sku because a SKU's status moves several times on its way to the target, and none of these indexes needs
    to hear of it. ``words``: folded text to search in, a line each, and its ``grams`` (processing.catalogue.searching).
    ``brand_key``, ``model_key``: folded, letters and digits only. ``price``: its first amount, in ``currency``.
    ``complete_percent``: of what its category requires. ``picture_hash``: of the first picture.
    ``waits``: for a person.
    """

    sku = models.OneToOneField(Sku, models.CASCADE, primary_key=True, related_name="entry")
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", db_index=False)  # entries_newest
    job = models.ForeignKey(Job, models.CASCADE, related_name="+")
    page = models.ForeignKey(Page, models.CASCADE, related_name="+")
    category = models.CharField(max_length=60, blank=True)
    brand_key = models.CharField(max_length=80, blank=True)
    model_key = models.CharField(max_length=80, blank=True)
    price = models.DecimalField(max_digits=18, decimal_places=4, null=True)
    currency = models.CharField(max_length=3, blank=True)
    complete_percent = models.SmallIntegerField()
    picture_hash = models.CharField(max_length=64, blank=True)
    waits = models.BooleanField()
    words = models.TextField()
    grams = ArrayField(models.IntegerField())

    objects = ScopedManager()

    class Meta:
        indexes = [
            models.Index(fields=["merchant", "sku"], include=["waits"], name="entries_newest"),
            models.Index(fields=["merchant", "model_key", "brand_key", "job", "sku"], name="entries_by_model"),
            models.Index(fields=["merchant", "brand_key", "sku"], name="entries_by_brand"),
            models.Index(fields=["merchant", "complete_percent", "sku"], name="entries_by_share"),
            models.Index(
                fields=["merchant", "price", "sku"], name="entries_by_price", condition=Q(price__isnull=False)
            ),
            models.Index(
                fields=["merchant", "picture_hash", "job", "sku"],
                name="entries_by_picture",
                condition=~Q(picture_hash=""),
            ),
            GinIndex(fields=["grams"], name="entries_by_grams"),
            models.Index(fields=["merchant", "sku"], name="entries_waiting", condition=Q(waits=True)),
        ]

    def __str__(self) -> str:
        return str(self.sku_id)
