"""CSV and JSON of SKUs, and how a file that is written in steps becomes a stream."""

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import IO, Any

from processing.delivery.columns import Table

# A cell that begins so would be run as a formula (OWASP: CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_CONTROLS = dict.fromkeys([*range(9), *range(0xB, 0xD), *range(0xE, 0x20), 0x7F, 0xFFFE, 0xFFFF])
STEP_BYTES = 1 << 16

# Writes the table to the file and stops after each part of it, for whoever wants to take that away.
Writer = Callable[[IO[bytes], Table], Iterator[None]]


def neutral(value: Any) -> Any:
    """Text without control characters; what a spreadsheet would take for a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    clean = value.translate(_CONTROLS)
    return f"'{clean}" if clean.startswith(_FORMULA_STARTS) else clean


def write_csv(out: IO[bytes], table: Table) -> Iterator[None]:
    """Begins with a byte order mark: Excel then reads Chinese as UTF-8."""
    out.write(codecs.BOM_UTF8)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow([neutral(name) for name in table.head])
    for entry in table.entries:
        writer.writerow([neutral(value) for value in table.values(entry)])
        if lines.tell() >= STEP_BYTES:
            out.write(_taken(lines))
            yield
    out.write(_taken(lines))


def write_json(out: IO[bytes], table: Table) -> Iterator[None]:
    """``{"schema_version", "skus": [{column: value}]}``; a program gets the text as printed."""
    out.write(b'{"schema_version": "1.0", "skus": [')
    names, between = table.head, "\n"
    lines = io.StringIO(newline="")
    for entry in table.entries:
        lines.write(between + json.dumps(dict(zip(names, table.values(entry), strict=True)), ensure_ascii=False))
        between = ",\n"
        if lines.tell() >= STEP_BYTES:
            out.write(_taken(lines))
            yield
    lines.write("]}\n")
    out.write(_taken(lines))


def _taken(lines: io.StringIO) -> bytes:
    text = lines.getvalue()
    lines.seek(0)
    lines.truncate()
    return text.encode()


class _Sink(io.RawIOBase):
    """Keeps what is written until it is taken; like a socket it has no place to go back to."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._kept += data
        return len(data)

    def take(self) -> bytes:
        taken = bytes(self._kept)
        self._kept.clear()
        return taken


def streamed(writer: Writer, table: Table) -> Iterator[bytes]:
    """The file in parts as they are written; none is empty."""
    sink: Any = _Sink()
    for _ in writer(sink, table):
        if part := sink.take():
            yield part
    if part := sink.take():
        yield part
