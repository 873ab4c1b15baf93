"""Writes Parquet files: flat tables of whole numbers and texts, none of them missing, packed with gzip, in parts.

Of the format nothing beyond that is here (docs/adr/0028-parquet-without-a-library.md); every reader of it knows that.
"""

import gzip
import struct
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import IO, Any

MAGIC = b"PAR1"
GROUP_ROWS = 20_000
# Of the format's own enumerations (parquet.thrift), and of Thrift's compact protocol.
_INT64, _BYTE_ARRAY = 2, 6
_REQUIRED, _PLAIN, _RLE, _GZIP, _DATA_PAGE = 0, 0, 3, 2, 0
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12


class As(Enum):
    """(how it is stored, what it means): numbers as they are or microseconds since 1970 in UTC; texts, or JSON."""

    NUMBER = (_INT64, None)
    TIME = (_INT64, 10)
    TEXT = (_BYTE_ARRAY, 0)
    JSON = (_BYTE_ARRAY, 19)


def write(out: IO[bytes], columns: Sequence[tuple[str, As]], rows: Iterable[Sequence[Any]]) -> int:
    """Of each row as many values as there are columns, numbers or texts and never None; how many rows there were."""
    out.write(MAGIC)
    at, total, groups = len(MAGIC), 0, list[bytes]()
    for group in _parts(rows):
        chunks = list[bytes]()
        begin = at
        for (name, kind), values in zip(columns, zip(*group, strict=True), strict=True):
            page, plain_bytes = _page(kind, values)
            out.write(page)
            chunks.append(_chunk(name, kind, len(values), at, len(page), plain_bytes))
            at += len(page)
        groups.append(_fields((1, _LIST, _listed(_STRUCT, chunks)), (2, _I64, at - begin), (3, _I64, len(group))))
        total += len(group)
    footer = _fields(
        (1, _I32, 1),
        (2, _LIST, _listed(_STRUCT, [_root(len(columns)), *(_element(name, kind) for name, kind in columns)])),
        (3, _I64, total),
        (4, _LIST, _listed(_STRUCT, groups)),
        (6, _BINARY, b"CatalogSKU"),
    )
    out.write(footer + struct.pack("<i", len(footer)) + MAGIC)
    return total


def _parts(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    several = iter(rows)
    while part := list(islice(several, GROUP_ROWS)):
        yield part


def _page(kind: As, values: Sequence[Any]) -> tuple[bytes, int]:
    """Header and data, and how long both are unpacked."""
    plain = b"".join(map(_text, values)) if kind.value[0] == _BYTE_ARRAY else struct.pack(f"<{len(values)}q", *values)
    packed = gzip.compress(plain, mtime=0)
    data = _fields((1, _I32, len(values)), (2, _I32, _PLAIN), (3, _I32, _RLE), (4, _I32, _RLE))
    header = _fields((1, _I32, _DATA_PAGE), (2, _I32, len(plain)), (3, _I32, len(packed)), (5, _STRUCT, data))
    return header + packed, len(header) + len(plain)


def _text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<i", len(encoded)) + encoded


def _chunk(name: str, kind: As, count: int, at: int, packed_bytes: int, plain_bytes: int) -> bytes:
    column = _fields(
        (1, _I32, kind.value[0]),
        (2, _LIST, _listed(_I32, [_zigzag(_PLAIN), _zigzag(_RLE)])),
        (3, _LIST, _listed(_BINARY, [_long(name.encode())])),
        (4, _I32, _GZIP),
        (5, _I64, count),
        (6, _I64, plain_bytes),
        (7, _I64, packed_bytes),
        (9, _I64, at),
    )
    return _fields((2, _I64, at), (3, _STRUCT, column))


def _root(columns: int) -> bytes:
    return _fields((4, _BINARY, b"schema"), (5, _I32, columns))


def _element(name: str, kind: As) -> bytes:
    stored, means = kind.value
    meaning = [] if means is None else [(6, _I32, means)]
    return _fields((1, _I32, stored), (3, _I32, _REQUIRED), (4, _BINARY, name.encode()), *meaning)


# --- Thrift's compact protocol --------------------------------------------------------------------


def _fields(*fields: tuple[int, int, Any]) -> bytes:
    """A struct: (number, kind, value) by number, none further than 15 from the one before."""
    parts, before = list[bytes](), 0
    for number, kind, value in fields:
        told = _zigzag(value) if kind in (_I32, _I64) else _long(value) if kind == _BINARY else value
        parts.append(bytes([(number - before) << 4 | kind]) + told)
        before = number
    return b"".join(parts) + b"\0"


def _listed(kind: int, items: Sequence[bytes]) -> bytes:
    head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + _varint(len(items))
    return head + b"".join(items)


def _long(data: bytes) -> bytes:
    return _varint(len(data)) + data


def _zigzag(number: int) -> bytes:
    return _varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])
