import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import catalogsku.core.models

IMPORT_OF_MERCHANT = """ALTER TABLE processing_importrecord ADD CONSTRAINT import_job_of_merchant
    FOREIGN KEY (job_id, merchant_id) REFERENCES ingestion_job (id, merchant_id) DEFERRABLE INITIALLY DEFERRED"""
CALL_OF_MERCHANT = """ALTER TABLE processing_modelcall ADD CONSTRAINT call_job_of_merchant
    FOREIGN KEY (job_id, merchant_id) REFERENCES ingestion_job (id, merchant_id) DEFERRABLE INITIALLY DEFERRED"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("ingestion", "0001_initial"),
        ("profiles", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Sku",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("sku_id", models.CharField(max_length=40)),
                ("revision", models.IntegerField(default=1)),
                ("superseded", models.BooleanField(default=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("EXTRACTED", "Read"),
                            ("VALID", "Waits for its picture"),
                            ("PARTIAL", "Without specification"),
                            ("INVALID", "Without identity"),
                            ("CONFIRMED", "Checked"),
                            ("REJECTED", "Rejected"),
                            ("BOUND", "Ready"),
                            ("IMPORTING", "Being delivered"),
                            ("IMPORTED", "Delivered"),
                            ("IMPORT_FAILED", "Delivery refused"),
                            ("SUPERSEDED", "Replaced"),
                        ],
                        max_length=14,
                    ),
                ),
                ("validity", models.CharField(max_length=8)),
                ("quality_warning", models.CharField(max_length=60, null=True)),
                ("confidence", models.FloatField()),
                ("box", models.JSONField()),
                ("attributes", models.JSONField()),
                ("attribute_source", models.JSONField(default=dict)),
                ("evidence", models.JSONField(default=dict)),
                ("normalized", models.JSONField(default=dict)),
                ("custom_attributes", models.JSONField(default=list)),
                ("candidates", models.JSONField(default=list)),
                ("blockers", models.JSONField(default=list)),
                ("decisions", models.JSONField(default=dict)),
                ("predecessor", models.CharField(blank=True, max_length=40)),
                ("downstream_id", models.CharField(blank=True, max_length=40)),
                ("left_out", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="skus",
                        to="ingestion.job",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="skus", to="ingestion.page"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RuleResult",
            fields=[
                (
                    "page",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ingestion.page",
                    ),
                ),
                ("data", models.BinaryField()),
                ("estimated_micro", models.BigIntegerField(db_default=0, default=0)),
                ("waits_for", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="TargetHold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("target", models.CharField(max_length=20, unique=True)),
                ("response", models.CharField(max_length=500)),
                ("since", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("trials", models.IntegerField(default=0)),
                ("try_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="WebhookCursor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="AskingRule",
            fields=[
                (
                    "merchant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
                (
                    "ask_models",
                    models.CharField(
                        choices=[
                            ("at_once", "at once, whatever it costs"),
                            ("ask_first", "above an amount only once somebody agrees"),
                            ("never", "never"),
                        ],
                        default="ask_first",
                        max_length=10,
                        verbose_name="models are asked",
                    ),
                ),
                (
                    "ask_first_above_micro_usd",
                    models.BigIntegerField(
                        default=1000000,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="somebody is asked above this many micro-USD a document",
                    ),
                ),
            ],
            options={
                "verbose_name": "rule for asking models",
                "verbose_name_plural": "rules for asking models",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ask_models__in", ["at_once", "ask_first", "never"])),
                        name="asking_rule_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ask_first_above_micro_usd__gte", 0)), name="asking_limit_not_negative"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Edition",
            fields=[
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="edition",
                        serialize=False,
                        to="ingestion.job",
                    ),
                ),
                (
                    "origin",
                    models.CharField(choices=[("recognised", "recognised"), ("declared", "declared")], max_length=10),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Waits for approval"),
                            ("approving", "Approved, being prepared"),
                            ("approved", "Approved"),
                            ("undone", "Not an edition"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("pages", models.JSONField(default=list)),
                ("share", models.FloatField(default=0)),
                ("tally", models.JSONField(default=dict)),
                ("compared", models.BigIntegerField(null=True)),
                ("digest", models.CharField(blank=True, max_length=16)),
                ("actor", models.CharField(blank=True, max_length=150)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "predecessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ingestion.job"
                    ),
                ),
            ],
            options={
                "verbose_name": "edition",
                "verbose_name_plural": "editions",
            },
        ),
        migrations.CreateModel(
            name="EditionChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=41)),
                (
                    "kind",
                    models.CharField(
                        choices=[("changed", "Changed"), ("added", "Added"), ("removed", "Removed")], max_length=8
                    ),
                ),
                ("fields", models.JSONField(default=list)),
                ("price_change", models.FloatField(null=True)),
                ("rank", models.SmallIntegerField()),
                ("weight", models.FloatField(default=0)),
                ("goes", models.BooleanField(default=True)),
                (
                    "earlier",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="processing.sku"
                    ),
                ),
                (
                    "edition",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="processing.edition",
                    ),
                ),
                (
                    "later",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="processing.sku"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EvalReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("golden", models.CharField(max_length=200)),
                ("judged", models.CharField(max_length=16)),
                ("commit", models.CharField(blank=True, max_length=20)),
                ("passed", models.BooleanField()),
                ("gate", models.JSONField()),
                ("total", models.JSONField()),
                ("pictures", models.JSONField(default=list)),
                ("content", models.BinaryField()),
                ("made_at", models.DateTimeField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.thresholdprofile",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EvalRun",
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
                ("golden", models.CharField(max_length=100)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.thresholdprofile",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="processing.evalreport",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("file_sha256", models.CharField(max_length=64)),
                ("prompt_version", models.CharField(default="none", max_length=40)),
                ("model", models.CharField(max_length=150)),
                ("c_doc", models.FloatField()),
                ("route", models.CharField(max_length=10)),
                ("reasons", models.JSONField(default=list)),
                ("report", models.JSONField()),
                ("facts", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "merchant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.merchant"
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="profiles.thresholdprofile"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExportLayout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("columns", models.JSONField()),
                (
                    "headings",
                    models.CharField(
                        choices=[("keys", "names for programs"), ("zh-hans", "Chinese"), ("en", "English")],
                        default="keys",
                        max_length=8,
                    ),
                ),
                ("saved_at", models.DateTimeField(auto_now=True)),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
                (
                    "saved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "export layout",
                "verbose_name_plural": "export layouts",
            },
        ),
        migrations.CreateModel(
            name="Export",
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
                (
                    "kind",
                    models.CharField(
                        choices=[("csv", "CSV"), ("xlsx", "XLSX"), ("json", "JSON"), ("zip", "ZIP")], max_length=4
                    ),
                ),
                ("columns", models.JSONField()),
                (
                    "headings",
                    models.CharField(
                        choices=[("keys", "names for programs"), ("zh-hans", "Chinese"), ("en", "English")],
                        default="keys",
                        max_length=8,
                    ),
                ),
                ("full_only", models.BooleanField(default=False)),
                ("with_pictures", models.BooleanField(default=False)),
                ("is_delta", models.BooleanField(default=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("WAITING", "Being prepared"),
                            ("DONE", "Ready"),
                            ("FAILED", "Failed"),
                            ("EXPIRED", "No longer kept"),
                        ],
                        default="WAITING",
                        max_length=8,
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=60)),
                ("skus", models.IntegerField(default=0)),
                ("added", models.IntegerField(default=0)),
                ("altered", models.IntegerField(default=0)),
                ("removed", models.IntegerField(default=0)),
                ("held", models.BinaryField(null=True)),
                ("storage_key", models.CharField(blank=True, max_length=255)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("size_bytes", models.BigIntegerField(default=0)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("fetched_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "base",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="processing.export",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
                (
                    "layout",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="exports",
                        to="processing.exportlayout",
                    ),
                ),
            ],
            options={
                "verbose_name": "export",
                "verbose_name_plural": "exports",
            },
        ),
        migrations.CreateModel(
            name="Image",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("image_id", models.CharField(max_length=40)),
                ("picture", models.CharField(max_length=8)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("EXTRACTED", "Extracted"),
                            ("QUALITY_ASSESSED", "Quality Assessed"),
                            ("ROLE_CLASSIFIED", "Role Classified"),
                            ("DELIVERABLE", "Deliverable"),
                            ("NOT_DELIVERABLE", "Not Deliverable"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("PRODUCT_MAIN", "product"),
                            ("DETAIL", "detail"),
                            ("SCENE", "scene"),
                            ("SIZE_CHART", "size chart"),
                            ("LOGO", "logo"),
                            ("DECORATION", "decoration"),
                        ],
                        max_length=12,
                    ),
                ),
                ("role_confidence", models.FloatField(default=0)),
                ("box", models.JSONField()),
                ("width_px", models.IntegerField()),
                ("height_px", models.IntegerField()),
                ("short_edge", models.IntegerField()),
                ("grade", models.CharField(max_length=16)),
                ("search_eligible", models.BooleanField(default=False)),
                ("fragmented", models.BooleanField(default=False)),
                ("content_hash", models.CharField(max_length=64)),
                ("perceptual_hash", models.CharField(blank=True, max_length=16)),
                ("storage_key", models.CharField(max_length=255)),
                (
                    "duplicate_of",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="processing.image",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="images",
                        to="ingestion.job",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="images", to="ingestion.page"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("target", models.CharField(max_length=20)),
                ("sku_key", models.CharField(max_length=40)),
                ("generation", models.IntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("put", "product"), ("restore", "earlier product"), ("delete", "deletion")],
                        default="put",
                        max_length=8,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("PENDING", "Waits"),
                            ("SENDING", "On its way"),
                            ("UNKNOWN", "No answer yet"),
                            ("CONFIRMED", "Confirmed"),
                            ("ASSUMED", "Taken, not confirmed"),
                            ("REFUSED", "Refused"),
                            ("STALE", "Given up"),
                            ("SUPERSEDED", "Replaced by a newer one"),
                        ],
                        default="PENDING",
                        max_length=10,
                    ),
                ),
                ("attempt", models.SmallIntegerField(default=0)),
                ("conflicts", models.SmallIntegerField(default=0)),
                ("worker", models.BigIntegerField(null=True)),
                ("claim_token", models.BigIntegerField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("not_before", models.DateTimeField(null=True)),
                ("payload", models.BinaryField()),
                ("payload_hash", models.CharField(max_length=64)),
                ("external_id", models.CharField(blank=True, max_length=120)),
                ("response", models.JSONField(null=True)),
                ("uncertain", models.BooleanField(default=False)),
                ("failing_since", models.DateTimeField(null=True)),
                ("drift", models.CharField(blank=True, max_length=12)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="ingestion.job"
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="ingestion.page"
                    ),
                ),
                (
                    "sku",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="processing.sku"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportTarget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        max_length=20,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("\\A(?!local\\Z)[a-z][a-z0-9-]*\\Z")],
                        verbose_name="name",
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="enabled")),
                ("url", models.URLField(blank=True, help_text="Empty: the one in IMPORT_URL.", verbose_name="address")),
                (
                    "auth_header",
                    models.CharField(
                        default="Authorization",
                        max_length=40,
                        validators=[django.core.validators.RegexValidator("\\A[\\w-]+\\Z")],
                        verbose_name="header of the secret",
                    ),
                ),
                (
                    "writes",
                    models.CharField(
                        choices=[
                            ("upsert", "replaces the product"),
                            (
                                "insert",
                                "adds another one: nothing goes out twice unless the target says that it lacks it",
                            ),
                            ("once", "takes a SKU once: what changes later is carried over by hand"),
                        ],
                        default="upsert",
                        max_length=6,
                        verbose_name="the same SKU again",
                    ),
                ),
                (
                    "query",
                    models.CharField(
                        choices=[("sku", "one SKU at a time"), ("job", "all SKUs of a document"), ("none", "nothing")],
                        default="sku",
                        max_length=4,
                        verbose_name="can be asked",
                    ),
                ),
                (
                    "batch",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(200),
                        ],
                        verbose_name="products in a request",
                    ),
                ),
                ("whole_job", models.BooleanField(default=False, verbose_name="documents whole, in one request")),
                (
                    "id_pattern",
                    models.CharField(
                        blank=True,
                        help_text="Like {number}{page}{sequence}; empty: ours.",
                        max_length=80,
                        verbose_name="form of its ids",
                    ),
                ),
                (
                    "fields",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Its name: ours; empty: all under our names.",
                        verbose_name="names of its fields",
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
            ],
            options={
                "verbose_name": "import target",
                "verbose_name_plural": "import targets",
            },
        ),
        migrations.CreateModel(
            name="LanguageModel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True, verbose_name="name")),
                (
                    "provider",
                    models.CharField(
                        choices=[("gemini", "Gemini"), ("qwen", "Qwen"), ("openai", "OpenAI protocol")],
                        max_length=10,
                        verbose_name="provider",
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="enabled")),
                ("shadow_only", models.BooleanField(default=False, verbose_name="asked by shadows alone")),
                (
                    "price_in_micro",
                    models.BigIntegerField(
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="micro-USD per million tokens in",
                    ),
                ),
                (
                    "price_cached_micro",
                    models.BigIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="micro-USD per million cached tokens in",
                    ),
                ),
                (
                    "price_out_micro",
                    models.BigIntegerField(
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="micro-USD per million tokens out",
                    ),
                ),
                (
                    "batch_percent",
                    models.SmallIntegerField(
                        blank=True,
                        help_text="Empty: its provider has no batches for it.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="per cent of the price in batches",
                    ),
                ),
                (
                    "qpm",
                    models.IntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="calls a minute"
                    ),
                ),
                (
                    "tpm",
                    models.BigIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="tokens a minute"
                    ),
                ),
                (
                    "max_images",
                    models.SmallIntegerField(
                        validators=[django.core.validators.MinValueValidator(0)], verbose_name="most pictures a call"
                    ),
                ),
                (
                    "max_tokens",
                    models.IntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="most tokens out"
                    ),
                ),
                (
                    "temperature",
                    models.FloatField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(2),
                        ],
                        verbose_name="temperature",
                    ),
                ),
                (
                    "thinking_level",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("off", "not at all"),
                            ("minimal", "as little as it can"),
                            ("low", "low"),
                            ("medium", "medium"),
                            ("high", "high"),
                        ],
                        max_length=8,
                        verbose_name="thinking level",
                    ),
                ),
                (
                    "media_resolution",
                    models.CharField(
                        blank=True,
                        choices=[("low", "low"), ("medium", "medium"), ("high", "high")],
                        max_length=8,
                        verbose_name="resolution of images",
                    ),
                ),
                (
                    "max_image_px",
                    models.IntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(256)],
                        verbose_name="longest side of an image in px",
                    ),
                ),
                (
                    "retires_on",
                    models.DateField(blank=True, null=True, verbose_name="taken offline by its provider on"),
                ),
                (
                    "timeout_s",
                    models.IntegerField(
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(300),
                        ],
                        verbose_name="seconds until a call is given up",
                    ),
                ),
                (
                    "failures_to_open",
                    models.SmallIntegerField(
                        default=5,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="failures in a row that open the breaker",
                    ),
                ),
                (
                    "open_s",
                    models.IntegerField(
                        default=60,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="seconds that it stays open",
                    ),
                ),
                (
                    "trials_max",
                    models.SmallIntegerField(
                        default=3,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="trial calls when half-open",
                    ),
                ),
                (
                    "successes_to_close",
                    models.SmallIntegerField(
                        default=2,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="of them must succeed",
                    ),
                ),
                (
                    "half_open_s",
                    models.IntegerField(
                        default=30,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="seconds to decide in",
                    ),
                ),
            ],
            options={
                "verbose_name": "language model",
                "verbose_name_plural": "language models",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("successes_to_close__lte", models.F("trials_max"))),
                        name="trials_can_close_the_breaker",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("price_cached_micro__isnull", True),
                            models.Q(
                                ("price_cached_micro__gte", 0), ("price_cached_micro__lte", models.F("price_in_micro"))
                            ),
                            _connector="OR",
                        ),
                        name="cached_tokens_not_dearer",
                        violation_error_message="Cached tokens cannot cost more than others.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("batch_percent__isnull", True),
                            models.Q(("batch_percent__gte", 1), ("batch_percent__lte", 100)),
                            _connector="OR",
                        ),
                        name="batch_percent_is_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("batch_percent__isnull", True), ("provider__in", ("gemini", "openai")), _connector="OR"
                        ),
                        name="provider_has_batches",
                        violation_error_message="This provider is asked without batches.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("thinking_level__in", ["", "off", "minimal", "low", "medium", "high"])),
                        name="thinking_level_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("media_resolution__in", ["", "low", "medium", "high"])),
                        name="media_resolution_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("max_image_px__isnull", True), ("max_image_px__gte", 256), _connector="OR"),
                        name="image_can_be_read",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LocalProduct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sku_key", models.CharField(max_length=40)),
                ("generation", models.IntegerField()),
                ("payload_hash", models.CharField(max_length=64)),
                ("product", models.JSONField()),
                ("deleted", models.BooleanField(default=False)),
                ("received", models.IntegerField(default=1)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="products",
                        to="accounts.merchant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ModelBatch",
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
                ("name", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("provider", models.CharField(max_length=10, verbose_name="provider")),
                ("model", models.CharField(max_length=60, verbose_name="language model")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("COLLECTED", "Being collected"),
                            ("SENDING", "On its way"),
                            ("SENT", "Sent"),
                            ("ANSWERED", "Answered"),
                            ("EXPIRED", "Expired"),
                            ("REFUSED", "Refused"),
                            ("CANCELLED", "Cancelled"),
                        ],
                        default="COLLECTED",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("size_bytes", models.BigIntegerField(default=0)),
                ("remote_id", models.CharField(blank=True, max_length=200)),
                ("error_code", models.CharField(blank=True, max_length=60)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("closed_at", models.DateTimeField(null=True)),
                ("attempted_at", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True, verbose_name="sent at")),
                ("cancel_asked_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
            ],
            options={
                "verbose_name": "batch of questions",
                "verbose_name_plural": "batches of questions",
            },
        ),
        migrations.CreateModel(
            name="ModelCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("category", models.CharField(blank=True, max_length=60)),
                ("operation", models.CharField(max_length=30)),
                ("model", models.CharField(max_length=60)),
                ("prompt_version", models.CharField(max_length=80)),
                ("bucket", models.CharField(blank=True, max_length=40)),
                ("attempt", models.SmallIntegerField(default=1)),
                ("request_key", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("BATCHED", "in a batch"),
                            ("SENT", "sent"),
                            ("ANSWERED", "answered"),
                            ("LOST", "lost"),
                            ("FAILED", "failed"),
                        ],
                        default="SENT",
                        max_length=8,
                    ),
                ),
                ("day", models.DateField()),
                ("reserved_micro", models.BigIntegerField()),
                ("settled_micro", models.BigIntegerField(default=0)),
                ("tokens_in", models.IntegerField(null=True)),
                ("tokens_cached", models.IntegerField(null=True)),
                ("tokens_out", models.IntegerField(null=True)),
                ("image_tokens", models.IntegerField(null=True)),
                ("images_truncated", models.SmallIntegerField(default=0)),
                ("latency_ms", models.IntegerField(null=True)),
                ("finish", models.CharField(blank=True, max_length=30)),
                ("parse_method", models.CharField(blank=True, max_length=30)),
                ("needs_review", models.BooleanField(default=False)),
                ("downgrade_reason", models.CharField(blank=True, max_length=60)),
                ("injection", models.FloatField(default=0)),
                ("error_code", models.CharField(blank=True, max_length=60)),
                ("worker", models.BigIntegerField()),
                ("answer", models.BinaryField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="processing.modelbatch",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="model_calls",
                        to="ingestion.job",
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="model_calls",
                        to="ingestion.page",
                    ),
                ),
            ],
            options={
                "verbose_name": "call of a model",
                "verbose_name_plural": "calls of models",
            },
        ),
        migrations.CreateModel(
            name="ModelGate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("window_started_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("requests", models.IntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("closed", "closed: calls go through"),
                            ("open", "open: no call goes through"),
                            ("half_open", "half-open: trial calls only"),
                            ("unusable", "unusable: its provider refuses it"),
                        ],
                        default="closed",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("failures", models.IntegerField(default=0)),
                ("open_until", models.DateTimeField(null=True)),
                ("half_open_since", models.DateTimeField(null=True)),
                ("period", models.IntegerField(default=0)),
                ("trials", models.SmallIntegerField(default=0)),
                ("trials_succeeded", models.SmallIntegerField(default=0)),
                ("trials_failed", models.SmallIntegerField(default=0)),
                ("unusable", models.CharField(blank=True, max_length=60, verbose_name="refused by its provider")),
                ("unusable_detail", models.CharField(blank=True, max_length=300, verbose_name="in its words")),
                ("unusable_as", models.CharField(blank=True, max_length=16)),
                ("unusable_since", models.DateTimeField(null=True)),
                ("unusable_until", models.DateTimeField(null=True)),
                ("probes", models.SmallIntegerField(default=0)),
                ("next_probe_at", models.DateTimeField(null=True)),
                ("held_open", models.BooleanField(default=False, verbose_name="held open")),
                ("set_by", models.CharField(blank=True, max_length=80, verbose_name="set by")),
                ("set_at", models.DateTimeField(null=True, verbose_name="set at")),
                (
                    "model",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="gate",
                        to="processing.languagemodel",
                        verbose_name="language model",
                    ),
                ),
            ],
            options={
                "verbose_name": "gate of a model",
                "verbose_name_plural": "gates of models",
            },
        ),
        migrations.CreateModel(
            name="PageContent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("file_sha256", models.CharField(max_length=64)),
                ("number", models.IntegerField()),
                ("reading_key", models.CharField(max_length=16)),
                ("data", models.BinaryField()),
                ("assessment", models.JSONField(null=True)),
                ("files", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Shadow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reader",
                    models.CharField(
                        blank=True,
                        choices=[("pymupdf", "PyMuPDF"), ("pdfplumber", "pdfplumber"), ("pypdfium2", "pypdfium2")],
                        max_length=20,
                        verbose_name="reader",
                    ),
                ),
                (
                    "share",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="share of pages in per cent",
                    ),
                ),
                (
                    "limit_micro",
                    models.BigIntegerField(
                        default=1000000,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="micro-USD a day",
                    ),
                ),
                ("running", models.BooleanField(default=False, verbose_name="running")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "model",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="processing.languagemodel",
                        verbose_name="language model",
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.promptversion",
                        verbose_name="prompt",
                    ),
                ),
            ],
            options={
                "verbose_name": "shadow",
                "verbose_name_plural": "shadows",
            },
        ),
        migrations.CreateModel(
            name="ShadowPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("before", models.JSONField()),
                ("difference", models.JSONField(null=True)),
                ("code", models.CharField(blank=True, max_length=60)),
                ("skus_before", models.IntegerField(default=0)),
                ("skus_after", models.IntegerField(default=0)),
                ("gained", models.IntegerField(default=0)),
                ("lost", models.IntegerField(default=0)),
                ("changed", models.IntegerField(default=0)),
                ("cost_micro", models.BigIntegerField(default=0)),
                ("own_cost_micro", models.BigIntegerField(default=0)),
                ("paid_micro", models.BigIntegerField(default=0)),
                ("ms", models.IntegerField(default=0)),
                ("own_ms", models.IntegerField(default=0)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("begun_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.page"
                    ),
                ),
                (
                    "shadow",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="processing.shadow",
                    ),
                ),
            ],
            options={
                "verbose_name": "page of a shadow",
                "verbose_name_plural": "pages of shadows",
            },
        ),
        migrations.CreateModel(
            name="SkuImage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("role", models.CharField(max_length=12)),
                ("method", models.CharField(max_length=20)),
                ("confidence", models.FloatField()),
                ("rank", models.SmallIntegerField(default=0)),
                ("chosen_by", models.CharField(blank=True, max_length=80)),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="processing.image"
                    ),
                ),
                (
                    "sku",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pictures",
                        to="processing.sku",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ToldPrice",
            fields=[
                (
                    "page",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ingestion.page",
                    ),
                ),
                ("model", models.CharField(max_length=60)),
                ("micro", models.BigIntegerField()),
                ("told_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "indexes": [models.Index(fields=["model", "-told_at"], name="told_prices_of_model")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("micro__gte", 0)), name="told_price_not_negative")
                ],
            },
        ),
        migrations.CreateModel(
            name="TraceBundle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("failure", "failed"),
                            ("review", "needs a person"),
                            ("rule", "a rule was hit"),
                            ("sample", "sample"),
                        ],
                        max_length=8,
                    ),
                ),
                ("storage_key", models.CharField(max_length=255)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="traces", to="ingestion.job"
                    ),
                ),
                (
                    "page",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="trace", to="ingestion.page"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookEndpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("url", models.CharField(max_length=500, verbose_name="address")),
                ("description", models.CharField(blank=True, max_length=120, verbose_name="description")),
                ("events", models.JSONField(default=list)),
                ("secret", models.BinaryField()),
                ("old_secret", models.BinaryField(null=True)),
                ("old_secret_until", models.DateTimeField(null=True)),
                (
                    "off",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("person", "by a person"),
                            ("failing", "it has taken nothing for three days"),
                            ("gone", "it answered 410: it wants nothing more"),
                        ],
                        max_length=8,
                    ),
                ),
                ("off_at", models.DateTimeField(null=True)),
                ("on_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("failing_since", models.DateTimeField(null=True)),
                ("failures", models.IntegerField(default=0)),
                ("not_before", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("lease_token", models.BigIntegerField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="accounts.merchant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("event", models.BigIntegerField(null=True)),
                ("type", models.CharField(max_length=30)),
                (
                    "state",
                    models.CharField(
                        choices=[("WAITING", "Waits"), ("DELIVERED", "Delivered"), ("FAILED", "Given up")],
                        default="WAITING",
                        max_length=9,
                    ),
                ),
                ("body", models.TextField()),
                ("attempts", models.SmallIntegerField(default=0)),
                ("log", models.JSONField(default=list)),
                ("not_before", models.DateTimeField(null=True)),
                ("due_until", models.DateTimeField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="processing.webhookendpoint",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AnnotationExample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="prompt")),
                ("category", models.CharField(blank=True, max_length=60, verbose_name="category")),
                ("page_type", models.CharField(max_length=1, verbose_name="page type")),
                ("quality", models.FloatField(verbose_name="quality")),
                ("shown", models.TextField(verbose_name="shown")),
                ("answer", models.TextField(verbose_name="answer")),
                ("shared", models.BooleanField(default=False, verbose_name="for all merchants")),
                ("confirmed_at", models.DateTimeField(null=True, verbose_name="confirmed")),
                ("withdrawn_at", models.DateTimeField(null=True, verbose_name="withdrawn")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed by",
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ingestion.page",
                        verbose_name="page",
                    ),
                ),
            ],
            options={
                "verbose_name": "example of a prompt",
                "verbose_name_plural": "examples of prompts",
                "indexes": [
                    models.Index(
                        condition=models.Q(("confirmed_at__isnull", False), ("withdrawn_at__isnull", True)),
                        fields=["category", "page_type"],
                        name="examples_in_use",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "key"), name="one_example_a_page"),
                    models.CheckConstraint(
                        condition=models.Q(("quality__gte", 0), ("quality__lte", 1)), name="example_quality_is_a_share"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("confirmed_at__isnull", True), ("shared", False)),
                            models.Q(("confirmed_at__isnull", False), ("confirmed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="example_confirmed_by_a_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Budget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("reserved_micro", models.BigIntegerField(default=0)),
                ("settled_micro", models.BigIntegerField(default=0)),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["day"], name="budgets_of_day")],
                "constraints": [
                    models.UniqueConstraint(fields=("merchant", "day"), name="one_budget", nulls_distinct=False),
                    models.CheckConstraint(
                        condition=models.Q(("reserved_micro__gte", 0), ("settled_micro__gte", 0)),
                        name="budget_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BudgetLimit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "scope",
                    models.CharField(
                        choices=[("day", "all merchants together"), ("merchant", "one merchant")],
                        max_length=10,
                        verbose_name="scope",
                    ),
                ),
                (
                    "limit_micro",
                    models.BigIntegerField(
                        validators=[django.core.validators.MinValueValidator(0)], verbose_name="micro-USD a day"
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
            ],
            options={
                "verbose_name": "limit of a budget",
                "verbose_name_plural": "limits of budgets",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("scope", "merchant"), name="one_limit_a_scope", nulls_distinct=False
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("scope", "merchant"), ("merchant__isnull", True), _connector="OR"),
                        name="day_limit_names_no_merchant",
                    ),
                    models.CheckConstraint(condition=models.Q(("limit_micro__gte", 0)), name="limit_not_negative"),
                ],
            },
        ),
        migrations.CreateModel(
            name="CatalogueEntry",
            fields=[
                (
                    "sku",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="entry",
                        serialize=False,
                        to="processing.sku",
                    ),
                ),
                ("category", models.CharField(blank=True, max_length=60)),
                ("brand_key", models.CharField(blank=True, max_length=80)),
                ("model_key", models.CharField(blank=True, max_length=80)),
                ("price", models.DecimalField(decimal_places=4, max_digits=18, null=True)),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("complete_percent", models.SmallIntegerField()),
                ("picture_hash", models.CharField(blank=True, max_length=64)),
                ("waits", models.BooleanField()),
                ("words", models.TextField()),
                ("grams", django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.job"
                    ),
                ),
                (
                    "merchant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.merchant",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.page"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="sku",
            index=models.Index(
                condition=models.Q(("superseded", False), models.Q(("downstream_id", ""), _negated=True)),
                fields=["downstream_id"],
                name="skus_continued",
            ),
        ),
        migrations.AddConstraint(
            model_name="sku",
            constraint=models.UniqueConstraint(fields=("job", "sku_id", "revision"), name="one_sku_revision"),
        ),
        migrations.AddConstraint(
            model_name="sku",
            constraint=models.UniqueConstraint(
                condition=models.Q(("superseded", False)), fields=("job", "sku_id"), name="inv_07_one_active_sku"
            ),
        ),
        migrations.AddIndex(
            model_name="edition",
            index=models.Index(
                condition=models.Q(("state__in", ("open", "approving"))), fields=["job"], name="editions_open"
            ),
        ),
        migrations.AddIndex(
            model_name="editionchange",
            index=models.Index(fields=["edition", "rank", "weight", "id"], name="changes_in_order"),
        ),
        migrations.AddConstraint(
            model_name="editionchange",
            constraint=models.UniqueConstraint(fields=("edition", "key"), name="one_change_a_sku"),
        ),
        migrations.AddIndex(
            model_name="evalreport",
            index=models.Index(fields=["judged", "-id"], name="reports_of_the_same_pages"),
        ),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(
                fields=("merchant", "file_sha256", "profile", "prompt_version", "model"), name="one_evaluation_a_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="exportlayout",
            constraint=models.UniqueConstraint(fields=("merchant", "name"), name="one_layout_a_name"),
        ),
        migrations.AddIndex(
            model_name="export",
            index=models.Index(fields=["merchant", "job", "-id"], name="exports_of_merchant"),
        ),
        migrations.AddIndex(
            model_name="export",
            index=models.Index(condition=models.Q(("status", "WAITING")), fields=["id"], name="exports_waiting"),
        ),
        migrations.AddIndex(
            model_name="export",
            index=models.Index(condition=models.Q(("status", "DONE")), fields=["ended_at"], name="exports_kept"),
        ),
        migrations.AddIndex(
            model_name="export",
            index=models.Index(
                condition=models.Q(("fetched_at__isnull", False)), fields=["layout", "-id"], name="exports_of_layout"
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("duplicate_of__isnull", False)), fields=["duplicate_of"], name="images_twice"
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(fields=["job", "perceptual_hash"], name="images_alike"),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.UniqueConstraint(fields=("job", "image_id"), name="one_image_id"),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(("search_eligible", False), ("short_edge__gte", 640), _connector="OR"),
                name="inv_03_search_needs_640_px",
            ),
        ),
        migrations.AddIndex(
            model_name="importrecord",
            index=models.Index(
                condition=models.Q(("state__in", ["PENDING", "SENDING", "UNKNOWN"])), fields=["id"], name="imports_open"
            ),
        ),
        migrations.AddIndex(
            model_name="importrecord",
            index=models.Index(condition=models.Q(("state", "REFUSED")), fields=["id"], name="imports_refused"),
        ),
        migrations.AddIndex(
            model_name="importrecord",
            index=models.Index(condition=models.Q(("state", "ASSUMED")), fields=["id"], name="imports_assumed"),
        ),
        migrations.AddIndex(
            model_name="importrecord",
            index=models.Index(condition=models.Q(("state", "STALE")), fields=["id"], name="imports_stale"),
        ),
        migrations.AddIndex(
            model_name="importrecord",
            index=models.Index(condition=models.Q(("drift", ""), _negated=True), fields=["id"], name="imports_drifted"),
        ),
        migrations.AddConstraint(
            model_name="importrecord",
            constraint=models.UniqueConstraint(
                fields=("target", "merchant", "sku_key", "generation"), name="one_generation"
            ),
        ),
        migrations.AddConstraint(
            model_name="importrecord",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("SENDING", "UNKNOWN"))),
                fields=("target", "merchant", "sku_key"),
                name="one_in_flight",
            ),
        ),
        migrations.AddConstraint(
            model_name="importtarget",
            constraint=models.UniqueConstraint(
                fields=("merchant",), name="one_target_a_merchant", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="localproduct",
            constraint=models.UniqueConstraint(fields=("merchant", "sku_key"), name="one_product"),
        ),
        migrations.AddIndex(
            model_name="modelbatch",
            index=models.Index(fields=["merchant", "-created_at"], name="batches_of_merchant"),
        ),
        migrations.AddIndex(
            model_name="modelbatch",
            index=models.Index(
                condition=models.Q(("stage", "NONE"), _negated=True), fields=["stage"], name="batches_to_tend"
            ),
        ),
        migrations.AddConstraint(
            model_name="modelbatch",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "COLLECTED")), fields=("merchant", "model"), name="one_open_batch"
            ),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(condition=models.Q(("state", "SENT")), fields=["id"], name="calls_unanswered"),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(condition=models.Q(("batch__isnull", False)), fields=["batch"], name="calls_of_batch"),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(
                condition=models.Q(("page__isnull", False)), fields=["page", "sent_at"], name="calls_of_page"
            ),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(condition=models.Q(("job__isnull", False)), fields=["job"], name="calls_of_job"),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(fields=["merchant", "day"], name="calls_of_merchant"),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(fields=["created_at"], name="calls_by_age"),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(
                condition=models.Q(("answer__isnull", False)), fields=["answered_at"], name="answers_kept"
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcall",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("state", "SENT"), models.Q(("answer__isnull", False), ("state", "ANSWERED")), _connector="OR"
                ),
                fields=("merchant", "request_key"),
                name="one_answer_a_request",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcall",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "BATCHED")),
                fields=("merchant", "request_key"),
                name="one_batched_a_request",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "BATCHED"), _negated=True), ("batch__isnull", False), _connector="OR"
                ),
                name="batched_in_a_batch",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcall",
            constraint=models.CheckConstraint(
                condition=models.Q(("reserved_micro__gte", 0), ("settled_micro__gte", 0)), name="call_cost_not_negative"
            ),
        ),
        migrations.AddConstraint(
            model_name="pagecontent",
            constraint=models.UniqueConstraint(
                fields=("merchant", "file_sha256", "reading_key", "number"), name="one_content_a_page"
            ),
        ),
        migrations.AddConstraint(
            model_name="shadow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(models.Q(("reader", ""), _negated=True), ("prompt", None), ("model", None)),
                    models.Q(("reader", ""), models.Q(("prompt", None), _negated=True), ("model", None)),
                    models.Q(("reader", ""), ("prompt", None), models.Q(("model", None), _negated=True)),
                    _connector="OR",
                ),
                name="shadow_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="shadow",
            constraint=models.CheckConstraint(
                condition=models.Q(("share__gte", 1), ("share__lte", 100)), name="shadow_share_in_per_cent"
            ),
        ),
        migrations.AddIndex(
            model_name="shadowpage",
            index=models.Index(
                condition=models.Q(("begun_at__isnull", True)), fields=["shadow", "id"], name="shadow_waits"
            ),
        ),
        migrations.AddConstraint(
            model_name="shadowpage",
            constraint=models.UniqueConstraint(fields=("shadow", "page"), name="one_look_a_page"),
        ),
        migrations.AddConstraint(
            model_name="skuimage",
            constraint=models.UniqueConstraint(fields=("sku", "image"), name="one_binding_a_picture"),
        ),
        migrations.AddIndex(
            model_name="tracebundle",
            index=models.Index(fields=["reason", "created_at"], name="traces_by_age"),
        ),
        migrations.AddConstraint(
            model_name="webhookendpoint",
            constraint=models.UniqueConstraint(fields=("merchant", "url"), name="one_endpoint_an_address"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(fields=["endpoint", "-id"], name="webhooks_of_endpoint"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "WAITING")), fields=["endpoint", "id"], name="webhooks_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("not_before__isnull", False), ("state", "WAITING")),
                fields=["endpoint", "job"],
                name="webhooks_put_off",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "FAILED")), fields=["endpoint", "-id"], name="webhooks_failed"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(fields=["created_at"], name="webhooks_by_age"),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(fields=("endpoint", "event"), name="one_delivery_an_event"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(fields=["merchant", "sku"], name="entries_newest"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(fields=["merchant", "model_key", "brand_key", "job", "sku"], name="entries_by_model"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(fields=["merchant", "brand_key", "sku"], name="entries_by_brand"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(fields=["merchant", "complete_percent", "sku"], name="entries_by_share"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(
                condition=models.Q(("price__isnull", False)),
                fields=["merchant", "price", "sku"],
                name="entries_by_price",
            ),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(
                condition=models.Q(("picture_hash", ""), _negated=True),
                fields=["merchant", "picture_hash", "job", "sku"],
                name="entries_by_picture",
            ),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=django.contrib.postgres.indexes.GinIndex(fields=["grams"], name="entries_by_grams"),
        ),
        migrations.AddIndex(
            model_name="catalogueentry",
            index=models.Index(condition=models.Q(("waits", True)), fields=["merchant", "sku"], name="entries_waiting"),
        ),
        # Packed pages and kept answers are compressed already; a SKU's status moves twice on its way, beside its indexes.
        migrations.RunSQL(
            "ALTER TABLE processing_pagecontent ALTER COLUMN data SET STORAGE EXTERNAL",
            "ALTER TABLE processing_pagecontent ALTER COLUMN data SET STORAGE EXTENDED",
        ),
        migrations.RunSQL(
            "ALTER TABLE processing_modelcall ALTER COLUMN answer SET STORAGE EXTERNAL",
            "ALTER TABLE processing_modelcall ALTER COLUMN answer SET STORAGE EXTENDED",
        ),
        migrations.RunSQL(
            "ALTER TABLE processing_sku SET (fillfactor = 70)", "ALTER TABLE processing_sku RESET (fillfactor)"
        ),
        # An import and a call belong to the merchant of their job, which the database sees to.
        migrations.RunSQL(
            IMPORT_OF_MERCHANT, "ALTER TABLE processing_importrecord DROP CONSTRAINT import_job_of_merchant"
        ),
        migrations.RunSQL(CALL_OF_MERCHANT, "ALTER TABLE processing_modelcall DROP CONSTRAINT call_job_of_merchant"),
    ]
