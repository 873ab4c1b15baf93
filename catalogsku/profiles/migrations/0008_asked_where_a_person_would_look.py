"""The table of routes as it was first shipped said by page type who is asked; now a page is asked about if a person
would have to look at it, and the table only says which model. A table that an operator wrote stays as it is."""

from django.db import migrations

from catalogsku.profiles.routes import FIELDS, default_rows

_FIRST = """
classify_page     A   any     RULES
classify_page     D   any     SKIP
classify_page     B   simple  cheap
classify_page     C   simple  cheap
classify_page     B   complex strong
classify_page     C   complex strong
extract_sku_attrs A   simple  cheap
extract_sku_attrs A   complex strong
extract_sku_attrs B   simple  cheap
extract_sku_attrs C   simple  cheap
extract_sku_attrs B   complex strong
extract_sku_attrs C   complex strong
extract_sku_attrs D   any     SKIP
evaluate_document any any     strong
resolve_binding   any any     cheap
"""


def replace_first_rows(apps, schema_editor):
    tables = apps.get_model("profiles", "RoutingTable").objects
    first = [dict(zip(FIELDS, line.split(), strict=True)) for line in _FIRST.strip().splitlines()]
    for table in tables.filter(active=True):
        if table.rows == first:
            newest = tables.filter(key=table.key).order_by("-version").first()
            tables.filter(pk=table.pk).update(active=False)
            tables.create(
                key=table.key, version=newest.version + 1, previous_id=table.pk, rows=default_rows(),
                points=table.points, rules_from=table.rules_from, prefer_always=table.prefer_always,
                reason="asked where a person would look",
            )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("profiles", "0007_work_rules")]

    operations = [migrations.RunPython(replace_first_rows, migrations.RunPython.noop)]
