from django.db import migrations, models


class Migration(migrations.Migration):
    """What was sent lately, and what waits for its imports, is found among a million pages."""

    dependencies = [("ingestion", "0003_what_waits_for_operators")]
    operations = [
        migrations.AddIndex(
            "page",
            models.Index(
                fields=["dispatched_at"],
                name="page_sent",
                condition=models.Q(worker__isnull=True, dispatched_at__isnull=False),
            ),
        ),
        migrations.AddIndex(
            "page",
            models.Index(
                fields=["job"],
                name="pages_wrong",
                condition=models.Q(status="DEAD_LETTER")
                | models.Q(import_state__in=["failed", "stale"])
                | models.Q(status__in=["BLANK", "SKIPPED"], skip_reason="sla"),
            ),
        ),
        migrations.RemoveIndex("page", "page_unsettled"),
        migrations.AddIndex(
            "page",
            models.Index(
                fields=["job", "id"],
                name="page_awaits_imports",
                condition=models.Q(
                    status__in=["AI_COMPLETED", "HUMAN_COMPLETED"], import_state__in=["none", "pending"]
                ),
            ),
        ),
    ]
