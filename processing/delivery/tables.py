"""CSV and XLSX of a document's SKUs: one row a SKU, safe to open in a spreadsheet program."""

import csv
import io
import tempfile
from collections.abc import Iterator
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from ingestion.models import Job
from processing.models import Sku
from processing.selectors import active_skus
from processing.services.recording import attribute_keys

# A cell that begins so would be run as a formula (OWASP: CSV injection).
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_HEAD = ("sku_id", "revision", "page", "status", "validity", "confidence", "quality_warning")
_TAIL = ("custom_attributes", "images")


def neutral(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def rows(job: Job) -> Iterator[list[Any]]:
    """The header, then one row a SKU."""
    keys = attribute_keys(job)
    yield [*_HEAD, *keys, *_TAIL]
    for sku in active_skus(job).iterator(500):
        yield [neutral(value) for value in _row(sku, keys)]


def _row(sku: Sku, keys: list[str]) -> list[Any]:
    custom = "; ".join(f"{c['name']}: {c['value']}" for c in sku.custom_attributes)
    images = ", ".join(binding.image.image_id for binding in sku.pictures.all())
    head = [
        sku.sku_id,
        sku.revision,
        sku.page.number,
        sku.status,
        sku.validity,
        round(sku.confidence, 4),
        sku.quality_warning,
    ]
    return [*head, *(sku.attributes.get(key) for key in keys), custom, images]


def csv_lines(job: Job) -> Iterator[str]:
    """Begins with a byte order mark: Excel then reads Chinese as UTF-8."""
    yield "\ufeff"
    for row in rows(job):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue()


def write_xlsx(job: Job) -> IO[bytes]:
    """The workbook in a temporary file, at its beginning; text stays text, also a model like 007."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("SKU")
    for index, row in enumerate(rows(job)):
        cells = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=_clean(value))
            if index == 0:
                cell.font = Font(bold=True)
            elif isinstance(value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller reads and closes it
    book.save(file)
    file.seek(0)
    return file


def _clean(value: Any) -> Any:
    """Control characters cannot stand in a workbook."""
    return "".join(c for c in value if c >= " " or c in "\n\t") if isinstance(value, str) else value
