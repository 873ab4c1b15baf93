"""SkuReport: that somebody who reads the results says a product is wrong, missing or none (TA-REPORT)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from annotation.tasks.models import HumanTask
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job, Page


class SkuReport(models.Model):
    """What became of it is what became of its ``task``. No ``sku_id``: one is missing on the page.

    ``seen_at``: when its reporter has read the answer.
    """

    class Kind(models.TextChoices):
        WRONG = "wrong", pgettext_lazy("report", "Something is wrong")
        MISSING = "missing", pgettext_lazy("report", "A SKU is missing")
        SURPLUS = "surplus", pgettext_lazy("report", "This is no product")

    job = models.ForeignKey(Job, models.CASCADE, related_name="reports")
    page = models.ForeignKey(Page, models.CASCADE, related_name="+")
    sku_id = models.CharField(max_length=40, blank=True)
    kind = models.CharField(max_length=7, choices=Kind)
    text = models.CharField(max_length=400)
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="reports")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(null=True)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="missing", sku_id="") | (~Q(kind="missing") & ~Q(sku_id="")), name="report_of_a_sku"
            )
        ]
        indexes = [models.Index(fields=["reporter"], name="reports_unread", condition=Q(seen_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.kind} {self.sku_id or self.page_id}"
