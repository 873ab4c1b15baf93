"""The merchant's catalogue, for programs."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from processing.catalogue import selectors as catalogue
from processing.catalogue.searching import differing
from processing.catalogue.selectors import Wanted
from processing.catalogue.twins import Twin, twins_of
from processing.lists.conditions import conditions_of
from processing.lists.selectors import catalogue_columns
from processing.products.completeness import missing_keys, required_keys
from processing.products.models import Sku
from processing.products.parts import sku_part
from processing.products.schemas import Show, SkuOut, Text, Where

router = Router(tags=["results"])


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
    where: list[Where] = []
    order: Literal[
        "newest", "oldest", "model", "-model", "brand", "-brand", "price", "-price", "complete", "-complete"
    ] = "newest"
    merchant_id: Annotated[int | None, Field(ge=1, lt=2**31)] = None


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


@router.get("", response={200: Catalogue, **PROBLEMS}, summary="All products of a merchant")
def list_catalogue(request: HttpRequest, asked: Query[CatalogueQuery], cursor: str = "", limit: Limit = 50) -> Any:
    """Over all its documents. ``q``: words of which each stands somewhere in model, name, brand, series, material or
    colour, from one Chinese character on; ``twice``: only what several documents have; ``where``: by attributes, as
    ``color:has:oak`` (has, is, from, to, filled, empty); ``merchant_id``: for who works for several."""
    actor = require(request, Action.SEE_RESULTS)
    merchant = catalogue.get_merchant(actor, asked.merchant_id)
    if merchant is None:
        return {"items": [], "next": None}
    where = conditions_of(asked.where, catalogue_columns(merchant.pk).known) if asked.where else ()
    wanted = Wanted(**asked.dict(exclude={"merchant_id", "where"}), where=where)
    listing = catalogue.list_step(merchant, wanted, cursor, limit)
    twins = twins_of(merchant, listing.skus)
    return {"items": [_catalogue_part(sku, twins.get(sku.pk, [])) for sku in listing.skus], "next": listing.next}


def _catalogue_part(sku: Sku, twins: Sequence[Twin]) -> dict[str, Any]:
    job, keys = sku.job, list(sku.attributes)
    return {
        **sku_part(sku),
        "job_id": job.uuid,
        "source_file": job.source_name,
        "category": job.category,
        "complete_percent": sku.entry.complete_percent,
        "missing": missing_keys(required_keys(job.schema), sku.attributes, sku.normalized),
        "same_as": [
            {
                "job_id": twin.job_uuid,
                "sku_id": twin.sku_id,
                "differs": differing(sku.attributes, twin.attributes, keys),
            }
            for twin in twins
        ],
    }
