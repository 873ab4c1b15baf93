"""What programs outside are told of tasks (processing.webhooks.events)."""

from collections.abc import Collection, Mapping
from typing import Any

from annotation.tasks.lifecycle import MOVES_THE_PAGE
from annotation.tasks.models import HumanTask


def tell_of_tasks(ids: Collection[int]) -> dict[int, Mapping[str, Any]]:
    """By id; only of tasks that a page waits for. Which pages are golden and who judges whom is told nobody."""
    rows = HumanTask.objects.filter(pk__in=ids, purpose__in=MOVES_THE_PAGE).select_related("page")
    return {
        task.pk: {
            "task_id": str(task.uuid),
            "task_type": task.type,
            "priority": task.priority,
            "reasons": list(dict.fromkeys(reason["code"] for reason in task.reasons)),
            "page_number": task.page.number,
            "sku_count": task.page.sku_count,
        }
        for task in rows.only("uuid", "type", "priority", "reasons", "page__number", "page__sku_count")
    }
