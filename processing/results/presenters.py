"""How it is shown where else the pictures of a product stand."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from processing.products.also_in import AlsoIn, DocumentWith, Stand
from processing.products.models import Sku
from processing.products.presenters import picture_url


@dataclass(frozen=True)
class StandLink:
    """``products``: name and address of each that the picture is bound to; the address opens it."""

    picture_url: str
    likeness: str
    page_number: int
    page_url: str
    products: list[tuple[str, str]]


@dataclass(frozen=True)
class DocumentLink:
    """``own``: the one in which the product stands."""

    name: str
    url: str
    at: datetime
    stands: list[StandLink]
    own: bool


def also_in_shown(found: AlsoIn) -> list[DocumentLink]:
    return [_document(document) for document in found.documents]


def _document(document: DocumentWith) -> DocumentLink:
    job = document.job
    stands = [_stand(document, stand) for stand in document.stands]
    return DocumentLink(job.source_name, reverse("results", args=[job.uuid]), job.created_at, stands, document.own)


def _stand(document: DocumentWith, stand: Stand) -> StandLink:
    job, number = document.job, stand.image.page.number
    return StandLink(
        picture_url(job, stand.image),
        str(stand.likeness.label),
        number,
        f"{reverse('job', args=[job.uuid])}#page-{number}",
        [(_name(sku), _opened(document, sku)) for sku in stand.skus],
    )


def _name(sku: Sku) -> str:
    return str(sku.attributes.get("model") or sku.attributes.get("product_name") or sku.sku_id)


def _opened(document: DocumentWith, sku: Sku) -> str:
    """The list of that document with this product alone, opened."""
    return f"{reverse('results', args=[document.job.uuid])}?{urlencode({'q': sku.sku_id})}#first"
