"""XLSX as a stream: one sheet, text as text, the best picture of each SKU in its row where that is asked for.

Written part by part and not by openpyxl, which keeps pictures and the sheet until it saves.
"""

import json
import re
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

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
PICTURE_PX, ROW_PT, EMU_A_PX = 80, 64, 9_525
_PLAIN = re.compile(r"0|[1-9][0-9]*(\.[0-9]+)?|0\.[0-9]+")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_TYPES = {"jpg": "image/jpeg", "png": "image/png"}

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OPEN = "http://schemas.openxmlformats.org"
_RELATIONS = f'<Relationships xmlns="{_OPEN}/package/2006/relationships">'
_OFFICE = f"{_OPEN}/officeDocument/2006/relationships"
_SHEET_ML = f"{_OPEN}/spreadsheetml/2006/main"
_DRAWING_ML = f"{_OPEN}/drawingml/2006"
_PART = "application/vnd.openxmlformats-officedocument"


def write_workbook(out: IO[bytes], table: Table) -> Iterator[None]:
    yield from _write(out, table, with_pictures=False)


def write_illustrated(out: IO[bytes], table: Table) -> Iterator[None]:
    """Pictures lie over the first column and move with their cells. Raises PermanentFailure(too_many_pictures)."""
    yield from _write(out, table, with_pictures=True)


def _write(out: IO[bytes], table: Table, *, with_pictures: bool) -> Iterator[None]:
    with (
        ZipFile(out, "w", ZIP_DEFLATED, compresslevel=3) as book,
        tempfile.TemporaryFile("w+", encoding="utf-8") as placed,
    ):
        _write_frame(book, with_pictures)
        with book.open(_entry("xl/worksheets/sheet1.xml"), "w") as sheet:
            yield from _write_sheet(sheet, table, placed if with_pictures else None)
        if with_pictures:
            yield from _write_drawing(book, placed)


def _entry(name: str, method: int = ZIP_DEFLATED) -> ZipInfo:
    """With the same time always, so that the same rows are the same bytes."""
    info = ZipInfo(name)
    info.compress_type = method
    return info


def _relation(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _write_frame(book: ZipFile, with_pictures: bool) -> None:
    drawing = f'<Override PartName="/xl/drawings/drawing1.xml" ContentType="{_PART}.drawing+xml"/>'
    types = "".join(f'<Default Extension="{suffix}" ContentType="{kind}"/>' for suffix, kind in _TYPES.items())
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_OPEN}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{types}'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_PART}.spreadsheetml.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_PART}.spreadsheetml.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_PART}.spreadsheetml.worksheet+xml"/>'
        f"{drawing if with_pictures else ''}</Types>",
        "_rels/.rels": f"{_RELATIONS}{_relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET_ML}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="SKU" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"{_RELATIONS}{_relation(1, 'worksheet', 'worksheets/sheet1.xml')}"
        f"{_relation(2, 'styles', 'styles.xml')}</Relationships>",
        # Style 1: bold, for the head; style 2: text, so that a number typed over 007 keeps its zeros.
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET_ML}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/>'
        '</font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill '
        'patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1">'
        '<border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" '
        'fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" '
        'borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf '
        'numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
        "</cellStyles></styleSheet>",
    }
    if with_pictures:
        parts["xl/worksheets/_rels/sheet1.xml.rels"] = (
            f"{_RELATIONS}{_relation(1, 'drawing', '../drawings/drawing1.xml')}</Relationships>"
        )
    for name, text in parts.items():
        book.writestr(_entry(name), _XML + text)


def _write_sheet(sheet: IO[bytes], table: Table, placed: IO[str] | None) -> Iterator[None]:
    """``placed``: gets the row and the picture of each SKU that has one, for the drawing."""
    head = _head(table) if placed is None else ["", *_head(table)]
    widths = '<cols><col min="1" max="1" width="13" customWidth="1"/></cols>' if placed is not None else ""
    sheet.write(
        f'{_XML}<worksheet xmlns="{_SHEET_ML}" xmlns:r="{_OFFICE}"><sheetViews><sheetView workbookViewId="0"><pane '
        f'ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>{widths}'
        f"<sheetData>{_row([neutral(name) for name in head], style=1)}".encode()
    )
    pictures, rows = 0, []
    for number, entry in enumerate(table.entries, 1):
        if number >= ROWS_MAX:
            raise PermanentFailure("too_many_rows")
        values = [neutral(value) for value in _values(table, entry)]
        shown = _shown(entry) if placed is not None else None
        if placed is not None:
            values = [None, *values]
            if shown is not None:
                pictures += 1
                placed.write(json.dumps([number, shown.storage_key, shown.width_px, shown.height_px]) + "\n")
        if pictures > PICTURES_MAX:
            raise PermanentFailure("too_many_pictures")
        rows.append(_row(values, height_pt=ROW_PT if shown is not None else 0))
        if len(rows) == ROWS_A_STEP:
            sheet.write("".join(rows).encode())
            rows.clear()
            yield
    drawing = '<drawing r:id="rId1"/>' if pictures else ""
    sheet.write(f"{''.join(rows)}</sheetData>{drawing}</worksheet>".encode())


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


def _row(values: list[Any], style: int = 2, height_pt: int = 0) -> str:
    height = f' ht="{height_pt}" customHeight="1"' if height_pt else ""
    return f"<row{height}>{''.join([_cell(value, style) for value in values])}</row>"


def _cell(value: Any, style: int) -> str:
    """Places follow from the order; inline text is never run as a formula."""
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, str):
        text = escape(_ESCAPED.sub("_x005F_", value[:CELL_CHARACTERS_MAX].replace("\r\n", "\n").replace("\r", "\n")))
        return f'<c s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def _shown(entry: Entry) -> Image | None:
    """Its best picture that a workbook can hold and whose file is there."""
    for one in entry.pictures:
        key = one.image.storage_key
        if key.rpartition(".")[2] in _TYPES and storage.has_file(key):
            return one.image
    return None


def _write_drawing(book: ZipFile, placed: IO[str]) -> Iterator[None]:
    """Each file once, however many SKUs it shows."""
    numbers: dict[str, int] = {}
    with book.open(_entry("xl/drawings/drawing1.xml"), "w") as drawing:
        drawing.write(
            f'{_XML}<xdr:wsDr xmlns:xdr="{_DRAWING_ML}/spreadsheetDrawing" xmlns:a="{_DRAWING_ML}/main" '
            f'xmlns:r="{_OFFICE}">'.encode()
        )
        placed.seek(0)
        for place, line in enumerate(placed, 1):
            row, key, width_px, height_px = json.loads(line)
            number = numbers.setdefault(key, len(numbers) + 1)
            drawing.write(_anchor(place, row, number, width_px, height_px).encode())
        drawing.write(b"</xdr:wsDr>")
    names = {key: f"image{number}.{key.rpartition('.')[2]}" for key, number in numbers.items()}
    relations = "".join(_relation(numbers[key], "image", f"../media/{name}") for key, name in names.items())
    book.writestr(_entry("xl/drawings/_rels/drawing1.xml.rels"), f"{_XML}{_RELATIONS}{relations}</Relationships>")
    for key, name in names.items():
        with storage.open_file(key) as file, book.open(_entry(f"xl/media/{name}", ZIP_STORED), "w") as copy:
            while block := file.read(storage.COPY_BYTES):
                copy.write(block)
        yield


def _anchor(place: int, row: int, number: int, width_px: int, height_px: int) -> str:
    scale = PICTURE_PX / max(width_px, height_px, 1)
    size = f'cx="{max(int(width_px * scale), 1) * EMU_A_PX}" cy="{max(int(height_px * scale), 1) * EMU_A_PX}"'
    return (
        f"<xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>{2 * EMU_A_PX}</xdr:colOff><xdr:row>{row}"
        f"</xdr:row><xdr:rowOff>{2 * EMU_A_PX}</xdr:rowOff></xdr:from><xdr:ext {size}/><xdr:pic><xdr:nvPicPr>"
        f'<xdr:cNvPr id="{place}" name="{place}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip '
        f'r:embed="rId{number}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" '
        f'y="0"/><a:ext {size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>'
        "<xdr:clientData/></xdr:oneCellAnchor>"
    )
