"""Traces of pages: where everything lies that a result came from."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.core.scope import ScopedManager
from ingestion.models import Job, Page


class TraceReason(models.TextChoices):
    """Why it was kept; what people look into is always kept, of the rest a tenth."""

    FAILURE = "failure", _("failed")
    REVIEW = "review", _("needs a person")
    RULE = "rule", _("a rule was hit")
    SAMPLE = "sample", _("sample")


class TraceBundle(models.Model):
    """The newest trace of a page; its file holds the page's content and belongs to the merchant as the page does."""

    page = models.OneToOneField(Page, models.CASCADE, related_name="trace")
    job = models.ForeignKey(Job, models.CASCADE, related_name="traces")
    reason = models.CharField(max_length=8, choices=TraceReason)
    storage_key = models.CharField(max_length=255)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        indexes = [models.Index(fields=["reason", "created_at"], name="traces_by_age")]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.page_id} {self.reason}"
