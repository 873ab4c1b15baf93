"""Events of a receiver are sent in their order, behind none of their document that was put off."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0010_editions"),
        ("processing", "0018_catalogue"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="webhookdelivery",
            name="webhooks_waiting",
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "WAITING")), fields=["endpoint", "id"], name="webhooks_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("not_before__isnull", False), ("state", "WAITING")),
                fields=["endpoint", "job"],
                name="webhooks_put_off",
            ),
        ),
    ]
