"""Documents keep by what template they are read, where their kind has templates; catalogues have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0013_kinds"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="template",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=80),
        ),
        migrations.AddField(
            model_name="upload",
            name="template",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=80),
        ),
    ]
