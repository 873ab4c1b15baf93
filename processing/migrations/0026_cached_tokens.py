"""Cached tokens, which a provider has from an earlier question: what they cost, and how many there were."""

import django.core.validators
from django.db import migrations, models
from django.db.models import F, Q

# Name, price in that the share is of, price of cached ones (micro-USD a million tokens).
PRICES = (
    # A tenth: 0.075 of 0.75 USD (https://github.com/BerriAI/litellm/discussions/39357, of 2026-09; that the discount is
    # 90 %: https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/context-cache/context-cache-overview,
    # read 2026-11-28). The row has the prices from 2027-01-01 on.
    ("gemini-3.8-flash", 1_500_000, 150_000),
    # «Typically 20 %»: https://www.alibabacloud.com/help/en/model-studio/context-cache, of 2026-10-11.
    ("qwen3.7-plus", 400_000, 80_000),
)


def price_cached_tokens(apps, schema_editor):
    """A row with another price is somebody's own, and stays at the full price."""
    rows = apps.get_model("processing", "LanguageModel").objects
    for name, price_in, price_cached in PRICES:
        rows.filter(name=name, price_in_micro=price_in).update(price_cached_micro=price_cached)


class Migration(migrations.Migration):
    dependencies = [("processing", "0025_asking_rules")]

    operations = [
        migrations.AddField("modelcall", "tokens_cached", models.IntegerField(null=True)),
        migrations.AddField(
            "languagemodel",
            "price_cached_micro",
            models.BigIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(0)],
                verbose_name="micro-USD per million cached tokens in",
            ),
        ),
        migrations.AddConstraint(
            "languagemodel",
            models.CheckConstraint(
                condition=Q(price_cached_micro__isnull=True)
                | Q(price_cached_micro__gte=0, price_cached_micro__lte=F("price_in_micro")),
                name="cached_tokens_not_dearer",
                violation_error_message="Cached tokens cannot cost more than others.",
            ),
        ),
        # Last: rows that were touched bar changes of the table.
        migrations.RunPython(price_cached_tokens, migrations.RunPython.noop),
    ]
