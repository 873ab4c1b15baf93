import msgspec
from django.db import migrations, models

from catalogsku.profiles import schemas
from catalogsku.profiles.categories import CATEGORIES


def add_categories(apps, schema_editor):
    """Each as the next version of its key, with what it takes over; schemas that people wrote stay active."""
    model = apps.get_model("profiles", "CategorySchema")
    resolved = {"": ((), ())}
    for key, zh, en, parent, attributes, rules in CATEGORIES:
        above, rules_above = resolved[parent]
        own = schemas.attributes_of(list(attributes))
        own_rules = msgspec.convert(list(rules), tuple[schemas.Rule, ...])
        resolved[key] = (
            schemas.inherited(own, above, by=("key",)),
            schemas.inherited(own_rules, rules_above, by=("rule", "field")),
        )
        last = model.objects.filter(key=key).order_by("-version").first()
        if last is not None and (last.version > 1 or last.attributes == list(attributes)):
            continue
        model.objects.filter(key=key, active=True).update(active=False)
        model.objects.create(
            key=key, version=2 if last else 1, previous=last, label_zh=zh, label_en=en, parent_key=parent,
            attributes=list(attributes), rules=list(rules), reason="initial",
            resolved_attributes=msgspec.to_builtins(resolved[key][0]),
            resolved_rules=msgspec.to_builtins(resolved[key][1]),
        )  # fmt: skip
    for row in model.objects.filter(resolved_attributes=[]).exclude(attributes=[]):
        model.objects.filter(pk=row.pk).update(resolved_attributes=row.attributes)


class Migration(migrations.Migration):
    """Schemas carry what they take over from their parent, and six kinds of goods have one of their own."""

    dependencies = [("profiles", "0003_defaults")]
    operations = [
        migrations.AddField("categoryschema", "resolved_attributes", models.JSONField(default=list, editable=False)),
        migrations.AddField("categoryschema", "resolved_rules", models.JSONField(default=list, editable=False)),
        migrations.RunPython(add_categories, migrations.RunPython.noop),
    ]
