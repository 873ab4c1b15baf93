"""What a model answers to each operation, as pydantic classes: the schema it is shown, and the check of what it sent.

Values are texts as printed; a JSON number in a text field keeps its digits (llm.parsing). Boxes are [x0, y0, x1, y1] on
a scale of 0 to 1000 in both directions, origin top left. Ids are those of the prompt's zones: blocks T1, cells G1:0:2,
rows G1:0, pictures P1. Fields that are not named here are kept as extras, which llm.anomalies refuses in strict mode.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

PageType = Literal["A", "B", "C", "D"]
LayoutType = Literal["L1", "L2", "L3", "L4"]
BlockRole = Literal["title", "label", "value", "caption", "running", "note", "other"]
ImageRole = Literal["PRODUCT_MAIN", "DETAIL", "SCENE", "SIZE_CHART", "LOGO", "DECORATION"]
Share = Annotated[float, Field(ge=0, le=1)]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]
Id = Annotated[str, Field(min_length=1, max_length=24)]


def _closed_to_readers(schema: dict[str, Any]) -> None:
    """Extras are kept for the check, and not offered to the model."""
    schema.pop("additionalProperties", None)


class Answer(BaseModel):
    model_config = ConfigDict(
        extra="allow", frozen=True, allow_inf_nan=False, json_schema_extra=_closed_to_readers, protected_namespaces=()
    )


class BlockRoleAnswer(Answer):
    block: Id
    role: BlockRole


class PictureRoleAnswer(Answer):
    picture: Id
    role: ImageRole
    confidence: Share


class PageClassAnswer(Answer):
    """classify_page: type, layout and roles in one call."""

    page_type: PageType
    confidence: Share
    layout_type: LayoutType
    blocks: list[BlockRoleAnswer] = []
    pictures: list[PictureRoleAnswer] = []
    reason: str = ""


class TextRolesAnswer(Answer):
    """classify_text."""

    blocks: list[BlockRoleAnswer]


class PictureRolesAnswer(Answer):
    """classify_images."""

    pictures: list[PictureRoleAnswer]


class LayoutAnswer(Answer):
    """classify_layout; ``grid``: rows x columns of cards such as "3x4", where there is one."""

    layout_type: LayoutType
    confidence: Share
    grid: str | None = None


class BoundaryAnswer(Answer):
    """A product and what belongs to it; ``number`` counts from 1 in reading order."""

    number: Annotated[int, Field(ge=1)]
    members: Annotated[list[Id], Field(min_length=1)]
    box: Box | None
    confidence: Share


class BoundariesAnswer(Answer):
    """extract_sku_attrs/boundaries."""

    products: list[BoundaryAnswer]


class ValueAnswer(Answer):
    """A value as printed, the block or cell it stands in, and the words around it that prove it."""

    value: str
    evidence: Id
    quote: str


class CustomValueAnswer(ValueAnswer):
    """A value under a printed label that the schema does not know."""

    label: str


class ProductAnswer(Answer):
    """``attributes``: schema key to value, null where nothing is printed."""

    number: Annotated[int, Field(ge=1)]
    attributes: dict[str, ValueAnswer | None]
    custom: list[CustomValueAnswer] = []
    pictures: list[Id] = []
    confidence: Share


class AttributesAnswer(Answer):
    """extract_sku_attrs/attributes: one entry for each product of the boundaries."""

    products: list[ProductAnswer]


class WholeProductAnswer(ProductAnswer):
    members: Annotated[list[Id], Field(min_length=1)]
    box: Box | None


class ProductsAnswer(Answer):
    """extract_sku_attrs/single: boundaries and attributes in one call."""

    products: list[WholeProductAnswer]


class ScoresAnswer(Answer):
    """The six dimensions (TA-DIMS); null where the page has nothing to judge one by."""

    text_readability: Share | None
    layout_quality: Share | None
    table_structure: Share | None
    image_quality: Share | None
    image_text_relation: Share | None
    product_density: Share | None


class PageScoreAnswer(Answer):
    number: Annotated[int, Field(ge=1)]
    page_type: PageType
    scores: ScoresAnswer
    evidence: str


class DocumentAnswer(Answer):
    """evaluate_document: each page that was shown."""

    pages: list[PageScoreAnswer]


class BindingAnswer(Answer):
    """``pictures``: those of the product's candidates that show it, best first; empty where none surely does."""

    product: Annotated[int, Field(ge=1)]
    pictures: list[Id]
    confidence: Share
    reason: str = ""


class BindingsAnswer(Answer):
    """resolve_binding."""

    bindings: list[BindingAnswer]


# Key of a prompt (operation, or operation/variant) to the answer it asks for.
ANSWERS: dict[str, type[Answer]] = {
    "evaluate_document": DocumentAnswer,
    "classify_page": PageClassAnswer,
    "classify_text": TextRolesAnswer,
    "classify_images": PictureRolesAnswer,
    "classify_layout": LayoutAnswer,
    "extract_sku_attrs/boundaries": BoundariesAnswer,
    "extract_sku_attrs/attributes": AttributesAnswer,
    "extract_sku_attrs/single": ProductsAnswer,
    "resolve_binding": BindingsAnswer,
}
