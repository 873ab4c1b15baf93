"""How documents were judged and pages understood, for programs."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpRequest
from ninja import Router, Schema

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS
from catalogsku.core.errors import NotFound
from ingestion import selectors as documents
from processing.pages import selectors
from processing.pages.models import TraceBundle
from processing.pages.services import tracing

router = Router(tags=["results"])


class EvaluationOut(Schema):
    """Why the document goes its way: the score against the thresholds of its profile."""

    job_id: UUID
    route: str
    c_doc: float | None
    dimensions: dict[str, float]
    thresholds: dict[str, float]
    reason_codes: list[str]
    report: dict[str, Any]
    model: str
    created_at: datetime


class Trace(Schema):
    """What a page's result came from: features, scores, thresholds, what each stage decided."""

    job_id: UUID
    page_number: int
    kept_because: str
    created_at: datetime
    classification_detail: dict[str, Any]
    result: dict[str, Any] | None


@router.get("/{uuid:job_id}/evaluation", response={200: EvaluationOut, **PROBLEMS}, summary="How it was judged")
def evaluation(request: HttpRequest, job_id: UUID) -> Any:
    """404 before it has been."""
    job = documents.get_job(require(request, Action.SEE_JOBS), job_id)
    row = selectors.evaluation_of(job)
    if row is None:
        raise NotFound("not_found")
    why = job.route_reason
    return {
        "job_id": job.uuid,
        "route": job.route,
        "c_doc": job.c_doc,
        "dimensions": {key: value for key, value in why.get("dimensions", {}).items() if value is not None},
        "thresholds": why.get("thresholds", {}),
        "reason_codes": why.get("codes", []),
        "report": row.report,
        "model": row.model,
        "created_at": row.created_at,
    }


@router.get(
    "/{uuid:job_id}/traces/{int:number}", response={200: Trace, **PROBLEMS}, summary="How a page was understood"
)
def trace(request: HttpRequest, job_id: UUID, number: int) -> Any:
    """Kept of pages that failed, wait for a person or met a rule, and of every tenth; 404 for the others."""
    page = documents.get_page(require(request, Action.SEE_RESULTS), job_id, number)
    try:
        bundle = tracing.bundle_of(page)
    except (TraceBundle.DoesNotExist, FileNotFoundError):
        raise NotFound("not_found") from None
    bundle_row = page.trace
    result = msgspec.json.decode(bundle.result) if bundle.result else None
    return {
        "job_id": job_id,
        "page_number": number,
        "kept_because": bundle_row.reason,
        "created_at": bundle_row.created_at,
        "classification_detail": (result or {}).get("classification", {}),
        "result": result,
    }
