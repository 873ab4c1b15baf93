"""Page: one page of a job, where its work and its import stand, and what tiles and lists show of it."""

from django.db import connection, models
from django.db.models import Q

from catalogsku.core.models import WorkRow
from catalogsku.core.scope import ScopedManager
from ingestion.lifecycle import ImportState, PageStatus, SkipReason
from ingestion.models.job import Job


class Page(WorkRow):
    job = models.ForeignKey(Job, models.CASCADE, related_name="pages", db_index=False)  # one_page_a_number
    number = models.IntegerField()
    status = models.CharField(max_length=16, choices=PageStatus, default=PageStatus.PENDING)
    import_state = models.CharField(max_length=9, choices=ImportState, default=ImportState.NONE)
    skip_reason = models.CharField(max_length=10, choices=SkipReason, blank=True)
    sampled = models.BooleanField(default=False)

    width_pt = models.FloatField(default=0)
    height_pt = models.FloatField(default=0)
    prescan = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=32, blank=True)  # as in processing.engine.editions
    likeness = models.CharField(max_length=32, blank=True)
    carried = models.BooleanField(default=False)  # its result is that of the same page of an earlier edition
    features = models.JSONField(default=dict)
    assessment = models.JSONField(null=True)
    # How many of each kind of personal data it shows (catalogsku.core.personal_data); null: nobody has looked.
    personal_data = models.JSONField(null=True)
    # The page as it was read, half as large as a screenshot, which is drawn once somebody looks closer.
    preview_key = models.CharField(max_length=255, blank=True)
    screenshot_key = models.CharField(max_length=255, blank=True)
    thumbnail_key = models.CharField(max_length=255, blank=True)
    reader = models.CharField(max_length=20, blank=True)
    read_reused = models.BooleanField(default=False)

    page_type = models.CharField(max_length=1, blank=True)
    layout_type = models.CharField(max_length=2, blank=True)
    confidence = models.FloatField(null=True)
    type_confidence = models.FloatField(null=True)
    analyst = models.CharField(max_length=80, blank=True)
    extraction_method = models.CharField(max_length=30, blank=True)
    fallback_reason = models.CharField(max_length=60, blank=True)
    continues = models.IntegerField(null=True)
    blockers = models.JSONField(default=list)
    needs_review = models.BooleanField(default=False)
    validation = models.JSONField(default=dict)
    sku_count = models.IntegerField(default=0)
    delivered_count = models.IntegerField(default=0)
    holder = models.CharField(max_length=60, blank=True)
    timings_ms = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="one_page_a_number")]
        indexes = [
            models.Index(
                fields=["stage", "job", "number"],
                name="page_ready",
                condition=~Q(stage="NONE") & Q(worker__isnull=True),
            ),
            models.Index(fields=["worker"], name="page_in_hand", condition=Q(worker__isnull=False)),
            models.Index(fields=["likeness"], name="pages_alike", condition=~Q(likeness="")),
            models.Index(fields=["id"], name="pages_stopped", condition=Q(status=PageStatus.DEAD_LETTER)),
            models.Index(
                fields=["dispatched_at"],
                name="page_sent",
                condition=Q(worker__isnull=True, dispatched_at__isnull=False),
            ),
            models.Index(fields=["job", "status"], name="pages_by_status"),
            models.Index(fields=["job", "changed"], name="page_changed"),
            models.Index(
                fields=["id"],
                name="page_awaits_tasks",
                condition=Q(needs_review=True, status__in=[PageStatus.AI_COMPLETED, PageStatus.HUMAN_QUEUED]),
            ),
            models.Index(
                fields=["job"],
                name="pages_wrong",
                condition=Q(status=PageStatus.DEAD_LETTER)
                | Q(import_state__in=[ImportState.FAILED, ImportState.STALE])
                | Q(status__in=[PageStatus.BLANK, PageStatus.SKIPPED], skip_reason=SkipReason.SLA),
            ),
            models.Index(
                fields=["job", "id"],
                name="page_awaits_imports",
                condition=Q(
                    status__in=[PageStatus.AI_COMPLETED, PageStatus.HUMAN_COMPLETED],
                    import_state__in=[ImportState.NONE, ImportState.PENDING],
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.number}"

    @property
    def shown_key(self) -> str:
        """Name of its largest picture that is there: the thumbnail outlives the others (TA-KEEP)."""
        return self.screenshot_key or self.preview_key or self.thumbnail_key

    @property
    def awaits_screenshot(self) -> bool:
        """Whether it is shown by its preview: a screenshot may follow."""
        return bool(self.preview_key and not self.screenshot_key)

    @staticmethod
    def census(job_id: int) -> dict[tuple[str, str, str], int]:
        """Pages of a job by (status, import_state, skip_reason), as committed now."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT status, import_state, skip_reason, count(*) FROM ingestion_page WHERE job_id = %s"
                " GROUP BY 1, 2, 3",
                [job_id],
            )
            return {(row[0], row[1], row[2]): row[3] for row in cursor.fetchall()}
