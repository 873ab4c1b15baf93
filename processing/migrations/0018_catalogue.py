"""The catalogue over all documents. Entries of SKUs that are there already: ``manage.py catalogue``."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_api_window"),
        ("ingestion", "0009_page_analyst"),
        ("processing", "0017_editions"),
    ]

    operations = [
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
            options={
                "indexes": [
                    models.Index(fields=["merchant", "sku"], name="entries_newest"),
                    models.Index(fields=["merchant", "model_key", "brand_key", "job", "sku"], name="entries_by_model"),
                    models.Index(fields=["merchant", "brand_key", "sku"], name="entries_by_brand"),
                    models.Index(fields=["merchant", "complete_percent", "sku"], name="entries_by_share"),
                    models.Index(
                        condition=models.Q(("price__isnull", False)),
                        fields=["merchant", "price", "sku"],
                        name="entries_by_price",
                    ),
                    models.Index(
                        condition=models.Q(("picture_hash", ""), _negated=True),
                        fields=["merchant", "picture_hash", "job", "sku"],
                        name="entries_by_picture",
                    ),
                    django.contrib.postgres.indexes.GinIndex(fields=["grams"], name="entries_by_grams"),
                    models.Index(
                        condition=models.Q(("waits", True)), fields=["merchant", "sku"], name="entries_waiting"
                    ),
                ],
            },
        ),
    ]
