"""The queue hears of moves of tasks."""

from collections.abc import Sequence

from annotation.tasks.lifecycle import TaskStatus
from catalogsku.core.moves import Moved
from ingestion.notices.services.telling import tell_escalated


def tell_leads(status: str, moved: Sequence[Moved]) -> None:
    """Tasks have moved there (catalogsku.core.moves); one that a lead hands back was told of before."""
    fresh = {row.job_id for row in moved if row.source == TaskStatus.CREATED}
    if status == TaskStatus.ESCALATED and fresh:
        tell_escalated(fresh)
