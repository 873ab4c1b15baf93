"""Whether models are asked about a document: what was decided, for how many pages and about how much."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0012_machine_time"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="models_decided_by",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=150),
        ),
        migrations.AddField(
            model_name="job",
            name="models_estimated_micro",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="models_pages",
            field=models.IntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="models_priced_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="models_state",
            field=models.CharField(
                choices=[("none", "None"), ("asking", "Asking"), ("go", "Go"), ("left", "Left")],
                db_default="none",
                default="none",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="status",
            field=models.CharField(
                choices=[
                    ("UPLOADED", "Checking"),
                    ("REJECTED", "Refused"),
                    ("EVALUATING", "Evaluating"),
                    ("EVAL_FAILED", "Evaluation failed"),
                    ("EVALUATED", "Evaluated"),
                    ("PROCESSING", "In progress"),
                    ("AWAITING_GO", "Awaits a go-ahead"),
                    ("DEGRADED_HUMAN", "People only"),
                    ("PARTIAL_IMPORTED", "Needs people"),
                    ("PARTIAL_FAILED", "Partly failed"),
                    ("FULL_IMPORTED", "Finished"),
                    ("ORPHANED", "Waiting for workers"),
                    ("CANCELLED", "Cancelled"),
                ],
                default="UPLOADED",
                max_length=16,
            ),
        ),
    ]
