"""One question a page in place of the nine: its prompt beside the versions of those before, which are asked no more, its
rows in place of theirs in the routing table, and the examples that people confirmed in its shape."""

import json

from django.db import migrations
from django.db.models.functions import Now

from processing.llm.prompts import shipped

_QUESTION = "read_page"
_VARIANTS = ("boundaries", "attributes", "single")
_BEFORE = (
    "classify_page", "classify_text", "classify_images", "classify_layout", "resolve_binding",
    *(f"extract_sku_attrs/{variant}" for variant in _VARIANTS),
)  # fmt: skip
_PRODUCTS = "extract_sku_attrs"


def add_prompt(apps, schema_editor):
    """The rules speak of the page's picture and its halves now: where nobody wrote their own, the shipped ones again."""
    prompt, verdict, trial = (
        apps.get_model("profiles", name) for name in ("PromptVersion", "PromptVerdict", "PromptExperiment")
    )
    trials = trial.objects.filter(key__in=_BEFORE, state__in=("planned", "running"))
    trials.update(state="stopped", ended_at=Now(), reason="the question is asked no more")
    prompt.objects.filter(key__in=_BEFORE).update(active=False)
    for key in (_QUESTION, "rules"):
        texts = {f"text_{language}": text for language, text in shipped(key).texts.items()}
        active = prompt.objects.filter(key=key, active=True).first()
        if active is not None and (
            active.reason != "initial" or all(getattr(active, n) == t for n, t in texts.items())
        ):
            continue
        prompt.objects.filter(key=key).update(active=False)
        version = 1 if active is None else prompt.objects.filter(key=key).order_by("-version")[0].version + 1
        row = prompt.objects.create(key=key, version=version, active=True, reason="one question a page", **texts)
        verdict.objects.create(prompt=row, passed=True)


def rewrite_routes(apps, schema_editor):
    """Rows of the products' question stand for the page's; of the others' nothing is left."""
    for table in apps.get_model("profiles", "RoutingTable").objects.all():  # also those that a running job has
        rows = [{**row, "operation": _QUESTION} for row in table.rows if row.get("operation") == _PRODUCTS]
        rows += [row for row in table.rows if row.get("operation") not in (_PRODUCTS, *_BEFORE)]
        if rows != table.rows:
            type(table).objects.filter(pk=table.pk).update(rows=rows)


def rewrite_examples(apps, schema_editor):
    examples = apps.get_model("processing", "AnnotationExample").objects
    for row in examples.filter(key=f"{_PRODUCTS}/attributes"):
        products = json.loads(row.answer)["products"]
        told = [{"number": p["number"], "attributes": _placed(p["attributes"]), "confidence": 0.95} for p in products]
        kind = {"page_type": row.page_type, "confidence": 0.95, "count": len(told)}
        answer = json.dumps({**kind, "products": told}, ensure_ascii=False)
        examples.filter(pk=row.pk).update(key=_QUESTION, answer=answer)


def _placed(attributes):
    return {key: {"value": v["value"], "at": v["evidence"]} for key, v in attributes.items() if v is not None}


class Migration(migrations.Migration):
    dependencies = [
        ("processing", "0023_openai_protocol"), ("profiles", "0008_asked_where_a_person_would_look"),
    ]  # fmt: skip
    operations = [
        migrations.RunPython(step, migrations.RunPython.noop) for step in (add_prompt, rewrite_routes, rewrite_examples)
    ]
