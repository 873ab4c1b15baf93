from django.db import migrations, models


class Migration(migrations.Migration):
    """Refused imports are counted at every scrape, without looking at those that went through."""

    dependencies = [("processing", "0002_storage")]
    operations = [
        migrations.AddIndex(
            "importrecord", models.Index(fields=["id"], name="imports_refused", condition=models.Q(state="REFUSED"))
        ),
    ]
