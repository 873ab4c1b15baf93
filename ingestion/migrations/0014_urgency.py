"""Whether models are asked about a document at once, or in batches."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0013_models_allowed"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="urgency",
            field=models.CharField(
                choices=[("now", "at once"), ("batch", "in batches")], db_default="now", default="now", max_length=5
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="urgency",
            field=models.CharField(
                choices=[("now", "at once"), ("batch", "in batches")], db_default="now", default="now", max_length=5
            ),
        ),
    ]
