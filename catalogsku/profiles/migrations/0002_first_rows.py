"""The configuration that a fresh database starts with: what is active can always be returned to, so it has passed the gate."""

import msgspec
from django.db import migrations

from catalogsku.profiles import schemas
from catalogsku.profiles.categories import CATEGORIES
from catalogsku.profiles.models import default_classification, default_prescan_rules, default_weights


def add_rules(apps, schema_editor):
    profile, verdict, routing, work = (
        apps.get_model("profiles", name) for name in ("ThresholdProfile", "GoldenVerdict", "RoutingTable", "WorkRules")
    )
    shipped = profile.objects.create(
        key="default",
        version=1,
        reason="initial",
        weights=default_weights(),
        prescan_rules=default_prescan_rules(),
        classification=default_classification(),
    )
    verdict.objects.create(profile=shipped, passed=True)
    routing.objects.create(key="default", version=1, reason="initial")
    work.objects.create(key="default", version=1, reason="initial")


def add_categories(apps, schema_editor):
    """Each with what it takes over from its parent, which stands before it."""
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
        model.objects.create(
            key=key,
            version=1,
            label_zh=zh,
            label_en=en,
            parent_key=parent,
            attributes=list(attributes),
            rules=list(rules),
            reason="initial",
            resolved_attributes=msgspec.to_builtins(resolved[key][0]),
            resolved_rules=msgspec.to_builtins(resolved[key][1]),
        )


class Migration(migrations.Migration):
    dependencies = [("profiles", "0001_initial")]
    operations = [migrations.RunPython(step, migrations.RunPython.noop) for step in (add_rules, add_categories)]
