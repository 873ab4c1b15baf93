"""Models behind the OpenAI protocol: a server of one's own, or a vendor's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("processing", "0022_models_of_today")]

    operations = [
        migrations.AlterField(
            "languagemodel",
            "provider",
            models.CharField(
                choices=[("gemini", "Gemini"), ("qwen", "Qwen"), ("openai", "OpenAI protocol")],
                max_length=10,
                verbose_name="provider",
            ),
        ),
    ]
