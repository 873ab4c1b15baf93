"""Inspection through qpdf (pikepdf): the library that looks at every object where it can open the file."""

from collections.abc import Iterator
from pathlib import Path

import pikepdf

from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.passwords import passwords
from processing.engine.inspection.rules import Item, Walk
from processing.engine.inspection.syntax import Ref

LIBRARY = "qpdf"


def inspect(path: Path, password: str, findings: Findings, bounds: Bounds) -> None:
    """Fills encryption, page count and everything that lies in objects. Raises what pikepdf raises on broken files."""
    with _open(path, password, findings) as pdf:
        Walk(findings, bounds, lambda ref: _text(pdf, ref)).over(_items(pdf))
        findings.walked_by = LIBRARY
        if pdf.get_warnings():
            findings.repaired_by.append(LIBRARY)
        findings.page_counts[LIBRARY] = len(pdf.pages)


def _open(path: Path, password: str, findings: Findings) -> pikepdf.Pdf:
    for candidate in passwords(password):
        try:
            pdf = pikepdf.open(path, password=candidate, suppress_warnings=True)
        except pikepdf.PasswordError:
            findings.encryption = "password_wrong" if password else "password_needed"
        except pikepdf.PdfError as error:
            if "encrypt" in str(error).replace(str(path), "").lower():
                findings.encryption = "unsupported"
            raise
        else:
            if pdf.is_encrypted:
                findings.encryption = "password_right" if candidate else "owner_only"
            return pdf
    raise pikepdf.PasswordError("the password does not open the file")


def _items(pdf: pikepdf.Pdf) -> Iterator[Item]:
    for value in pdf.objects:
        if isinstance(value, pikepdf.Stream):
            yield Item(value.objgen[0], value.stream_dict.unparse(resolved=True), value.read_raw_bytes)
        elif isinstance(value, pikepdf.Object):
            yield Item(value.objgen[0], value.unparse(resolved=True))
        else:  # a number or null, already a Python value
            yield Item(0, b"")


def _text(pdf: pikepdf.Pdf, ref: Ref) -> bytes:
    value = pdf.get_object(ref.number, ref.generation)
    return value.unparse(resolved=True) if isinstance(value, pikepdf.Object) else str(value).encode()
