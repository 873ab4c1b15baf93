"""Pages are read from a small drawing, which is kept; the screenshot follows where somebody looks at the page.

The database fills the column in: the previous release goes on inserting pages without it while it is replaced.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0011_jobs_by_name")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE ingestion_page ADD COLUMN preview_key varchar(255) NOT NULL DEFAULT ''",
            "ALTER TABLE ingestion_page DROP COLUMN preview_key",
            state_operations=[
                migrations.AddField("page", "preview_key", models.CharField(blank=True, max_length=255), False),
            ],
        ),
    ]
