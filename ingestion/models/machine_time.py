"""What machines have spent lately on a merchant, and what is known of a document that they have not wholly checked."""

from django.db import models

from catalogsku.accounts.models import Merchant
from ingestion.models.job import Job


class MachineUse(models.Model):
    """Seconds of machine time that a merchant has had, of which half counts no more after each half-life
    (ingestion.services.machine_time): what was used long ago takes nobody's turn."""

    merchant = models.OneToOneField(Merchant, models.CASCADE, primary_key=True, related_name="+")
    used_s = models.FloatField(default=0)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.merchant_id}: {self.used_s:.1f} s"


class PrescanPart(models.Model):
    """Prescans of pages that one turn had time for; gone once the document's pages are made of them."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="prescan_parts")
    pages = models.JSONField()

    def __str__(self) -> str:
        return f"{self.job_id}: {len(self.pages)} pages"
