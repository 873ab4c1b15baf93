"""What became of a page so far: who moved what, which values were changed from what to what, and why."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from annotation.queue.services.reverting import can_reopen
from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import Annotation, HumanTask
from annotation.workbench.presenters import LAYOUTS, PAGE_TYPES, SKIP_REASONS, TEXT_ROLES
from catalogsku.accounts.models import User
from catalogsku.core.models import Transition
from processing.products import presenters
from processing.products.lifecycle import ImageRole
from processing.products.models import Image, Sku

DECISIONS_SHOWN = 10
EVENTS_SHOWN = 200
# (entity, trigger): icon and sentence. What is not here is nothing that a person asks about.
EVENTS = {
    ("sku", "understood"): ("bolt", gettext_lazy("Read")),
    ("sku", "as_printed"): ("check", gettext_lazy("Said to be printed so")),
    ("task", "claimed"): ("lock", gettext_lazy("Taken in hand")),
    ("task", "released"): ("unlock", gettext_lazy("Handed back")),
    ("task", "lock_lost"): ("unlock", gettext_lazy("No sign of life, open again")),
    ("task", "completed"): ("check", gettext_lazy("Done")),
    ("task", "accepted"): ("checks", gettext_lazy("Done with the page")),
    ("task", "at_once"): ("pencil", gettext_lazy("Corrected at once")),
    ("task", "taken_back"): ("undo", gettext_lazy("Correction taken back")),
    ("task", "skipped"): ("slash", gettext_lazy("Skipped")),
    ("task", "cancelled"): ("slash", gettext_lazy("Cancelled")),
    ("task", "superseded"): ("again", gettext_lazy("Replaced by a new reading")),
    ("task", "escalated"): ("raise", gettext_lazy("Escalated")),
    ("task", "assigned"): ("person", gettext_lazy("Given to somebody")),
    ("task", "freed"): ("unlock", gettext_lazy("Freed by a lead")),
    ("task", "postponed"): ("pause", gettext_lazy("Put off")),
    ("task", "prioritised"): ("chevron-up", gettext_lazy("Priority set")),
    ("task", "by_machines"): ("again", gettext_lazy("Given back to machines")),
    ("task", "asked_more"): ("person", gettext_lazy("More was asked of it")),
    ("task", "rejected"): ("undo", gettext_lazy("Handed back by a second look")),
    ("task", "reopened"): ("undo", gettext_lazy("Opened again by who did it")),
    ("task", "reverted"): ("undo", gettext_lazy("Taken back for another look")),
}
FIELDS = {
    "page_type": gettext_lazy("Kind of page"),
    "layout_type": gettext_lazy("Layout"),
    "pictures": gettext_lazy("Pictures"),
    "source_box": gettext_lazy("Box"),
    "added": gettext_lazy("New SKU"),
    "rejected": pgettext_lazy("sku", "rejected"),
}
CHOICES: dict[str, Mapping[str, Any]] = {
    "PAGE_TYPE": PAGE_TYPES, "LAYOUT": LAYOUTS, "TEXT_ROLE": TEXT_ROLES, "IMAGE_ROLE": dict(ImageRole.choices),
    "NEW_TYPE_REPORT": PAGE_TYPES,
}  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """``subject``: a SKU's id, a picture, a text; nothing for the page itself. ``key``: of the SKU's value."""

    subject: str
    label: str
    before: str
    after: str
    key: str = ""


@dataclass
class Event:
    """All that one transaction did to the page; ``machine`` where no person did it."""

    at: datetime
    icon: str = "pencil"
    word: str = ""
    who: str = ""
    why: str = ""
    machine: bool = False
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True)
class Decision:
    """``task``: its id, where it can be opened again."""

    url: str
    name: str
    number: int
    word: str
    at: datetime | None
    task: str = ""


def page_past(task: HumanTask) -> list[Event]:
    """The latest first. The task's moves and what was said in one transaction bear one time, and so are one event."""
    page, names = task.page, presenters.labels(task.job.schema)
    shown = HumanTask.objects.filter(page=page).exclude(purpose=Purpose.HONEYPOT)
    if task.purpose == Purpose.HONEYPOT:  # nothing of what is known of it already
        shown = shown.none()
    tasks = shown.values_list("pk", flat=True)
    moves = Transition.objects.filter(entity="task", entity_id__in=list(tasks)) | Transition.objects.filter(
        entity="sku", entity_id=page.pk
    )
    events: dict[datetime, Event] = {}
    for move in moves.order_by("-pk")[:EVENTS_SHOWN]:
        _tell(events.setdefault(move.at, Event(move.at)), move)
    pictures = dict(Image.objects.filter(page=page).values_list("image_id", "picture"))
    said = (
        Annotation.objects.filter(page=page, task__in=shown).select_related("annotator").order_by("-pk")[:EVENTS_SHOWN]
    )
    for annotation in said:
        event = events.setdefault(annotation.created_at, Event(annotation.created_at, word=_("Corrected")))
        event.who = str(annotation.annotator)
        event.differences.append(difference(annotation, names, pictures))
    readings = sorted((move.at, move.trigger) for move in moves.filter(entity="sku"))
    for sku, differences in _readings(Sku.objects.filter(page=page).order_by("sku_id", "revision"), names):
        place = bisect_left(readings, (sku.created_at, ""))  # they are noted after their rows are written
        if place < len(readings) and readings[place][1] == "understood" and readings[place][0] in events:
            events[readings[place][0]].differences += differences
    people = {user.username: str(user) for user in User.objects.filter(username__in=[e.who for e in events.values()])}
    for event in events.values():
        event.who = people.get(event.who, event.who)
    return sorted((event for event in events.values() if event.word), key=lambda event: event.at, reverse=True)


def _tell(event: Event, move: Transition) -> None:
    icon, word = EVENTS.get((move.entity, move.trigger), ("", ""))
    if not word or (event.word and move.trigger not in ("completed", "skipped")):
        return  # of the tasks of a page that are done together, the one that was worked on tells
    event.icon, event.word = icon, str(word)
    event.machine = move.actor == "system"
    event.who = "" if event.machine else move.actor
    event.why = _why(move.reason or {})


def _why(reason: Mapping[str, Any]) -> str:
    if states := reason.get("states"):
        count = sum(Counter(states).values())
        return ngettext("%(count)s SKU", "%(count)s SKUs", count) % {"count": count}
    if printed := reason.get("as_printed"):
        return pgettext("between names", ", ").join(value["value"] for value in printed)
    reason_code = str(reason.get("reason", ""))
    return str(SKIP_REASONS.get(reason_code, reason_code))


def difference(annotation: Annotation, names: Mapping[str, str], pictures: Mapping[str, str]) -> Difference:
    subject, label = annotation.sku_id, annotation.field
    if annotation.type in ("IMAGE_ROLE", "TEXT_ROLE"):
        subject, label = pictures.get(annotation.field, annotation.field), _("What it is for")
    elif annotation.type == "NEW_TYPE_REPORT":
        label = _("None of these kinds")
    elif annotation.field.startswith("merge:"):
        subject, label = annotation.field.partition(":")[2], _("Goes on with a table")
    elif annotation.type != "CUSTOM_ATTR_CONFIRM":
        label = str(names.get(label) or FIELDS.get(label, label))
    before, after = (_shown(annotation.type, side, pictures) for side in (annotation.before, annotation.after))
    return Difference(subject, label, before, after, key=annotation.field if annotation.sku_id else "")


def _shown(kind: str, side: Any, pictures: Mapping[str, str]) -> str:
    """One side of a difference in the reader's words; a dash where there was nothing."""
    if isinstance(side, bool):
        return _("yes") if side else _("no")
    if isinstance(side, list):
        return ", ".join(pictures.get(item, item) if isinstance(item, str) else f"{item:g}" for item in side) or "—"
    if isinstance(side, dict):
        if "value" in side:
            return f"{side['value']} ✓" if side.get("confirmed") else str(side["value"])
        if "role" in side:
            return str(CHOICES["IMAGE_ROLE"].get(side["role"], side["role"]))
        return _("page %(number)s, %(table)s") % {"number": side["page_number"], "table": side["table"]}
    return str(CHOICES.get(kind, {}).get(side, side)) if side not in (None, "") else "—"


def _readings(skus: Iterable[Sku], names: Mapping[str, str]) -> Iterator[tuple[Sku, list[Difference]]]:
    """Each later revision, and what is otherwise in it than in the one before."""
    for before, sku in pairwise(skus):
        if before.sku_id != sku.sku_id:
            continue
        keys = {**before.attributes, **sku.attributes}
        pairs = [(key, before.attributes.get(key) or "—", sku.attributes.get(key) or "—") for key in keys]
        yield sku, [Difference(sku.sku_id, str(names.get(key, key)), old, new) for key, old, new in pairs if old != new]


def last_decisions(actor: User) -> list[Decision]:
    """The last that this person closed, to look at again."""
    rows = HumanTask.objects.visible_to(actor).filter(
        closed_by=actor, status__in=(TaskStatus.COMPLETED, TaskStatus.SKIPPED)
    )
    rows = rows.exclude(result__has_key="with")  # of a page that was closed with several tasks, the one worked on
    return [
        Decision(
            reverse("task", args=[task.uuid]),
            task.job.source_name,
            task.page.number,
            task.get_status_display(),
            task.closed_at,
            str(task.uuid) if can_reopen(task) else "",
        )
        for task in rows.select_related("job", "page").order_by("-closed_at")[:DECISIONS_SHOWN]
    ]
