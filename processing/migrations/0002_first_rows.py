"""What a fresh database starts with: two models without keys, which nothing calls; budgets; the shipped prompts; and where
webhooks begin. Each figure of a model has its source and the day that the source was read on or is of."""

from django.db import migrations

from processing.llm.prompts import all_shipped

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
        # A tenth: 0.075 of 0.75 USD (https://github.com/BerriAI/litellm/discussions/39357, of 2026-09; that the discount
        # is 90 %: https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/context-cache/context-cache-overview,
        # read 2026-11-28).
        "price_cached_micro": 150_000,
        # Half of its price: https://ai.google.dev/gemini-api/docs/batch-api, read 2026-11-28.
        "batch_percent": 50,
        # Google's rates are each project's own (AI Studio shows them), so these are ours.
        "qpm": 60,
        "tpm": 2_000_000,
        # The model takes 3,000 images of 256 MB: Google Cloud's page of Gemini 3 Flash, as of 2026-10. Ours.
        "max_images": 16,
        # Of 65,536 (https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash, read 2026-09-03). Thoughts count
        # into it, so twice what answers take.
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
        # «Typically 20 %»: https://www.alibabacloud.com/help/en/model-studio/context-cache, of 2026-10-11. Batches are
        # behind the OpenAI protocol alone, and of this model in Beijing alone.
        "price_cached_micro": 80_000,
        # No dated figure of this model's rates was found; these are ours, and low for the series.
        "qpm": 100,
        "tpm": 5_000_000,
        "max_images": 8,  # ours; no dated figure was found
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

LIMITS = {"day": 500_000_000, "merchant": 50_000_000}  # micro-USD


def add_models(apps, schema_editor):
    for columns in MODELS:
        apps.get_model("processing", "LanguageModel").objects.create(**columns)
    for scope, limit_micro in LIMITS.items():
        apps.get_model("processing", "BudgetLimit").objects.create(scope=scope, limit_micro=limit_micro)


def add_prompts(apps, schema_editor):
    """The files in processing/llm/prompts are version 1; what is active when the gate comes can be returned to."""
    prompt, verdict = (apps.get_model("profiles", name) for name in ("PromptVersion", "PromptVerdict"))
    for key, wording in all_shipped().items():
        row = prompt.objects.create(
            key=key, version=wording.version, reason="initial", text_zh=wording.texts["zh"], text_en=wording.texts["en"]
        )
        verdict.objects.create(prompt=row, passed=True)


class Migration(migrations.Migration):
    dependencies = [("processing", "0001_initial"), ("profiles", "0002_first_rows")]
    operations = [
        *(migrations.RunPython(step, migrations.RunPython.noop) for step in (add_models, add_prompts)),
        migrations.RunSQL(
            "INSERT INTO processing_webhookcursor (position)"
            " SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
            migrations.RunSQL.noop,
        ),
    ]
