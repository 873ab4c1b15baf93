"""How far what was told of a model's pages and what they then have cost lie apart, which corrects what is told next.

Told is what llm.prospects counts of tokens. The ledger knows how the provider counts them, how long answers really are,
and what repeats, second opinions and thoughts have cost beside.
"""

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Now

from ingestion.lifecycle import PageStage
from ingestion.models import Page
from processing.llm.models import ModelCall, ToldPrice
from processing.llm.prospects import Prospect

# So many of a model's last pages are looked at, and with fewer than so many nothing is corrected: some ten pages of one
# document say little of the next. A wilder figure than these bounds is of something else than prices.
LOOKED_AT, FEWEST = 300, 10
LEAST, MOST = 0.25, 4.0


def ratio_of(model: str) -> float:
    """Really booked over told, of the model's last pages that are done and that were paid for; 1 where too few are.

    Of all merchants: it is the model that counts tokens. A page that was answered from what is kept, or refused, cost
    nothing and says nothing.
    """
    since = ModelCall.objects.filter(page=OuterRef("page"), created_at__gte=OuterRef("told_at")).order_by()
    booked = since.values("page").annotate(micro=Sum("settled_micro")).values("micro")
    prices = ToldPrice.objects.filter(model=model, micro__gt=0, page__stage=PageStage.NONE)
    paid = prices.annotate(booked=Subquery(booked)).filter(booked__gt=0).order_by("-told_at")
    pairs = list(paid.values_list("micro", "booked")[:LOOKED_AT])
    if len(pairs) < FEWEST:
        return 1.0
    ratio: float = sum(booked for _estimated, booked in pairs) / sum(estimated for estimated, _booked in pairs)
    return min(max(ratio, LEAST), MOST)


def keep(prospects: Iterable[tuple[Page, Prospect]]) -> None:
    """What is told of these pages now, in place of what was told before. In the caller's transaction."""
    rows = [
        ToldPrice(page=page, model=prospect.model, micro=prospect.micro, told_at=Now())
        for page, prospect in prospects
        if prospect.model
    ]
    updated = ["model", "micro", "told_at"]
    ToldPrice.objects.bulk_create(rows, update_conflicts=True, unique_fields=["page"], update_fields=updated)
