"""Editions act while pages are worked on: one is recognised by its pages, and takes over what has not changed.

Imported by every process, so what they do is imported by those in which it happens.
"""

from typing import Any

from django.dispatch import receiver

from ingestion.models import Job
from processing.pages.signals import document_prescanned, document_routed


@receiver(document_prescanned)
def recognise_edition(job: Job, prescans: list[dict[str, Any]], **_: Any) -> None:
    from processing.editions.services import recognising

    recognising.recognise(job, prescans)


@receiver(document_routed)
def carry_results_over(job_id: int, **_: Any) -> None:
    from processing.editions.services import carrying

    carrying.carry_results(job_id)
