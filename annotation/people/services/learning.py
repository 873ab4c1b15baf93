"""What people corrected, offered as examples to the prompts (TA-T36)."""

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from annotation.tasks.lifecycle import Purpose, TaskStatus
from annotation.tasks.models import Annotation, HumanTask
from ingestion.models import Page
from processing.pages.models import AnnotationExample
from processing.pages.services.examples import offer_example

LOOKED_BACK = timedelta(days=2)
LOOKED_AT = 200
# A page that was sent back once is less to be trusted, although it was done again.
TRUST_A_REWORK = 0.9
TEACHES = (Purpose.WORK, Purpose.AT_ONCE)
# What is no value of a product: it teaches nothing about reading values.
_NO_VALUES = ("rejected", "added")


def offer_corrected_pages() -> dict[str, int]:
    """Pages that people completed in the last two days and that no example was made of yet."""
    known = AnnotationExample.objects.filter(page=OuterRef("page"))
    recent = Annotation.objects.filter(created_at__gte=Now() - LOOKED_BACK, type=Annotation.Type.SKU_ATTRIBUTE)
    done = recent.filter(~Exists(known), task__status=TaskStatus.COMPLETED, task__purpose__in=TEACHES)
    ids = list(done.order_by("-page").values_list("page", flat=True).distinct()[:LOOKED_AT])
    pages = Page.objects.select_related("job").in_bulk(ids)
    return {"pages": len(ids), "examples": sum(map(_offered, (pages[pk] for pk in ids)))}


def _offered(page: Page) -> bool:
    rows = Annotation.objects.filter(page=page, task__status=TaskStatus.COMPLETED, type=Annotation.Type.SKU_ATTRIBUTE)
    corrected = set(rows.exclude(field__in=_NO_VALUES).values_list("sku_id", flat=True))
    reworked = max(HumanTask.objects.filter(page=page).values_list("rework_count", flat=True), default=0)
    return offer_example(page, corrected, TRUST_A_REWORK**reworked)
