"""The ways in which libraries may want one password spelled."""

import unicodedata
from stringprep import in_table_b1, in_table_c12


def passwords(password: str) -> list[str]:
    """None first, since it may not be needed; then as typed, and as AES-256 wants it (SASLprep).

    Neither qpdf nor MuPDF nor PDFium prepares it by itself.
    """
    mapped = "".join(" " if in_table_c12(c) else c for c in password if not in_table_b1(c))
    return list(dict.fromkeys(("", password, unicodedata.normalize("NFKC", mapped))))
