"""Inspection through PDFium: a third opinion on the number of pages."""

from pathlib import Path

import pypdfium2

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.passwords import passwords

LIBRARY = "pdfium"


def inspect(path: Path, password: str, findings: Findings, bounds: Bounds) -> None:
    """Raises pypdfium2.PdfiumError when no password candidate opens the file."""
    for candidate in passwords(password)[:-1]:
        try:
            return _count(path, candidate, findings)
        except pypdfium2.PdfiumError:
            continue
    _count(path, passwords(password)[-1], findings)


def _count(path: Path, password: str, findings: Findings) -> None:
    document = pypdfium2.PdfDocument(path, password=password or None)
    try:
        findings.page_counts[LIBRARY] = len(document)
    finally:
        document.close()
