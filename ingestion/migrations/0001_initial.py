import uuid

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import catalogsku.core.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("profiles", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MachineUse",
            fields=[
                (
                    "merchant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.merchant",
                    ),
                ),
                ("used_s", models.FloatField(default=0)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("stage", models.CharField(default="NONE", max_length=20)),
                ("worker", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("claim_token", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("claimed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("dispatched_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("not_before", models.DateTimeField(blank=True, editable=False, null=True)),
                ("failures", models.SmallIntegerField(default=0)),
                ("losses", models.SmallIntegerField(default=0)),
                ("last_error", models.JSONField(blank=True, null=True)),
                ("handled_by", models.CharField(blank=True, default="", max_length=80)),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("category", models.CharField(blank=True, max_length=60)),
                ("idempotency_key", models.CharField(max_length=100)),
                ("request_id", models.CharField(blank=True, editable=False, max_length=64)),
                ("source_name", models.CharField(max_length=255)),
                ("source_key", models.CharField(max_length=255)),
                ("source_bytes", models.BigIntegerField()),
                ("file_sha256", models.CharField(max_length=64)),
                ("head_sha256", models.CharField(blank=True, max_length=64)),
                ("hash8", models.CharField(max_length=16)),
                ("password", models.BinaryField(null=True)),
                ("total_pages", models.IntegerField(null=True)),
                ("reused_pages", models.IntegerField(default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("UPLOADED", "Checking"),
                            ("REJECTED", "Refused"),
                            ("EVALUATING", "Evaluating"),
                            ("EVAL_FAILED", "Evaluation failed"),
                            ("EVALUATED", "Evaluated"),
                            ("PROCESSING", "In progress"),
                            ("AWAITING_GO", "Awaits a go-ahead"),
                            ("DEGRADED_HUMAN", "People only"),
                            ("PARTIAL_IMPORTED", "Needs people"),
                            ("PARTIAL_FAILED", "Partly failed"),
                            ("FULL_IMPORTED", "Finished"),
                            ("ORPHANED", "Waiting for workers"),
                            ("CANCELLED", "Cancelled"),
                        ],
                        default="UPLOADED",
                        max_length=16,
                    ),
                ),
                (
                    "route",
                    models.CharField(
                        blank=True,
                        choices=[("AUTO", "Automatic route"), ("HYBRID", "Hybrid route"), ("HUMAN_ALL", "People only")],
                        max_length=10,
                    ),
                ),
                ("c_doc", models.FloatField(null=True)),
                ("route_reason", models.JSONField(default=dict)),
                ("degrade_reason", models.CharField(max_length=40, null=True)),
                ("failure_code", models.CharField(blank=True, max_length=40)),
                ("notes", models.JSONField(default=list)),
                ("held_reason", models.CharField(blank=True, max_length=200)),
                ("import_hold", models.BooleanField(default=False)),
                ("import_held_by", models.CharField(blank=True, max_length=150)),
                ("resumes", models.JSONField(default=list)),
                ("prompts", models.JSONField(default=dict)),
                ("bucket", models.CharField(blank=True, max_length=200)),
                (
                    "urgency",
                    models.CharField(
                        choices=[("now", "at once"), ("batch", "in batches")],
                        db_default="now",
                        default="now",
                        max_length=5,
                    ),
                ),
                (
                    "models_state",
                    models.CharField(
                        choices=[("none", "None"), ("asking", "Asking"), ("go", "Go"), ("left", "Left")],
                        db_default="none",
                        default="none",
                        max_length=8,
                    ),
                ),
                ("models_pages", models.IntegerField(editable=False, null=True)),
                ("models_estimated_micro", models.BigIntegerField(editable=False, null=True)),
                ("models_priced_at", models.DateTimeField(editable=False, null=True)),
                (
                    "models_decided_by",
                    models.CharField(blank=True, db_default="", default="", editable=False, max_length=150),
                ),
                ("completion_source", models.CharField(blank=True, max_length=20)),
                ("completion", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("checked_at", models.DateTimeField(null=True)),
                ("evaluated_at", models.DateTimeField(null=True)),
                ("progressed_at", models.DateTimeField(null=True)),
                ("paces", models.JSONField(default=dict, editable=False)),
                ("machine_s", models.FloatField(default=0, editable=False)),
                ("resumed_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "edition_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="editions",
                        to="ingestion.job",
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="jobs", to="accounts.merchant"
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="profiles.thresholdprofile"
                    ),
                ),
                (
                    "routing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="profiles.routingtable"
                    ),
                ),
                (
                    "schema",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="profiles.categoryschema"
                    ),
                ),
                (
                    "uploader",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "document",
                "verbose_name_plural": "documents",
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("stage", models.CharField(default="NONE", max_length=20)),
                ("worker", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("claim_token", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("claimed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("dispatched_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("not_before", models.DateTimeField(blank=True, editable=False, null=True)),
                ("failures", models.SmallIntegerField(default=0)),
                ("losses", models.SmallIntegerField(default=0)),
                ("last_error", models.JSONField(blank=True, null=True)),
                ("handled_by", models.CharField(blank=True, default="", max_length=80)),
                ("number", models.IntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("PENDING", "Waiting"),
                            ("BLANK", "Blank"),
                            ("AI_QUEUED", "Queued"),
                            ("AI_COMPLETED", "Read"),
                            ("AI_FAILED", "Retry"),
                            ("DEAD_LETTER", "Stopped"),
                            ("SKIPPED", "Skipped"),
                            ("HUMAN_QUEUED", "Needs people"),
                            ("HUMAN_PROCESSING", "In hand"),
                            ("HUMAN_COMPLETED", "Checked"),
                        ],
                        default="PENDING",
                        max_length=16,
                    ),
                ),
                (
                    "import_state",
                    models.CharField(
                        choices=[
                            ("none", "None"),
                            ("pending", "Pending"),
                            ("assumed", "Assumed"),
                            ("confirmed", "Confirmed"),
                            ("failed", "Failed"),
                            ("stale", "Stale"),
                        ],
                        default="none",
                        max_length=9,
                    ),
                ),
                (
                    "skip_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("no_product", "No Product"),
                            ("person", "Person"),
                            ("sla", "Sla"),
                            ("cancelled", "Cancelled"),
                        ],
                        max_length=10,
                    ),
                ),
                ("sampled", models.BooleanField(default=False)),
                ("width_pt", models.FloatField(default=0)),
                ("height_pt", models.FloatField(default=0)),
                ("prescan", models.JSONField(default=dict)),
                ("fingerprint", models.CharField(blank=True, max_length=32)),
                ("likeness", models.CharField(blank=True, max_length=32)),
                ("carried", models.BooleanField(default=False)),
                ("features", models.JSONField(default=dict)),
                ("assessment", models.JSONField(null=True)),
                ("screenshot_key", models.CharField(blank=True, max_length=255)),
                ("thumbnail_key", models.CharField(blank=True, max_length=255)),
                ("reader", models.CharField(blank=True, max_length=20)),
                ("read_reused", models.BooleanField(default=False)),
                ("page_type", models.CharField(blank=True, max_length=1)),
                ("layout_type", models.CharField(blank=True, max_length=2)),
                ("confidence", models.FloatField(null=True)),
                ("type_confidence", models.FloatField(null=True)),
                ("analyst", models.CharField(blank=True, max_length=80)),
                ("extraction_method", models.CharField(blank=True, max_length=30)),
                ("fallback_reason", models.CharField(blank=True, max_length=60)),
                ("continues", models.IntegerField(null=True)),
                ("blockers", models.JSONField(default=list)),
                ("needs_review", models.BooleanField(default=False)),
                ("validation", models.JSONField(default=dict)),
                ("sku_count", models.IntegerField(default=0)),
                ("delivered_count", models.IntegerField(default=0)),
                ("holder", models.CharField(blank=True, max_length=60)),
                ("timings_ms", models.JSONField(default=dict)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="ingestion.job",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PrescanPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pages", models.JSONField()),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="prescan_parts", to="ingestion.job"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Quota",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "storage_mb",
                    models.BigIntegerField(
                        blank=True,
                        help_text="Empty: the default.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="MB of documents",
                    ),
                ),
                (
                    "jobs_in_work",
                    models.IntegerField(
                        blank=True,
                        help_text="Empty: the default.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="documents in work",
                    ),
                ),
                (
                    "open_uploads",
                    models.IntegerField(
                        blank=True,
                        help_text="Empty: the default.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="open uploads",
                    ),
                ),
                (
                    "weight",
                    models.FloatField(
                        blank=True,
                        help_text="Share of machine time while several merchants wait; empty: 1, as others; 2: twice as much.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0.1),
                            django.core.validators.MaxValueValidator(100.0),
                        ],
                        verbose_name="weight",
                    ),
                ),
                (
                    "merchant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="quota",
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
            ],
            options={
                "verbose_name": "quota",
                "verbose_name_plural": "quotas",
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(max_length=255)),
                ("size_bytes", models.BigIntegerField()),
                ("offset_bytes", models.BigIntegerField(default=0)),
                ("head_sha256", models.CharField(blank=True, max_length=64)),
                ("category", models.CharField(blank=True, max_length=60)),
                ("profile_key", models.CharField(blank=True, max_length=60)),
                (
                    "urgency",
                    models.CharField(
                        choices=[("now", "at once"), ("batch", "in batches")],
                        db_default="now",
                        default="now",
                        max_length=5,
                    ),
                ),
                ("idempotency_key", models.CharField(max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "edition_of",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="accounts.merchant"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["merchant", "-created_at"], name="jobs_of_merchant"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["merchant", "file_sha256"], name="jobs_of_file"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["merchant", "hash8"], name="jobs_of_hash8"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(models.Q(("stage", "NONE"), _negated=True), ("worker__isnull", True)),
                fields=["stage", "id"],
                name="job_ready",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("worker__isnull", False)), fields=["worker"], name="job_in_hand"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("status__in", ["FULL_IMPORTED", "CANCELLED", "REJECTED"]), _negated=True),
                fields=["status"],
                name="jobs_open",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("held_reason", ""), _negated=True), fields=["id"], name="jobs_held"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("import_hold", True)), fields=["id"], name="jobs_imports_held"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["changed"], name="job_changed"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(fields=("merchant", "idempotency_key"), name="one_job_a_key"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(fields=("id", "merchant"), name="job_of_merchant"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        models.Q(("route", "AUTO"), _negated=True), ("degrade_reason__isnull", True), _connector="OR"
                    ),
                    models.Q(
                        models.Q(("route", "HUMAN_ALL"), _negated=True),
                        ("degrade_reason__isnull", False),
                        _connector="OR",
                    ),
                ),
                name="inv_11_route_matches_degrade_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(models.Q(("stage", "NONE"), _negated=True), ("worker__isnull", True)),
                fields=["stage", "job", "number"],
                name="page_ready",
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(condition=models.Q(("worker__isnull", False)), fields=["worker"], name="page_in_hand"),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(("likeness", ""), _negated=True), fields=["likeness"], name="pages_alike"
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(condition=models.Q(("status", "DEAD_LETTER")), fields=["id"], name="pages_stopped"),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(("dispatched_at__isnull", False), ("worker__isnull", True)),
                fields=["dispatched_at"],
                name="page_sent",
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(fields=["job", "status"], name="pages_by_status"),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(fields=["job", "changed"], name="page_changed"),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(("needs_review", True), ("status__in", ["AI_COMPLETED", "HUMAN_QUEUED"])),
                fields=["id"],
                name="page_awaits_tasks",
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(
                    ("status", "DEAD_LETTER"),
                    ("import_state__in", ["failed", "stale"]),
                    models.Q(("skip_reason", "sla"), ("status__in", ["BLANK", "SKIPPED"])),
                    _connector="OR",
                ),
                fields=["job"],
                name="pages_wrong",
            ),
        ),
        migrations.AddIndex(
            model_name="page",
            index=models.Index(
                condition=models.Q(
                    ("import_state__in", ["none", "pending"]), ("status__in", ["AI_COMPLETED", "HUMAN_COMPLETED"])
                ),
                fields=["job", "id"],
                name="page_awaits_imports",
            ),
        ),
        migrations.AddConstraint(
            model_name="page",
            constraint=models.UniqueConstraint(fields=("job", "number"), name="one_page_a_number"),
        ),
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(fields=["expires_at"], name="upload_expiry"),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.UniqueConstraint(fields=("merchant", "idempotency_key"), name="one_upload_a_key"),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(("offset_bytes__gte", 0), ("offset_bytes__lte", models.F("size_bytes"))),
                name="offset_within_size",
            ),
        ),
        # Pages are updated some ten times each: room on their blocks keeps those updates off the indexes.
        migrations.RunSQL(
            "ALTER TABLE ingestion_page SET (fillfactor = 85)", "ALTER TABLE ingestion_page RESET (fillfactor)"
        ),
    ]
