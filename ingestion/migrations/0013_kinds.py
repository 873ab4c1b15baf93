"""Documents are of a kind. All that there are are catalogues, and so is what the previous release goes on making while it
is replaced: the default is the database's, a constant, for which no row is written.

PostgreSQL is told that it is one value for all: of a column that it has not looked at it takes each value for rare.
"""

from django.db import migrations, models

import ingestion.kinds


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0012_previews")]

    operations = [
        *(
            migrations.AddField(
                model,
                "kind",
                models.CharField(
                    choices=ingestion.kinds.choices,
                    db_default="catalogue",
                    default="catalogue",
                    editable=False,
                    max_length=20,
                ),
            )
            for model in ("job", "upload")
        ),
        migrations.RunSQL("ANALYZE ingestion_job (kind)", migrations.RunSQL.noop),
    ]
