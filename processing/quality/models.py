"""Runs over golden sets that programs asked for, and what a run has shown, kept to look at and compare (TA-T49)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from catalogsku.core import moments
from catalogsku.core.models import WorkRow
from catalogsku.profiles.models import ThresholdProfile


class EvalReport(models.Model):
    """``golden``: names of the sets; ``judged``: of the pages, hashed: runs over the same pages are comparable.

    ``content``: the whole report as compressed JSON.
    ``total`` and ``gate`` repeat of it what a list shows. ``pictures``: of the worst pages, each with
    name, page_number, key (in the storage), width_pt and height_pt. Golden sets belong to no merchant.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    golden = models.CharField(max_length=200)
    judged = models.CharField(max_length=16)
    commit = models.CharField(max_length=20, blank=True)
    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, null=True, related_name="+")
    passed = models.BooleanField()
    gate = models.JSONField()
    total = models.JSONField()
    pictures = models.JSONField(default=list)
    content = models.BinaryField()
    made_at = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["judged", "-id"], name="reports_of_the_same_pages")]

    def __str__(self) -> str:
        return f"{self.golden} {moments.full(self.made_at)} {self.commit}"


class EvalRun(WorkRow):
    """A run over a golden set (``golden``: its name in GOLDEN_DIRS) that waits for a worker, or has ended.

    ``percent``: of it that is done, ``file``: the one that is measured, while it is under way.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    golden = models.CharField(max_length=100)
    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, null=True, related_name="+")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    report = models.ForeignKey(EvalReport, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True)
    percent = models.SmallIntegerField(default=0, db_default=0)
    file = models.CharField(max_length=200, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.golden} {moments.full(self.created_at)}"

    @property
    def state(self) -> str:
        if self.ended_at is None:
            return "waiting" if self.worker is None else "running"
        return "done" if self.report_id else "failed"
