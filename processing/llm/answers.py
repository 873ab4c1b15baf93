"""What a model answers to each operation, as pydantic classes: the schema it is shown, and the check of what it sent.

Values are texts as printed; a JSON number in a text field keeps its digits (llm.parsing). Boxes are [x0, y0, x1, y1] on
a scale of 0 to 1000 in both directions, origin top left. Ids are those of the prompt's zones: blocks T1, cells G1:0:2,
rows G1:0, pictures P1. Fields that are not named here are kept as extras, which llm.anomalies refuses in strict mode.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

PageType = Literal["A", "B", "C", "D"]
Share = Annotated[float, Field(ge=0, le=1)]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]
Id = Annotated[str, Field(min_length=1, max_length=24)]
Lines = Annotated[str, Field(pattern=r"^\s*\d{1,4}\s*(-\s*\d{1,4}\s*)?$")]


def _closed_to_readers(schema: dict[str, Any]) -> None:
    """Extras are kept for the check, and not offered to the model."""
    schema.pop("additionalProperties", None)


class Answer(BaseModel):
    model_config = ConfigDict(
        extra="allow", frozen=True, allow_inf_nan=False, json_schema_extra=_closed_to_readers, protected_namespaces=()
    )


class ValueAnswer(Answer):
    """A value as printed and where: ``at`` the block or cell whose text it is, else ``box`` on the page's picture."""

    value: str
    at: Id | None = None
    box: Box | None = None


class LabelledValueAnswer(ValueAnswer):
    """A value under a printed label that no key stands for."""

    label: str


class TableAnswer(Answer):
    """A table that prints a product in each of ``lines``: rows ("3", "5-17"), columns where it is ``sideways``.

    ``columns``: number of a column (a row where sideways) to the schema's key, or to the printed label that no key
    stands for. The cells themselves are the values.
    """

    table: Id
    lines: Annotated[list[Lines], Field(min_length=1)]
    columns: Annotated[dict[str, str], Field(min_length=1)]
    sideways: bool = False
    confidence: Share = 0.9


class ProductAnswer(Answer):
    """A product outside the tables' lines, or with ``line`` (G1:3) what its table's columns do not say of it.

    ``pictures``: those that show it, the whole product first.
    """

    number: Annotated[int, Field(ge=1)]
    line: Id | None = None
    attributes: dict[str, ValueAnswer | None] = {}
    custom: list[LabelledValueAnswer] = []
    pictures: list[Id] = []
    confidence: Share = 0.9


class PageAnswer(Answer):
    """read_page. ``count``: products of the page, counted before they are listed; ``aside``: blocks that hold nothing
    of a product."""

    page_type: PageType
    confidence: Share
    count: Annotated[int, Field(ge=0)]
    tables: list[TableAnswer] = []
    products: list[ProductAnswer] = []
    aside: list[Id] = []


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


class StudyValueAnswer(Answer):
    """A value of a field as printed in ``quote``, which is a passage of the paper sign by sign; of a choice its key.
    ``part``: id of a known arm or outcome (A1, O2), or the printed name of a further one."""

    field: Annotated[str, Field(min_length=1, max_length=60)]
    part: str = ""
    value: str
    quote: str
    page: int | None = None


class StudyAnswer(Answer):
    """read_study: what the paper reports for the fields of one group; what it does not is left out."""

    values: list[StudyValueAnswer]


# Key of a prompt (its operation) to the answer it asks for.
ANSWERS: dict[str, type[Answer]] = {
    "read_page": PageAnswer,
    "evaluate_document": DocumentAnswer,
    "read_study": StudyAnswer,
}


def schema_of(answer: type[BaseModel], keys: Sequence[str]) -> dict[str, Any]:
    """The JSON schema that a provider is given; the attributes of a product are ``keys``, where there are any."""
    schema = answer.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        attributes = part.get("properties", {}).get("attributes", {})
        if keys and "additionalProperties" in attributes:
            value = attributes.pop("additionalProperties")
            attributes["properties"] = dict.fromkeys(keys, value)
    return schema
