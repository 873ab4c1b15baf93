"""Sku: a product as read from a page, in revisions of which one is active (INV-07), and its pictures."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, HashIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from catalogsku.core.models import LiveRow
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job, Page
from processing.products.lifecycle import DELIVERABLE_ROLES, MARK_ROLES, ImageRole, ImageStatus, Repeats, SkuStatus


class Image(LiveRow):
    """A picture on a page, with its quality and role (INV-03: below 640 px it is never offered for image search).

    ``duplicate_of``: the first of the same picture (TA-BR28), ``duplicate_reason``: how that is known. ``tones`` as in
    Picture; ``looks``: what pictures that look the same share some of (alike.py), of this merchant alone; empty where
    nothing can be said.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="images", db_index=False)  # one_image_id
    page = models.ForeignKey(Page, models.CASCADE, related_name="images")
    image_id = models.CharField(max_length=40)
    picture = models.CharField(max_length=8)
    status = models.CharField(max_length=16, choices=ImageStatus)
    role = models.CharField(max_length=12, choices=ImageRole, blank=True)
    role_confidence = models.FloatField(default=0)
    box = models.JSONField()
    width_px = models.IntegerField()
    height_px = models.IntegerField()
    short_edge = models.IntegerField()
    grade = models.CharField(max_length=16)
    search_eligible = models.BooleanField(default=False)
    fragmented = models.BooleanField(default=False)
    content_hash = models.CharField(max_length=64)
    perceptual_hash = models.CharField(max_length=16, blank=True)
    tones = models.CharField(max_length=96, blank=True, default="")
    looks = ArrayField(models.BigIntegerField(), blank=True, default=list)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+", db_index=False)
    duplicate_reason = models.CharField(max_length=9, choices=Repeats, blank=True, default="")
    storage_key = models.CharField(max_length=255)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "image_id"], name="one_image_id"),
            models.CheckConstraint(
                condition=Q(search_eligible=False) | Q(short_edge__gte=640), name="inv_03_search_needs_640_px"
            ),
        ]
        indexes = [
            models.Index(fields=["duplicate_of"], name="images_twice", condition=Q(duplicate_of__isnull=False)),
            models.Index(fields=["job"], name="images_marks", condition=Q(role__in=sorted(MARK_ROLES))),
            HashIndex(
                fields=["content_hash"],
                name="images_by_file",
                condition=Q(role__in=sorted(DELIVERABLE_ROLES)) & ~Q(content_hash=""),
            ),
            GinIndex(fields=["looks"], name="images_by_look", fastupdate=False),
        ]

    def __str__(self) -> str:
        return self.image_id


class Sku(LiveRow):
    """``attributes``: every schema key, null where unknown (INV-12); ``evidence`` by key; boxes in points.

    ``decisions``: what people decided beside values, which every rerun keeps: ``product``, ``pictures`` and ``box``
    (true), ``emptied`` (keys), ``said`` (who corrected a value where results are shown, when and why, by attribute),
    ``offered`` (the proposer of the page's alternative that it was taken from); and ``otherwise``, what the last
    reading says instead of their words, by attribute.
    ``predecessor``: its sku_id in the earlier edition; ``downstream_id``: the one under which targets know it since an
    edition before it; ``left_out``: the merchant did not want this edition of it imported.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="skus", db_index=False)  # one_sku_revision
    page = models.ForeignKey(Page, models.CASCADE, related_name="skus")
    sku_id = models.CharField(max_length=40)
    revision = models.IntegerField(default=1)
    superseded = models.BooleanField(default=False)
    status = models.CharField(max_length=14, choices=SkuStatus)
    validity = models.CharField(max_length=8)
    quality_warning = models.CharField(max_length=60, null=True)
    confidence = models.FloatField()
    box = models.JSONField()
    attributes = models.JSONField()
    attribute_source = models.JSONField(default=dict)
    evidence = models.JSONField(default=dict)
    normalized = models.JSONField(default=dict)
    custom_attributes = models.JSONField(default=list)
    candidates = models.JSONField(default=list)
    blockers = models.JSONField(default=list)
    decisions = models.JSONField(default=dict)
    predecessor = models.CharField(max_length=40, blank=True)
    downstream_id = models.CharField(max_length=40, blank=True)
    left_out = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "sku_id", "revision"], name="one_sku_revision"),
            models.UniqueConstraint(
                fields=["job", "sku_id"], condition=Q(superseded=False), name="inv_07_one_active_sku"
            ),
        ]
        indexes = [
            models.Index(
                fields=["downstream_id"], name="skus_continued", condition=Q(superseded=False) & ~Q(downstream_id="")
            ),
            # What has not gone out is little: who counts products asks it, and no row, how each of them stands.
            models.Index(fields=["id"], name="skus_undelivered", condition=~Q(status=SkuStatus.IMPORTED)),
        ]

    def __str__(self) -> str:
        return f"{self.sku_id} r{self.revision}"

    @property
    def key(self) -> str:
        """Under which targets know it (TA-SKUSTABLE)."""
        return self.downstream_id or self.sku_id


class SkuImage(models.Model):
    """That a picture shows a SKU: how that was found out, and how sure it is."""

    sku = models.ForeignKey(Sku, models.CASCADE, related_name="pictures", db_index=False)  # one_binding_a_picture
    image = models.ForeignKey(Image, models.CASCADE, related_name="+")
    role = models.CharField(max_length=12)
    method = models.CharField(max_length=20)
    confidence = models.FloatField()
    rank = models.SmallIntegerField(default=0)
    chosen_by = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sku", "image"], name="one_binding_a_picture")]

    def __str__(self) -> str:
        return f"{self.sku_id} - {self.image_id}"
