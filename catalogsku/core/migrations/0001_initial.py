import django.db.models.functions.datetime
from django.db import migrations, models

import catalogsku.core.models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="KeyUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fingerprint", models.CharField(max_length=16, unique=True)),
                ("first_used_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("last_used_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("retired_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("unit", models.CharField(max_length=20)),
                ("host", models.CharField(max_length=120)),
                ("pid", models.IntegerField()),
                ("threads", models.SmallIntegerField()),
                ("started_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("seen_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="PeriodicRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("period", models.DateTimeField()),
                ("started_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("finished_at", models.DateTimeField(null=True)),
                ("outcome", models.JSONField(null=True)),
                ("error", models.TextField(blank=True, default="")),
            ],
            options={
                "indexes": [models.Index(fields=["name", "-period"], name="last_runs")],
                "constraints": [models.UniqueConstraint(fields=("name", "period"), name="one_run_a_period")],
            },
        ),
        migrations.CreateModel(
            name="Transition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("entity", models.CharField(max_length=20)),
                ("entity_id", models.BigIntegerField()),
                ("job_id", models.BigIntegerField()),
                ("source", models.CharField(blank=True, max_length=24)),
                ("target", models.CharField(max_length=24)),
                ("trigger", models.CharField(max_length=40)),
                ("actor", models.CharField(max_length=80)),
                ("reason", models.JSONField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "changed",
                    catalogsku.core.models.Xid8Field(
                        db_default=catalogsku.core.models.CurrentTransaction(), editable=False
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["entity", "entity_id", "id"], name="transition_of_row"),
                    models.Index(fields=["job_id", "id"], name="transition_of_job"),
                    models.Index(fields=["changed"], name="transitions_since"),
                ],
            },
        ),
        # A later claim of anything has a greater token.
        migrations.RunSQL("CREATE SEQUENCE core_claim_token", "DROP SEQUENCE core_claim_token"),
    ]
