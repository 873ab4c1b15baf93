"""What a page was expected to cost, kept beside what it then has cost."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0001_initial"),
        ("processing", "0026_cached_tokens"),
    ]

    operations = [
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
    ]
