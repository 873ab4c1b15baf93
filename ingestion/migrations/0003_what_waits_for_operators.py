from django.db import migrations, models


class Migration(migrations.Migration):
    """Held documents and stopped pages are found among a million without looking at the others."""

    dependencies = [("ingestion", "0002_storage")]
    operations = [
        migrations.AddIndex(
            "page", models.Index(fields=["id"], name="pages_stopped", condition=models.Q(status="DEAD_LETTER"))
        ),
        migrations.AddIndex("job", models.Index(fields=["id"], name="jobs_held", condition=~models.Q(held_reason=""))),
    ]
