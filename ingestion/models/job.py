"""Job: one document on its way from upload to what it ends as; of a catalogue, delivered SKUs."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.core import clock
from catalogsku.core.models import WorkRow
from catalogsku.core.scope import ScopedManager
from catalogsku.core.secrets import SecretField
from catalogsku.profiles.models import CategorySchema, RoutingTable, ThresholdProfile
from ingestion import kinds
from ingestion.lifecycle import JobStatus, ModelsState, Route, Urgency


class Job(WorkRow):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    merchant = models.ForeignKey(Merchant, models.PROTECT, related_name="jobs")
    uploader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="jobs")
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
    idempotency_key = models.CharField(max_length=100)
    request_id = models.CharField(max_length=64, blank=True, editable=False)  # of who made it, for the log

    source_name = models.CharField(max_length=255)
    source_key = models.CharField(max_length=255)
    source_bytes = models.BigIntegerField()
    file_sha256 = models.CharField(max_length=64)
    head_sha256 = models.CharField(max_length=64, blank=True)
    hash8 = models.CharField(max_length=16)
    password = SecretField(null=True, editable=False)
    # Somebody has asked for a copy without scripts; the hash of the one that ``source_key`` names since. The original
    # stays in its folder, under its own hash.
    copy_wanted = models.BooleanField(default=False, db_default=False)
    copy_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    total_pages = models.IntegerField(null=True)
    reused_pages = models.IntegerField(default=0)

    status = models.CharField(max_length=16, choices=JobStatus, default=JobStatus.UPLOADED)
    route = models.CharField(max_length=10, choices=Route, blank=True)
    c_doc = models.FloatField(null=True)
    route_reason = models.JSONField(default=dict)
    degrade_reason = models.CharField(max_length=40, null=True)
    failure_code = models.CharField(max_length=40, blank=True)
    notes = models.JSONField(default=list)
    held_reason = models.CharField(max_length=200, blank=True)
    # Nothing goes out while it is set; ``import_held_by``: the operator who set it, empty where an edition waits.
    import_hold = models.BooleanField(default=False)
    import_held_by = models.CharField(max_length=150, blank=True)
    edition_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="editions")
    resumes = models.JSONField(default=list)

    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, related_name="+")
    schema = models.ForeignKey(CategorySchema, models.PROTECT, related_name="+")
    routing = models.ForeignKey(RoutingTable, models.PROTECT, related_name="+")
    prompts = models.JSONField(default=dict)  # key of a prompt to the id of its version
    dictionaries = models.JSONField(default=list, db_default=[])  # ids of versions, from the widest to the narrowest
    bucket = models.CharField(max_length=200, blank=True)  # arms of the trials it is in (profiles.trials.bucket_of)

    urgency = models.CharField(max_length=5, choices=Urgency, default=Urgency.NOW, db_default=Urgency.NOW)
    # Whether models are asked, about how many pages, for about how much, and who decided it ("system": the setting).
    models_state = models.CharField(
        max_length=8, choices=ModelsState, default=ModelsState.NONE, db_default=ModelsState.NONE
    )
    models_pages = models.IntegerField(null=True, editable=False)
    models_estimated_micro = models.BigIntegerField(null=True, editable=False)
    models_priced_at = models.DateTimeField(null=True, editable=False)
    models_decided_by = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)

    completion_source = models.CharField(max_length=20, blank=True)
    completion = models.JSONField(null=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    checked_at = models.DateTimeField(null=True)
    evaluated_at = models.DateTimeField(null=True)
    progressed_at = models.DateTimeField(null=True)
    # Stage to the seconds of a core that a page has last taken in it; of stages whose chunks depend on that.
    paces = models.JSONField(default=dict, editable=False)
    # Seconds of a core that sandboxed children have spent on it: inspection to understanding, OCR among them.
    machine_s = models.FloatField(default=0, editable=False)
    resumed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = [
            models.UniqueConstraint(fields=["merchant", "idempotency_key"], name="one_job_a_key"),
            models.UniqueConstraint(fields=["id", "merchant"], name="job_of_merchant"),
            models.CheckConstraint(
                condition=(~Q(route=Route.AUTO) | Q(degrade_reason__isnull=True))
                & (~Q(route=Route.HUMAN_ALL) | Q(degrade_reason__isnull=False)),
                name="inv_11_route_matches_degrade_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at"], name="jobs_of_merchant"),
            models.Index(fields=["merchant", "file_sha256"], name="jobs_of_file"),
            models.Index(fields=["merchant", "hash8"], name="jobs_of_hash8"),
            models.Index(fields=["merchant", "schema"], name="jobs_of_schema"),
            models.Index(fields=["stage", "id"], name="job_ready", condition=~Q(stage="NONE") & Q(worker__isnull=True)),
            models.Index(fields=["worker"], name="job_in_hand", condition=Q(worker__isnull=False)),
            models.Index(
                fields=["status"],
                name="jobs_open",
                condition=~Q(status__in=[JobStatus.FULL_IMPORTED, JobStatus.CANCELLED, JobStatus.REJECTED]),
            ),
            models.Index(fields=["id"], name="jobs_held", condition=~Q(held_reason="")),
            models.Index(fields=["id"], name="jobs_imports_held", condition=Q(import_hold=True)),
            models.Index(fields=["changed"], name="job_changed"),
        ]

    def __str__(self) -> str:
        return self.source_name
