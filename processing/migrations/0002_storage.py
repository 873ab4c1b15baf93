from django.db import migrations

JOB_OF_MERCHANT = """ALTER TABLE processing_importrecord ADD CONSTRAINT import_job_of_merchant
    FOREIGN KEY (job_id, merchant_id) REFERENCES ingestion_job (id, merchant_id) DEFERRABLE INITIALLY DEFERRED"""


class Migration(migrations.Migration):
    """Packed pages are compressed already; a SKU's status moves twice on its way, beside its indexes; an import belongs to the merchant of its job, which the database sees to."""

    dependencies = [("processing", "0001_initial"), ("ingestion", "0002_storage")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE processing_pagecontent ALTER COLUMN data SET STORAGE EXTERNAL",
            "ALTER TABLE processing_pagecontent ALTER COLUMN data SET STORAGE EXTENDED",
        ),
        migrations.RunSQL(
            "ALTER TABLE processing_sku SET (fillfactor = 70)", "ALTER TABLE processing_sku RESET (fillfactor)"
        ),
        migrations.RunSQL(
            JOB_OF_MERCHANT, "ALTER TABLE processing_importrecord DROP CONSTRAINT import_job_of_merchant"
        ),
    ]
