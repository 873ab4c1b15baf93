"""Templates of studies, of whose versions the database changes none, and records of what was found by them."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import catalogsku.core.models

STAYS = """
CREATE FUNCTION processing_version_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a version of a template stays as it is';
END $$;
CREATE TRIGGER versions_stay BEFORE UPDATE ON processing_templateversion
    FOR EACH ROW EXECUTE FUNCTION processing_version_stays();
"""
CHANGEABLE = """
DROP TRIGGER versions_stay ON processing_templateversion;
DROP FUNCTION processing_version_stays();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_times_by_the_database"),
        ("ingestion", "0013_kinds"),
        ("processing", "0013_full_blocks_of_skus"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Template",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("name_zh", models.CharField(blank=True, max_length=80)),
                ("archived", models.BooleanField(default=False, verbose_name="archived")),
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
                "verbose_name": "template of studies",
                "verbose_name_plural": "templates of studies",
            },
        ),
        migrations.CreateModel(
            name="TemplateVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="version")),
                ("definition", models.JSONField(verbose_name="fields")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "template",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="processing.template",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a template",
                "verbose_name_plural": "versions of templates",
            },
        ),
        migrations.CreateModel(
            name="Record",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
                ("subject", models.CharField(max_length=200)),
                ("part", models.CharField(blank=True, max_length=120)),
                ("pages", models.JSONField(default=list)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("WAITING", "Waiting"),
                            ("FOUND", "Values found"),
                            ("REVIEW", "To be reviewed"),
                            ("APPROVED", "Approved"),
                            ("REJECTED", "Rejected"),
                        ],
                        default="WAITING",
                        max_length=8,
                    ),
                ),
                ("values", models.JSONField(default=list)),
                ("revision", models.PositiveIntegerField(default=1)),
                ("superseded", models.BooleanField(default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="records", to="ingestion.job"
                    ),
                ),
                (
                    "template_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="+", to="processing.templateversion"
                    ),
                ),
            ],
            options={
                "verbose_name": "record of a study",
                "verbose_name_plural": "records of studies",
            },
        ),
        migrations.AddConstraint(
            model_name="template",
            constraint=models.UniqueConstraint(
                fields=("merchant", "key"), name="one_template_a_key", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="templateversion",
            constraint=models.UniqueConstraint(fields=("template", "number"), name="one_template_version"),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.UniqueConstraint(
                condition=models.Q(("superseded", False)), fields=("job", "subject", "part"), name="one_active_record"
            ),
        ),
        migrations.RunSQL(STAYS, CHANGEABLE),
    ]
