"""What was found in documents, how it was judged, and reports over golden sets, for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from ninja import Query, Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound
from catalogsku.core.paging import step
from catalogsku.core.streamed import in_blocks, in_steps
from ingestion import selectors as documents
from ingestion.files import stored_picture
from processing import selectors
from processing.catalogue import selectors as catalogue
from processing.catalogue.searching import differing
from processing.catalogue.selectors import Wanted
from processing.exports import result_file
from processing.exports import selectors as export_selectors
from processing.exports.formats import TYPES, writer_of
from processing.exports.models import ExportKind
from processing.exports.tables import streamed
from processing.models import EvalReport, EvalRun, Sku, TraceBundle
from processing.pages.services import tracing
from processing.products.completeness import missing_keys, required_keys
from processing.quality.services import runs
from processing.services.cancelling import cancel

router = Router(tags=["results"])
catalogue_router = Router(tags=["results"])
operations = Router(tags=["operations"])

RESULT_SCHEMA = msgspec.json.decode(result_file.SCHEMA_FILE.read_bytes())


def _answers(description: str, *types: str) -> dict[str, Any]:
    """OpenAPI's words for an answer that is a file."""
    content = {one: {"schema": {"type": "string", "format": "binary"}} for one in types}
    return {"responses": {200: {"description": description, "content": content}}}


Text = Annotated[str, Field(max_length=100, pattern=r"^[^\x00]*$")]
Show = Literal["all", "delivered", "ready", "open", "failed"]


class CatalogueQuery(Schema):
    """Filters of the catalogue; prices in ``currency`` where it is given, else as printed."""

    q: Text = ""
    show: Show = "all"
    category: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")] = ""
    brand: Annotated[str, Field(max_length=80, pattern=r"^[^\x00]*$")] = ""
    document: UUID | None = None
    price_from: Annotated[Decimal | None, Field(ge=0, max_digits=14)] = None
    price_to: Annotated[Decimal | None, Field(ge=0, max_digits=14)] = None
    currency: Annotated[str, Field(pattern=r"^([A-Z]{3})?$")] = ""
    complete: bool | None = None
    pictured: bool | None = None
    twice: Literal["", "model", "picture"] = ""
    order: Literal["newest", "model", "price", "-price", "complete"] = "newest"
    merchant_id: Annotated[int | None, Field(ge=1, lt=2**31)] = None


class SkuOut(Schema):
    """One product, as in result.json."""

    sku_id: str
    revision: int
    page_number: int
    validity: str
    status: str
    confidence: float | None
    quality_warning: str | None
    source_bbox: list[float] | None
    normalized: dict[str, Any]
    attributes: dict[str, str | None]
    attribute_source: dict[str, str]
    evidence: dict[str, Any]
    custom_attributes: list[dict[str, Any]]
    images: list[dict[str, Any]]
    binding_candidates: list[dict[str, Any]]


class CancelledOut(Schema):
    """What is in flight finishes and is recorded: nothing of it can be called back."""

    pages: int
    imports_in_flight: int
    model_calls_in_flight: int


class Skus(Schema):
    items: list[SkuOut]
    next: str | None


class CatalogueSku(SkuOut):
    """One product of the catalogue over all documents. ``missing``: keys that its category requires; ``same_as``: what
    other documents hold that may be the same product, and the keys in which it is printed otherwise there."""

    job_id: UUID
    source_file: str
    category: str
    complete_percent: int
    missing: list[str]
    same_as: list[dict[str, Any]]


class Catalogue(Schema):
    items: list[CatalogueSku]
    next: str | None


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


class ReportOut(Schema):
    id: UUID
    golden: str
    passed: bool
    commit: str
    made_at: datetime
    profile: str | None
    total: dict[str, Any]

    @staticmethod
    def resolve_id(report: EvalReport) -> UUID:
        return report.uuid

    @staticmethod
    def resolve_profile(report: EvalReport) -> str | None:
        return str(report.profile) if report.profile else None


class Reports(Schema):
    items: list[ReportOut]
    next: str | None


class NewRun(Schema):
    """``golden``: one of GOLDEN_DIRS; ``profile``: KEY or KEY@VERSION, with which the set is measured."""

    model_config = ConfigDict(extra="forbid")
    golden: Text
    profile: Text = ""


class RunOut(Schema):
    """``report_id``: GET /ops/eval/reports/{report_id}, once ``state`` is done. ``error``: why it failed."""

    id: UUID
    golden: str
    profile: str | None
    state: Literal["waiting", "running", "done", "failed"]
    report_id: UUID | None
    error: dict[str, str] | None
    created_at: datetime
    ended_at: datetime | None

    @staticmethod
    def resolve_id(run: EvalRun) -> UUID:
        return run.uuid

    @staticmethod
    def resolve_profile(run: EvalRun) -> str | None:
        return str(run.profile) if run.profile else None

    @staticmethod
    def resolve_report_id(run: EvalRun) -> UUID | None:
        return run.report.uuid if run.report else None

    @staticmethod
    def resolve_error(run: EvalRun) -> dict[str, str] | None:
        return run.last_error if run.state == "failed" else None


class ReportDetail(ReportOut):
    gate: list[dict[str, Any]]


@router.post("/{uuid:job_id}/cancel", response={200: CancelledOut, **PROBLEMS}, summary="Stop a document")
def cancel_document(request: HttpRequest, job_id: UUID) -> Any:
    """Nothing of it is sent any more. ``pages``: how many were stopped."""
    actor = require(request, Action.CANCEL_JOB)
    return asdict(cancel(documents.get_job(actor, job_id), actor.username))


@router.get("/{uuid:job_id}/skus", response={200: Skus, **PROBLEMS}, summary="Its products")
def list_skus(
    request: HttpRequest,
    job_id: UUID,
    show: Show = "all",
    q: Text = "",
    page_number: Annotated[int | None, Field(ge=1, le=100_000)] = None,
    cursor: str = "",
    limit: Limit = 50,
) -> Any:
    """In the order in which they were made. ``show``: how they stand; ``q``: part of model, name or id."""
    job = documents.get_job(require(request, Action.SEE_RESULTS), job_id)
    items, following = step(selectors.list_skus(job, show, q, page_number), cursor, limit)
    return {"items": [result_file.sku_part(sku) for sku in items], "next": following}


@catalogue_router.get("", response={200: Catalogue, **PROBLEMS}, summary="All products of a merchant")
def list_catalogue(request: HttpRequest, asked: Query[CatalogueQuery], cursor: str = "", limit: Limit = 50) -> Any:
    """Over all its documents. ``q``: words of which each stands somewhere in model, name, brand, series, material or
    colour, from one Chinese character on; ``twice``: only what several documents have; ``merchant_id``: for who works
    for several."""
    actor = require(request, Action.SEE_RESULTS)
    merchant = catalogue.get_merchant(actor, asked.merchant_id)
    if merchant is None:
        return {"items": [], "next": None}
    found = catalogue.list_step(merchant, Wanted(**asked.dict(exclude={"merchant_id"})), cursor, limit)
    twins = catalogue.twins_of(merchant, found.skus)
    return {"items": [_catalogue_part(sku, twins.get(sku.pk, [])) for sku in found.skus], "next": found.next}


def _catalogue_part(sku: Sku, twins: Sequence[catalogue.Twin]) -> dict[str, Any]:
    job, keys = sku.job, list(sku.attributes)
    return {
        **result_file.sku_part(sku), "job_id": job.uuid, "source_file": job.source_name, "category": job.category,
        "complete_percent": sku.entry.complete_percent,
        "missing": missing_keys(required_keys(job.schema), sku.attributes),
        "same_as": [
            {"job_id": one.job_uuid, "sku_id": one.sku_id, "differs": differing(sku.attributes, one.attributes, keys)}
            for one in twins
        ],
    }  # fmt: skip


@router.get("/{uuid:job_id}/skus/{sku_id}", response={200: SkuOut, **PROBLEMS}, summary="One product")
def get_sku(request: HttpRequest, job_id: UUID, sku_id: Annotated[str, Field(max_length=40)]) -> Any:
    found: Sku = selectors.get_sku(require(request, Action.SEE_RESULTS), job_id, sku_id)
    return result_file.sku_part(found)


@router.get(
    "/{uuid:job_id}/pictures/{image_id}",
    response={200: None, **PROBLEMS},
    summary="One picture as a file",
    openapi_extra=_answers("The picture", "image/*"),
)
def picture(request: HttpRequest, job_id: UUID, image_id: Annotated[str, Field(max_length=60)]) -> FileResponse:
    actor = require(request, Action.SEE_RESULTS)
    return stored_picture(selectors.get_image(actor, job_id, image_id).storage_key)


@router.get("/{uuid:job_id}/result", response={200: None, **PROBLEMS}, summary="result.json", openapi_extra={
    "responses": {200: {"description": "Schema 1.0", "content": {"application/json": {"schema": RESULT_SCHEMA}}},
                  304: {"description": "Nothing has changed since the version named by If-None-Match"}}})  # fmt: skip
def result(request: HttpRequest, job_id: UUID) -> HttpResponseBase:
    """Also of a document that is not finished: its status says so. ETag names the version."""
    job = documents.get_job(require(request, Action.SEE_RESULTS), job_id)
    etag = selectors.result_etag(job)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    response = StreamingHttpResponse(in_steps(result_file.stream(job)), content_type="application/json")
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


@router.get(
    "/{uuid:job_id}/export/{kind}",
    response={200: None, **PROBLEMS},
    summary="A table of its products",
    openapi_extra=_answers("The table", "text/csv", TYPES[ExportKind.XLSX]),
)
def export(request: HttpRequest, job_id: UUID, kind: Literal["csv", "xlsx"]) -> HttpResponseBase:
    job = documents.get_job(require(request, Action.EXPORT), job_id)
    writer = writer_of(kind, with_pictures=False)
    body = in_blocks(streamed(writer, export_selectors.job_table(job)))
    response = StreamingHttpResponse(body, content_type=TYPES[ExportKind(kind)])
    name = f"{PurePath(job.source_name).stem}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "no-store"
    return response


@router.get("/{uuid:job_id}/evaluation", response={200: EvaluationOut, **PROBLEMS}, summary="How it was judged")
def evaluation(request: HttpRequest, job_id: UUID) -> Any:
    """404 before it has been."""
    job = documents.get_job(require(request, Action.SEE_JOBS), job_id)
    found = selectors.evaluation_of(job)
    if found is None:
        raise NotFound("not_found")
    why = job.route_reason
    return {
        "job_id": job.uuid,
        "route": job.route,
        "c_doc": job.c_doc,
        "dimensions": {key: value for key, value in why.get("dimensions", {}).items() if value is not None},
        "thresholds": why.get("thresholds", {}),
        "reason_codes": why.get("codes", []),
        "report": found.report,
        "model": found.model,
        "created_at": found.created_at,
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
    kept = page.trace
    found = msgspec.json.decode(bundle.result) if bundle.result else None
    return {
        "job_id": job_id,
        "page_number": number,
        "kept_because": kept.reason,
        "created_at": kept.created_at,
        "classification_detail": (found or {}).get("classification", {}),
        "result": found,
    }


@operations.get("/eval/reports", response={200: Reports, **PROBLEMS}, summary="Reports over golden sets")
def list_reports(request: HttpRequest, cursor: str = "", limit: Limit = 50) -> Any:
    require(request, Action.SEE_QUALITY)
    rows = EvalReport.objects.select_related("profile").defer("content")
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@operations.get("/eval/reports/{uuid:report_id}", response={200: ReportDetail, **PROBLEMS}, summary="One report")
def get_report(request: HttpRequest, report_id: UUID) -> Any:
    require(request, Action.SEE_QUALITY)
    return selectors.get_report(report_id)


@operations.post("/eval/run", response={202: RunOut, **PROBLEMS}, summary="Have a golden set measured")
def run_evaluation(request: HttpRequest, given: NewRun) -> Any:
    """By a worker, in some minutes. With a profile its report is what the gate before the activation asks for."""
    return Status(202, runs.ask_for_run(require(request, Action.OPERATE), given.golden, given.profile))


@operations.get("/eval/runs/{uuid:run_id}", response={200: RunOut, **PROBLEMS}, summary="How a run stands")
def evaluation_run(request: HttpRequest, run_id: UUID) -> Any:
    require(request, Action.SEE_QUALITY)
    return runs.get_run(run_id)
