"""What the operations of the REST API share: the form of a refusal, and of lists in steps."""

from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import ConfigDict

from catalogsku.core.paging import AT_ONCE_MAX


class Problem(Schema):
    """RFC 9457. ``code`` is stable, ``title`` is its sentence in the reader's language; some carry more."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    request_id: str


# Any operation may be refused by these: each names what it gives besides.
PROBLEMS: dict[Any, Any] = {frozenset({400, 401, 403, 404, 409, 413, 415, 422, 429, 503}): Problem}

Limit = Annotated[int, Field(ge=1, le=AT_ONCE_MAX, description="how many at once")]
