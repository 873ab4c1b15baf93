"""What a closed task leaves behind so that it can be reverted and judged: the page before it, and the rows after it."""

from typing import Any

import msgspec

from annotation.tasks.models import HumanTask
from catalogsku.core.structs import ready
from ingestion.models import Page
from processing.corrections.services.restoring import PageBefore, active_rows


def result_of(page: Page, before: PageBefore) -> dict[str, Any]:
    return {"before": msgspec.to_builtins(before), "after": active_rows(page)}


def before_of(task: HumanTask) -> PageBefore | None:
    """None where the task changed nothing: it was skipped, or closed together with another of its page."""
    before = task.result.get("before")
    return None if before is None else msgspec.convert(before, ready(PageBefore))
