"""The sample catalogue that a fresh machine processes while one watches."""

from django.conf import settings

from catalogsku.accounts.models import User
from ingestion.models import Job
from ingestion.services.receiving import submit_file

SAMPLE = "home-living.pdf"


def ensure_sample_job() -> Job | None:
    """The sample's job for the demo uploader, made once; None where no sample is there."""
    path = settings.BASE_DIR / "samples" / SAMPLE
    user = User.objects.filter(username="uploader").first()
    merchant = user.own_merchant() if user else None
    if not path.exists() or user is None or merchant is None:
        return None
    return submit_file(user, merchant.pk, path, key=f"sample-{SAMPLE}", category="home")
