"""The catalogue over all documents. Entries of SKUs that are there already: ``manage.py catalogue``."""

import django.db.models.deletion
from django.db import migrations, models

# What processing.searching looks for in an entry; its grammar of runs is that module's.
GRAMS = r"""
CREATE FUNCTION catalogue_grams(merchant bigint, words text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
    SELECT array_agg(merchant || ':' || gram) FROM (
        SELECT unnest(CASE
            WHEN octet_length(run) > len THEN ARRAY[substr(run, at, 1), CASE WHEN at < len THEN substr(run, at, 2) END]
            WHEN at = 1 THEN ARRAY['^' || left(run, 1), CASE WHEN len > 1 THEN '^' || left(run, 2) END,
                                   CASE WHEN len > 2 THEN left(run, 3) END]
            WHEN at < len - 1 THEN ARRAY[substr(run, at, 3)] END) AS gram
        FROM (SELECT found[1] AS run, length(found[1]) AS len
              FROM regexp_matches(words, '[a-z0-9]+|[^\u0001-\u007F]+', 'g') AS found) AS runs,
             generate_series(1, len) AS at
    ) AS grams WHERE gram IS NOT NULL
$$
"""
INDEX = "CREATE INDEX entries_by_words ON processing_catalogueentry USING gin (catalogue_grams(merchant_id, words))"


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_api_window"),
        ("ingestion", "0009_page_analyst"),
        ("processing", "0013_examples"),
    ]

    operations = [
        migrations.RunSQL(GRAMS, "DROP FUNCTION catalogue_grams(bigint, text)"),
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
                    models.Index(
                        condition=models.Q(("waits", True)), fields=["merchant", "sku"], name="entries_waiting"
                    ),
                ],
            },
        ),
        migrations.RunSQL(INDEX, "DROP INDEX entries_by_words"),
    ]
