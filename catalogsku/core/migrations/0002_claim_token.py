from django.db import migrations


class Migration(migrations.Migration):
    """Claim tokens come from one sequence: a later claim of anything has a greater token."""

    dependencies = [("core", "0001_initial")]
    operations = [migrations.RunSQL("CREATE SEQUENCE core_claim_token", "DROP SEQUENCE core_claim_token")]
