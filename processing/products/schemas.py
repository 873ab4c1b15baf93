"""What of a product programs get and may ask for."""

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

Text = Annotated[str, Field(max_length=100, pattern=r"^[^\x00]*$")]


# A condition as processing.lists.conditions reads it, such as color:has:oak.
Where = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]
# Parameters of a list's address, as processing.exports.listed reads them.
ListAddress = Annotated[str, Field(max_length=2000, pattern=r"^[^\x00]*$")]

Show = Literal["all", "delivered", "ready", "open", "failed"]


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
