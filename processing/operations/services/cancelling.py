"""Stopping a document, with the count of what cannot be called back (docs/protocols.md P3)."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from ingestion.models import Job
from ingestion.services import jobs
from processing.editions.services import continuing, recognising
from processing.imports.lifecycle import IN_FLIGHT
from processing.imports.models import ImportRecord
from processing.llm.models import CallState, ModelCall


@dataclass(frozen=True)
class Cancelled:
    """``pages`` were stopped; imports and calls of models that were in flight finish, and are recorded."""

    pages: int
    imports_in_flight: int
    model_calls_in_flight: int


@transaction.atomic
def cancel(job: Job, actor: str) -> Cancelled:
    """Raises Conflict where the job has ended already."""
    Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    recognising.abandon(job, actor)
    pages = jobs.cancel_job(job, actor)
    continuing.give_back(job)
    imports = ImportRecord.objects.filter(job=job, state__in=IN_FLIGHT).count()
    sent = Q(state=CallState.SENT) | Q(state=CallState.BATCHED, sent_at__isnull=False)
    calls = ModelCall.objects.filter(sent, job=job).count()
    return Cancelled(pages, imports, calls)
