"""What the first person did to a page, as the second one sees it before judging (X-VERDICT)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.tasks.lifecycle import Purpose
from annotation.tasks.models import Annotation, HumanTask
from annotation.workbench.past import Difference, difference
from catalogsku.core.models import Transition
from processing.products import presenters
from processing.products.models import Image


@dataclass(frozen=True)
class FirstHand:
    """``differences``: from what machines had to what is there now, of all rounds that the page took."""

    author: str
    at: datetime | None
    minutes: int
    rounds: int
    differences: list[Difference]


def first_hand(task: HumanTask) -> FirstHand | None:
    """None where the task judges nobody's work."""
    if task.purpose != Purpose.VERDICT or task.about_id is None:
        return None
    done = HumanTask.objects.select_related("closed_by").filter(pk=task.about_id).first()
    if done is None or done.closed_by is None:
        return None
    names = presenters.labels(task.job.schema)
    pictures = dict(Image.objects.filter(page=task.page_id).values_list("image_id", "picture"))
    differences = [difference(annotation, names, pictures) for annotation in _in_all(_said(done))]
    return FirstHand(str(done.closed_by), done.closed_at, round(done.worked_s / 60), done.rework_count + 1, differences)


def _said(done: HumanTask) -> Iterable[Annotation]:
    """In the order in which it was said; what a lead took back is as if it had not been."""
    rows = Annotation.objects.filter(task=done).order_by("pk")
    taken_back = Transition.objects.filter(entity="task", entity_id=done.pk, trigger="reverted").order_by("-pk")
    last = taken_back.values_list("at", flat=True).first()
    return rows if last is None else rows.filter(created_at__gt=last)


def _in_all(said: Iterable[Annotation]) -> list[Annotation]:
    """One for each thing: from before the first time to after the last. What was changed back is left out, what was
    confirmed as it stood is not."""
    things: dict[tuple[str, str, str], Annotation] = {}
    confirmed = set()
    for annotation in said:
        thing = (annotation.type, annotation.sku_id, annotation.field)
        if annotation.before == annotation.after:
            confirmed.add(thing)
        things.setdefault(thing, annotation).after = annotation.after
    return [
        annotation
        for thing, annotation in things.items()
        if annotation.before != annotation.after or thing in confirmed
    ]
