"""What a model is asked with, and when its provider takes it offline; the models of the end of 2026.

Each figure below has its source and the day that the source was read on or is of.
"""

import datetime

import django.core.validators
from django.db import migrations, models
from django.db.models import Q

GOOGLE_ENDS = datetime.date(2026, 12, 1)  # https://ai.google.dev/gemini-api/docs/deprecations, read 2026-11-10
# https://www.alibabacloud.com/notice/model_studionotice_on_the_decommissioning_of_certain_historical_mainline_models_731
QWEN_VL_MAX_ENDED = datetime.date(2026, 10, 10)

# As 0007 has put them there: whoever changed a figure since wants the row as it is.
FORMER = (
    {
        "name": "gemini-2.5-pro", "provider": "gemini", "price_in_micro": 1_250_000, "price_out_micro": 10_000_000,
        "qpm": 60, "tpm": 2_000_000, "max_images": 16, "max_tokens": 8192, "temperature": 0.2, "timeout_s": 120,
        # After its end Google answers with gemini-3.8-flash, at that model's price.
        "retires_on": GOOGLE_ENDS, "follower": "gemini-3.8-flash",
    },
    {
        "name": "qwen-vl-max", "provider": "qwen", "price_in_micro": 800_000, "price_out_micro": 4_000_000,
        "qpm": 100, "tpm": 5_000_000, "max_images": 8, "max_tokens": 4096, "temperature": 0.1, "timeout_s": 90,
        "retires_on": QWEN_VL_MAX_ENDED, "follower": "qwen3.7-plus",
    },
)  # fmt: skip
UNCHANGED = {
    "shadow_only": False, "failures_to_open": 5, "open_s": 60, "trials_max": 3, "successes_to_close": 2,
    "half_open_s": 30,
}  # fmt: skip

MODELS = (
    {
        # Google's own follower of gemini-2.5-pro: https://ai.google.dev/gemini-api/docs/deprecations, read 2026-11-10.
        "name": "gemini-3.8-flash",
        "provider": "gemini",
        # 0.75 and 3.75 USD until 2026-12-31, from 2027-01-01 on 1.50 and 7.50 (thinking is output), one price for any
        # length: https://ai.google.dev/gemini-api/docs/pricing, read 2026-10-07. The later price stands here: a budget
        # may be left half, and must not be overdrawn.
        "price_in_micro": 1_500_000,
        "price_out_micro": 7_500_000,
        # Google's rates are each project's own (AI Studio shows them), so these are ours, as before.
        "qpm": 60,
        "tpm": 2_000_000,
        # The model takes 3,000 images of 256 MB: Google Cloud's page of Gemini 3 Flash, as of 2026-10. Ours, as before.
        "max_images": 16,
        # Of 65,536 (https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash, read 2026-09-03). Thoughts count
        # into it, so twice what answers took before.
        "max_tokens": 16_384,
        # Deprecated since Gemini 3.6, and not to be sent:
        # https://ai.google.dev/gemini-api/docs/whats-new-gemini-3.6 (model of 2026-07-21).
        "temperature": None,
        # low, medium (its own) or high; minimal is refused: the page of the model, read 2026-09-03. Reading a page is
        # no deep thought, and thoughts are paid for.
        "thinking_level": "low",
        # 280, 560 or 1,120 tokens an image: https://ai.google.dev/gemini-api/docs/media-resolution, as of 2026-11. High
        # is its own for images; said, so that fine print stays readable if that changes.
        "media_resolution": "high",
        # No limit in pixels is documented. Pages are drawn with 1,536 px and are not made smaller.
        "max_image_px": None,
        "timeout_s": 120,
        # «No shutdown date announced»: https://ai.google.dev/gemini-api/docs/deprecations, as of 2026-09.
        "retires_on": None,
    },
    {
        # Alibaba names the series 3.6 and 3.7 as followers of qwen-vl-max: the notice above, 2026-05.
        "name": "qwen3.7-plus",
        "provider": "qwen",
        # 0.40 and 1.60 USD up to 256,000 tokens in (ours stay below 60,000), Singapore:
        # https://www.alibabacloud.com/help/en/model-studio/model-pricing, read 2026-09-23. Beijing is cheaper, in CNY.
        "price_in_micro": 400_000,
        "price_out_micro": 1_600_000,
        # No dated figure of this model's rates was found; these are ours, as before, and low for the series.
        "qpm": 100,
        "tpm": 5_000_000,
        "max_images": 8,  # ours, as before; no dated figure was found
        # Of 131,072: the API's own refusal of more, 2026-09-23.
        "max_tokens": 8192,
        "temperature": 0.1,
        # It thinks unless told not to, and has the JSON format only without:
        # https://docs.qwencloud.com/developer-guides/multimodal/vision, as of 2026-06 (of 3.5 and 3.6).
        "thinking_level": "off",
        "media_resolution": "",
        # No dated figure of this model was found. Pages are drawn with 1,536 px.
        "max_image_px": None,
        "timeout_s": 90,
        # None announced; main models are announced three months before:
        # https://www.alibabacloud.com/help/en/model-studio/model-depreciation, as of 2026-10.
        "retires_on": None,
    },
)


def bring_up_to_date(apps, schema_editor):
    """The followers of the two first models. A row that was changed stays as it is; one that is as it was gets its end,
    is switched off where that has come, and goes altogether where nothing was ever asked of it."""
    rows = apps.get_model("processing", "LanguageModel").objects
    for former in FORMER:
        before = {**former, **UNCHANGED}
        follower, ends = before.pop("follower"), before.pop("retires_on")
        row = rows.filter(name=former["name"]).first()
        columns = next(columns for columns in MODELS if columns["name"] == follower)
        # Who asks nothing of the provider is not made to by an update.
        is_asked = row is not None and row.enabled and not row.shadow_only
        rows.get_or_create(name=follower, defaults={**columns, "enabled": is_asked})
        if row is None or not rows.filter(pk=row.pk, **before).exists():
            continue
        if not _is_used(apps, row):
            row.delete()
            continue
        row.retires_on = ends
        row.enabled = row.enabled and ends > datetime.datetime.now(datetime.UTC).date()
        row.save(update_fields=["retires_on", "enabled"])


def _is_used(apps, row):
    called = apps.get_model("processing", "ModelCall").objects.filter(model=row.name)
    return called.exists() or apps.get_model("processing", "Shadow").objects.filter(model=row.pk).exists()


def say_what_the_name_said(apps, schema_editor):
    """Models of the series 3 were told by their name not to think; now a row says it."""
    named = apps.get_model("processing", "LanguageModel").objects.filter(provider="qwen", name__startswith="qwen3")
    named.filter(thinking_level="").update(thinking_level="off")


class Migration(migrations.Migration):
    dependencies = [("processing", "0021_unusable_models")]

    operations = [
        migrations.AddField("modelgate", "next_probe_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "languagemodel",
            "thinking_level",
            models.CharField(
                blank=True,
                default="",
                choices=[
                    ("off", "not at all"),
                    ("minimal", "as little as it can"),
                    ("low", "low"),
                    ("medium", "medium"),
                    ("high", "high"),
                ],
                max_length=8,
                verbose_name="thinking level",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "languagemodel",
            "media_resolution",
            models.CharField(
                blank=True,
                default="",
                choices=[("low", "low"), ("medium", "medium"), ("high", "high")],
                max_length=8,
                verbose_name="resolution of images",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "languagemodel",
            "max_image_px",
            models.IntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(256)],
                verbose_name="longest side of an image in px",
            ),
        ),
        migrations.AddField(
            "languagemodel",
            "retires_on",
            models.DateField(blank=True, null=True, verbose_name="taken offline by its provider on"),
        ),
        migrations.AlterField(
            "languagemodel",
            "temperature",
            models.FloatField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(2),
                ],
                verbose_name="temperature",
            ),
        ),
        migrations.AddConstraint(
            "languagemodel",
            models.CheckConstraint(
                condition=Q(thinking_level__in=["", "off", "minimal", "low", "medium", "high"]),
                name="thinking_level_known",
            ),
        ),
        migrations.AddConstraint(
            "languagemodel",
            models.CheckConstraint(
                condition=Q(media_resolution__in=["", "low", "medium", "high"]), name="media_resolution_known"
            ),
        ),
        migrations.AddConstraint(
            "languagemodel",
            models.CheckConstraint(
                condition=Q(max_image_px__isnull=True) | Q(max_image_px__gte=256), name="image_can_be_read"
            ),
        ),
        # Last: rows that were touched bar changes of the table.
        migrations.RunPython(say_what_the_name_said, migrations.RunPython.noop),
        migrations.RunPython(bring_up_to_date, migrations.RunPython.noop),
    ]
