"""XLSX by XlsxWriter: one sheet, text as text, the best picture of each SKU in its row where that is asked for. The
second one names the filter, where there was one.

Rows go to a temporary file as they come, the workbook is put together from it at the end. Files are read then, so that
pictures are never in memory together.
"""

import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from decimal import Decimal
from typing import IO, Any

from xlsxwriter import Workbook
from xlsxwriter.exceptions import XlsxFileError
from xlsxwriter.format import Format
from xlsxwriter.image import Image as Drawn
from xlsxwriter.worksheet import Worksheet

from catalogsku.core import storage
from catalogsku.core.errors import PermanentFailure
from processing.exports.columns import Entry, Table
from processing.exports.tables import neutral
from processing.products.models import Image

ROWS_A_STEP = 200
# Excel's own limits.
CELL_CHARACTERS_MAX, ROWS_MAX = 32_767, 1_048_576
# With more of them a workbook takes minutes to open; a ZIP has no such limit.
PICTURES_MAX = 2_000
PICTURE_PX, ROW_PT, OFFSET_PX, COLUMN_CHARACTERS = 80, 64, 2, 13
# The same rows are the same bytes: a workbook says of no day that it was made then.
CREATED = datetime(1980, 1, 1)
DPI = 96.0  # of a screen, which Excel measures pictures by
_PLAIN = re.compile(r"0|[1-9][0-9]*(\.[0-9]+)?|0\.[0-9]+")
_TYPES = frozenset(("jpg", "png"))


def write_workbook(out: IO[bytes], table: Table) -> Iterator[None]:
    yield from _write(out, table, with_pictures=False)


def write_illustrated(out: IO[bytes], table: Table) -> Iterator[None]:
    """Pictures lie over the first column and move with their cells. Raises PermanentFailure(too_many_pictures)."""
    yield from _write(out, table, with_pictures=True)


def _write(out: IO[bytes], table: Table, *, with_pictures: bool) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        book = Workbook(out, {"constant_memory": True, "tmpdir": folder, "use_zip64": True})
        book.set_properties({"created": CREATED})
        sheet = book.add_worksheet("SKU")
        opened.callback(lambda: sheet.row_data_fh.close())  # of a workbook that was given up it would stay open
        sheet.freeze_panes(1, 0)
        text = book.add_format({"num_format": "@"})  # a number typed over 007 keeps its zeros
        head: list[str | None] = [*_head(table)]
        if with_pictures:
            sheet.set_column(0, 0, COLUMN_CHARACTERS)
            head = [None, *head]
        _write_row(sheet, 0, [neutral(name) for name in head], book.add_format({"bold": True}))
        placed = 0
        for number, entry in enumerate(table.entries, 1):
            if number >= ROWS_MAX:
                raise PermanentFailure("too_many_rows")
            values = [neutral(value) for value in _values(table, entry)]
            if with_pictures:
                values = [None, *values]
                if (shown := _shown(entry)) is not None:
                    placed += 1
                    if placed > PICTURES_MAX:
                        raise PermanentFailure("too_many_pictures")
                    _place(sheet, number, str(opened.enter_context(storage.local_copy(shown.storage_key))))
            _write_row(sheet, number, values, text)
            if number % ROWS_A_STEP == 0:
                yield
        if table.wanted:
            _write_filter(book, table, text)
        book.close()
        yield


def _write_filter(book: Workbook, table: Table, look: Format) -> None:
    """A sheet of its own says which list this was: the first one is for programs too."""
    sheet = book.add_worksheet("Filter")
    for number, line in enumerate([*table.wanted_words, table.wanted]):
        _write_row(sheet, number, [neutral(line)], look)


def _write_row(sheet: Worksheet, number: int, values: list[Any], look: Format) -> None:
    """Text stays text, whatever it looks like."""
    for column, value in enumerate(values):
        if isinstance(value, str) and value:
            text = value.replace("\r\n", "\n").replace("\r", "\n")[:CELL_CHARACTERS_MAX]
            sheet.write_string(number, column, text, look)
        elif value is not None and value != "":
            sheet.write_number(number, column, value)


def _place(sheet: Worksheet, row: int, path: str) -> None:
    """Before the cells of its row, whose height it sets. Excel goes by a picture's dots an inch unless it is scaled."""
    try:
        picture = Drawn(path)
    except (XlsxFileError, struct.error):  # no picture any more, or cut short: its row stands without it
        return
    sheet.set_row(row, ROW_PT)
    longest_px = max(picture.width * DPI / picture.x_dpi, picture.height * DPI / picture.y_dpi, 1)
    scale = PICTURE_PX / longest_px
    at = {"x_scale": scale, "y_scale": scale, "x_offset": OFFSET_PX, "y_offset": OFFSET_PX}
    sheet.insert_image(row, 0, picture, {**at, "description": "", "decorative": True})


def _head(table: Table) -> list[str]:
    names = []
    for column, name in zip(table.columns, table.head, strict=True):
        names += [name] if column.number is None else [name, column.printed_heading(table.headings)]
    return names


def _values(table: Table, entry: Entry) -> list[Any]:
    """Numbers as such, and beside them what is printed where that is more."""
    values: list[Any] = []
    for column in table.columns:
        text = column.of_entry(entry)
        if column.number is None:
            values.append(text)
        else:
            number = column.number(entry)
            values += [text, None] if number is None else [number, None if _says_as_much(text, number) else text]
    return values


def _says_as_much(text: str, number: Decimal) -> bool:
    """Nothing but the number as a spreadsheet shows it: "007" is more than 7."""
    return _PLAIN.fullmatch(text) is not None and Decimal(text) == number


def _shown(entry: Entry) -> Image | None:
    """Its best picture that a workbook can hold and whose file is there."""
    for picture in entry.pictures:
        key = picture.image.storage_key
        if key.rpartition(".")[2] in _TYPES and storage.has_file(key):
            return picture.image
    return None
