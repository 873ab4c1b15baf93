"""Questions that are not urgent wait in batches, at a part of the price; what a page waits for."""

import uuid

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import catalogsku.core.models

# Half of its price: https://ai.google.dev/gemini-api/docs/batch-api, read 2026-11-28. Model Studio has batches behind the
# OpenAI protocol alone, and of ``qwen3.7-plus`` in Beijing alone.
PERCENT = {"gemini-3.8-flash": 50}


def price_batches(apps, schema_editor):
    rows = apps.get_model("processing", "LanguageModel").objects
    for name, percent in PERCENT.items():
        rows.filter(name=name, provider="gemini").update(batch_percent=percent)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_failed_tries"),
        ("ingestion", "0014_urgency"),
        ("processing", "0027_told_prices"),
    ]

    operations = [
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
            ],
            options={
                "verbose_name": "batch of questions",
                "verbose_name_plural": "batches of questions",
            },
        ),
        migrations.AddField(
            model_name="languagemodel",
            name="batch_percent",
            field=models.SmallIntegerField(
                blank=True,
                help_text="Empty: its provider has no batches for it.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="per cent of the price in batches",
            ),
        ),
        migrations.AddField(
            model_name="ruleresult",
            name="waits_for",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="modelcall",
            name="state",
            field=models.CharField(
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
        migrations.AddConstraint(
            model_name="languagemodel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("batch_percent__isnull", True),
                    models.Q(("batch_percent__gte", 1), ("batch_percent__lte", 100)),
                    _connector="OR",
                ),
                name="batch_percent_is_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="languagemodel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("batch_percent__isnull", True), ("provider__in", ("gemini", "openai")), _connector="OR"
                ),
                name="provider_has_batches",
                violation_error_message="This provider is asked without batches.",
            ),
        ),
        migrations.AddField(
            model_name="modelbatch",
            name="merchant",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.merchant"
            ),
        ),
        migrations.AddField(
            model_name="modelcall",
            name="batch",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="questions",
                to="processing.modelbatch",
            ),
        ),
        migrations.AddIndex(
            model_name="modelcall",
            index=models.Index(condition=models.Q(("batch__isnull", False)), fields=["batch"], name="calls_of_batch"),
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
        # Last: rows that were touched bar changes of the table.
        migrations.RunPython(price_batches, migrations.RunPython.noop),
    ]
