"""Studies are a kind of document: decisions of people beside what was found, and their own stage in what waits for
machines. No release has filled the table of records yet."""

import uuid
from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

BACKLOG = import_module("processing.migrations.0009_backlog").CREATE.replace("CREATE VIEW", "CREATE OR REPLACE VIEW")
WITH_STUDIES = (
    BACKLOG.replace("('EVALUATE', 'llm', 2.0)", "('EVALUATE', 'llm', 2.0), ('EXTRACT', 'cpu', 1.0)")
    .replace(
        "CASE WHEN stage = 'EVALUATE' THEN 'EVALUATING' ELSE",
        "CASE stage WHEN 'EVALUATE' THEN 'EVALUATING' WHEN 'EXTRACT' THEN 'PROCESSING' ELSE",
    )
    .replace(
        "AND (stage <> 'EVALUATE' OR NOT EXISTS (",
        "AND (stage <> 'EXTRACT' OR NOT EXISTS ("
        "SELECT FROM ingestion_page p WHERE p.job_id = j.id AND p.stage <> 'NONE' AND p.worker IS NULL)"
        " AND NOT EXISTS (SELECT FROM ingestion_page p WHERE p.job_id = j.id AND p.worker IS NOT NULL))"
        " AND (stage <> 'EVALUATE' OR NOT EXISTS (",
    )
)


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0014_templates"),
        ("processing", "0014_studies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("field", models.CharField(max_length=60)),
                ("verdict", models.CharField(max_length=12)),
                ("value", models.JSONField()),
                ("before", models.JSONField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                "verbose_name": "decision on a value",
                "verbose_name_plural": "decisions on values",
            },
        ),
        migrations.RemoveConstraint(
            model_name="record",
            name="one_active_record",
        ),
        migrations.AddField(
            model_name="record",
            name="offers",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="record",
            name="repeat",
            field=models.CharField(
                choices=[("none", "none"), ("per_arm", "per_arm"), ("per_outcome", "per_outcome")],
                default="none",
                max_length=11,
            ),
        ),
        migrations.AddField(
            model_name="record",
            name="uuid",
            field=models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name="record",
            name="job",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="records", to="ingestion.job"
            ),
        ),
        migrations.AddIndex(
            model_name="record",
            index=models.Index(fields=["job", "id"], name="records_of_job"),
        ),
        migrations.AddIndex(
            model_name="record",
            index=models.Index(
                condition=models.Q(
                    ("superseded", False), models.Q(("status__in", ["APPROVED", "REJECTED"]), _negated=True)
                ),
                fields=["job"],
                name="records_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.UniqueConstraint(
                condition=models.Q(("superseded", False)),
                fields=("job", "subject", "repeat", "part"),
                name="one_active_record",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="record",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="decisions",
                to="processing.record",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["record", "field", "-id"], name="decisions_of_field"),
        ),
        migrations.RunSQL(WITH_STUDIES, BACKLOG),
    ]
