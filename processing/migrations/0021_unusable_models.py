"""A model that its provider refuses: what it said, and when it is tried again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("processing", "0020_approving_in_steps")]

    operations = [
        migrations.AddField("modelgate", "probes", models.SmallIntegerField(default=0)),
        migrations.AddField(
            "modelgate", "unusable", models.CharField(blank=True, max_length=60, verbose_name="refused by its provider")
        ),
        migrations.AddField("modelgate", "unusable_as", models.CharField(blank=True, max_length=16)),
        migrations.AddField(
            "modelgate", "unusable_detail", models.CharField(blank=True, max_length=300, verbose_name="in its words")
        ),
        migrations.AddField("modelgate", "unusable_since", models.DateTimeField(null=True)),
        migrations.AddField("modelgate", "unusable_until", models.DateTimeField(null=True)),
        migrations.AlterField(
            "modelgate",
            "state",
            models.CharField(
                choices=[
                    ("closed", "closed: calls go through"),
                    ("open", "open: no call goes through"),
                    ("half_open", "half-open: trial calls only"),
                    ("unusable", "unusable: its provider refuses it"),
                ],
                default="closed",
                max_length=10,
                verbose_name="state",
            ),
        ),
    ]
