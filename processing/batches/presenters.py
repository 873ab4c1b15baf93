"""How it is shown which questions of a document wait in batches."""

from datetime import datetime

from django.db.models import Count
from django.utils.translation import ngettext, pgettext

from catalogsku.core import moments
from ingestion.lifecycle import Urgency
from ingestion.models import Job
from processing.llm.models import CallState, ModelCall


def batch_figures(job: Job) -> dict[str, str]:
    """Beside the other figures of the job page (ingestion.job_page.MORE_FIGURES); by batch, in their order."""
    if job.urgency != Urgency.BATCH:
        return {"batches": ""}
    rows = ModelCall.objects.filter(job=job, state=CallState.BATCHED).order_by("batch")
    counted = rows.values_list("batch", "batch__sent_at").annotate(n=Count("pk"))
    return {"batches": pgettext("between sentences", "; ").join(_words(n, sent_at) for _batch, sent_at, n in counted)}


def _words(n: int, sent_at: datetime | None) -> str:
    if sent_at is None:
        words = ngettext(
            "%(n)s question waits for a batch to be sent", "%(n)s questions wait for a batch to be sent", n
        )
        return words % {"n": n}
    at = moments.full(sent_at)
    words = ngettext(
        "%(n)s question waits in a batch sent at %(at)s", "%(n)s questions wait in a batch sent at %(at)s", n
    )
    return words % {"n": n, "at": at}
