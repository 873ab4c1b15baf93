"""PostgreSQL learns how many names hold a text: else it takes them for few and sorts all of them for a page of a list.
And which schemas a merchant's documents were read by follows from an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0010_upload_parts")]

    operations = [
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["merchant", "schema"], name="jobs_of_schema"),
        ),
        migrations.RunSQL(
            "CREATE STATISTICS jobs_by_name ON (upper(source_name::text)) FROM ingestion_job; ANALYZE ingestion_job",
            "DROP STATISTICS jobs_by_name",
        ),
    ]
