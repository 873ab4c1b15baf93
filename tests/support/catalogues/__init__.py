"""Catalogues drawn by ourselves, with the truth about what they hold: for samples, load tests and single tests."""

from tests.support.catalogues.bulk import KINDS, make_catalogue, make_illustrated
from tests.support.catalogues.grid import Entry
from tests.support.catalogues.small import (
    blank_pdf,
    encrypted_pdf,
    one_table_pdf,
    photo_grid_pdf,
    scanned_pdf,
    tables_pdf,
    text_pdf,
)
from tests.support.catalogues.truth import TruthSku

__all__ = [
    "KINDS", "Entry", "TruthSku", "blank_pdf", "encrypted_pdf", "make_catalogue", "make_illustrated",
    "one_table_pdf", "photo_grid_pdf",
    "scanned_pdf", "tables_pdf", "text_pdf",
]  # fmt: skip
