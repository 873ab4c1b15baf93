"""The log of changes, of which the database changes and deletes nothing."""

import django.core.serializers.json
import django.db.models.functions.datetime
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION profiles_keep_what_was_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'profiles_configchange is append-only';
END $$;
CREATE TRIGGER changes_stay BEFORE UPDATE OR DELETE ON profiles_configchange
    FOR EACH ROW EXECUTE FUNCTION profiles_keep_what_was_written();
"""
CHANGEABLE = """
DROP TRIGGER changes_stay ON profiles_configchange;
DROP FUNCTION profiles_keep_what_was_written();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("profiles", "0002_first_rows"),
    ]

    operations = [
        migrations.CreateModel(
            name="ConfigChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("model", models.CharField(max_length=80, verbose_name="configuration")),
                ("row", models.CharField(max_length=80, verbose_name="row")),
                ("name", models.CharField(max_length=200, verbose_name="name")),
                (
                    "kind",
                    models.CharField(
                        choices=[("made", "made"), ("changed", "changed"), ("deleted", "deleted")],
                        max_length=8,
                        verbose_name="change",
                    ),
                ),
                (
                    "before",
                    models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name="before"),
                ),
                (
                    "after",
                    models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name="after"),
                ),
                ("by", models.CharField(max_length=200, verbose_name="changed by")),
                ("why", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="time"
                    ),
                ),
            ],
            options={
                "verbose_name": "change of configuration",
                "verbose_name_plural": "changes of configuration",
                "indexes": [models.Index(fields=["model", "row", "-id"], name="changes_of_row")],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, CHANGEABLE),
    ]
