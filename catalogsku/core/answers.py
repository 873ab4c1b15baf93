"""What the operations of the REST API share: the form of a refusal, and of lists in steps."""

from functools import cache
from typing import Annotated, Any

from ninja import Field, Schema
from ninja.operation import Operation
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


_model_of_its_own = Operation._create_response_model


@cache
def _model_of_problems() -> Any:
    return type("NinjaResponseSchema", (Schema,), {"__annotations__": {"response": Problem}})


def _model_of(operation: Operation, response: Any) -> Any:
    """Ninja makes a model for each status of each operation, a thousand of Problem: a second of a core in each process
    that serves."""
    return _model_of_problems() if response is Problem else _model_of_its_own(operation, response)


Operation._create_response_model = _model_of  # type: ignore[assignment, method-assign]

# Any operation may be refused by these: each names what it gives besides.
PROBLEMS: dict[Any, Any] = {frozenset({400, 401, 403, 404, 409, 413, 415, 422, 429, 503}): Problem}

Limit = Annotated[int, Field(ge=1, le=AT_ONCE_MAX, description="how many at once")]
