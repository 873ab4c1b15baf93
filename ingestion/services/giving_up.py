"""What becomes of a document that has used up its machine time: refused while it is checked, people's afterwards."""

from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from catalogsku.core import messages, metrics, work
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PageStage, PageStatus
from ingestion.models import Job, Page
from ingestion.services import machine_time

CODE = "over_budget"
# Models take no machine time: what waits for one may still be asked about.
OF_MACHINES = (PageStage.READ, PageStage.UNDERSTAND_RULES)


def figures(job: Job) -> dict[str, float]:
    """What a sentence about it says."""
    return {"spent_s": round(machine_time.spent_s(job), 1), "allowed_s": round(machine_time.allowed_s(job), 1)}


@transaction.atomic
def give_up_document(job: Job) -> int:
    """Its pages that machines have not done with go to people, with the reason; how many. What others have of it in
    hand is taken from them: their children end."""
    Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    ids = work.lock(Page.objects.filter(job=job, stage__in=OF_MACHINES))
    if not ids:
        return 0
    error: dict[str, Any] = {"code": CODE, "params": figures(job)}
    pages = Page.objects.filter(pk__in=ids)
    pages.update(
        **work.CLEARED,
        **Page.visible_change(),
        stage=PageStage.NONE,
        blockers=[error],
        needs_review=True,
        last_error=error,
        fallback_reason=CODE,
        extraction_method="none",
        finished_at=Now(),
    )
    move(PAGE, pages, to=PageStatus.HUMAN_QUEUED, trigger="given_up", reason=error)
    metrics.after_commit(metrics.OVER_BUDGET, stage="pages")
    messages.send_after_commit("settle_pages", ids)
    return len(ids)
