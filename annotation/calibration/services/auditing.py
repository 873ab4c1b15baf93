"""Pages that went out without a person are looked at by one, a few every night, whatever is known of them: only such a
look says how often machines are wrong where nobody doubts them (X-CALPROM)."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.db.models.functions import Now

from annotation.tasks.models import HumanTask
from annotation.tasks.services.accepting import is_sampled, open_audit
from catalogsku.profiles.services import work_rules
from ingestion.lifecycle import JobStatus, PageStage, PageStatus
from ingestion.models import Page

MOST_A_NIGHT = 30
OF_THE_LAST = timedelta(days=1)
# Rows looked at, from the newest on: what is older was drawn from on an earlier night.
LOOKED_AT = 50_000
REASON = "blind_look"


def open_blind_looks() -> dict[str, int]:
    """The draw is one for each page, so that a second run of the same night opens nothing more."""
    share = float(work_rules().blind_ratio)
    if not share:
        return {"opened": 0}
    newest = Page.objects.aggregate(n=Max("pk"))["n"] or 0
    rows = Page.objects.filter(
        ~Exists(HumanTask.objects.filter(page=OuterRef("pk"))),
        pk__gt=newest - LOOKED_AT,
        status=PageStatus.AI_COMPLETED,
        stage=PageStage.NONE,
        needs_review=False,
        sku_count__gt=0,
        finished_at__gte=Now() - OF_THE_LAST,
    ).exclude(job__status=JobStatus.CANCELLED)
    drawn = [pk for pk in rows.order_by("pk").values_list("pk", flat=True) if is_sampled(f"blind{pk}", share)]
    return {"opened": sum(map(_open, drawn[:MOST_A_NIGHT]))}


@transaction.atomic
def _open(page_id: int) -> bool:
    """Not where somebody has come to the page meanwhile."""
    page = Page.objects.select_for_update(no_key=True).get(pk=page_id)
    if page.status != PageStatus.AI_COMPLETED or HumanTask.objects.filter(page=page).exists():
        return False
    open_audit(page, REASON)
    return True
