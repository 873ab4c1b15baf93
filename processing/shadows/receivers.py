"""Shadows act on recorded pages: some are chosen to be looked at once more, whatever becomes of that."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from ingestion.models import Job
from processing.engine.result import PageResult
from processing.pages.signals import pages_recorded
from processing.shadows.services import pages


@receiver(pages_recorded)
def choose_for_shadows(job: Job, looked_at: Sequence[tuple[int, int, PageResult]], **_: Any) -> None:
    transaction.on_commit(lambda: pages.choose_pages(job, looked_at), robust=True)
