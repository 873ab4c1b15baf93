"""The import ledger, and the local target that receives products where no other is configured."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from catalogsku.accounts.models import Merchant
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import scoped
from ingestion.models import Job, Page
from processing.lifecycle import IN_FLIGHT, Delivery
from processing.models.sku import Sku


class ImportRecord(LiveRow):
    """One generation of one SKU towards one target; ``payload`` holds the exact bytes that are sent (TA-IMPKEY)."""

    target = models.CharField(max_length=20)
    merchant = models.ForeignKey(Merchant, models.PROTECT, related_name="+", db_index=False)
    job = models.ForeignKey(Job, models.CASCADE, related_name="imports")
    page = models.ForeignKey(Page, models.CASCADE, related_name="imports")
    sku = models.ForeignKey(Sku, models.CASCADE, related_name="imports")
    sku_key = models.CharField(max_length=40)
    generation = models.IntegerField()
    state = models.CharField(max_length=10, choices=Delivery, default=Delivery.PENDING)
    attempt = models.SmallIntegerField(default=0)
    conflicts = models.SmallIntegerField(default=0)
    worker = models.BigIntegerField(null=True)
    claim_token = models.BigIntegerField(null=True)
    sent_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    payload = models.BinaryField()
    payload_hash = models.CharField(max_length=64)
    external_id = models.CharField(max_length=120, blank=True)
    response = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = models.Manager.from_queryset(scoped("merchant_id"))()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "merchant", "sku_key", "generation"], name="one_generation"),
            models.UniqueConstraint(
                fields=["target", "merchant", "sku_key"], condition=Q(state__in=IN_FLIGHT), name="one_in_flight"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="imports_open", condition=Q(state__in=[Delivery.PENDING, *IN_FLIGHT])),
            models.Index(fields=["id"], name="imports_refused", condition=Q(state=Delivery.REFUSED)),
        ]

    def __str__(self) -> str:
        return f"{self.sku_key} g{self.generation} {self.state}"


class LocalProduct(models.Model):
    """A product at the local target: one row per (merchant, SKU), as a downstream product service would hold it."""

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="products", db_index=False)  # one_product
    sku_key = models.CharField(max_length=40)
    generation = models.IntegerField()
    payload_hash = models.CharField(max_length=64)
    product = models.JSONField()
    received = models.IntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    objects = models.Manager.from_queryset(scoped("merchant_id"))()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["merchant", "sku_key"], name="one_product")]

    def __str__(self) -> str:
        return self.sku_key
