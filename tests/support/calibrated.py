"""Pages on which people have worked: what they changed, why they were asked, and how sure machines had been."""

from datetime import timedelta
from itertools import count
from typing import Any

from django.db.models.functions import Now

from annotation.models import Annotation, HumanTask
from catalogsku.accounts.models import User
from ingestion.models import Job, Page
from tests.support.rows import make_page, make_sku

_numbers = count(1)


def looked_at(
    job: Job,
    who: User,
    *,
    wrong: int = 0,
    reasons: tuple[str, ...] = ("low_confidence",),
    purpose: str = "work",
    confidence: float = 0.7,
    products: int = 3,
    days_ago: float = 1,
    seconds: float = 60,
    **columns: Any,
) -> Page:
    """A finished page; ``wrong``: of how many of its products a person changed the price."""
    alone = purpose in ("audit", "at_once")
    status = "AI_COMPLETED" if alone else "HUMAN_COMPLETED"
    machines = {
        "stage": "NONE",
        "page_type": "A",
        "analyst": "rules-1",
        "type_confidence": 0.95,
        "prescan": {"blank": False, "chars": 200, "images": 1},
    }
    page = make_page(job, next(_numbers), status, confidence=confidence, sku_count=products, **{**machines, **columns})
    skus = [make_sku(page, n) for n in range(1, products + 1)]
    at = Now() - timedelta(days=days_ago)
    task = HumanTask.objects.create(
        job=job,
        page=page,
        type="PAGE_REVIEW",
        purpose=purpose,
        status="COMPLETED",
        reasons=[{"code": code, "params": {}} for code in reasons],
        confidence=confidence,
        worked_s=seconds,
        closed_by=who,
        closed_at=at,
        result={"before": {"blockers": page.blockers}},
    )
    Annotation.objects.bulk_create(
        Annotation(
            task=task,
            page=page,
            annotator=who,
            type="SKU_ATTRIBUTE",
            sku_id=sku.sku_id,
            field="price",
            before="$1",
            after="$2",
            created_at=at,
        )
        for sku in skus[:wrong]
    )
    return page
