"""Inspection through MuPDF: its page count, and the objects where qpdf cannot open the file or may see another one.

PyMuPDF is under the AGPL; nothing else here imports it, and the inspection works without it.
"""

# mypy: disable-error-code="no-untyped-call"

from collections.abc import Iterator
from pathlib import Path

import pymupdf

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.passwords import passwords
from processing.engine.inspection.rules import Item, Walk

LIBRARY = "mupdf"


def inspect(path: Path, password: str, findings: Findings, bounds: Bounds) -> None:
    """Raises what PyMuPDF raises on broken files."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with pymupdf.open(path, filetype="pdf") as document:
        if document.needs_pass and not any(document.authenticate(candidate) for candidate in passwords(password)):
            if findings.encryption == "none":
                findings.encryption = "password_wrong" if password else "password_needed"
            return
        count = document.page_count
        if not findings.walked_by or findings.repaired_by or findings.page_counts.get("qpdf", count) != count:
            Walk(findings, bounds, lambda ref: _text(document, ref.number)).over(_items(document))
            findings.walked_by = findings.walked_by or LIBRARY
        if document.is_repaired:
            findings.repaired_by.append(LIBRARY)
        findings.page_counts[LIBRARY] = count


def _items(document: pymupdf.Document) -> Iterator[Item]:
    for number in range(1, document.xref_length()):
        try:
            text = _text(document, number)
        except Exception:  # a free or broken entry; MuPDF raises several kinds
            continue
        if text == b"null":
            continue
        if document.xref_is_stream(number):
            yield Item(number, text, lambda number=number: document.xref_stream_raw(number))  # type: ignore[misc]
        else:
            yield Item(number, text)


def _text(document: pymupdf.Document, number: int) -> bytes:
    return bytes(document.xref_object(number, compressed=True).encode("utf-8", "surrogateescape"))
