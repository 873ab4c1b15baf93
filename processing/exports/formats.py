"""The formats of exports: who writes them, and what they are called."""

from processing.exports.models import ExportKind
from processing.exports.package import write_package
from processing.exports.tables import Writer, write_csv, write_json
from processing.exports.workbook import write_illustrated, write_workbook

TYPES = {
    ExportKind.CSV: "text/csv; charset=utf-8",
    ExportKind.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportKind.JSON: "application/json",
    ExportKind.ZIP: "application/zip",
}
_WRITERS: dict[str, Writer] = {
    ExportKind.CSV: write_csv,
    ExportKind.XLSX: write_workbook,
    ExportKind.JSON: write_json,
    ExportKind.ZIP: write_package,
}


def writer_of(kind: str, *, with_pictures: bool) -> Writer:
    """``with_pictures`` counts for workbooks: a ZIP always has them, text never."""
    return write_illustrated if with_pictures and kind == ExportKind.XLSX else _WRITERS[kind]
