"""What a drawn catalogue really contains: the answer that imported SKUs are compared with."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.catalogues.ink import Box


@dataclass(frozen=True)
class TruthSku:
    """One product as printed. ``picture``: box of its main picture on the page as displayed, in points, or None.

    ``attributes``: base schema keys to printed text, a line break in a cell written as one space. ``custom``: values
    under printed labels that the base schema does not know. ``price_tiers``: (quantity, price) as printed, where the
    price depends on the quantity; ``price`` is then the first.
    """

    page_number: int
    attributes: dict[str, str]
    picture: Box | None = None
    custom: dict[str, str] = field(default_factory=dict)
    normalized_price: dict[str, str | bool] | None = None
    price_tiers: tuple[tuple[str, str], ...] = ()

    @property
    def model(self) -> str:
        return self.attributes.get("model", "")


@dataclass(frozen=True)
class TruthPage:
    """``page_type`` A table, B mixed, C grid, D no product; BLANK is never understood. ``products``: SKUs on it."""

    page_number: int
    page_type: str
    kind: str
    products: int


@dataclass(frozen=True)
class Truth:
    """Everything about one file."""

    file: str
    brand: str
    pages: tuple[TruthPage, ...]
    skus: tuple[TruthSku, ...]

    def as_json(self) -> str:
        """As kept beside the sample: shaped like result.json, so that the two can be laid side by side."""
        skus = [
            {
                "page_number": sku.page_number,
                "attributes": {key: text for key, text in sku.attributes.items() if not _is_on_request(key, text)},
                "custom_attributes": [{"name": name, "value": value} for name, value in sku.custom.items()],
                "normalized": {"price": sku.normalized_price} if sku.normalized_price else {},
                "price_tiers": [list(tier) for tier in sku.price_tiers],
                "picture_bbox": [round(edge, 1) for edge in sku.picture] if sku.picture else None,
            }
            for sku in self.skus
        ]
        body = {
            "file": self.file,
            "brand": self.brand,
            "pages": [
                {"page_number": p.page_number, "page_type": p.page_type, "kind": p.kind, "products": p.products}
                for p in self.pages
            ],
            "skus": skus,
        }
        return json.dumps(body, ensure_ascii=False, indent=1) + "\n"

    def save(self, path: Path) -> None:
        """Write the JSON file."""
        path.write_text(self.as_json(), encoding="utf-8")


def _is_on_request(key: str, text: str) -> bool:
    """That a price is to be asked for is a fact about it, and no value."""
    return key == "price" and "面议" in text


def price(text: str, currency: str = "CNY") -> dict[str, str | bool]:
    """Normalised form of a printed price: ``¥ 1,299.00`` or ``面议 On request``."""
    if "面议" in text:
        return {"on_request": True}
    return {"value": text.replace("¥", "").replace(",", "").strip(), "currency": currency}
