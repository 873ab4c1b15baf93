"""SKUs fill their blocks: their status stands in the condition of an index, so no update stays in its block anyway."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("processing", "0012_slim_local_products"),
    ]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE processing_sku RESET (fillfactor)", "ALTER TABLE processing_sku SET (fillfactor = 70)"
        ),
    ]
