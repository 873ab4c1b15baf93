"""What was found in documents, how it was judged, and reports over golden sets, for programs."""

from pathlib import PurePath
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from ninja import Query, Router, Schema
from pydantic import Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from catalogsku.core.streamed import in_blocks, in_steps
from ingestion import selectors as documents
from ingestion.files import stored_picture
from processing.exports import result_file
from processing.exports.formats import TYPES
from processing.exports.models import ExportKind
from processing.exports.services.exporting import contents_of
from processing.lists.conditions import conditions_of
from processing.lists.selectors import document_columns, filtered
from processing.products import selectors
from processing.products.also_in import DocumentWith, also_in
from processing.products.models import Sku
from processing.products.parts import sku_part
from processing.products.schemas import ListAddress, Show, SkuOut, Text, Where
from processing.studies import result_file as studies

router = Router(tags=["results"])

# Of the kinds of documents there are.
RESULT_SCHEMAS = [msgspec.json.decode(file.read_bytes()) for file in (result_file.SCHEMA_FILE, studies.SCHEMA_FILE)]


def _answers(description: str, *types: str) -> dict[str, Any]:
    """OpenAPI's words for an answer that is a file."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in types}
    return {"responses": {200: {"description": description, "content": content}}}


class Skus(Schema):
    items: list[SkuOut]
    next: str | None


@router.get("/{uuid:job_id}/skus", response={200: Skus, **PROBLEMS}, summary="Its products")
def list_skus(
    request: HttpRequest,
    job_id: UUID,
    show: Show = "all",
    q: Text = "",
    page_number: Annotated[int | None, Field(ge=1, le=100_000)] = None,
    where: Annotated[list[Where], Query()] = [],  # noqa: B006
    cursor: str = "",
    limit: Limit = 50,
) -> Any:
    """In the order in which they were made. ``show``: how they stand; ``q``: part of model, name or id; ``where``: by
    attributes, as ``color:has:oak`` (has, is, from, to, filled, empty; ``custom.NAME`` for those of no schema)."""
    job = documents.get_job(require(request, Action.SEE_RESULTS), job_id)
    wanted = conditions_of(where, document_columns(job).known) if where else ()
    rows = filtered(selectors.list_skus(job, show, q, page_number), wanted)
    items, following = step(rows, cursor, limit)
    return {"items": [sku_part(sku) for sku in items], "next": following}


@router.get("/{uuid:job_id}/skus/{sku_id}", response={200: SkuOut, **PROBLEMS}, summary="One product")
def get_sku(request: HttpRequest, job_id: UUID, sku_id: Annotated[str, Field(max_length=40)]) -> Any:
    row: Sku = selectors.get_sku(require(request, Action.SEE_RESULTS), job_id, sku_id)
    return sku_part(row)


class StandOut(Schema):
    """A place where one stands. ``image_id``: its name there, ``own_image_id``: that of the product's own;
    ``likeness``: same_file, or same_look where it was encoded anew; ``sku_ids``: the products there that have it."""

    page_number: int
    image_id: str
    own_image_id: str
    likeness: Literal["same_file", "same_look"]
    sku_ids: list[str]


class DocumentOut(Schema):
    job_id: UUID
    source_file: str
    pictures: list[StandOut]


class AlsoInOut(Schema):
    """``more``: there are older documents than those that are listed."""

    items: list[DocumentOut]
    more: bool


@router.get(
    "/{uuid:job_id}/skus/{sku_id}/also-in",
    response={200: AlsoInOut, **PROBLEMS},
    summary="Where else its pictures stand",
)
def get_also_in(request: HttpRequest, job_id: UUID, sku_id: Annotated[str, Field(max_length=40)]) -> Any:
    """Where else the product's pictures stand: in its own document, then in the merchant's newest, at most twenty."""
    actor = require(request, Action.SEE_RESULTS)
    found = also_in(actor, selectors.get_sku(actor, job_id, sku_id))
    return {"items": [_document_part(document) for document in found.documents], "more": found.more}


def _document_part(document: DocumentWith) -> dict[str, Any]:
    stands = [
        {
            "page_number": stand.image.page.number,
            "image_id": stand.image.image_id,
            "own_image_id": stand.own.image_id,
            "likeness": stand.likeness.value,
            "sku_ids": [sku.sku_id for sku in stand.skus],
        }
        for stand in document.stands
    ]
    return {"job_id": document.job.uuid, "source_file": document.job.source_name, "pictures": stands}


@router.get(
    "/{uuid:job_id}/pictures/{image_id}",
    response={200: None, **PROBLEMS},
    summary="One picture as a file",
    openapi_extra=_answers("The picture", "image/*"),
)
def picture(request: HttpRequest, job_id: UUID, image_id: Annotated[str, Field(max_length=60)]) -> FileResponse:
    actor = require(request, Action.SEE_RESULTS)
    return stored_picture(selectors.get_image(actor, job_id, image_id).storage_key)


@router.get(
    "/{uuid:job_id}/result",
    response={200: None, **PROBLEMS},
    summary="result.json",
    openapi_extra={
        "responses": {
            200: {
                "description": "Schema 1.0; of a study schema study-1.0",
                "content": {"application/json": {"schema": {"anyOf": RESULT_SCHEMAS}}},
            },
            304: {"description": "Nothing has changed since the version named by If-None-Match"},
        }
    },
)
def result(request: HttpRequest, job_id: UUID) -> HttpResponseBase:
    """Also of a document that is not finished: its status says so. ETag names the version."""
    job = documents.get_job(require(request, Action.SEE_RESULTS), job_id)
    etag = result_file.etag(job)
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
def export(
    request: HttpRequest, job_id: UUID, kind: Literal["csv", "xlsx"], filter: ListAddress = ""
) -> HttpResponseBase:
    """``filter``: the parameters of a list's address, such as ``show=open&where=color:has:oak``."""
    job = documents.get_job(require(request, Action.EXPORT), job_id)
    body = in_blocks(contents_of(job).at_once(job, kind, filter))
    response = StreamingHttpResponse(body, content_type=TYPES[ExportKind(kind)])
    name = f"{PurePath(job.source_name).stem}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "no-store"
    return response
