from django.db import migrations

DIMENSIONS = (
    "text_readability", "layout_quality", "table_structure", "image_quality", "image_text_relation", "product_density",
)  # fmt: skip
SUM = " + ".join(f"(weights->>'{name}')::numeric" for name in DIMENSIONS)


class Migration(migrations.Migration):
    """INV-02: the six weights sum to 1; a missing one makes the sum null, which is refused too."""

    dependencies = [("profiles", "0001_initial")]
    operations = [
        migrations.RunSQL(
            f"ALTER TABLE profiles_thresholdprofile ADD CONSTRAINT inv_02_weights_sum_to_1"
            f" CHECK (coalesce({SUM}, 0) = 1)",
            "ALTER TABLE profiles_thresholdprofile DROP CONSTRAINT inv_02_weights_sum_to_1",
        )
    ]
