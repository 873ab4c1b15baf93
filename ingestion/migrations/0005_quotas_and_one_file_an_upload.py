import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

LIMIT = {
    "null": True,
    "blank": True,
    "validators": [django.core.validators.MinValueValidator(0)],
    "help_text": "Empty: the default.",
}


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0004_large_tables"), ("accounts", "0001_initial")]

    operations = [
        # What has arrived so far lies in files of another kind: unfinished uploads begin again.
        migrations.RunSQL("UPDATE ingestion_upload SET offset_bytes = 0 WHERE job_id IS NULL", migrations.RunSQL.noop),
        migrations.RemoveField("upload", "parts"),
        migrations.CreateModel(
            name="Quota",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("storage_mb", models.BigIntegerField(verbose_name="MB of documents", **LIMIT)),
                ("jobs_in_work", models.IntegerField(verbose_name="documents in work", **LIMIT)),
                ("open_uploads", models.IntegerField(verbose_name="open uploads", **LIMIT)),
                (
                    "merchant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="quota",
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
            ],
            options={"verbose_name": "quota", "verbose_name_plural": "quotas"},
        ),
    ]
