from django.db import migrations


class Migration(migrations.Migration):
    """Pages are updated some ten times each: room on their blocks keeps those updates off the indexes."""

    dependencies = [("ingestion", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE ingestion_page SET (fillfactor = 85)", "ALTER TABLE ingestion_page RESET (fillfactor)"
        )
    ]
