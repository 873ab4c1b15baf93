"""Pages on which people have worked: what they changed, why they were asked, and how sure machines had been."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models.functions import Now

from annotation.models import Annotation, HumanTask
from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.models import ThresholdProfile
from ingestion.models import Job, Page
from processing.engine.evaluation.evaluate import PrescanFacts, evaluate
from processing.engine.evaluation.scores import DIMENSIONS, PageScore
from processing.pages.models import Evaluation
from processing.sandboxed import frozen
from tests.support.rows import make_job, make_page, make_pages, make_sku


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
    number = Page.objects.filter(job=job).count() + 1
    page = make_page(job, number, status, confidence=confidence, sku_count=products, **{**machines, **columns})
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


def evaluated(job: Job) -> Job:
    """As a document whose pages score 0.89: HYBRID by the first profile."""
    pages = list(Page.objects.filter(job=job).values_list("number", flat=True))
    scores = [PageScore(n, dict.fromkeys(DIMENSIONS, 0.89), "A", 0.89) for n in pages]
    facts = PrescanFacts(len(pages), len(pages), len(pages))
    report = frozen.jsonable(evaluate(scores, facts, frozen.evaluation_config(job.profile)))
    row, _ = Evaluation.objects.update_or_create(
        merchant=job.merchant,
        file_sha256=job.file_sha256,
        profile=job.profile,
        model="rules",
        defaults={"c_doc": report["c_doc"], "route": report["route"], "report": report, "facts": {}},
    )
    prescan = {"blank": False, "chars": 200, "images": 1}
    Page.objects.filter(job=job).update(prescan=prescan, sampled=True)
    Job.objects.filter(pk=job.pk).update(
        total_pages=len(pages),
        route_reason={"evaluation": row.pk},
        c_doc=report["c_doc"],
        evaluated_at=Now(),
        route="HYBRID",
    )
    return job


def doubted_document(merchant: Merchant, who: User) -> Job:
    """Sixty doubtful pages, by a PV of 0.85: all of the sure half were right, a third of the others; and two that went
    out alone, of which nobody has said anything. PV at 0.78 would keep the promise."""
    ThresholdProfile.objects.filter(active=True, key="default").update(threshold_pv=Decimal("0.850"))
    job = make_job(merchant, route="HYBRID", category="lamps")
    for n in range(30):
        looked_at(job, who, confidence=0.78, seconds=120)
        looked_at(job, who, confidence=0.6, wrong=2 if n % 3 else 0, seconds=120)
    alone = {"stage": "NONE", "confidence": 0.95, "type_confidence": 0.95, "page_type": "A", "sku_count": 3}
    make_pages(job, (61, 62), "AI_COMPLETED", analyst="rules-1", **alone)
    return evaluated(job)
