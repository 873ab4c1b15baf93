"""Lists in steps for programs: a cursor names the last row seen, so that rows which come meanwhile shift nothing."""

import base64
import binascii
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from catalogsku.core.errors import Refused

AT_ONCE, AT_ONCE_MAX = 50, 500


Of = TypeVar("Of", bound=Model)
Row = TypeVar("Row")


def step(
    rows: QuerySet[Of, Row], cursor: str, limit: int, *, key: str = "pk", newest_first: bool = False
) -> tuple[list[Row], str | None]:
    """(rows, cursor of the next ones or None). ``key``: a unique integer column, in whose order they come.

    Raises Refused(bad_request) for a cursor that is none of ours.
    """
    rows = rows.order_by(f"-{key}" if newest_first else key)
    if cursor:
        rows = rows.filter(**{f"{key}__{'lt' if newest_first else 'gt'}": _read(cursor)})
    listed = list(rows[: limit + 1])
    more = len(listed) > limit
    return listed[:limit], _written(_value(listed[limit - 1], key)) if more else None


def _value(row: Any, key: str) -> int:
    for name in key.split("__"):
        row = getattr(row, name)
    return int(row)


def _written(last: int) -> str:
    return base64.urlsafe_b64encode(str(last).encode()).decode().rstrip("=")


def _read(cursor: str) -> int:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        if not (text.isdigit() and len(text) < 19):
            raise ValueError(text)
        return int(text)
    except (binascii.Error, ValueError):
        raise Refused("bad_request", what="cursor") from None
