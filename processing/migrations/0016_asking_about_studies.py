from importlib import import_module

from django.db import migrations, models

from processing.llm.prompts import shipped

WITH_STUDIES = import_module("processing.migrations.0015_kind_of_studies").WITH_STUDIES.replace(
    "CREATE VIEW", "CREATE OR REPLACE VIEW"
)
# A question a group of fields, one after the other.
WITH_ASKING = WITH_STUDIES.replace("('EXTRACT', 'cpu', 1.0)", "('EXTRACT', 'cpu', 1.0), ('ASK', 'llm', 30.0)").replace(
    "WHEN 'EXTRACT' THEN 'PROCESSING'", "WHEN 'EXTRACT' THEN 'PROCESSING' WHEN 'ASK' THEN 'PROCESSING'"
)


def add_prompts(apps, schema_editor):
    """Where the first rows came before them; as they did, version 1 is active and can be returned to."""
    prompt, verdict = (apps.get_model("profiles", name) for name in ("PromptVersion", "PromptVerdict"))
    for key in ("study_rules", "read_study"):
        if not prompt.objects.filter(key=key).exists():
            texts = shipped(key).texts
            row = prompt.objects.create(key=key, version=1, reason="initial", text_zh=texts["zh"], text_en=texts["en"])
            verdict.objects.create(prompt=row, passed=True)


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0014_templates"), ("processing", "0015_kind_of_studies")]
    operations = [
        migrations.AddField("record", "asked", models.JSONField(default=list)),
        migrations.RunPython(add_prompts, migrations.RunPython.noop),
        migrations.RunSQL(WITH_ASKING, WITH_STUDIES),
    ]
