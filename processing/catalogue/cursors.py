"""Cursors of the catalogue: the order of a list and the columns of the last row seen, as text for addresses."""

import base64
import binascii
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgspec

from catalogsku.core.errors import Refused


def written(order: str, row: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode([order, *row])).decode().rstrip("=")


def read(order: str, columns: Sequence[str], cursor: str) -> list[Any]:
    """The columns of the last row seen. Raises Refused(bad_request) for a cursor that is none of this order."""
    try:
        decoded = msgspec.json.decode(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=list[str | int])
        named, values = decoded[0], decoded[1:]
        if named != order or len(values) != len(columns):
            raise ValueError(cursor)
        return [_as_column(name, value) for name, value in zip(columns, values, strict=True)]
    except (binascii.Error, ValueError, ArithmeticError, IndexError, msgspec.DecodeError):
        raise Refused("bad_request", what="cursor") from None


def _as_column(name: str, value: str | int) -> Any:
    if name == "price":
        number = Decimal(value)
        if not number.is_finite():
            raise ValueError(value)
        return number
    is_text = name.endswith(("_key", "_hash"))
    if isinstance(value, str) != is_text or (is_text and "\x00" in str(value)) or (not is_text and int(value) >> 62):
        raise ValueError(value)
    return value
