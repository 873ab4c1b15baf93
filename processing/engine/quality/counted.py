"""Truths counted by eye: the products of each page as printed, made into the shape of golden truths.

Such a truth says nothing of page types beyond whether there are products, of other attributes than its own, of
descriptions and of pictures' boxes: none of that is judged.
"""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

ASKED = ("price", "size", "material", "color")


class CountedProduct(msgspec.Struct, frozen=True):
    """A separately orderable article. ``price_alt``: other prices of it that are right too; ``pictures``: how many are
    its own, None where that is a matter of taste. Further keys need not be found."""

    model: str | None = None
    name: str | None = None
    price: str | None = None
    size: str | None = None
    material: str | None = None
    color: str | None = None
    price_alt: str | tuple[str, ...] | None = None
    pictures: Annotated[int, msgspec.Meta(ge=0)] | None = None


class CountedPage(msgspec.Struct, frozen=True):
    """``products``: all of the page; none where it has none."""

    page: Annotated[int, msgspec.Meta(ge=1)]
    products: tuple[CountedProduct, ...]


class Counted(msgspec.Struct, frozen=True):
    """``file``: name of the PDF beside the truth. ``maker``: whose catalogue it is, where several files are one's."""

    file: str
    pages: tuple[CountedPage, ...]
    maker: str | None = None


class _Page(msgspec.Struct, frozen=True):
    products: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Shape(msgspec.Struct, frozen=True):
    """No more than tells the two kinds of truths apart."""

    pages: tuple[_Page, ...] = ()
    schema_version: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def golden_shape(data: bytes) -> dict[str, Any] | None:
    """A truth that was counted by eye as a golden one with ``counted`` set; None for what is no such truth.

    Raises msgspec.MsgspecError where it begins as one and is none.
    """
    if not _is_counted(data):
        return None
    truth = msgspec.json.decode(data, type=Counted)
    return {
        "schema_version": "1.0",
        "counted": True,
        "job": {"source_file": truth.file, "maker": truth.maker},
        "pages": [{"page_number": p.page, "page_type": "P" if p.products else "D"} for p in truth.pages],
        "skus": [{"page_number": p.page, **_sku(product)} for p in truth.pages for product in p.products],
    }


def _is_counted(data: bytes) -> bool:
    try:
        shape = msgspec.json.decode(data, type=_Shape)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    has_lists = any(page.products is not msgspec.UNSET for page in shape.pages)
    return has_lists and shape.schema_version is msgspec.UNSET


def _sku(product: CountedProduct) -> dict[str, Any]:
    others = tuple(_others(product)) if product.price else ()
    return {
        "attributes": {
            "model": product.model,
            "product_name": product.name,
            **{key: getattr(product, key) for key in ASKED},
        },
        "accept": {"price": others} if others else {},
        "pictures": product.pictures,
    }


def _others(product: CountedProduct) -> Iterator[str]:
    alternatives = product.price_alt
    yield from ([alternatives] if isinstance(alternatives, str) else alternatives or ())
