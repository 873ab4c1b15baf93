"""An approval of an edition is carried out in steps, by whoever has its lease."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("processing", "0019_webhooks_put_off"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="edition",
            name="editions_open",
        ),
        migrations.AddField(
            model_name="edition",
            name="lease_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="edition",
            name="state",
            field=models.CharField(
                choices=[
                    ("open", "Waits for approval"),
                    ("approving", "Approved, being prepared"),
                    ("approved", "Approved"),
                    ("undone", "Not an edition"),
                ],
                default="open",
                max_length=9,
            ),
        ),
        migrations.AddIndex(
            model_name="edition",
            index=models.Index(
                condition=models.Q(("state__in", ("open", "approving"))), fields=["job"], name="editions_open"
            ),
        ),
    ]
