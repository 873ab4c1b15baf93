"""Upload: a file on its way in, resumable at its committed offset."""

import uuid

from django.conf import settings
from django.db import models

from catalogsku.accounts.models import Merchant
from catalogsku.core import clock
from catalogsku.core.scope import ScopedManager
from ingestion import kinds
from ingestion.lifecycle import Urgency
from ingestion.models.job import Job


class Upload(models.Model):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=255)
    size_bytes = models.BigIntegerField()
    offset_bytes = models.BigIntegerField(default=0)
    # Names in the object store, in their order; of a file on a disk none.
    parts = models.JSONField(default=list, db_default=[], editable=False)
    head_sha256 = models.CharField(max_length=64, blank=True)
    kind = models.CharField(
        max_length=20,
        choices=kinds.choices,
        default=kinds.CATALOGUE.key,
        db_default=kinds.CATALOGUE.key,
        editable=False,
    )
    # What is asked of it, as its kind names that; of a study "key/version" of its template.
    template = models.CharField(max_length=80, blank=True, default="", db_default="", editable=False)
    category = models.CharField(max_length=60, blank=True)
    profile_key = models.CharField(max_length=60, blank=True)
    urgency = models.CharField(max_length=5, choices=Urgency, default=Urgency.NOW, db_default=Urgency.NOW)
    idempotency_key = models.CharField(max_length=100)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    edition_of = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["merchant", "idempotency_key"], name="one_upload_a_key"),
            models.CheckConstraint(
                condition=models.Q(offset_bytes__gte=0, offset_bytes__lte=models.F("size_bytes")),
                name="offset_within_size",
            ),
        ]
        indexes = [models.Index(fields=["expires_at"], name="upload_expiry")]

    def __str__(self) -> str:
        return f"{self.name} {self.offset_bytes}/{self.size_bytes}"
