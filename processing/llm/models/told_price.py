"""What asking a model about a page was expected to cost by its tokens alone, kept beside what it then has cost."""

from django.db import models
from django.db.models.functions import Now

from ingestion.models import Page


class ToldPrice(models.Model):
    """The last price of a page that was handed to models. ``micro``: micro-USD as llm.prospects counts them, before
    anything that was measured corrects it; ``model``: the one that routing would choose.

    Written and read by processing.llm.services.told_prices alone; what the page has cost since ``told_at`` is in the
    ledger.
    """

    page = models.OneToOneField(Page, models.CASCADE, primary_key=True, related_name="+")
    model = models.CharField(max_length=60)
    micro = models.BigIntegerField()
    told_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(micro__gte=0), name="told_price_not_negative"),
        ]
        indexes = [models.Index(fields=["model", "-told_at"], name="told_prices_of_model")]

    def __str__(self) -> str:
        return f"{self.page_id}: {self.micro}"
