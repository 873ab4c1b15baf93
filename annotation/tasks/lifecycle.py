"""Where tasks stand: states and the moves between them."""

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move


class TaskStatus(TextChoices):
    CREATED = "CREATED", pgettext_lazy("task", "Open")
    ESCALATED = "ESCALATED", pgettext_lazy("task", "Escalated")
    PROCESSING = "PROCESSING", pgettext_lazy("task", "In hand")
    COMPLETED = "COMPLETED", pgettext_lazy("task", "Done")
    SKIPPED = "SKIPPED", pgettext_lazy("task", "Skipped")


class TaskType(TextChoices):
    PAGE_REVIEW = "PAGE_REVIEW", pgettext_lazy("task", "Page review")
    FULL_PAGE_ANNOTATION = "FULL_PAGE_ANNOTATION", pgettext_lazy("task", "Whole page")
    SKU_CONFIRM = "SKU_CONFIRM", pgettext_lazy("task", "SKU to confirm")
    BINDING_REVIEW = "BINDING_REVIEW", pgettext_lazy("task", "Picture to choose")
    CUSTOM_ATTR_CONFIRM = "CUSTOM_ATTR_CONFIRM", pgettext_lazy("task", "Attribute to confirm")


OF_THE_PAGE = (TaskType.PAGE_REVIEW, TaskType.FULL_PAGE_ANNOTATION)


class Purpose(TextChoices):
    WORK = "work"
    VERDICT = "verdict"
    AUDIT = "audit"
    HONEYPOT = "honeypot"
    DOCUMENT = "document"
    AT_ONCE = "at_once"  # nobody asked: who reads the results corrected one value


class Priority(TextChoices):
    NORMAL = "NORMAL"
    HIGH = "HIGH"
    CRITICAL = "CRITICAL"
    AUTO_RESOLVE = "AUTO_RESOLVE"


T = TaskStatus
OPEN = (T.CREATED, T.ESCALATED, T.PROCESSING)
FREE = (T.CREATED, T.ESCALATED)
MOVES_THE_PAGE = (Purpose.WORK, Purpose.DOCUMENT)

TASKS_TOPIC = "tasks"  # where the queue hears that something in it has changed

TASK = Lifecycle(
    "task",
    [
        *(Move(s, "claimed", T.PROCESSING) for s in (T.CREATED, T.ESCALATED)),
        *(Move(s, "accepted", T.COMPLETED) for s in (T.CREATED, T.ESCALATED)),
        *(Move(s, "skipped", T.SKIPPED) for s in OPEN),
        *(Move(s, "superseded", T.SKIPPED) for s in OPEN),
        *(Move(s, "cancelled", T.SKIPPED) for s in OPEN),
        *(Move(s, "joined", T.SKIPPED) for s in FREE),
        Move(T.CREATED, "at_once", T.COMPLETED),
        Move(T.COMPLETED, "taken_back", T.SKIPPED),
        Move(T.PROCESSING, "completed", T.COMPLETED),
        *(
            Move(T.PROCESSING, trigger, back)
            for trigger in ("released", "lock_lost")
            for back in (T.CREATED, T.ESCALATED)
        ),
        Move(T.CREATED, "escalated", T.ESCALATED),
        *(Move(s, "reverted", T.CREATED) for s in (T.COMPLETED, T.SKIPPED)),
        Move(T.COMPLETED, "rejected", T.CREATED),
        *(Move(s, "reopened", T.CREATED) for s in (T.COMPLETED, T.SKIPPED)),
    ],
    topic=TASKS_TOPIC,
)


def draft_topic(task_id: int) -> str:
    """Where whoever watches a task's holder at work hears of each save."""
    return f"draft.{task_id}"
