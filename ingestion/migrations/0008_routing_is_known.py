import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """After the rows have been filled, in a transaction of its own."""

    dependencies = [("ingestion", "0007_frozen_prompts_and_routes")]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="routing",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="profiles.routingtable"
            ),
        ),
    ]
