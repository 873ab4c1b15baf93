"""CSV and JSON of SKUs, and how a file that is written in steps becomes a stream."""

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import IO, Any

from processing.exports.columns import Table

_CONTROLS = dict.fromkeys([*range(9), *range(0xB, 0xD), *range(0xE, 0x20), 0x7F, 0xFFFE, 0xFFFF])
# A cell that begins so would be run as a formula, also in full width (OWASP: CSV injection). In front of it
# spreadsheets skip what shows nothing (Unicode's controls and format signs), and readers quotes. Apostrophes count
# along, so that one taken away gives the text again.
_SKIPPED = (
    '"\x80-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff'
    "\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f"
)
_FORMULA = "[=+\\-@＝＋－＠﹦﹢﹣﹫]"
_BEGINS = re.compile(rf"'*[\s{_SKIPPED}]*{_FORMULA}")
# A spreadsheet splits lines by what its country or its user says, and quotes hold only at the beginning of what it
# takes for a cell: behind each of these signs another one may begin.
_CELL_BEGINS = re.compile(rf"(?<![^;\t|\r\n])(?='*(?:[^\S\t\r\n]|[{_SKIPPED}])*{_FORMULA})")
STEP_BYTES = 1 << 16

# Writes the table to the file and stops after each part of it, for whoever wants to take that away.
Writer = Callable[[IO[bytes], Table], Iterator[None]]


def neutral(value: Any) -> Any:
    """Text without control characters; what a spreadsheet would take for a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    clean = value.translate(_CONTROLS)
    return f"'{clean}" if _BEGINS.match(clean) else clean


def neutral_however_split(value: Any) -> Any:
    """The same for every cell that a reader may make of it that splits by semicolon, tab, bar or line."""
    return _CELL_BEGINS.sub("'", value.translate(_CONTROLS)) if isinstance(value, str) else value


def write_csv(out: IO[bytes], table: Table) -> Iterator[None]:
    """Begins with a byte order mark: Excel then reads Chinese as UTF-8. Text is quoted, whatever is in it."""
    out.write(codecs.BOM_UTF8)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutral_however_split(name) for name in table.head])
    for entry in table.entries:
        writer.writerow([neutral_however_split(value) for value in table.values(entry)])
        if lines.tell() >= STEP_BYTES:
            out.write(_taken(lines))
            yield
    out.write(_taken(lines))


def write_json(out: IO[bytes], table: Table) -> Iterator[None]:
    """``{"schema_version", "skus": [{column: value}]}``; a program gets the text as printed. Of a filtered list
    ``filter`` stands before them."""
    head = json.dumps({"schema_version": "1.0", **table.filter}, ensure_ascii=False)[:-1]
    out.write(f'{head}, "skus": ['.encode())
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
