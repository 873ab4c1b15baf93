from django.db import migrations

from processing.llm.prompts import all_shipped


def add_shipped(apps, schema_editor):
    """The files in processing/llm/prompts are version 1; what is active when the gate comes can be returned to."""
    prompt, verdict = (apps.get_model("profiles", name) for name in ("PromptVersion", "PromptVerdict"))
    for key, wording in all_shipped().items():
        row = prompt.objects.create(
            key=key, version=wording.version, reason="initial", text_zh=wording.texts["zh"], text_en=wording.texts["en"]
        )
        verdict.objects.create(prompt=row, passed=True)


class Migration(migrations.Migration):
    dependencies = [("processing", "0007_model_calls"), ("profiles", "0006_prompts_and_routes")]
    operations = [migrations.RunPython(add_shipped, migrations.RunPython.noop)]
