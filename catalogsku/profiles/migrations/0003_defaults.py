from django.db import migrations

from catalogsku.profiles.models import default_classification, default_prescan_rules, default_weights

CATEGORIES = (
    ("general", "通用", "General", ""),
    ("home", "家居", "Home", "general"),
    ("hardware", "五金", "Hardware", "general"),
)


def add_defaults(apps, schema_editor):
    profile, schema = (apps.get_model("profiles", name) for name in ("ThresholdProfile", "CategorySchema"))
    profile.objects.create(
        key="default", version=1, reason="initial", weights=default_weights(),
        prescan_rules=default_prescan_rules(), classification=default_classification(),
    )  # fmt: skip
    for key, zh, en, parent in CATEGORIES:
        schema.objects.create(key=key, version=1, label_zh=zh, label_en=en, parent_key=parent, reason="initial")


class Migration(migrations.Migration):
    """The configuration that a fresh database starts with."""

    dependencies = [("profiles", "0002_weights")]
    operations = [migrations.RunPython(add_defaults, migrations.RunPython.noop)]
