"""Exports: files of a merchant's SKUs that were asked for, and the layouts that their columns come from (TA-JSON)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.core.models import WorkRow
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job
from processing.exports.lifecycle import ExportStatus


class ExportKind(models.TextChoices):
    CSV = "csv", "CSV"
    XLSX = "xlsx", "XLSX"
    JSON = "json", "JSON"
    ZIP = "zip", "ZIP"


class Headings(models.TextChoices):
    KEYS = "keys", pgettext_lazy("headings", "names for programs")
    CHINESE = "zh-hans", pgettext_lazy("headings", "Chinese")
    ENGLISH = "en", pgettext_lazy("headings", "English")


class ExportLayout(models.Model):
    """Columns in their order, by key (delivery.columns), shared by the people of a merchant."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", db_index=False)  # one_layout_a_name
    name = models.CharField(_("name"), max_length=60)
    columns = models.JSONField()
    headings = models.CharField(max_length=8, choices=Headings, default=Headings.KEYS)
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    saved_at = models.DateTimeField(auto_now=True)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("export layout")
        verbose_name_plural = _("export layouts")
        constraints = [models.UniqueConstraint(fields=["merchant", "name"], name="one_layout_a_name")]

    def __str__(self) -> str:
        return self.name


class Export(WorkRow):
    """A file of one document's SKUs, or (without ``job``) of all of the merchant's.

    ``wanted``: only what a list shows that has these parameters in its address; empty: all.
    ``full_only``: without those that lack identity or specification. ``is_delta``: only what differs from ``base``, the
    last export of the same layout and reach that was fetched.
    ``held``: the SKUs that it told of, packed (delivery.changes): what the next one is compared with.
    ``fetched_at``: when the last byte was first sent; a file that nobody took tells nobody anything.
    """

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", db_index=False)  # exports_of_merchant
    job = models.ForeignKey(Job, models.CASCADE, null=True, related_name="+")
    layout = models.ForeignKey(ExportLayout, models.SET_NULL, null=True, related_name="exports", db_index=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=4, choices=ExportKind)
    columns = models.JSONField()
    headings = models.CharField(max_length=8, choices=Headings, default=Headings.KEYS)
    wanted = models.TextField(blank=True)
    full_only = models.BooleanField(default=False)
    with_pictures = models.BooleanField(default=False)
    is_delta = models.BooleanField(default=False)
    base = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+", db_index=False)
    status = models.CharField(max_length=8, choices=ExportStatus, default=ExportStatus.WAITING)
    code = models.CharField(max_length=60, blank=True)
    skus = models.IntegerField(default=0)
    added = models.IntegerField(default=0)
    altered = models.IntegerField(default=0)
    removed = models.IntegerField(default=0)
    held = models.BinaryField(null=True)
    storage_key = models.CharField(max_length=255, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size_bytes = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True)
    fetched_at = models.DateTimeField(null=True)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        indexes = [
            models.Index(fields=["merchant", "job", "-id"], name="exports_of_merchant"),
            models.Index(fields=["id"], name="exports_waiting", condition=Q(status=ExportStatus.WAITING)),
            models.Index(fields=["ended_at"], name="exports_kept", condition=Q(status=ExportStatus.DONE)),
            models.Index(fields=["layout", "-id"], name="exports_of_layout", condition=Q(fetched_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.uuid} {self.kind}"
