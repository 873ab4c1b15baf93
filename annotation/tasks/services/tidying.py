"""Drafts that nobody will take up any more: of tasks that were closed without them, once their days are over."""

from annotation.tasks.lifecycle import OPEN
from annotation.tasks.models import Draft
from catalogsku.core.tidying import delete_rows
from ingestion.keeping.policies import Kind
from ingestion.keeping.selectors import is_over


def clear_old_drafts() -> dict[str, int]:
    old = Draft.objects.filter(is_over(Kind.DRAFTS, "task__closed_at", "task__job__merchant"))
    return {"drafts": delete_rows(old.exclude(task__status__in=OPEN))}
