"""A Parquet file is what the format says, as read by a reader that knows nothing of the writer."""

import gzip
import io
import struct
from typing import Any

import pytest

from catalogsku.core import parquet
from catalogsku.core.parquet import As

COLUMNS = (("id", As.NUMBER), ("at", As.TIME), ("name", As.TEXT), ("reason", As.JSON))


class Compact:
    """Thrift's compact protocol: structs as {number: value}."""

    def __init__(self, data: bytes) -> None:
        self.data = io.BytesIO(data)

    def varint(self) -> int:
        number = shift = 0
        while True:
            (byte,) = self.data.read(1)
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def value(self, kind: int) -> Any:
        if kind in (5, 6):
            number = self.varint()
            return (number >> 1) ^ -(number & 1)
        if kind == 8:
            return self.data.read(self.varint())
        if kind == 9:
            (head,) = self.data.read(1)
            return [self.value(head & 15) for _ in range(head >> 4 if head >> 4 < 15 else self.varint())]
        assert kind == 12, kind
        return self.struct()

    def struct(self) -> dict[int, Any]:
        fields, number = dict[int, Any](), 0
        while head := self.data.read(1)[0]:
            number += head >> 4
            fields[number] = self.value(head & 15)
        return fields


def read(data: bytes) -> tuple[list[tuple[str, int, int | None]], list[list[Any]], list[int]]:
    """Columns as (name, type, meaning), rows, and how many each group has."""
    assert data[:4] == data[-4:] == b"PAR1"
    (length,) = struct.unpack("<i", data[-8:-4])
    footer = Compact(data[-8 - length : -8]).struct()
    root, *elements = footer[2]
    assert (footer[1], root[5], root[4]) == (1, len(elements), b"schema")
    assert all(element[3] == 0 for element in elements), "no value is missing"
    rows = list[list[Any]]()
    for group in footer[4]:
        columns = [column(data, chunk[3], group[3]) for chunk in group[1]]
        assert [chunk[3][3] for chunk in group[1]] == [[element[4]] for element in elements]
        assert group[2] == sum(chunk[3][7] for chunk in group[1])
        rows += map(list, zip(*columns, strict=True))
    assert footer[3] == len(rows)
    told = [(element[4].decode(), element[1], element.get(6)) for element in elements]
    return told, rows, [group[3] for group in footer[4]]


def column(data: bytes, meta: dict[int, Any], count: int) -> list[Any]:
    assert (meta[4], meta[5]) == (2, count), "gzip"
    part = Compact(data[meta[9] : meta[9] + meta[7]])
    header = part.struct()
    packed = part.data.read()
    assert (header[1], header[3], header[5][1], header[5][2]) == (0, len(packed), count, 0)
    plain = gzip.decompress(packed)
    assert len(plain) == header[2] and meta[6] == meta[7] - len(packed) + len(plain)
    if meta[1] == 2:
        return list(struct.unpack(f"<{count}q", plain))
    texts, at = list[str](), 0
    while at < len(plain):
        (length,) = struct.unpack_from("<i", plain, at)
        texts.append(plain[at + 4 : at + 4 + length].decode())
        at += 4 + length
    return texts


def written(rows: list[list[Any]]) -> bytes:
    out = io.BytesIO()
    assert parquet.write(out, COLUMNS, iter(rows)) == len(rows)
    return out.getvalue()


def test_what_is_written_is_read_again() -> None:
    rows = [
        [1, 1_700_000_000_000_001, "型号 A", "null"],
        [-(2**62), 0, "", '{"a": "b"}'],
        [2**62, -1, "x" * 70_000, "[]"],
    ]
    columns, found, groups = read(written(rows))
    assert columns == [("id", 2, None), ("at", 2, 10), ("name", 6, 0), ("reason", 6, 19)]
    assert found == rows and groups == [3]


def test_nothing_is_a_file_as_well_and_many_rows_are_several_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(written([]))[1:] == ([], [])
    monkeypatch.setattr(parquet, "GROUP_ROWS", 10)
    rows = [[n, n, str(n), "0"] for n in range(165)]
    _, found, groups = read(written(rows))
    assert found == rows and groups == [10] * 16 + [5], "more than fifteen groups: the long form of a list"


def test_a_missing_value_is_refused() -> None:
    with pytest.raises((struct.error, AttributeError)):
        written([[None, 0, "", ""]])
    with pytest.raises(AttributeError):
        written([[1, 0, None, ""]])
